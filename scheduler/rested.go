package scheduler

import "slices"

// rested leaves out for half a naptime the tables whose last visit was in vain: most of their
// dead rows were there when it ended, as when a snapshot is held. A worker that makes its
// list anew before each table would come back to one at once, and do nothing else.
func rested(due []Facts, at Situation) []Facts {
	return slices.DeleteFunc(due, func(f Facts) bool {
		return !f.Forced && f.Left > f.VacuumThreshold && 2*f.Left > f.Dead && f.SinceVacuum < at.Naptime/2
	})
}
