package scheduler

import (
	"context"
	"math"
	"slices"
	"time"

	"avsim/scheduler/foreground"
	"avsim/scheduler/vacuum"
	"avsim/sim"
)

// A window has 10,000 transactions, of which a hundred lie beyond the 99th
// percentile, or as many as are done while a vacuum works off forty pieces, if that is
// more, and no more than 60,000.
const (
	leastTransactions = 10_000
	mostTransactions  = 60_000
	leastPieces       = 40
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
}

// feltSpan is a phase of a vacuum, as it lies in the run.
type feltSpan struct {
	from, to float64 // seconds
	vacuum   int
	phase    string
	work     foreground.Work
	scans    float64 // pages that it brings into shared buffers a second, where no ring keeps them apart
	device   float64 // and from the device
}

func newFeeling(a *application, cfg RunConfig) *feeling {
	f := &feeling{application: a, cfg: cfg, settings: vacuum.SettingsOf(cfg.Settings), machine: vacuum.MachineOf(cfg.Host),
		seen: map[windowKey]foreground.Window{}, out: &Felt{}}
	f.perSec = f.firstGuess()
	return f
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
	return f.out, nil
}

// firstGuess finds a throughput that agrees with the costs that it leads to.
func (f *feeling) firstGuess() float64 {
	f.look()
	defer func() { f.states = nil }()
	f.perSec = 1000
	for range 4 {
		d, _ := f.demand(0, nil)
		f.perSec = f.window(d, nil, leastTransactions).Throughput
	}
	return f.perSec
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
	transactions := leastTransactions
	if busiest >= 0 {
		transactions = f.spans[busiest].transactions(f.perSec)
	}
	without := f.window(demand, nil, transactions)
	x.Without, x.With = speedOf(without), speedOf(without)
	x.InShared, x.InOS, x.InSharedVacuum = found.Shared, found.OS, found.Shared
	x.PagesPerRow, x.Versions = f.bloat(place)
	if math.Abs(without.Throughput/f.perSec-1) > 0.02 { // less is chance
		f.perSec = without.Throughput
	}
	if busiest >= 0 {
		s := &f.spans[busiest]
		demand, found := f.demand(place, s)
		x.InSharedVacuum = found.Shared
		with := f.window(demand, &s.work, transactions)
		x.With, x.Vacuum, x.Phase = speedOf(with), s.vacuum, s.phase
		if alone := f.alone(s.work); with.VacuumPages > 0 && alone > 0 {
			x.Stretch = alone / with.VacuumPages
		}
	}
	f.out.Intervals = append(f.out.Intervals, x)
}

// demand is what a transaction asks for with the tables as at an instant, while a
// phase of a vacuum is under way.
func (f *feeling) demand(place int, s *feltSpan) (foreground.Demand, foreground.Found) {
	m := f.memory()
	if s != nil {
		m.OnceShared, m.OnceOS = s.scans, s.device
	}
	c := f.asked.Costs
	costs := foreground.Costs{Statement: c.Statement, Page: c.Page, Version: c.Version, Copy: c.Copy, LogBytes: c.LogBytes}
	return costs.Of(f.uses(place), m)
}

// memory is where pages may be. The ring of a vacuum is taken off at all times.
func (f *feeling) memory() foreground.Memory {
	shared := f.settings.SharedBuffers
	m := foreground.Memory{Shared: shared - f.settings.Ring, OS: math.Inf(1), PerSecond: f.perSec, ImagesEvery: f.cfg.Settings.Duration("checkpoint_timeout").Seconds() * f.perSec}
	if f.machine.MemoryBytes > 0 {
		m.OS = math.Max(f.machine.MemoryBytes/foreground.PageBytes-shared, 0)
	}
	return m
}

// uses are the tables of the application as at an instant.
func (f *feeling) uses(place int) []foreground.Table {
	out := make([]foreground.Table, len(f.tables))
	for i, id := range f.tables {
		t, s, a := &f.live.tables[id], f.states[place][i], f.asked.Transaction[i]
		out[i] = foreground.Table{Reads: a.Reads, Updates: a.Updates, Inserts: a.Inserts, Scans: a.Scans, HotShare: t.Activity.HotShare,
			Live: s.live, Dead: s.dead, Pages: s.pages, Indexes: t.Indexes, IndexPages: s.indexPages}
	}
	return out
}

