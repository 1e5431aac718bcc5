package scheduler

import "avsim/sim"

// Constraint is what binds: the one thing whose loosening would gain most.
type Constraint string

// The constraints that a verdict can name.
const (
	BoundByScheduleLock Constraint = "schedule-lock"
	BoundByStatistics   Constraint = "statistics"
	BoundByProcessors   Constraint = "processors"
	BoundByWorkerSlots  Constraint = "worker-slots"
	BoundByCostBudget   Constraint = "cost-budget"
	BoundByDisk         Constraint = "disk"
	BoundByTableLock    Constraint = "table-lock"
	BoundByLauncher     Constraint = "launcher"
	BoundByThreshold    Constraint = "threshold"
	BoundByNaptime      Constraint = "naptime"
	BoundByHorizon      Constraint = "horizon"
	BoundByWraparound   Constraint = "wraparound"
	Unbound             Constraint = "none"
)

// Verdict names the constraint that binds and the share of the workers' time
// that speaks for it.
type Verdict struct {
	Constraint Constraint `json:"constraint"`
	Share      float64    `json:"share"`
	// Of is what Share is a share of, where that is not what the constraint tells.
	Of string `json:"of,omitempty"`
}

// evidence is which parts of the workers' time speak for which constraint.
// Reading a statistics file is part of what the file costs, as is waiting for
// it; catalogue scans come with each start of a worker.
var evidence = []struct {
	constraint Constraint
	activities []sim.Activity
}{
	{BoundByScheduleLock, []sim.Activity{ScheduleLock}},
	{BoundByStatistics, []sim.Activity{StatsWait, StatsRead}},
	{BoundByProcessors, []sim.Activity{sim.WaitProcessor}},
	{BoundByWorkerSlots, []sim.Activity{Vacuuming}},
	{BoundByCostBudget, []sim.Activity{CostDelay}},
	{BoundByDisk, []sim.Activity{IO}},
	{BoundByTableLock, []sim.Activity{TableLock}},
	{BoundByLauncher, []sim.Activity{CatalogueScan}},
}

// saturated is the utilization from which on the processors bind whatever the
// workers work at: there is nothing left to give.
const saturated = 0.95

// verdictOf reads the verdict off the account of the workers' time: the
// constraint with the largest share, but the processors where they have no time
// left and work, not waiting, is what takes the workers' time. No vacuum at all
// means that no table was due; workers that mostly wait for work are bound by
// nothing.
func verdictOf(account sim.Account, vacuums int, utilization float64) Verdict {
	if vacuums == 0 && account[ScheduleLock]+account[StatsWait] == 0 {
		return Verdict{Constraint: BoundByThreshold, Share: 1}
	}
	total := account.Total()
	if total == 0 {
		return Verdict{Constraint: Unbound}
	}
	best := Verdict{Constraint: Unbound, Share: float64(account[Idle]) / float64(total)}
	for _, e := range evidence {
		var sum float64
		for _, a := range e.activities {
			sum += float64(account[a]) / float64(total)
		}
		if sum > best.Share {
			best = Verdict{Constraint: e.constraint, Share: sum}
		}
	}
	if utilization >= saturated && (best.Constraint == BoundByWorkerSlots || best.Constraint == BoundByStatistics) {
		busy := account[sim.WaitProcessor] + account[StatsRead] + account[Vacuuming] + account[CatalogueScan]
		return Verdict{Constraint: BoundByProcessors, Share: float64(busy) / float64(total)}
	}
	return best
}
