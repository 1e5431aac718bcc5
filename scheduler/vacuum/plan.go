package vacuum

import "time"

// Kind is a phase, by the names of pg_stat_progress_vacuum.
type Kind uint8

// The phases, in the order in which they first come.
const (
	Initializing Kind = iota
	ScanningHeap
	VacuumingIndexes
	VacuumingHeap
	CleaningUpIndexes
	TruncatingHeap
	FinalCleanup
	AcquiringSample // of an ANALYZE
)

var kindNames = [...]string{"initializing", "scanning heap", "vacuuming indexes", "vacuuming heap",
	"cleaning up indexes", "truncating heap", "performing final cleanup", "acquiring sample rows"}

// String is the phase's name in pg_stat_progress_vacuum, or _analyze.
func (k Kind) String() string { return kindNames[k] }

// Job is a VACUUM to be planned.
type Job struct {
	Settings Settings
	Machine  Machine
	Table    Table
	// Count has the bytes of the dead rows counted also where the store cannot
	// be filled.
	Count bool
	// Failsafe: indexes, second heap pass and truncation are left out, the ring
	// is not used (from 16) and there is no cost delay.
	Failsafe bool
	// Budget is what it may spend, as far as is known: with Checkpoints, it tells how many
	// of these begin meanwhile.
	Budget      Budget
	Checkpoints Checkpoints
	// Into is a Plan whose memory may be used again, or nil.
	Into *Plan
}

// Plan is what a VACUUM will do.
type Plan struct {
	Phases []Phase
	// IndexScans is how often the indexes are gone through. Bypassed: they are
	// not, since few pages have dead rows (from 14).
	IndexScans int
	Indexes    int
	Bypassed   bool
	Dead       DeadItems
	Pages      float64 // of the heap at the start
	Scanned    float64 // of these, read by the heap pass
	Truncated  float64 // pages given back at the end
	// Helpers is how many workers help with the indexes.
	Helpers int

	total   Usage
	cost    float64
	charges []Charge
	starts  []time.Duration // of phases, where that mattered
	of      collected       // what Dead was collected from
	job     Job             // that it is made for; here so that it takes no memory of its own
}

// Phase is a part of a VACUUM.
type Phase struct {
	Kind     Kind
	From, To float64 // heap blocks, of a heap pass and of what it found for the indexes
	Usage    Usage
	Cost     float64
	// Throttled is the time between sleeps, Free that where there are none.
	Throttled, Free Times

	by     float64 // processes that share it
	items  float64 // dead rows put into the store, or removed
	charge [2]int  // of Plan.charges
}

// Times are what work takes.
type Times struct {
	Processor time.Duration
	Device    time.Duration // waiting for it
}

// Total is their sum.
func (t Times) Total() time.Duration { return t.Processor + t.Device }

func (t *Times) add(o Times) {
	t.Processor += o.Processor
	t.Device += o.Device
}

// Charge is a number of pages that cost the same, charged by so many processes at
// a time, of which each sleeps for its own; 0 and 1 are one.
type Charge struct{ Pages, Each, By float64 }

// Total is what all phases do.
func (p *Plan) Total() Usage { return p.total }

// Cost is what all phases are charged.
func (p *Plan) Cost() float64 { return p.cost }

// ScanShare is the part of what is charged that is charged in first heap passes.
func (p *Plan) ScanShare() float64 {
	scan := 0.0
	for i := range p.Phases {
		if p.Phases[i].Kind == ScanningHeap {
			scan += p.Phases[i].Cost
		}
	}
	return ratio(scan, p.cost)
}

// Plan works out what a VACUUM does.
func (j Job) Plan() *Plan {
	p := j.Into
	if p == nil {
		p = new(Plan)
	}
	dead, of := p.Dead, p.of
	*p = Plan{Phases: p.Phases[:0], charges: p.charges[:0], starts: p.starts[:0], Dead: DeadItems{Fills: p.Dead.Fills[:0]}, job: j}
	p.job.Into = nil
	p.make(dead, of)
	return p
}

