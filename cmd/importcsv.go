package cmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"avsim/sim/experiment"
	"avsim/workload/guc"
	"avsim/workload/host"
	"avsim/workload/imported"
	"avsim/workload/pgexport"
	"avsim/workload/scenario"
)

// twinFlags are those of every way to a scenario.
type twinFlags struct {
	pg     string
	host   string
	name   string
	runFor string
	logs   []string
	prefix string
	single int
	toHost string
	out    outputFlags
}

func (f *twinFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&f.pg, "pg", "", "PostgreSQL version (default: as the settings tell)")
	fs.StringVar(&f.host, "host", "generic-4core", "host profile or YAML file that the scenario names")
	fs.StringVar(&f.name, "name", "imported", "name of the scenario")
	fs.StringVar(&f.runFor, "for", "1d", "how long the scenario lasts, such as 90m or 7d")
	fs.StringArrayVar(&f.logs, "log", nil, "log of the server, to compare and complete (repeatable)")
	fs.StringVar(&f.prefix, "prefix", "", "log_line_prefix of the log (default: found out line by line)")
	fs.StringVar(&f.toHost, "host-output", "", "file for a host profile with the service times of the log, which the scenario then names")
	fs.IntVar(&f.single, "single-tables", imported.DefaultMostSingle, "tables that stand for themselves; above, those in which least happens are grouped")
	fs.StringVarP(&f.out.out, "output", "o", "", "file to write to instead of standard output")
	fs.BoolVar(&f.out.quiet, "quiet", false, "no progress, no warnings")
}

func newImportCSV() *cobra.Command {
	var f twinFlags
	c := &cobra.Command{
		Use:   "csv DIR|FILE...",
		Short: "A scenario from exported catalogues and statistics",
		Long: `csv reads what the script of 'import sql' has written, or CSV files with columns
of the same names, and writes a scenario for 'avsim run'. Files are known by
their headers. With two exports, rates are measured between them; with one, they
are means since the statistics were reset. Each figure of the scenario bears a
comment that tells where it comes from.`,
		Example: `  avsim import csv . -o shop.yaml
  avsim import csv . --log postgresql.log.gz --for 7d -o shop.yaml
  avsim run shop.yaml`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("import csv takes a folder or CSV files (see 'avsim import sql')")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return importCSV(c, &f, args) },
	}
	f.register(c.Flags())
	return c
}

func importCSV(c *cobra.Command, f *twinFlags, args []string) error {
	o, v, err := f.check()
	if err != nil {
		return err
	}
	files, err := csvFiles(args)
	if err != nil {
		return inputError{err}
	}
	for _, in := range append(slices.Clone(files), f.logs...) {
		if f.out.out != "" && sameFile(in, f.out.out) {
			return usagef("-o %s: is a file to read, which it would overwrite; accepted is another file", f.out.out)
		}
	}
	export := new(pgexport.Export)
	if err := f.readCSV(c.ErrOrStderr(), export, files); err != nil {
		return err
	}
	return f.finish(c, export, v, o)
}

// check reads the flags. The version is nil where none is given.
func (f *twinFlags) check() (o imported.Options, v *guc.Version, err error) {
	if f.pg != "" {
		given, err := guc.ParseVersion(f.pg)
		if err != nil {
			return o, nil, usagef("--pg: %v", err)
		}
		v = &given
	}
	length, err := scenario.ParseRunFor(f.runFor)
	if err != nil {
		return o, nil, usagef("--for %s: %v", f.runFor, err)
	}
	switch ext := filepath.Ext(f.toHost); {
	case f.toHost == "":
	case len(f.logs) == 0:
		return o, nil, usagef("--host-output %s: the service times are those of a log; accepted with --log", f.toHost)
	case ext != ".yaml" && ext != ".yml":
		return o, nil, usagef("--host-output %s: accepted is a file that ends in .yaml", f.toHost)
	case f.toHost == f.out.out:
		return o, nil, usagef("--host-output %s: is the file of -o too; accepted is another", f.toHost)
	}
	if f.single < 1 || f.single > 1000 {
		return o, nil, usagef("--single-tables %d: accepted is 1 to 1000, so that the scenario is one that run reads", f.single)
	}
	return imported.Options{Name: f.name, Host: f.host, RunFor: length, MostSingle: f.single}, v, f.out.tryOut()
}

