package host

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"
)

// rows made by a straight line are given back as that line.
func TestFitRecoversLine(t *testing.T) {
	var rows []row
	for _, n := range []int{1000, 5000, 100_000} {
		rows = append(rows, row{tables: n, value: 0.25 + 2e-4*float64(n)})
	}
	f := fitter{report: new(Report)}
	c := f.fit("made", rows)
	if c.Base != 250*time.Microsecond || c.PerEntry != 200 {
		t.Errorf("fitted %s, want {base: 250us, per_entry: 200ns}", curve(c))
	}
	for _, r := range f.report.Residuals {
		if math.Abs(r.Share()) > 1e-6 {
			t.Errorf("%s: want no residual", r)
		}
	}
}

// Neither part of a smooth cost is negative.
func TestFitNotNegative(t *testing.T) {
	if base, slope := leastSquares([]row{{tables: 10, value: 1}, {tables: 100, value: 11}}); base != 0 || slope <= 0 {
		t.Errorf("a line that starts below zero is fitted as %v + %v n", base, slope)
	}
	if base, slope := leastSquares([]row{{tables: 10, value: 2}, {tables: 100, value: 1}}); base <= 0 || slope != 0 {
		t.Errorf("a falling line is fitted as %v + %v n", base, slope)
	}
}

// A bent curve keeps its knots; each inner one is told leave-one-out.
func TestFitKeepsKnots(t *testing.T) {
	f := fitter{report: new(Report)}
	c := f.fit("bent", []row{{tables: 1000, value: 1}, {tables: 2000, value: 4}, {tables: 3000, value: 9}})
	if len(c.Points) != 3 || c.At(2000) != 4*time.Millisecond {
		t.Fatalf("fitted %s, want the three knots", curve(c))
	}
	if r := f.report.Residuals; len(r) != 1 || r[0].Fitted != 5 || r[0].Form != "leave-one-out" {
		t.Errorf("residuals %v, want 5 ms at 2000, half way from 1 to 9", r)
	}
}

// A check row must not reach a profile: changing them all changes nothing.
func TestFitIgnoresChecks(t *testing.T) {
	data, err := os.ReadFile("../recorded/epyc-2core/microcosts.csv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	for i, l := range lines {
		if f := strings.Split(l, ","); f[len(f)-1] == "check" {
			f[2] = "12345"
			lines[i] = strings.Join(f, ",")
		}
	}
	p, _, err := Fit(strings.NewReader(strings.Join(lines, "\n")), "changed.csv")
	if err != nil {
		t.Fatal(err)
	}
	if p.Hash() != load(t, "epyc-2core").Hash() {
		t.Error("rows of use check change the profile")
	}
}

func TestFitWarns(t *testing.T) {
	data, err := os.ReadFile("../recorded/epyc-2core/microcosts.csv")
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Count(string(data), "\n") + 1
	more := string(data) + "start_initt_ms,1000,1,ms,input\nstart_init_ms,1000,9,ms,input\n"
	_, report, err := Fit(strings.NewReader(more), "m.csv")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		fmt.Sprintf(`m.csv:%d: unknown quantity "start_initt_ms", did you mean start_init_ms?`, line),
		fmt.Sprintf(`m.csv:%d: start_init_ms at 1000 tables given again; the one of line 70 counts`, line+1),
	}
	if fmt.Sprint(report.Warnings) != fmt.Sprint(want) {
		t.Errorf("warnings\n%q, want\n%q", report.Warnings, want)
	}
}

// What is summed from the parts meets what was measured as a whole.
func TestComposedResiduals(t *testing.T) {
	f, err := os.Open("../recorded/epyc-2core/microcosts.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, report, err := Fit(f, "microcosts.csv")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, r := range report.Residuals {
		if r.Form != "composed" {
			continue
		}
		n++
		if math.Abs(r.Share()) > 0.1 {
			t.Errorf("%s: want within 10 %%", r)
		}
	}
	if n != 8 {
		t.Errorf("%d composed residuals, want a sleep and seven worker starts", n)
	}
}
