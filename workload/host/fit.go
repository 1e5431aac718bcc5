package host

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Report says how well the fitted profile gives back what it was made from.
type Report struct {
	Residuals []Residual
	Warnings  []string // rows that were not used, by file and line
}

// Residual is by how much one row departs from what the profile gives.
type Residual struct {
	Quantity string
	Tables   int    // 0 where the row has no size
	Form     string // "smooth", "leave-one-out", "composed" or "compared"
	Measured float64
	Fitted   float64 // in the row's unit
}

// Share is the residual as a share of the measured value, positive where the
// profile gives more.
func (r Residual) Share() float64 { return r.Fitted/r.Measured - 1 }

func (r Residual) String() string {
	at := ""
	if r.Tables > 0 {
		at = fmt.Sprintf(" at %d", r.Tables)
	}
	return fmt.Sprintf("%s%s: measured %.4g, fitted %.4g, %+.1f %% (%s)", r.Quantity, at, r.Measured, r.Fitted, 100*r.Share(), r.Form)
}

// wakeCallSpread is the 90th percentile of the call that wakes another process
// to its median: scripts/microbench gave 1.4 to 1.7 after pauses of 5 and 20 ms
// on a machine of the same kind as the recordings'.
const wakeCallSpread = 1.6

// assumed is the profile before the rows: what no row of a microcosts file
// tells. Two cores are those of the machine that was measured.
func assumed() *Profile {
	return &Profile{
		Cores: 2,
		Scheduler: Scheduler{
			BaseSlice:        700 * time.Microsecond, // sysctl_sched_base_slice, kernel/sched/fair.c
			Tick:             4 * time.Millisecond,   // CONFIG_HZ=250
			WakeOnWakerShare: 0.01,                   // "about one in a hundred" of measured wake-ups
		},
		ColdAfter:  time.Millisecond, // hot "when the core was busy within the last millisecond or so"
		CacheBytes: 32 << 20,         // of the machine's processor
		Variation:  0.15,             // scripts/microbench: 0.03 for 100,000 entries to 0.23 for a tiny vacuum
		Statistics: Statistics{
			TimestampCheck: 8 * time.Microsecond, // three system calls on a tmpfs file
			Message:        8 * time.Microsecond, // a receive and a hash look-up
		},
		Worker: Worker{
			LockHold: Times{Hot: time.Microsecond}, // a walk over the running workers in shared memory
		},
		MemoryBytes: 24 << 30, // of the machine
		Vacuum:      MeasuredVacuum,
		Device:      AssumedDevice,
	}
}

// Fit makes a profile from a file of measured micro-costs: CSV with the columns
// quantity, tables, value, unit, use, of which the rows of use "input" count.
// What the rows do not tell (cores, the kernel's scheduling figures, the
// collector's message and timestamp check) is assumed: two cores, Linux with
// HZ=250. The profile bears the file's name; see also Profile.WithCores.
//
// A curve is base + per_entry·n, by least squares on relative residuals, where
// that gives back every size within smoothWithin; otherwise the measured sizes
// are the knots of a piecewise linear curve, and the residuals reported are
// leave-one-out: each inner size predicted from its two neighbours.
//
// Errors name the file and, where there is one, the line.
func Fit(r io.Reader, filename string) (*Profile, *Report, error) {
	m, err := readMicrocosts(r, filename)
	if err != nil {
		return nil, nil, err
	}
	f := &fitter{m: m, report: &Report{Warnings: m.warnings}}
	p := assumed()
	p.Name = strings.TrimSuffix(filepath.Base(filename), filepath.Ext(filename))
	f.curves(p)
	f.single(p)
	f.composed(p)
	if f.err != nil {
		return nil, nil, f.err
	}
	return p, f.report, nil
}

// fitter keeps the first error, so that the steps read as a list.
type fitter struct {
	m      *microcosts
	report *Report
	err    error
}

func (f *fitter) curves(p *Profile) {
	s, w := &p.Statistics, &p.Worker
	// The collector sleeps before nearly every write. The hot rows, written beside
	// a reader that is never idle, lie up to 17 % above and are told only.
	f.curve(&s.Write, "collector_write_ms_after_sleep")
	f.compare(s.Write, "collector_write_ms_hot")
	f.curve(&s.Read.Hot, "backend_read_ms_hot")
	f.curve(&s.Read.Cold, "backend_read_ms_after_sleep")
	f.fileBytes(&s.FileBytes)
	f.curve(&w.Start, "start_init_ms")
	f.curve(&w.Cleanup, "start_vacstat_ms")
	f.curve(&w.FirstRead, "start_read_ms")
	f.curve(&w.ScanTables, "start_scan1_ms")
	f.curve(&w.ScanTOAST, "start_scan2_ms")
	f.sort(&w.Sort)
	f.curve(&w.Vacuum.Hot, "vacuum_one_table_ms_hot")
	f.curve(&w.Vacuum.Cold, "vacuum_one_table_ms_after_sleep")
}

