// Package workload says what a database looks like and what is done to it. It
// holds state and its evolution in time, and decides nothing: deciding is
// package scheduler's.
//
// Its sub-packages hold what surrounds the tables: guc the settings by
// PostgreSQL name, unit and version, host what a machine costs, recorded the
// runs of real PostgreSQL that the model is held against.
package workload
