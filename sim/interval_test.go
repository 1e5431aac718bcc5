package sim

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// Two-sided 95 % points of Student's t, from the printed tables.
func TestStudentIntervalAgainstTables(t *testing.T) {
	for _, c := range []struct {
		n     int
		point float64
	}{{2, 12.706}, {3, 4.303}, {5, 2.776}, {10, 2.262}, {31, 2.042}, {121, 1.980}} {
		samples := make([]float64, c.n)
		for i := range samples {
			samples[i] = float64(i)
		}
		// 0 to n-1 have the sample variance n(n+1)/12, so s/√n = √((n+1)/12).
		half := c.point * math.Sqrt(float64(c.n+1)/12)
		got := StudentInterval(samples, 0.95)
		mean := float64(c.n-1) / 2
		if !near(got.Mean, mean) || math.Abs(got.Hi-mean-half) > 0.001*half || !near(got.Hi-mean, mean-got.Lo) {
			t.Errorf("n = %d: %+v, want %v ± %v", c.n, got, mean, half)
		}
	}
}

// covered returns the share of trials whose interval contains the truth.
func covered(trials int, truth float64, trial func() Interval) float64 {
	hits := 0
	for range trials {
		if i := trial(); i.Lo <= truth && truth <= i.Hi {
			hits++
		}
	}
	return float64(hits) / float64(trials)
}

// The bounds are three standard errors of a binomial share of 2000 trials.
func checkCoverage(t *testing.T, got float64) {
	t.Helper()
	if got < 0.935 || got > 0.965 {
		t.Errorf("a 95 %% interval covers the truth in %.2f %% of the trials", 100*got)
	}
}

func TestStudentIntervalCoverage(t *testing.T) {
	r := NewStreams(1, 0).Named("normal")
	samples := make([]float64, 8)
	checkCoverage(t, covered(2000, 10, func() Interval {
		for i := range samples {
			samples[i] = 10 + 3*r.NormFloat64()
		}
		return StudentInterval(samples, 0.95)
	}))
}

func TestStudentIntervalOfFewSamples(t *testing.T) {
	if got := StudentInterval(nil, 0.95); got.Known() || !math.IsNaN(got.Mean) {
		t.Errorf("no samples: %+v", got)
	}
	if got := StudentInterval([]float64{7}, 0.95); got.Known() || got.Mean != 7 || !math.IsNaN(got.Lo) || !math.IsNaN(got.Hi) {
		t.Errorf("one sample: %+v", got)
	}
	if got := StudentInterval([]float64{7, 7}, 0.95); got != (Interval{7, 7, 7}) || !got.Known() {
		t.Errorf("two equal samples: %+v", got)
	}
}

func TestIntervalsRefuseAConfidenceThatIsNoShare(t *testing.T) {
	for _, confidence := range []float64{0, 1, 95, -1, math.NaN()} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a confidence of %v did not panic", confidence)
				}
			}()
			StudentInterval([]float64{1, 2}, confidence)
		}()
	}
}

func TestPairedRatioCoverage(t *testing.T) {
	r := NewStreams(1, 0).Named("pairs")
	a, b := make([]float64, 6), make([]float64, 6)
	checkCoverage(t, covered(2000, 5, func() Interval {
		for i := range a {
			common := r.NormFloat64() // the luck that both share
			a[i] = 50 + 8*common + 3*r.NormFloat64()
			b[i] = 10 + 2*common + r.NormFloat64()
		}
		return PairedRatio(a, b, 0.95)
	}))
}

// By Fieller's definition the t statistic of a - r·b is at its critical value
// where r is an end of the interval.
func TestPairedRatioEndsAreCritical(t *testing.T) {
	a := []float64{52, 47, 60, 41, 55}
	b := []float64{10.5, 9.1, 11.7, 8.8, 10.1}
	got := PairedRatio(a, b, 0.95)
	for _, end := range []float64{got.Lo, got.Hi} {
		d := make([]float64, len(a))
		for i := range a {
			d[i] = a[i] - end*b[i]
		}
		mean, deviation := stat.MeanStdDev(d, nil)
		statistic := math.Abs(mean) / stat.StdErr(deviation, float64(len(d)))
		if critical := 2.776445; math.Abs(statistic-critical) > 1e-5 {
			t.Errorf("at %v the t statistic is %v, want %v", end, statistic, critical)
		}
	}
	if !near(got.Mean, 255/50.2) {
		t.Errorf("estimate %v, want %v", got.Mean, 255/50.2)
	}
}

// What both sides share cancels: common random numbers must pay.
func TestPairedRatioUsesTheCorrelation(t *testing.T) {
	b := []float64{10, 14, 8, 12, 9}
	var a []float64
	for _, x := range b {
		a = append(a, 4*x)
	}
	if got := PairedRatio(a, b, 0.95); !near(got.Lo, 4) || got.Mean != 4 || !near(got.Hi, 4) {
		t.Errorf("an exact multiple has the interval %+v, want 4 without a width", got)
	}
	a[0], a[1] = a[1], a[0]
	if got := PairedRatio(a, b, 0.95); got.Hi-got.Lo < 0.5 {
		t.Errorf("with the pairs torn apart the interval is %+v", got)
	}
}

func TestPairedRatioWithoutAnInterval(t *testing.T) {
	for _, c := range []struct {
		what string
		a, b []float64
		mean float64
	}{
		{"no pairs", nil, nil, math.NaN()},
		{"one pair", []float64{6}, []float64{2}, 3},
		{"a denominator of zero", []float64{1, 2}, []float64{0, 0}, math.NaN()},
		{"a denominator that may be zero", []float64{5, 6, 7}, []float64{-1, 1, 6}, 3},
	} {
		if got := PairedRatio(c.a, c.b, 0.95); got.Known() || !near(got.Mean, c.mean) {
			t.Errorf("%s: %+v, want an estimate of %v and no ends", c.what, got, c.mean)
		}
	}
}

func TestIntervalJSON(t *testing.T) {
	for _, c := range []struct {
		interval Interval
		want     string
	}{
		{Interval{1.5, 1, 2}, `{"mean":1.5,"lo":1,"hi":2}`},
		{unknown(3), `{"mean":3,"lo":null,"hi":null}`},
		{Interval{math.NaN(), math.Inf(-1), math.Inf(1)}, `{"mean":null,"lo":null,"hi":null}`},
	} {
		text, err := json.Marshal(map[string]Interval{"x": c.interval})
		if err != nil {
			t.Fatal(err)
		}
		if want := `{"x":` + c.want + `}`; string(text) != want {
			t.Errorf("%+v marshals as %s, want %s", c.interval, text, want)
		}
		var back Interval
		if err := json.Unmarshal([]byte(c.want), &back); err != nil {
			t.Fatal(err)
		}
		if again, _ := json.Marshal(back); string(again) != c.want {
			t.Errorf("%s reads back as %s", c.want, again)
		}
	}
	var i Interval
	if err := json.Unmarshal([]byte(`{"mean":"fast"}`), &i); err == nil || !strings.Contains(err.Error(), "mean") {
		t.Errorf("a text for a mean: error %v", err)
	}
}
