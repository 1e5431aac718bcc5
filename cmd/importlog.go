package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"avsim/workload/guc"
	"avsim/workload/imported"
	"avsim/workload/pglog"
)

type importLogFlags struct {
	prefix    string
	pg        string
	maxTables int
	out       outputFlags
}

func newImportLog() *cobra.Command {
	var f importLogFlags
	c := &cobra.Command{
		Use:   "log FILE...",
		Short: "What a server's log tells of autovacuum",
		Long: `log reads a server's log: stderr with any log_line_prefix, csvlog, jsonlog, also
within syslog, journald, Docker or Kubernetes, plain, gzip or bzip2. - is
standard input. It counts automatic vacuums and analyzes by table, cancelled
and skipped ones, and what the log lets one conclude: how many workers are at
work, what they spend of the cost limit, how far apart workers come.

The log has these lines where log_autovacuum_min_duration is 0 (or as low as is
of interest; it is off by default to 14 and ten minutes from 15 on).`,
		Example: `  avsim import log /var/log/postgresql/*.log.gz
  zstd -dc old.log.zst | avsim import log - --format json
  avsim import log postgresql.csv --format csv -o events.csv`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("import log takes one or more log files, or - for standard input")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return importLog(c, &f, args) },
	}
	fs := c.Flags()
	fs.StringVar(&f.prefix, "prefix", "", "log_line_prefix of the server (default: found out line by line)")
	fs.StringVar(&f.pg, "pg", "", "PostgreSQL version (default: as the log tells)")
	fs.IntVar(&f.maxTables, "tables-in-output", 0, "the tables with most vacuums only, 0 for all (default: 50 of a table, all of json)")
	fs.StringVar(&f.out.format, "format", "table", "table, csv (every event) or json")
	fs.StringVarP(&f.out.out, "output", "o", "", "file to write to instead of standard output")
	fs.BoolVar(&f.out.quiet, "quiet", false, "no progress, no warnings")
	return c
}

func importLog(c *cobra.Command, f *importLogFlags, files []string) error {
	if err := f.out.check(); err != nil {
		return err
	}
	if f.maxTables < 0 {
		return usagef("--tables-in-output %d: accepted is 0 or more", f.maxTables)
	}
	for _, in := range files {
		if in != "-" && f.out.out != "" && sameFile(in, f.out.out) {
			return usagef("-o %s: is a log to read, which it would overwrite; accepted is another file", f.out.out)
		}
	}
	if err := f.out.tryOut(); err != nil {
		return err
	}
	if f.out.format == "csv" {
		return f.writeEvents(c, files)
	}
	log, counts, err := f.read(c.Context(), c.ErrOrStderr(), files, nil)
	if err != nil {
		return err
	}
	v, err := f.version(log)
	if err != nil {
		return err
	}
	most := f.maxTables
	if f.out.format == "table" && !c.Flags().Changed("tables-in-output") {
		most = readable
	}
	return f.out.write(c.OutOrStdout(), func(w io.Writer) error {
		if f.out.format == "json" {
			return logJSON(w, files, log, counts, v, most)
		}
		return logTable(w, log, counts, v, most)
	})
}

// read reads all files. A file that cannot be read is told of and left out; none
// that can is an error.
func (f *importLogFlags) read(ctx context.Context, stderr io.Writer, files []string, each func(*pglog.Event)) (*imported.Log, *pglog.Counts, error) {
	log := new(imported.Log)
	s := pglog.Scanner{Each: func(e *pglog.Event) {
		log.Add(e)
		if each != nil {
			each(e)
		}
	}}
	var err error
	if f.prefix != "" {
		if s.Prefix, err = pglog.ParsePrefix(f.prefix); err != nil {
			return nil, nil, usagef("--prefix %q: %v", f.prefix, err)
		}
	}
	progress, end := f.out.fileProgress(ctx, stderr, files)
	s.OnRead = func(bytes int) error {
		progress(bytes)
		return ctx.Err()
	}
	var failed []error
	for _, name := range files {
		switch err := s.ScanFile(name); {
		case ctx.Err() != nil:
			return nil, nil, fmt.Errorf("interrupted while %s was read: %w", name, context.Canceled)
		case pglog.EndsEarly(err):
			f.say(stderr, "%v; what stands before is used", err)
		case err != nil:
			failed = append(failed, err)
		}
	}
	end()
	if err := f.usable(log, &s.Counts, failed); err != nil {
		return nil, nil, err
	}
	for _, err := range failed {
		f.say(stderr, "%v; left out", err)
	}
	f.warnStrange(stderr, &s.Counts)
	return log, &s.Counts, nil
}

