package host

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// profile reads the whole into a profile, which may have been inherited.
func (d *decoder) profile(root ast.Node, p *Profile) error {
	s, t, w := &p.Scheduler, &p.Statistics, &p.Worker
	p.assume(d.inherits)
	return d.object("", root, []field{
		{"like", func(string, ast.Node) error { return nil }, true},
		{"name", d.stringValue(&p.Name), true},
		{"description", d.stringValue(&p.Description), true},
		{"source", d.stringValue(&p.Source), true},
		{"cores", d.cores(&p.Cores), false},
		{"scheduler", d.group([]field{
			{"base_slice", d.positive(d.time(&s.BaseSlice), &s.BaseSlice), false},
			{"tick", d.positive(d.time(&s.Tick), &s.Tick), false},
			{"wake_on_waker_share", d.number(&s.WakeOnWakerShare, 1, acceptShare), false},
		}), false},
		{"wake_latency", d.quantiles(&p.WakeLatency), false},
		{"wake_call", d.quantiles(&p.WakeCall), false},
		{"sleep_slack", d.slack(&p.SleepSlack), false},
		{"cold_after", d.time(&p.ColdAfter), false},
		{"cache_bytes", d.number(&p.CacheBytes, math.MaxInt64, acceptBytes), false},
		{"variation", d.number(&p.Variation, 1, acceptSigma), false},
		{"statistics", d.group([]field{
			{"write", d.curve(&t.Write), false},
			{"read", d.thermal(&t.Read), false},
			{"file_bytes", d.group([]field{
				{"base", d.number(&t.FileBytes.Base, math.MaxInt32, acceptBytes), false},
				{"per_entry", d.number(&t.FileBytes.PerEntry, math.MaxInt32, acceptBytes), false},
			}), false},
			{"timestamp_check", d.time(&t.TimestampCheck), false},
			{"message", d.time(&t.Message), false},
		}), false},
		{"worker", d.group([]field{
			{"start", d.curve(&w.Start), false},
			{"cleanup", d.curve(&w.Cleanup), false},
			{"first_read", d.curve(&w.FirstRead), false},
			{"scan_tables", d.curve(&w.ScanTables), false},
			{"scan_toast", d.curve(&w.ScanTOAST), false},
			{"sort", d.curve(&w.Sort), false},
			{"lock_hold", d.group([]field{
				{"hot", d.time(&w.LockHold.Hot), false},
				{"cold", d.time(&w.LockHold.Cold), false},
			}), false},
			{"vacuum", d.thermal(&w.Vacuum), false},
		}), false},
		{"memory_bytes", d.number(&p.MemoryBytes, math.MaxInt64, acceptBytes), true},
		{"vacuum", d.group([]field{
			{"throttled", d.pageTimes(&p.Vacuum.Throttled), true},
			{"free", d.pageTimes(&p.Vacuum.Free), true},
		}), true},
		{"device", d.device(&p.Device), true},
	})
}

// like starts from the built-in profile that the file names, if it names one.
// Its name, description and source are its own.
func (d *decoder) like(root ast.Node, p *Profile) error {
	items, _ := mapping(root)
	for _, item := range items {
		if text(item.Key) != "like" {
			continue
		}
		name := text(item.Value)
		if !slices.Contains(Embedded(), name) {
			return d.fail(item.Value, "like", "found "+describe(item.Value), fmt.Sprintf("one of %q", Embedded()))
		}
		base, err := Load(name)
		if err != nil {
			return err
		}
		*p = *base
		p.Name, p.Description, p.Source = "", "", ""
		d.inherits = true
	}
	return nil
}

// pageTimes reads what VACUUM takes.
func (d *decoder) pageTimes(into *PageTimes) func(string, ast.Node) error {
	return d.group([]field{
		{"least", d.time(&into.Least), true},
		{"fixed", d.time(&into.Fixed), true},
		{"heap", d.time(&into.Heap), true},
		{"index", d.time(&into.Index), true},
		{"read", d.time(&into.Read), true},
		{"image", d.time(&into.Image), true},
	})
}

// device reads the disk.
func (d *decoder) device(into *Device) func(string, ast.Node) error {
	return d.group([]field{
		{"latency", d.time(&into.Latency), true},
		{"read_bytes_per_s", d.number(&into.ReadPerSecond, math.MaxInt64, acceptBytes), true},
		{"write_bytes_per_s", d.number(&into.WritePerSecond, math.MaxInt64, acceptBytes), true},
		{"depth", d.depth(&into.Depth), true},
		{"read_ahead_bytes", d.number(&into.ReadAhead, math.MaxInt32, acceptBytes), true},
	})
}

