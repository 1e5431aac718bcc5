// Package experiment runs a simulation over a grid of points, several
// replications each, on all processors, and keeps the results in tables.
//
// A Grid is the product of axes. Run takes a Plan with the points and the
// number of replications, and hands each point's results to a callback in the
// order of the plan, as soon as they and all before them are complete:
//
//	grid := experiment.Grid{
//		{Name: "arrivals", Values: []string{"1", "2"}},
//		{Name: "servers", Values: []string{"1", "2", "4"}},
//	}
//	plan := experiment.Plan[experiment.Point]{Points: experiment.Points(grid.Points()...), Replications: 5}
//	err := experiment.Run(ctx, plan, simulate, func(index int, p experiment.Point, results []Result, err error) error {
//		return appendRow(p, results)
//	})
//
// What comes out does not depend on the number of processors, provided that a
// replication is a function of its point and its number, as it is when it draws
// from sim.NewStreams(seed, replication).
//
// Where an interval has to be narrow, RunUntil adds replications by a Sequential
// rule. A Journal keeps each point of a long run as soon as it is finished, so that
// the run can go on after whatever ended it; Shares hands points out to machines,
// and Merge brings their journals together. A Condition keeps some of the points.
//
// The package knows nothing of what is simulated, nor of how a command line
// looks, but for ParseNumbers, which reads the values of an axis such as
// "1000..1000000/log10x3". A Table holds results as text under named columns
// and reads and writes CSV. WriteFile leaves either the whole new file or the
// old one.
package experiment
