package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

func main() {
	runs := flag.Int("runs", 5, "runs, of which the median is told")
	simpy := flag.Bool("simpy", true, "measure SimPy too, where it is installed")
	only := flag.String("only", "", "a regular expression: measure only what it matches")
	flag.Parse()
	if err := table(os.Stdout, *runs, *only, *simpy); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// table measures everything in turn, so often, and prints medians.
func table(w io.Writer, runs int, only string, withSimPy bool) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if runs < 1 {
		return fmt.Errorf("-runs %d: at least one", runs)
	}
	all := slices.DeleteFunc(cases(), func(m measured) bool { return !match.MatchString(m.name) })
	costs := make([][]float64, len(all))
	var simpy []float64
	for range runs {
		for i, m := range all {
			costs[i] = append(costs[i], m.perUnit(m.n))
		}
		if !withSimPy || !match.MatchString(simpyName) {
			continue
		}
		ns, err := simpyMM1()
		if err != nil {
			fmt.Fprintln(os.Stderr, "SimPy is left out:", err)
			withSimPy = false
			continue
		}
		simpy = append(simpy, ns)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "what\tns\tto the group's first\tleast and most\t\n")
	var first float64
	for i, m := range all {
		if i == 0 || group(all[i-1].name) != group(m.name) {
			first = median(costs[i])
		}
		line(t, m.name, costs[i], first)
		if m.name == "mm1/avsim-processes" && len(simpy) > 0 {
			line(t, simpyName, simpy, first)
		}
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