// usable refuses logs without anything of autovacuum.
func (f *importLogFlags) usable(log *imported.Log, counts *pglog.Counts, failed []error) error {
	n := 0
	for _, kind := range []pglog.Kind{pglog.Vacuum, pglog.Analyze, pglog.Cancelled, pglog.Skipped, pglog.Failsafe} {
		n += log.Counts[kind]
	}
	switch {
	case n > 0:
		return nil
	case len(failed) > 0 && counts.Lines == 0:
		return inputError{errors.Join(failed...)}
	case counts.Lines == 0:
		return inputError{errors.New("the log is empty")}
	case counts.Messages == 0:
		return inputError{fmt.Errorf("none of %s was understood, the first: %s; accepted are stderr logs, csvlog and jsonlog of PostgreSQL in English",
			plural(int(counts.Lines), "line"), example(counts))}
	}
	return inputError{fmt.Errorf("no automatic vacuum or analyze among %s of the log; is log_autovacuum_min_duration set on the server?",
		plural(int(counts.Messages), "message"))}
}

func example(counts *pglog.Counts) string {
	if len(counts.Examples) == 0 {
		return "(none)"
	}
	e := counts.Examples[0]
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, shortened(e.Text))
}

// shortened is a text in quotes, of at most so many bytes.
func shortened(text string) string {
	const most = 100
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strconv.Quote(text)
}

func (f *importLogFlags) say(stderr io.Writer, form string, args ...any) {
	if !f.out.quiet {
		fmt.Fprintf(stderr, "avsim: warning: "+form+"\n", args...)
	}
}

// warnStrange tells of lines that were not understood, with the first of them.
func (f *importLogFlags) warnStrange(stderr io.Writer, counts *pglog.Counts) {
	if counts.Strange > 0 {
		f.say(stderr, "%s of %s not understood:", plural(int(counts.Strange), "line"), thousands(int(counts.Lines)))
		for _, e := range counts.Examples {
			f.say(stderr, "  %s:%d: %s", e.File, e.Line, shortened(e.Text))
		}
	}
	if counts.Incomplete > 0 {
		f.say(stderr, "%s without an end, as at the end of a log that is cut off: counted, without their figures", plural(int(counts.Incomplete), "message"))
	}
}

// version is that of --pg or of the log.
func (f *importLogFlags) version(log *imported.Log) (guc.Version, error) {
	if f.pg != "" {
		v, err := guc.ParseVersion(f.pg)
		if err != nil {
			return v, usagef("--pg: %v", err)
		}
		return v, nil
	}
	v, _, ok := log.Version()
	if !ok {
		v = guc.Branches()[len(guc.Branches())-1]
	}
	return v, nil
}

// writeEvents writes each event as it is read: a log of any length takes no more
// memory.
func (f *importLogFlags) writeEvents(c *cobra.Command, files []string) error {
	var unread error
	err := f.out.write(c.OutOrStdout(), func(w io.Writer) error {
		rows := newEventRows(w)
		if _, _, unread = f.read(c.Context(), c.ErrOrStderr(), files, rows.add); unread != nil {
			return unread
		}
		return rows.flush()
	})
	if unread != nil { // not one of writing
		return unread
	}
	return err
}

// shownOfLog are the tables to print.
func shownOfLog(log *imported.Log, most int) []*imported.LogTable {
	tables := log.Sorted()
	if most == 0 || most >= len(tables) {
		return tables
	}
	return slices.Clip(tables[:most])
}
