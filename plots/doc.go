// Package plots draws the figures of avsim from result tables.
//
// A figure is made from an [experiment.Table], as a sweep returns it or as it
// is read back from a CSV file, and knows nothing of the simulation behind it:
//
//	figure, err := plots.Throughput(table)
//	if err != nil {
//		return err
//	}
//	return figure.Save("throughput.png") // and throughput.csv beside it
//
// [Throughput] and [Workers] draw how fast automatic vacuum works, against the
// number of tables and the number of workers; [TimeShare] draws where the
// workers' time goes. Where a sweep varies other columns than these, the three
// show those. [Lines] draws any column against any other, [HeatMap] one over two
// others; [RatioTo] turns a column into ratios to a baseline. [Validation] and
// [Residuals] hold predictions against recorded runs of real PostgreSQL. Of a run of
// a scenario [Timeline] draws what the workers do, [Backlog] the tables that are due
// and the dead rows, [Lateness] how late workers come to tables of each size, and
// [Ages] how old the tables get.
//
// A figure is meant to be understood without the text around it. Its title is
// a finding, computed from the points that are drawn and only claimed where
// their intervals allow it and all else is equal; its subtitle names the setting
// and explains the strategies; its footer says what the marks mean, what was left
// out and which model, seed and inputs it comes from. A strategy has the same colour and the same mark in every figure.
//
// The same table gives the same bytes, in each of the three formats.
package plots
