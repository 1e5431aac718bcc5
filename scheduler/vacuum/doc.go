// Package vacuum has what one VACUUM of a table does, phase by phase, as
// vacuumlazy.c does it: the heap pass over the pages that the visibility map
// does not let it skip, passes over the indexes whenever the store of dead
// rows is full, a second heap pass after each, clean-up of the indexes,
// truncation. It is a function of its inputs: what the table is like, the
// settings of the version, and what of the table is in memory. It keeps no
// time: a Plan says how many pages each phase looks up, reads and changes,
// what it writes to the log, and how long it takes under a cost limit that
// the caller names.
//
//	s := vacuum.SettingsOf(guc.Defaults(guc.MustVersion("16")))
//	p := vacuum.Job{Settings: s, Machine: h.Vacuum, Table: vacuum.Table{
//		Pages: 8.2e6, RowsPerPage: 61, Dead: 200e6, Indexes: []vacuum.Index{{Pages: 1.4e6}},
//	}, Count: true}.Plan()
//	p.IndexScans                                 // 2
//	p.Dead.PeakBytes                             // 1073741814
//	p.Elapsed(vacuum.Budget{})                   // without cost delay
//	p.Total().Reads                              // pages read into shared buffers
//
// Pages and rows are numbers of expectation, so fractions occur. The store of
// dead rows is not estimated: it is that of scheduler/deadtid, filled page by
// page from a stream that follows from Table.Spread and Table.Seed.
package vacuum
