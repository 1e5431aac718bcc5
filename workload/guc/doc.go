// Package guc knows the PostgreSQL settings that autovacuum depends on: their
// names, units, ranges and defaults in each version from 9.3 to 19, and how
// PostgreSQL reads and shows their values.
//
//	v, err := guc.ParseVersion("9.5.12")
//	s := guc.Defaults(v)
//	err = s.Set("autovacuum_naptime", "15s")
//	s.Duration("autovacuum_naptime") // 15s
//	s.Show("maintenance_work_mem")   // 64MB
//
// A name that does not exist, or not in that version, is an error that says
// what was probably meant. GUC, "grand unified configuration", is what
// PostgreSQL's source calls its settings.
//
// Sources: guc.c, guc_tables.c and guc_parameters.dat of the versions, and the
// chapter "Server Configuration" of the documentation. Where a setting's
// default is chosen by initdb (shared_buffers), it is initdb's that counts.
package guc
