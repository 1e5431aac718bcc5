// Package pglog reads what PostgreSQL's log tells of autovacuum.
//
//	s := pglog.Scanner{Each: func(e *pglog.Event) { fmt.Println(e.Kind, e.Name, e.Elapsed) }}
//	err := s.ScanFile("postgresql.log.gz")
//	s.Counts.Events[pglog.Vacuum] // how many
//
// It reads stderr logs with any log_line_prefix, csvlog and jsonlog, of
// PostgreSQL 9.3 to 19, also within what syslog, journald, Docker and Kubernetes
// put around a line, and files in which several of these follow each other;
// plain, gzip or bzip2, in UTF-8, UTF-16 or an encoding of one byte a character.
// A file is read line by line, in constant memory.
//
// Lines that are no part of a log that it knows are counted, the first are kept
// as examples. A message that is cut off at the end of a file is an event that is
// not Complete.
package pglog
