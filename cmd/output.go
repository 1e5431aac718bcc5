package cmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"avsim/sim/experiment"
)

// outputFlags say how a result is printed and how it is computed; they change
// no figure.
type outputFlags struct {
	format  string
	formats []string // of sweep and merge
	out     string
	jobs    int
	quiet   bool
}

func (o *outputFlags) register(fs *pflag.FlagSet, format, out string) {
	fs.StringVar(&o.format, "format", format, "table, csv or json")
	fs.StringVarP(&o.out, "output", "o", "", out)
	fs.IntVar(&o.jobs, "jobs", 0, "runs at a time, 0 for one per processor; changes no figure")
	fs.BoolVar(&o.quiet, "quiet", false, "no progress bar and no warnings")
}

func (o *outputFlags) check() error {
	if err := o.checkJobs(); err != nil {
		return err
	}
	return oneOf("format", o.format, "table", "csv", "json")
}

func (o *outputFlags) checkJobs() error {
	if o.jobs < 0 || o.jobs > 1024 {
		return usagef("--jobs %d: accepted is 0 to 1024", o.jobs)
	}
	return nil
}

// registerRows registers what a result of many points has.
func (o *outputFlags) registerRows(fs *pflag.FlagSet, out string) {
	o.registerFormats(fs, out)
	fs.IntVar(&o.jobs, "jobs", 0, "runs at a time, 0 for one per processor; changes no figure")
}

func (o *outputFlags) registerFormats(fs *pflag.FlagSet, out string) {
	fs.StringSliceVar(&o.formats, "format", []string{"table"}, strings.Join(formatNames(), ", ")+"; with -o a list of what to write beside sweep.csv")
	fs.StringVarP(&o.out, "output", "o", "", out)
	fs.BoolVar(&o.quiet, "quiet", false, "no progress bar and no warnings")
}

// checkRows checks the formats of a result of many points: one on standard
// output, any number of files.
func (o *outputFlags) checkRows(fs *pflag.FlagSet) error {
	if err := o.checkJobs(); err != nil {
		return err
	}
	o.formats = withoutDoubles(o.formats)
	for _, format := range o.formats {
		if err := oneOf("format", format, formatNames()...); err != nil {
			return err
		}
		if format == "table" && o.out != "" && fs.Changed("format") {
			return usagef("--format table is for standard output: accepted with -o are csv, json, jsonl, parquet and benchfmt")
		}
	}
	if o.out == "" && slices.Contains(o.formats, "parquet") && term.IsTerminal(int(os.Stdout.Fd())) {
		return usagef("--format parquet is not for a terminal: send it to a file, or give -o DIR")
	}
	if o.out == "" && len(o.formats) != 1 {
		return usagef("--format %s: standard output takes one format, -o DIR several", strings.Join(o.formats, ","))
	}
	return nil
}

// note tells something that is no error.
func (o *outputFlags) note(stderr io.Writer, format string, args ...any) {
	if !o.quiet {
		fmt.Fprintf(stderr, "avsim: warning: "+format+"\n", args...)
	}
}

// tryOut finds out before a run whether its output file can be written.
func (o *outputFlags) tryOut() error {
	if o.out == "" {
		return nil
	}
	if info, err := os.Stat(o.out); err == nil && info.IsDir() {
		return fmt.Errorf("%s: is a folder, not a file", o.out)
	}
	if info, err := os.Stat(filepath.Dir(o.out)); err != nil || !info.IsDir() {
		return fmt.Errorf("%s: there is no folder %s", o.out, filepath.Dir(o.out))
	}
	return experiment.CheckDir(filepath.Dir(o.out))
}

// write writes the result to the output file, if there is one, or to stdout.
func (o *outputFlags) write(stdout io.Writer, result func(io.Writer) error) error {
	if o.out != "" {
		return experiment.WriteFile(o.out, result)
	}
	return result(stdout)
}
