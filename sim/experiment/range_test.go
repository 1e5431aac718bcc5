package experiment

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestParseNumbers(t *testing.T) {
	for _, c := range []struct {
		text string
		want []float64
	}{
		{"1000", []float64{1000}},
		{"1000,10000", []float64{1000, 10000}},
		{" 3 , 1,2,1", []float64{3, 1, 2}},
		{"0.5,1e3,-0", []float64{0.5, 1000, 0}},
		{"1..5", []float64{1, 2, 3, 4, 5}},
		{"-2..1", []float64{-2, -1, 0, 1}},
		{"7..7", []float64{7}},
		{"1..10/+3", []float64{1, 4, 7, 10}},
		{"1..12/+3", []float64{1, 4, 7, 10, 12}},
		{"0..0.5/+0.1", []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5}},
		{"-0.3..0.1/+0.1", []float64{-0.3, -0.2, -0.1, 0, 0.1}},
		{"100..100000/1-2-5", []float64{100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000}},
		{"0.01..0.1/1-2-5", []float64{0.01, 0.02, 0.05, 0.1}},
		{"150..3000/1-2-5", []float64{150, 200, 500, 1000, 2000, 3000}},
		{"3..3/1-2-5", []float64{3}},
		// 10^(1/3) is 2.154435, 10^(2/3) is 4.641589.
		{"1000..1000000/log10x3", []float64{1000, 2154, 4642, 10000, 21544, 46416, 100000, 215443, 464159, 1000000}},
		{"0.1..1/log10x3", []float64{0.1, 0.215443, 0.464159, 1}},
		{"1..8/log2x1", []float64{1, 2, 4, 8}},
		{"1..10/log10x10", []float64{1, 2, 3, 4, 5, 6, 8, 10}}, // 1.26 and 1.58 round to 1 and 2
		{"1..50/log10x1", []float64{1, 10, 50}},
		{"5..5/log10x3", []float64{5}},
		{"1..3,2..4,100..1000/1-2-5", []float64{1, 2, 3, 4, 100, 200, 500, 1000}},
	} {
		got, err := ParseNumbers(c.text)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, error %v, want %v", c.text, got, err, c.want)
		}
	}
}

func TestParseNumbersTellsWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "a number is missing; accepted are"},
		{"1,,2", "a number is missing; accepted are"},
		{"..5", "..5: a number is missing"},
		{"many", `"many" is not a number; accepted are`},
		{"0x10", `"0x10" is not a number`},
		{"NaN", `"NaN" is not a number`},
		{"Inf", `"Inf" is not a number`},
		{"1e999", `"1e999" is too large`},
		{"64MB", `"64MB" is not a number`},
		{"10..5", "10..5: the range ends before it begins"},
		{"1,10..5/+1", "10..5/+1: the range ends before it begins"},
		{"0.5..3", "0.5..3: a range without a step is one of whole numbers"},
		{"5/+1", `"5/+1": a step needs a range`},
		{"1..10/3", `1..10/3: an unknown step "3"; accepted are`},
		{"1..10/+0", `1..10/+0: a step of "0": a number above 0`},
		{"1..10/+x", `1..10/+x: a step of "x": a number above 0`},
		{"1..10/log", `1..10/log: a step of "log": log10x3 stands for`},
		{"1..10/log1x3", "the factor is 2 or more"},
		{"1..10/log10x0", "the number 1 or more"},
		{"0..10/log10x3", "0..10/log10x3: a logarithmic range has to begin above 0"},
		{"0..10/1-2-5", "0..10/1-2-5: a range in steps of 1-2-5 has to begin above 0"},
		{"1..1000000", "1..1000000: about 1e+06 numbers, where at most 10000 are accepted"},
		{"0..1/+1e-9", "at most 10000"},
		{"1..2/log2x100000", "at most 10000"},
		{"1..10000,20001", "more than 10000"},
	} {
		_, err := ParseNumbers(c.text)

		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one with %q", c.text, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: an error of several lines: %v", c.text, err)
		}
	}
}

func TestParseNumbersAcceptsTenThousand(t *testing.T) {
	got, err := ParseNumbers("1..10000")
	if err != nil || len(got) != 10_000 || got[9_999] != 10_000 {
		t.Errorf("%d numbers, error %v", len(got), err)
	}
}

// Whatever is accepted is a list of finite numbers, each once, and reads back
// from its own text.
func FuzzParseNumbers(f *testing.F) {
	for _, text := range []string{
		"1000,10000", "1..16", "1..10/+3", "0..1/+0.1", "1000..1000000/log10x3", "100..100000/1-2-5",
		"10..5", "1e-320..1e308/1-2-5", "-1e308..1e308/+1e308", "5e-324..1/log2x7", "1...5/+.1",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		numbers, err := ParseNumbers(text)
		if err != nil {
			return
		}
		if len(numbers) == 0 || len(numbers) > maxNumbers {
			t.Fatalf("%q: %d numbers", text, len(numbers))
		}
		seen := map[float64]bool{}
		var texts []string
		for _, x := range numbers {
			if math.IsNaN(x) || math.IsInf(x, 0) || seen[x] {
				t.Fatalf("%q: %v in %v", text, x, numbers)
			}
			seen[x] = true
			texts = append(texts, strconv.FormatFloat(x, 'g', -1, 64))
		}
		again, err := ParseNumbers(strings.Join(texts, ","))
		if err != nil || !slices.Equal(again, numbers) {
			t.Fatalf("%q: %v reads back as %v, error %v", text, numbers, again, err)
		}
	})
}
