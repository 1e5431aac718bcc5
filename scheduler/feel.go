package scheduler

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"avsim/scheduler/foreground"
	"avsim/scheduler/vacuum"
	"avsim/workload/yamlfile"
)

// feeling works out, after a run, what the application felt of it.
type feeling struct {
	*application
	cfg      RunConfig
	settings vacuum.Settings
	machine  vacuum.Machine
	perSec   float64 // transactions a second, as last found
	spans    []feltSpan
	seen     map[windowKey]foreground.Window
	out      *Felt
	done     <-chan struct{} // closed once nobody wants it any more
	again    int             // replication of windows beside the first
	busy     []seenInterval  // with a vacuum
}

// feltSpan is a phase of a vacuum, as it lies in the run.
type feltSpan struct {
	from, to float64 // seconds
	vacuum   int
	phase    string
	work     foreground.Work
	scans    float64 // pages that it brings into shared buffers a second, where no ring keeps them apart
	device   float64 // and from the device
	log      float64 // bytes of log a second
}

func newFeeling(ctx context.Context, a *application, cfg RunConfig) *feeling {
	return &feeling{application: a, cfg: cfg, settings: vacuum.SettingsOf(cfg.Settings), machine: vacuum.MachineOf(cfg.Host),
		seen: map[windowKey]foreground.Window{}, out: &Felt{}, done: ctx.Done()}
}

// felt works it out.
func (a *application) felt(ctx context.Context) (*Felt, error) {
	if a == nil {
		return nil, nil
	}
	f := a.feeling
	for i := range a.vacuums {
		f.layVacuum(&a.vacuums[i])
	}
	for _, ends := range f.cuts() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f.interval(ends[0], ends[1])
	}
	f.loaded()
	f.progress()
	f.doubt()
	return f.out, ctx.Err()
}

// firstGuess finds a throughput that agrees with the costs that it leads to.
func (f *feeling) firstGuess() error {
	f.look()
	defer func() { f.states = nil }()
	f.perSec = 1000
	for range 4 {
		d, _ := f.demand(0, nil)
		if err := f.tooHeavy(d); err != nil {
			return err
		}
		f.perSec = f.window(d, nil, (*feltSpan)(nil).transactions(d, f.server(), f.perSec)).Throughput
	}
	return nil
}

// TooHeavyError is an application of which one transaction takes longer than is sensible
// to simulate.
type TooHeavyError struct{ Takes time.Duration }

func (e TooHeavyError) Error() string {
	return fmt.Sprintf("a transaction would take %s of processor and device, accepted is an hour at most: fewer scans, reads, updates or inserts, smaller tables, or lower costs",
		yamlfile.FormatDuration(e.Takes.Round(time.Hour)))
}

func (f *feeling) tooHeavy(d foreground.Demand) error {
	device := f.machine.Device
	seconds := d.CPU.Seconds() + d.Reads*device.Latency.Seconds()
	if device.ReadPerSecond > 0 {
		seconds += (d.Reads + d.Ordered + d.Writes) * foreground.PageBytes / device.ReadPerSecond
	}
	if most := time.Hour; seconds > most.Seconds() {
		return TooHeavyError{inSeconds(math.Min(seconds, 1e9))}
	}
	return nil
}

// cuts are the intervals that are looked at: equal parts of the run after its warm-up, cut where phases
// of vacuums that last long begin and end.
func (f *feeling) cuts() (out [][2]float64) {
	begin, length := f.cfg.WarmUp.Seconds(), f.cfg.For.Seconds()
	step := (length - begin) / instants
	at := make([]float64, 0, instants+1)
	for i := range instants + 1 {
		at = append(at, begin+float64(i)*step)
	}
	for _, s := range f.spans {
		for _, x := range []float64{s.from, s.to} {
			if s.to-s.from > step/4 && x > begin && x < length {
				at = append(at, x)
			}
		}
	}
	slices.Sort(at)
	at = slices.Compact(at)
	for i := 1; i < len(at); i++ {
		if at[i]-at[i-1] > step/100 || i == len(at)-1 {
			out = append(out, [2]float64{at[i-1], at[i]})
		} else {
			at[i] = at[i-1]
		}
	}
	return out
}

// interval looks at a part of the run.
func (f *feeling) interval(from, to float64) {
	x := FeltInterval{From: inSeconds(from), To: inSeconds(to), Vacuum: -1, Stretch: 1}
	busiest, most := -1, 0.0
	for i := range f.spans {
		s := &f.spans[i]
		over := math.Min(s.to, to) - math.Max(s.from, from)
		if over <= 0 {
			continue
		}
		x.Share += over / (to - from)
		if over > most {
			busiest, most = i, over
		}
	}
	x.Share = math.Min(x.Share, 1)
	place := min(int((from+to)/2/f.cfg.For.Seconds()*instants), len(f.states)-1)
	demand, found := f.demand(place, nil)
	var span *feltSpan
	if busiest >= 0 {
		span = &f.spans[busiest]
	}
	transactions := span.transactions(demand, f.server(), f.perSec)
	without := f.window(demand, nil, transactions)
	x.Without, x.With = speedOf(without), speedOf(without)
	x.InShared, x.InOS, x.InSharedVacuum = found.Shared, found.OS, found.Shared
	x.PagesPerRow, x.Versions = f.bloat(place)
	if math.Abs(without.Throughput/f.perSec-1) > 0.02 { // less is chance
		f.perSec = without.Throughput
	}
	if busiest >= 0 {
		s := &f.spans[busiest]
		during, found := f.demand(place, s)
		x.InSharedVacuum = found.Shared
		with := f.window(during, &s.work, transactions)
		x.With, x.Vacuum, x.Phase = speedOf(with), s.vacuum, s.phase
		if alone := f.alone(s.work); with.VacuumPages > 0 && alone > 0 {
			x.Stretch = math.Max(alone/with.VacuumPages, 1) // nobody is faster for company: what is below is chance
		}
		f.busy = append(f.busy, seenInterval{x, busiest, demand, during})
	}
	f.out.Intervals = append(f.out.Intervals, x)
}

// loaded is how long each vacuum takes under load: its phases, each stretched.
func (f *feeling) loaded() {
	for i := range f.out.Vacuums {
		v := &f.out.Vacuums[i]
		var seen, stretched float64
		for _, x := range f.out.Intervals {
			if x.Vacuum == i {
				length := x.Share * (x.To - x.From).Seconds()
				seen += length
				stretched += length * x.Stretch
			}
		}
		v.Loaded = v.Alone
		if seen > 0 {
			v.Loaded = time.Duration(float64(v.Alone) * stretched / seen)
		}
	}
}

// progress is how long the transactions of the curve take: each at the speed of the
// tables as they stood when it was done by the run's clock.
func (f *feeling) progress() {
	p := f.asked.Progress
	if p == nil {
		return
	}
	took := 0.0
	for _, x := range f.out.Intervals {
		n := p.Total(x.To) - p.Total(x.From)
		f.out.Done += n
		took += n / x.Throughput()
	}
	f.out.Took = inSeconds(took) + f.asked.Apart
}

func inSeconds(s float64) time.Duration { return time.Duration(math.Round(s * 1e9)) }
