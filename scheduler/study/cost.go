package study

import (
	"math"
	"time"

	"avsim/scheduler"
)

// contestCost is what a replication of a contest costs, in seconds of one core of a
// two-core EPYC virtual machine: a start, the tables of the catalogue, and, up to what a
// window has room for, tries to claim a due table.
type contestCost struct {
	start, table      float64
	try, tryWorkers   float64 // of a due table; times workers to that power
	full, fullWorkers float64 // a window of 8 s that is full; times workers, cores and tables to powers
	fullCores         float64
	fullTables        float64
}

// Fitted to the processor time of 900 points drawn at random (six strategies, 10 to
// 300,000 tables, 1 to 100 workers, 1 to 32 processors, gated and natural, all due and
// some); BenchmarkContestCost draws others.
var (
	costShared   = contestCost{1.06e-4, 5.1e-9, 2.88e-7, 0.91, 1.44e-3, 0.75, 0.37, 0.22}
	costOriginal = contestCost{1.63e-4, 2.0e-8, 1.40e-6, 1.12, 1.02e-3, 0.47, 0.21, 0.05}
	costLeapfrog = contestCost{1.72e-4, 0, 8.0e-7, 0.22, 8.81e-4, 0.46, 0.27, 0.09}
	costRelease  = contestCost{1.27e-4, 1.8e-8, 8.7e-7, 0.76, 1.07e-3, 0.72, 0.27, 0.03}
)

func contestCostOf(s scheduler.Strategy) contestCost {
	switch {
	case s.Stats == scheduler.SharedMemory:
		return costShared
	case s.Claim == scheduler.ClaimAfterRecheck:
		return costOriginal
	case s.Reach == scheduler.AboveHighest:
		return costLeapfrog
	}
	return costRelease
}

// Cost estimates the processor time of one replication of a point.
func (s Contest) Cost(p Point) time.Duration {
	c := contestCostOf(p.Strategy)
	tables, workers := float64(p.Tables), float64(p.Workers)
	all := c.try * tables * p.DueShare * math.Pow(workers, c.tryWorkers)
	full := c.full * math.Pow(workers, c.fullWorkers) * math.Pow(float64(p.Host.Cores), c.fullCores) * math.Pow(tables, c.fullTables) * p.Window.Min.Seconds() / 8
	return inSeconds(c.start + c.table*tables + math.Min(all, full))
}

// What a run of a scenario costs, in seconds of the same core, by hand from the built-in
// scenarios at several naptimes and lengths.
const (
	costRun        = 3e-3
	costWorker     = 7e-6   // a worker that starts, looks and goes
	costEvent      = 1.2e-5 // a vacuum or analyze
	costTable      = 2e-6   // that is read from the scenario and made
	costLook       = 5e-8   // at a table, for the means over time
	costForeground = 0.4
)

// Cost estimates the processor time of one run.
func (s Runs) Cost(p Point) time.Duration {
	m := s.load(p)
	settings, err := s.settingsOf(s.variantOf(p), p)
	if err != nil {
		return inSeconds(costRun) // Check tells
	}
	length := m.length
	if p.Lasting > 0 {
		length = p.Lasting.Seconds()
	}
	visits := length / math.Max(settings.Duration("autovacuum_naptime").Seconds(), 0.1*float64(m.databases))
	threshold, scale := settings.Float("autovacuum_vacuum_threshold"), settings.Float("autovacuum_vacuum_scale_factor")
	analyze, analyzeScale := settings.Float("autovacuum_analyze_threshold"), settings.Float("autovacuum_analyze_scale_factor")
	events := 0.0
	for _, t := range m.tables {
		events += timesDue(t.dead, threshold+scale*t.rows, length, visits) + timesDue(t.mods, analyze+analyzeScale*t.rows, length, visits)
	}
	looks := math.Min(math.Max(mostLooked/math.Max(m.count, 1), leastLooks), mostLooks)
	sum := costRun + costWorker*visits*float64(m.databases) + costEvent*events*m.count/math.Max(float64(len(m.tables)), 1) + (costTable+costLook*looks)*m.count
	if s.Base.Foreground != nil {
		sum += costForeground
	}
	return inSeconds(sum)
}

// timesDue is how often a table is found due to which so many rows happen a second: each
// time after as many as the threshold, and half a visit's distance later.
func timesDue(rate, threshold, length, visits float64) float64 {
	if rate <= 0 {
		return 0
	}
	return math.Min(length/(threshold/rate+0.5*length/visits), visits)
}

func inSeconds(x float64) time.Duration { return time.Duration(math.Min(x, 1e9) * 1e9) }

// runLoad is what of a scenario its cost depends on.
type runLoad struct {
	length    float64 // seconds
	databases int
	count     float64 // tables
	tables    []tableLoad
}

// tableLoad is a table, of which dead rows and changes are a second.
type tableLoad struct{ rows, dead, mods float64 }

// mostLoads and mostLoad bound how many scenarios, and tables of each, are remembered.
const (
	mostLoads = 1000
	mostLoad  = 1000
)

// load is the scenario's as a point has it; beyond a number of different ones, that of
// the scenario as it is.
func (s Runs) load(p Point) *runLoad {
	key := ""
	for _, f := range p.fields() {
		key += f + "\x00"
	}
	s.memo.mu.Lock()
	defer s.memo.mu.Unlock()
	if m, ok := s.memo.loads[key]; ok {
		return m
	}
	sc := s.Base
	if key != "" {
		if len(s.memo.loads) >= mostLoads {
			return s.memo.loads[""]
		}
		p.world = nil
		if changed, err := s.makeScenario(p); err == nil {
			sc = changed
		}
	}
	m := &runLoad{length: sc.RunFor.Seconds()}
	if world, err := sc.World(s.Seed); err == nil {
		m.databases = len(world.Databases)
		for _, b := range world.Databases {
			m.count += float64(b.Tables.Len())
		}
		step := max(int(m.count)/mostLoad, 1)
		i := 0
		for _, b := range world.Databases {
			for k := range b.Tables.Len() {
				if i++; i%step == 0 {
					t := b.Tables.At(k)
					x := t.Activity.Expected(sc.RunFor)
					m.tables = append(m.tables, tableLoad{float64(t.Rows), (x.Updated*(1-t.Activity.HotShare) + x.Deleted) / m.length, (x.Inserted + x.Updated + x.Deleted) / m.length})
				}
			}
		}
	}
	if m.databases == 0 {
		m.databases = 1
	}
	s.memo.loads[key] = m
	return m
}
