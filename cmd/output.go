package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"avsim/scheduler"
	"avsim/scheduler/study"
	"avsim/sim/experiment"
)

// outputFlags say how a result is printed and how it is computed; they change
// no figure.
type outputFlags struct {
	format string
	out    string
	jobs   int
	quiet  bool
}

func (o *outputFlags) register(fs *pflag.FlagSet, format, out string) {
	fs.StringVar(&o.format, "format", format, "table, csv or json")
	fs.StringVarP(&o.out, "output", "o", "", out)
	fs.IntVar(&o.jobs, "jobs", 0, "runs at a time, 0 for one per processor; changes no figure")
	fs.BoolVar(&o.quiet, "quiet", false, "no progress bar and no warnings")
}

func (o *outputFlags) check() error {
	if o.jobs < 0 || o.jobs > 1024 {
		return usagef("--jobs %d: accepted is 0 to 1024", o.jobs)
	}
	return oneOf("format", o.format, "table", "csv", "json")
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

// progress is a progress bar on a terminal, and nothing in a pipe.
func (o *outputFlags) progress(ctx context.Context, stderr io.Writer) func(done, total int) {
	f, ok := stderr.(*os.File)
	if o.quiet || !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	var bar *progressbar.ProgressBar
	return func(done, total int) {
		if ctx.Err() != nil { // the last word is that of the interrupt
			if bar != nil {
				bar.Clear()
			}
			return
		}
		if bar == nil {
			bar = progressbar.NewOptions(total,
				progressbar.OptionSetWriter(f),
				progressbar.OptionSetDescription("simulating"),
				progressbar.OptionShowCount(),
				progressbar.OptionSetWidth(30),
				progressbar.OptionThrottle(100e6),
				progressbar.OptionSetPredictTime(true),
				progressbar.OptionClearOnFinish())
		}
		bar.Set(done)
	}
}

// fewVacuums is the number below which a rate is little more than a guess: its
// own counting error, 1/√n, exceeds a fifth.
const fewVacuums = 25

// warn tells what a reader has to know of the results and of the settings that
// were given.
func warn(stderr io.Writer, quiet bool, set []string, results []study.Result) {
	if quiet {
		return
	}
	for _, assignment := range set {
		if name, _, _ := strings.Cut(assignment, "="); !scheduler.UsesSetting(strings.TrimSpace(strings.ToLower(name))) {
			fmt.Fprintf(stderr, "avsim: warning: %s changes nothing here: compare and sweep model %s\n", name, scheduler.SettingsUsed())
		}
	}
	var ranOut, ramp, few, none int
	for _, r := range results {
		switch s := r.Summary; {
		case s.Vacuums == 0:
			none++
		case s.Exhausted == scheduler.RampExhausted:
			ramp++
		case s.Exhausted == scheduler.TablesExhausted:
			ranOut++
		case s.Vacuums < fewVacuums:
			few++
		}
	}
	say := func(n int, what string) {
		if n > 0 {
			fmt.Fprintf(stderr, "avsim: warning: %s %s\n", plural(n, "point"), what)
		}
	}
	say(ranOut, "ran out of tables: the rate is that until all were done once (exhausted: yes)")
	say(ramp, "ran out of tables before all workers were there: the rate is end to end (exhausted: ramp)")
	say(few, fmt.Sprintf("saw fewer than %d vacuums in all replications: take the rate with care", fewVacuums))
	say(none, "saw no vacuum: no table exceeded the threshold, or the window was too short")
}

// interrupted tells what is kept of a run that was ended early. Other errors it
// returns as they are.
func interrupted(err error, done, total int, kept string) error {
	if !errors.Is(err, context.Canceled) {
		return err
	}
	if total == 1 {
		return fmt.Errorf("interrupted, %s: %w", kept, context.Canceled)
	}
	return fmt.Errorf("interrupted with %s of %s finished, %s: %w", thousands(done), plural(total, "point"), kept, context.Canceled)
}
