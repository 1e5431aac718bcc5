// Package host holds profiles of machines: what a statistics entry, a table in
// a catalogue scan, a tiny vacuum, a wake-up or a sleep costs there. The model
// itself knows no such figure.
//
//	p, err := host.Load("epyc-2core") // built in, or a file
//	p.Worker.ScanTables.At(10000)     // 1.167ms
//
// A profile is a YAML file. Times are written with their unit (54us, 1.7ms).
// A cost that grows with the number n of tables, or of entries in the
// statistics, is a curve, in one of two forms:
//
//	write: {base: 54us, per_entry: 180ns}
//	scan:  {points: {1000: 0.15ms, 10000: 0.93ms, 100000: 21ms}}
//
// A file that begins with "like: epyc-2core" takes everything from that built-in
// profile except what it says itself; a curve is replaced as a whole.
//
// What a profile may leave out: memory_bytes, vacuum and device, for which
// MeasuredVacuum and AssumedDevice stand then.
//
// Files are read strictly: a key that does not exist, a missing, negative or
// infinite cost, or a time without unit is an error that names file, line and
// field, what was found and what is accepted.
//
// Fit makes a profile from measured micro-costs. The built-in epyc-2core is
// what it makes of workload/recorded/epyc-2core/microcosts.csv.
package host