// bloat is what the tables are like, over all that are used: heap pages a live row,
// and versions a look-up.
func (f *feeling) bloat(place int) (pagesPerRow, versions float64) {
	var pages, rows, looks, gone float64
	for _, t := range f.uses(place) {
		pages += t.Pages
		rows += t.Live
		looks += t.Reads + t.Updates
		gone += (t.Reads + t.Updates) * t.VersionsPerLook()
	}
	if looks == 0 {
		looks, gone = 1, 1
	}
	return pages / math.Max(rows, 1), gone / looks
}

// transactions is how many a window with a vacuum in it has, at so many a second.
func (s *feltSpan) transactions(perSecond float64) int {
	piece := float64(s.work.Ahead) * (s.work.CPU + s.work.Idle).Seconds()
	return int(min(max(leastPieces*piece*perSecond, leastTransactions), mostTransactions))
}

// windowKey is what a window depends on, to a thousandth: one that was simulated
// before is not simulated again.
type windowKey struct {
	demand       foreground.Demand
	work         foreground.Work
	transactions int
}

func newWindowKey(d foreground.Demand, w *foreground.Work, transactions int) windowKey {
	k := windowKey{demand: d, transactions: transactions}
	if w != nil {
		k.work = *w
	}
	round(&k.demand.Reads, &k.demand.Writes, &k.demand.LogBytes, &k.work.Reads, &k.work.Writes, &k.work.LogBytes)
	for _, d := range []*time.Duration{&k.demand.CPU, &k.work.CPU, &k.work.Idle} {
		x := float64(*d)
		round(&x)
		*d = time.Duration(x)
	}
	return k
}

// round leaves three digits of each.
func round(list ...*float64) {
	for _, x := range list {
		if *x != 0 {
			unit := math.Pow(10, math.Floor(math.Log10(math.Abs(*x)))-2)
			*x = math.Round(*x/unit) * unit
		}
	}
}

// window simulates. All windows have the same randomness, so that what differs between
// them is what they are of. Of clients that go round the throughput is that of Little's
// law, clients / (think time + latency): how long they happened to think in the window
// does not matter then.
func (f *feeling) window(d foreground.Demand, work *foreground.Work, transactions int) foreground.Window {
	key := newWindowKey(d, work, transactions)
	if w, ok := f.seen[key]; ok {
		return w
	}
	w := foreground.Simulate(foreground.Config{
		Machine: f.server(), Load: foreground.Load{Clients: f.asked.Clients, Think: f.asked.Think, Rate: f.asked.Rate},
		Demand: d, Vacuum: work, Transactions: transactions, Streams: f.streams(),
	})
	if f.asked.Rate == 0 {
		w.Throughput = float64(f.asked.Clients) / (f.asked.Think + w.Mean).Seconds()
	}
	f.seen[key] = w
	return w
}

func (f *feeling) streams() sim.Streams { return sim.NewStreams(f.cfg.Seed, f.cfg.Replication) }

// alone is the pace of a vacuum with nobody beside it, in pages a second.
func (f *feeling) alone(work foreground.Work) float64 {
	const pieces = 400
	piece := time.Duration(work.Ahead) * (work.CPU + work.Idle + time.Microsecond)
	return foreground.Simulate(foreground.Config{Machine: f.server(), Vacuum: &work, Length: pieces * piece, Streams: f.streams()}).VacuumPages
}

func (f *feeling) server() foreground.Machine {
	d := f.machine.Device
	return foreground.Machine{Cores: f.cfg.Host.Cores, Depth: d.Depth, Bandwidth: d.ReadPerSecond, ReadLatency: d.Latency,
		FlushLatency: f.asked.FlushLatency, Variation: f.cfg.Host.Variation}
}

func speedOf(w foreground.Window) Speed {
	return Speed{Throughput: w.Throughput, Mean: w.Mean, P50: w.P50, P95: w.P95, P99: w.P99, CPU: w.CPU, Device: w.Device}
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