// csvFiles are the CSV files of the folders among the arguments, sorted, and the files
// among them.
func csvFiles(args []string) (files []string, err error) {
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, arg)
			continue
		}
		entries, err := os.ReadDir(arg)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if name := e.Name(); strings.HasSuffix(name, ".csv") || strings.HasSuffix(name, ".csv.gz") {
				files = append(files, filepath.Join(arg, name))
			}
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no CSV file in it", strings.Join(args, ", "))
	}
	return files, nil
}

func (f *twinFlags) say(stderr io.Writer, form string, args ...any) {
	(&importLogFlags{out: f.out}).say(stderr, form, args...)
}

func (f *twinFlags) readCSV(stderr io.Writer, export *pgexport.Export, files []string) error {
	var foreign []string
	for _, name := range files {
		switch kind, err := export.ReadFile(name); {
		case err != nil:
			f.say(stderr, "%v; left out", err)
		case kind == pgexport.Unknown:
			foreign = append(foreign, filepath.Base(name))
		}
	}
	if len(foreign) > 0 {
		f.say(stderr, "not an export by the columns of the header, and left out: %s", strings.Join(foreign, ", "))
	}
	return nil
}

// finish makes the scenario and writes it.
// scenarioName is what a scenario may be called.
var scenarioName = regexp.MustCompile(`^[\pL\pN][\pL\pN ._-]*$`)

func (f *twinFlags) finish(c *cobra.Command, export *pgexport.Export, v *guc.Version, o imported.Options) error {
	if v != nil {
		export.SetVersion(*v)
	}
	if err := export.Finish(); err != nil {
		return inputError{err}
	}
	f.warnExport(c.ErrOrStderr(), export)
	var log *imported.Log
	var err error
	if len(f.logs) > 0 {
		reader := importLogFlags{prefix: f.prefix, out: f.out}
		if log, _, err = reader.read(c.Context(), c.ErrOrStderr(), f.logs, nil); err != nil {
			return err
		}
	}
	if o.Host, err = f.writeHost(c.ErrOrStderr(), log, o.Host); err != nil {
		return err
	}
	if f.toHost != "" && o.Host == f.toHost {
		o.HostOrigin = "as " + f.host + ", but for the time to read a page: the log's I/O timings"
	}
	if _, err := host.Load(o.Host); err != nil {
		return usagef("--host: %v", err)
	}
	if !scenarioName.MatchString(o.Name) {
		return usagef("--name %q: accepted are letters, digits, dots, hyphens, underscores and blanks", o.Name)
	}
	made, err := imported.Make(export, log, o)
	if err != nil {
		return inputError{err}
	}
	for _, text := range made.Warnings {
		f.say(c.ErrOrStderr(), "%s", text)
	}
	return f.out.write(c.OutOrStdout(), func(w io.Writer) error {
		_, err := w.Write(made.Text)
		return err
	})
}

// writeHost writes the host profile that the log tells of, and returns the profile that
// the scenario is to name.
func (f *twinFlags) writeHost(stderr io.Writer, log *imported.Log, like string) (string, error) {
	if f.toHost == "" {
		return like, nil
	}
	name := strings.TrimSuffix(filepath.Base(f.toHost), filepath.Ext(f.toHost))
	text, ok, err := log.HostProfile(like, name)
	switch {
	case err != nil:
		return "", inputError{err}
	case !ok:
		f.say(stderr, "%s was not written: the log tells no I/O timings (track_io_timing); the scenario names %s", f.toHost, like)
		return like, nil
	}
	return f.toHost, experiment.WriteFile(f.toHost, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// warnExport tells what of the export was left out.
func (f *twinFlags) warnExport(stderr io.Writer, export *pgexport.Export) {
	if export.Bad > 0 {
		f.say(stderr, "%s could not be read, and were left out:", plural(export.Bad, "row"))
		for _, text := range export.BadFirst {
			f.say(stderr, "  %s", text)
		}
	}
	kinds := map[string]string{"p": "partitioned table", "i": "index", "I": "partitioned index", "v": "view", "f": "foreign table", "S": "sequence", "c": "composite type"}
	var dropped []string
	for kind, n := range export.Dropped {
		dropped = append(dropped, plural(n, or(kinds[kind], "relation of kind "+kind)))
	}
	if len(dropped) > 0 {
		slices.Sort(dropped)
		f.say(stderr, "left out, since autovacuum has nothing to do with them: %s", strings.Join(dropped, ", "))
	}
}
