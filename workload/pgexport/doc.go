// Package pgexport reads what a server's catalogues and statistics tell of its
// tables: CSV files that the queries of this package write (SQL prints them as a
// script for psql), or that others write with columns of the same names.
//
//	var e pgexport.Export
//	err := e.ReadFile("avsim-tables-shop.csv")
//	err = e.Finish()
//	for _, d := range e.Databases { … }
//
// A file is known by the columns of its header, whatever its name. Rows of one table
// at two times make a rate; a table that has no time stands as it is.
package pgexport