func (f *fitter) curve(into *Curve, quantity string) {
	rows := f.sized(quantity)
	if f.err == nil {
		*into = f.fit(quantity, rows)
	}
}

// compare tells how far rows that are not fitted lie from a curve.
func (f *fitter) compare(c Curve, quantity string) {
	for _, r := range f.sized(quantity) {
		f.tell(quantity, "compared", r, milliseconds(c.At(r.tables)))
	}
}

// sort is the difference of two medians: with the sort, less without.
func (f *fitter) sort(into *Curve) {
	const with, without = "start_scan2_plus_sort_ms", "start_scan2_ms"
	rows := slices.Clone(f.sized(with))
	scans := f.sized(without)
	for i := range rows {
		j := slices.IndexFunc(scans, func(r row) bool { return r.tables == rows[i].tables })
		if j < 0 || scans[j].value >= rows[i].value {
			f.fail("%s:%d: %s at %d tables: accepted is more than %s at as many", f.m.file, rows[i].line, with, rows[i].tables, without)
			return
		}
		rows[i].value -= scans[j].value
	}
	if f.err == nil {
		*into = f.fit("sort (start_scan2_plus_sort_ms - start_scan2_ms)", rows)
	}
}

func (f *fitter) fileBytes(into *Linear) {
	const quantity = "stats_file_bytes"
	rows := f.sized(quantity)
	if f.err != nil {
		return
	}
	base, slope := leastSquares(rows)
	*into = Linear{Base: math.Round(base), PerEntry: roundTo(slope, 0.01)}
	for _, r := range rows {
		f.tell(quantity, "smooth", r, float64(into.At(r.tables)))
	}
}

// single takes the quantities without a size. The overshoot of a sleep is
// measured with the wake-up at its end, the median of which is taken off.
func (f *fitter) single(p *Profile) {
	p.WakeLatency = Quantiles{f.time("wake_latency_p50_idle_waker"), f.time("wake_latency_p90_idle_waker")}
	wake := p.WakeLatency.P50
	for _, s := range []struct {
		quantity string
		length   time.Duration
	}{
		{"sleep_1000us_actual_p50", time.Millisecond},
		{"sleep_2000us_actual_p50", 2 * time.Millisecond},
		{"sleep_10000us_actual_p50", 10 * time.Millisecond},
	} {
		p.SleepSlack = append(p.SleepSlack, SlackPoint{s.length, max(0, f.time(s.quantity)-s.length-wake)})
	}
	// The waiter has the lock that long before the call that released it returns,
	// and was itself woken some way into the call.
	call := f.time("woken_waiter_acquires_before_release_call_returns_median") +
		(f.time("wake_latency_p50_waker_busy_300us")+f.time("wake_latency_p50_waker_busy_2000us"))/2
	p.WakeCall = Quantiles{call, time.Duration(wakeCallSpread * float64(call))}
	p.Worker.LockHold.Cold = f.time("lock_hold_skip_claimed_by_another")
}

// composed compares sums of costs with what was measured as a whole.
func (f *fitter) composed(p *Profile) {
	if f.err != nil {
		return
	}
	const poll = 10 * time.Millisecond // PGSTAT_RETRY_DELAY
	nap := poll + p.SleepSlack.At(poll) + p.WakeLatency.P50
	if rows := f.m.rows["poll_sleep_actual"]; len(rows) > 0 {
		f.tell("poll_sleep_actual", "composed", rows[0], milliseconds(nap))
	}
	w := p.Worker
	for _, r := range f.m.rows["start_total_ms"] {
		n := r.tables
		polls := p.Statistics.Write.At(n)/nap + 1
		sum := polls*nap + w.Start.At(n) + w.Cleanup.At(n) + w.FirstRead.At(n) + w.ScanTables.At(n) + w.ScanTOAST.At(n)
		f.tell("start_total_ms", "composed", r, milliseconds(sum))
	}
}

func (f *fitter) sized(quantity string) []row {
	rows, err := f.m.sized(quantity)
	f.keep(err)
	return rows
}

func (f *fitter) time(quantity string) time.Duration {
	ms, err := f.m.one(quantity)
	f.keep(err)
	return fromMilliseconds(ms)
}

func (f *fitter) fail(format string, args ...any) { f.keep(fmt.Errorf(format, args...)) }

func (f *fitter) keep(err error) {
	if f.err == nil {
		f.err = err
	}
}

func (f *fitter) tell(quantity, form string, r row, fitted float64) {
	f.report.Residuals = append(f.report.Residuals, Residual{quantity, r.tables, form, r.value, fitted})
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func fromMilliseconds(ms float64) time.Duration { return toDuration(ms * float64(time.Millisecond)) }

func roundTo(x, unit float64) float64 {
	perUnit := math.Round(1 / unit) // exact, unlike the unit itself
	return math.Round(x*perUnit) / perUnit
}
