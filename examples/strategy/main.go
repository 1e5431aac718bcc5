// Command strategy is avsim with a strategy of one's own. It is a folder outside of
// avsim's: one import brings every command, table and figure.
//
//	go run ./examples/strategy lab --quick --strategy scored,oldest-wait
//	go run ./examples/strategy run lab-giants --strategy oldest-wait
package main

import (
	"os"

	"avsim/cmd"
	"avsim/scheduler"
)

// oldest-wait is first come, first served: the table that has been due for longest comes
// first, but that tables to be vacuumed against wraparound come before all.
func init() {
	scheduler.Register(scheduler.Strategy{
		Name:     "oldest-wait",
		Summary:  "shared-stats, the table that has been due for longest first",
		Releases: "an example",
		Choices:  scheduler.Choices{Claim: scheduler.ClaimBeforeRecheck, Stats: scheduler.SharedMemory},
		Arrange:  scheduler.By(oldestWait),
		Relist:   scheduler.RelistAlways,
	})
}

// oldestWait is how long a table has waited, in seconds. What forces a vacuum counts as if
// it had waited for a year.
func oldestWait(f scheduler.Facts, _ scheduler.Situation) float64 {
	const year = 365 * 24 * 3600
	if f.Forced {
		return year + f.Wait.Seconds()
	}
	return f.Wait.Seconds()
}

func main() { os.Exit(cmd.Main(os.Args[1:], os.Stdout, os.Stderr)) }
