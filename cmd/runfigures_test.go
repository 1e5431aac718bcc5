package cmd

import (
	"context"
	"math"
	"strconv"
	"testing"

	"avsim/scheduler"
)

// TestFiguresShowTheRun: the timeline's shares add up to the time of the run's
// vacuums, the distributions are of all visits, and samples are as many as asked
// for; what is within the warm-up is left out of all.
func TestFiguresShowTheRun(t *testing.T) {
	for _, warmUp := range []float64{0, 0.3} {
		f := runFlags{runFor: "6h"}
		sc, cfg, err := f.config("daily-wave")
		if err != nil {
			t.Fatal(err)
		}
		cfg.WarmUp = cfg.For * 3 / 10
		if warmUp == 0 {
			cfg.WarmUp = 0
		}
		r := newRunFigures(sc, cfg)
		cfg.Trace, cfg.Sample, cfg.Samples = r.event, r.sample, samplesOf(&cfg.World)
		result, err := scheduler.Run(context.Background(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		var vacuuming, visits, drawn, told float64
		for _, x := range result.Tables.All() {
			vacuuming += x.VacuumSeconds
			visits += float64(len(x.Lateness))
		}
		for key, seconds := range r.spent {
			if key.kind == scheduler.TraceVacuum {
				for _, s := range seconds {
					drawn += s
				}
			}
		}
		if vacuuming == 0 || math.Abs(drawn/vacuuming-1) > 1e-3 {
			t.Errorf("warm-up %v: the timeline has %v s of vacuums, the run %v", cfg.WarmUp, drawn, vacuuming)
		}
		late := r.lateness(result)
		for i := range late.Rows {
			if i == 0 || late.Text(i, "class") != late.Text(i-1, "class") {
				n, _ := strconv.ParseFloat(late.Text(i, "visits"), 64)
				told += n
			}
			if i == len(late.Rows)-1 && late.Text(i, "share") != "1" {
				t.Errorf("a distribution ends at %s", late.Text(i, "share"))
			}
		}
		if told != visits {
			t.Errorf("warm-up %v: %v visits in the distributions, %v in the run", cfg.WarmUp, told, visits)
		}
		want := 1 + mostSamples*(1-warmUp)
		if n := float64(len(r.samples)); math.Abs(n-want) > 1 {
			t.Errorf("warm-up %v: %v samples, want %v", cfg.WarmUp, n, want)
		}
	}
}
