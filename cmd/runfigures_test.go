package cmd

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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

// TestFiguresDrawnAgain: the data beside a figure has all that is on it, what is written
// around it included: drawn again by it alone, it is the same to the byte.
func TestFiguresDrawnAgain(t *testing.T) {
	drawn := map[string]bool{}
	for _, name := range []string{"daily-wave", "onap-cps", "lab-databases", "lab-at-risk", "t10-more-workers --variant ten"} {
		dir := t.TempDir()
		avsim(t, append(append([]string{"run"}, strings.Fields(name)...), "--figures", dir, "--quiet")...)
		for _, x := range runFigureSet {
			path := filepath.Join(dir, x.file+".csv")
			if !isFile(path) {
				continue
			}
			table, err := readResult(context.Background(), path)
			if err != nil {
				t.Fatal(err)
			}
			figure, err := x.draw(table)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, x.file, err)
			}
			again := filepath.Join(t.TempDir(), "again.png")
			if err := figure.Save(again); err != nil {
				t.Fatal(err)
			}
			want, _ := os.ReadFile(filepath.Join(dir, x.file+".png"))
			if got, _ := os.ReadFile(again); len(want) == 0 || !bytes.Equal(got, want) {
				t.Errorf("%s: %s drawn again is another", name, x.file)
			}
			drawn[x.file] = true
		}
	}
	for _, x := range runFigureSet {
		if !drawn[x.file] {
			t.Errorf("no scenario has the figure %s", x.file)
		}
	}
}
