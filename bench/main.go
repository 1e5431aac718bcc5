package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
)

func main() {
	runs := flag.Int("runs", 5, "runs, of which the median is told")
	simpy := flag.Bool("simpy", true, "measure SimPy too, where it is installed")
	only := flag.String("only", "", "a regular expression: measure only what it matches")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends it at once
	err := table(ctx, os.Stdout, *runs, *only, *simpy, flag.Args())
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "bench:", err)
	if errors.Is(err, context.Canceled) {
		os.Exit(130)
	}
	os.Exit(1)
}

// row is a line of the table: what something costs in each run so far, in ns.
type row struct {
	name string
	cost func() (float64, error)
	ns   []float64
}

// table measures everything in turn, so often, and prints medians; where it is interrupted,
// those of what was measured until then.
func table(ctx context.Context, w io.Writer, runs int, only string, withSimPy bool, args []string) error {
	match, err := regexp.Compile(only)
	switch {
	case err != nil:
		return fmt.Errorf("-only: %w", err)
	case runs < 1:
		return fmt.Errorf("-runs %d: at least one", runs)
	case len(args) > 0:
		return fmt.Errorf("%q: no arguments are taken, only flags (-h shows them)", args)
	}
	rows := rowsOf(match, withSimPy)
	if len(rows) == 0 {
		return fmt.Errorf("-only %s: nothing is called so; there is\n%s", only, strings.Join(names(rowsOf(regexp.MustCompile(""), true)), "\n"))
	}
	for range runs {
		for i := range rows {
			if ctx.Err() == nil {
				rows[i].measure()
			}
		}
	}
	if !slices.ContainsFunc(rows, func(r row) bool { return len(r.ns) > 0 }) {
		return errors.Join(errors.New("nothing was measured"), ctx.Err())
	}
	if err := write(w, rows); err != nil || ctx.Err() == nil {
		return err
	}
	return fmt.Errorf("interrupted; printed is what was measured until then: %w", context.Canceled)
}

// rowsOf are the rows whose names match, SimPy after the others of its group.
func rowsOf(match *regexp.Regexp, withSimPy bool) (rows []row) {
	add := func(name string, cost func() (float64, error)) {
		if match.MatchString(name) {
			rows = append(rows, row{name: name, cost: cost})
		}
	}
	all := cases()
	for i, m := range all {
		add(m.name, func() (float64, error) { return m.perUnit(m.n), nil })
		if withSimPy && group(m.name) == group(simpyName) && (i == len(all)-1 || group(all[i+1].name) != group(simpyName)) {
			add(simpyName, simpyMM1)
		}
	}
	return rows
}

func names(rows []row) (out []string) {
	for _, r := range rows {
		out = append(out, "  "+r.name)
	}
	return out
}

// measure adds a run. What cannot be measured is told of, and not tried again.
func (r *row) measure() {
	if r.cost == nil {
		return
	}
	ns, err := r.cost()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s is left out: %v\n", r.name, err)
		r.cost = nil
		return
	}
	r.ns = append(r.ns, ns)
}

func write(w io.Writer, rows []row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "what\tns\tto the group's first\tleast and most\t\n")
	first, of := 0.0, ""
	for _, r := range rows {
		if len(r.ns) == 0 {
			continue
		}
		if group(r.name) != of {
			first, of = median(r.ns), group(r.name)
		}
		line(t, r.name, r.ns, first)
	}
	return t.Flush()
}

func line(w io.Writer, name string, ns []float64, first float64) {
	m := median(ns)
	fmt.Fprintf(w, "%s\t%.1f\t%.2f\t%.1f to %.1f\t\n", name, m, m/first, slices.Min(ns), slices.Max(ns))
}

// group is a name without its last part.
func group(name string) string { return name[:strings.LastIndexByte(name, '/')] }

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
