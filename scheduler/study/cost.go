package study

import (
	"time"

	"avsim/scheduler"
)

// What a replication costs, on one core of a two-core EPYC virtual machine: a
// start, a look at each table, and for each worker and due table a try to claim
// it, until the window is over. Fitted by hand to 1,800 points of five strategies
// (10 to 300,000 tables, 1 to 100 workers, 1 to 32 processors), of which four in
// five took between a quarter of the estimate and twice as long.
const (
	costStart  = 50 * time.Microsecond
	costScan   = 20 * time.Nanosecond   // a table
	costFile   = 1200 * time.Nanosecond // a try, with statistics in a file
	costShared = 350 * time.Nanosecond  // a try, with statistics in shared memory
	triesFile  = 100                    // of a worker, in a second of the window
	triesMem   = 7500
)

// Cost estimates the processor time of one replication of a point. It serves to
// share out points and to tell how long they will take, not to be exact.
func (s Study) Cost(p Point) time.Duration {
	perTry, perSecond := costFile, triesFile
	if p.Strategy.Stats == scheduler.SharedMemory {
		perTry, perSecond = costShared, triesMem
	}
	tries := min(float64(p.Tables)*p.DueShare, float64(perSecond)*p.Window.Min.Seconds())
	return costStart + time.Duration(p.Tables)*costScan + time.Duration(float64(p.Workers)*tries*float64(perTry))
}