func (d *decoder) group(fields []field) func(string, ast.Node) error {
	return func(path string, n ast.Node) error { return d.object(path, n, fields) }
}

func (d *decoder) thermal(into *Thermal) func(string, ast.Node) error {
	return d.group([]field{
		{"hot", d.curve(&into.Hot), false},
		{"cold", d.curve(&into.Cold), false},
	})
}

// positive also refuses zero, once the value has been read.
func (d *decoder) positive(read func(string, ast.Node) error, value *time.Duration) func(string, ast.Node) error {
	return func(path string, n ast.Node) error {
		if err := read(path, n); err != nil || *value > 0 {
			return err
		}
		return d.fail(n, path, "found "+describe(n), "a time above 0")
	}
}

func (d *decoder) quantiles(into *Quantiles) func(string, ast.Node) error {
	return func(path string, n ast.Node) error {
		err := d.object(path, n, []field{
			{"p50", d.positive(d.time(&into.P50), &into.P50), false},
			{"p90", d.time(&into.P90), false},
		})
		if err == nil && into.P90 < into.P50 {
			return d.fail(n, path+".p90", "found "+duration(into.P90)+", less than p50", "p50 or more")
		}
		return err
	}
}

func (d *decoder) slack(into *Slack) func(string, ast.Node) error {
	return func(path string, n ast.Node) error {
		items, ok := mapping(n)
		if !ok || len(items) == 0 {
			return d.fail(n, path, "found "+describe(n), "overshoots by length of sleep, such as {1ms: 60us, 10ms: 84us}")
		}
		var out Slack
		for _, item := range items {
			var at SlackPoint
			if err := d.time(&at.Sleep)(path, item.Key); err != nil {
				return err
			}
			if err := d.time(&at.Over)(join(path, text(item.Key)), item.Value); err != nil {
				return err
			}
			if len(out) > 0 && at.Sleep <= out[len(out)-1].Sleep {
				return d.fail(item.Key, join(path, text(item.Key)), "not longer than the one before", "lengths in rising order")
			}
			out = append(out, at)
		}
		*into = out
		return nil
	}
}

// curve reads either form of a curve. What was inherited is replaced as a whole.
func (d *decoder) curve(into *Curve) func(string, ast.Node) error {
	const accepted = "{base: 54us, per_entry: 180ns} or {points: {1000: 0.15ms, 10000: 0.93ms}}"
	return func(path string, n ast.Node) error {
		items, ok := mapping(n)
		if !ok {
			return d.fail(n, path, "found "+describe(n), accepted)
		}
		var c Curve
		perEntry := func(path string, n ast.Node) (err error) {
			c.PerEntry, err = d.nanoseconds(path, n)
			return err
		}
		whole := decoder{file: d.file, whole: true}
		fields := []field{{"base", d.time(&c.Base), false}, {"per_entry", perEntry, false}}
		if slices.ContainsFunc(items, func(i *ast.MappingValueNode) bool { return text(i.Key) == "points" }) {
			if len(items) > 1 {
				return d.fail(n, path, "found points and other keys", accepted)
			}
			fields = []field{{"points", d.points(&c.Points), false}}
		}
		if err := whole.object(path, n, fields); err != nil {
			return err
		}
		if c.isZero() {
			return d.fail(n, path, "found a cost of zero", accepted)
		}
		*into = c
		return nil
	}
}

func (d *decoder) points(into *[]Point) func(string, ast.Node) error {
	const accepted = "costs by number of tables in rising order, at least two, such as {1000: 0.15ms, 10000: 0.93ms}"
	return func(path string, n ast.Node) error {
		items, ok := mapping(n)
		if ok && len(items) == 1 {
			return d.fail(n, path, "found one point", accepted)
		}
		if !ok || len(items) == 0 {
			return d.fail(n, path, "found "+describe(n), accepted)
		}
		for _, item := range items {
			var p Point
			var err error
			if p.N, err = strconv.Atoi(text(item.Key)); err != nil || p.N < 0 {
				return d.fail(item.Key, path, "found "+describe(item.Key), accepted)
			}
			at := join(path, text(item.Key))
			if last := len(*into) - 1; last >= 0 && p.N <= (*into)[last].N {
				return d.fail(item.Key, at, "not above the one before", accepted)
			}
			if err := d.positive(d.time(&p.Cost), &p.Cost)(at, item.Value); err != nil {
				return err
			}
			*into = append(*into, p)
		}
		return nil
	}
}

func (c Curve) isZero() bool { return c.Base == 0 && c.PerEntry == 0 && len(c.Points) == 0 }