// make makes the plan of its job. Dead are the dead rows that the plan before had, and of
// what they were collected from.
func (p *Plan) make(dead DeadItems, of collected) {
	j, t := &p.job, &p.job.Table
	if t.DeadPages == 0 {
		t.DeadPages = DeadPagesOf(t.Spread, t.Pages, t.Dead, t.RowsPerPage)
	}
	p.Pages = t.Pages
	if j.Failsafe {
		j.Settings.IndexCleanup, t.EmptyTail = CleanupOff, 0
		if j.Settings.from.v16 {
			j.Settings.Ring = 0
		}
	}
	p.Scanned = j.Scanned()
	p.Indexes = len(t.Indexes)
	if p.of = j.collected(); p.of == of {
		p.Dead = dead // planned a second time: its rows are where they were
	} else {
		p.Dead = j.collect(p.Dead.Fills)
	}
	b := builder{Job: j, Plan: p}
	p.Bypassed = b.bypasses()
	b.run()
	b.settle()
}

// Scanned are the heap pages that it reads in the first heap pass.
func (j *Job) Scanned() float64 {
	t := &j.Table
	return max(t.Pages-t.skipped(j.Settings.from), min(t.DeadPages, t.Pages))
}

// builder makes the phases of a plan.
type builder struct {
	*Job
	*Plan
	phase *Phase
	by    float64 // processes that share the phase at hand
	cycle Cycle   // of checkpoints; none as long as it is not known how many begin
}

// run makes the phases, and adds up what they do.
func (b *builder) run() {
	b.Phases, b.charges, b.IndexScans = b.Phases[:0], b.charges[:0], 0
	b.scan()
	b.total, b.cost = Usage{}, 0
	for i := range b.Phases {
		b.total.Add(b.Phases[i].Usage)
		b.cost += b.Phases[i].Cost
	}
	b.times()
}

// scan is lazy_scan_heap and what follows it.
func (b *builder) scan() {
	t := &b.Job.Table
	passes := len(t.Indexes) > 0 && t.Dead > 0 && !b.Bypassed
	b.open(Initializing)
	b.overhead(passes)
	for i := range b.Dead.Fills {
		f := &b.Dead.Fills[i]
		b.scanHeap(f)
		if passes && f.Items > 0 {
			b.vacuumIndexes(f, i)
			b.vacuumHeap(f)
			b.IndexScans++
		}
	}
	b.cleanUpIndexes()
	b.truncate()
	b.open(FinalCleanup)
}

// bypasses tells whether the indexes are left as they are since few pages have
// dead rows (lazy_vacuum, from 14): fewer than 2 % of the heap's, and less than
// 32 MB of identifiers: to 16 fewer than an array of that size holds, beside its 8 bytes
// of counts (MAXDEADITEMS: 5,592,404), from 17 as the store counts. It
// is decided at the end, so never once the store was full. With INDEX_CLEANUP off
// they always are.
func (b *builder) bypasses() bool {
	const share, bytes = 0.02, 32 << 20
	t := &b.Job.Table
	if b.Settings.IndexCleanup == CleanupOff {
		return len(t.Indexes) > 0 && t.Dead > 0
	}
	if !b.Settings.from.v14 || b.Settings.IndexCleanup == CleanupOn || len(t.Indexes) == 0 || t.Dead <= 0 || len(b.Dead.Fills) > 1 || t.DeadPages >= share*t.Pages {
		return false
	}
	if !b.Settings.tidTree {
		return t.Dead < (bytes-8)/tidBytes
	}
	j := *b.Job
	j.Settings.Memory = 2 * bytes // so that what surely fits is below 32 MB
	if j.surelyFits(bytes) {
		return true
	}
	peak := b.Dead.PeakBytes
	if peak == 0 {
		peak = b.fill(nil)[0].Bytes
	}
	return peak < bytes
}

// open begins a phase.
func (b *builder) open(k Kind) *Phase {
	b.by = 1
	b.Phases = append(b.Phases, Phase{Kind: k, by: 1, charge: [2]int{len(b.charges), len(b.charges)}})
	b.phase = &b.Phases[len(b.Phases)-1]
	return b.phase
}

// overhead are look-ups of catalogues, metapages, free space and visibility maps, as
// recorded of 18.4: by a session that has just begun, and by a worker, which has looked
// at catalogues before. With a scan of the indexes each of them takes more.
func (b *builder) overhead(passes bool) {
	n := float64(len(b.Job.Table.Indexes))
	var looks float64
	switch {
	case b.Settings.manual && passes:
		looks = 40 + 17*n
	case b.Settings.manual:
		looks = 40 + 4*n
	case passes:
		looks = 22 + 15*n
	default:
		looks = 17 + 17*n // recorded with one index at most
	}
	b.visit(looks, page{}, All())
	b.phase.Usage.Beside += looks
}

// Charges are the charges of all phases, in groups of pages that cost the same.
func (p *Plan) Charges() []Charge { return p.charges }
