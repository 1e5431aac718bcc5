// Command ablation switches each mechanism of the model off in turn, validates
// over all recorded points, and prints the table of docs/validation.md.
package main

import (
	"context"
	"fmt"
	"math"
	"os"

	"avsim/scheduler"
	"avsim/scheduler/validate"
	"avsim/workload/host"
	"avsim/workload/recorded"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "ablation:", err)
		os.Exit(1)
	}
}

func run() error {
	rows, err := recorded.Embedded()
	if err != nil {
		return err
	}
	h, err := host.Load("epyc-2core")
	if err != nil {
		return err
	}
	o := validate.Options{Host: h, Replications: 5, Seed: 1}
	points := recorded.Points(rows)
	base, _, err := validate.Run(context.Background(), points, o)
	if err != nil {
		return err
	}
	fmt.Println("| switched off | median | 90th percentile | within 1.25 | right order | hurts most |")
	fmt.Println("| --- | --- | --- | --- | --- | --- |")
	print("nothing", base, base)
	for _, m := range scheduler.AllMechanisms() {
		o.Without = m
		results, _, err := validate.Run(context.Background(), points, o)
		if err != nil {
			return err
		}
		print(m.String(), results, base)
	}
	return nil
}

func print(name string, results, base []validate.Result) {
	s := validate.Summarize(results)
	fmt.Printf("| %s | %.1f %% | %.0f %% | %.0f %% | %.0f %% | %s |\n", name,
		100*s.MedianAbsError, 100*s.P90AbsError, 100*s.Within125, 100*s.RankAgreement, worst(results, base))
}

// worst is the point whose error grows most.
func worst(results, base []validate.Result) string {
	best, text := 0.05, ""
	for i, r := range results {
		growth := math.Abs(math.Log1p(r.Error())) - math.Abs(math.Log1p(base[i].Error()))
		if r.InSummary && growth > best {
			best = growth
			text = fmt.Sprintf("%s %s, %d tables, %d workers: %+.0f %% becomes %+.0f %%",
				r.PGVersion, r.Strategy, r.Tables, r.Workers, 100*base[i].Error(), 100*r.Error())
		}
	}
	return text
}
