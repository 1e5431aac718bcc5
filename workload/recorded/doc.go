// Package recorded reads recorded runs of real PostgreSQL: what the model is
// held against. A copy of the runs of one machine is embedded; its README tells
// how they were made.
package recorded
