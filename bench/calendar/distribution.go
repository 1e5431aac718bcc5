package calendar

import (
	"bufio"
	"embed"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

//go:embed delays/*.txt
var recorded embed.FS

// Distribution is one of times from the scheduling of an event to the event, in ns.
type Distribution struct {
	Name string
	Draw func(*rand.Rand) int64
}

// Distributions are recorded ones, the usual one of the hold model, and hard ones.
func Distributions() []Distribution {
	return []Distribution{
		quantiles("sweep"),
		quantiles("run"),
		{"exponential", func(r *rand.Rand) int64 { return int64(r.ExpFloat64() * 1e9) }},
		{"skewed", func(r *rand.Rand) int64 { // of ten, nine a microsecond and one a thousand seconds
			if r.IntN(10) > 0 {
				return int64(r.ExpFloat64() * 1e3)
			}
			return int64(r.ExpFloat64() * 1e12)
		}},
		{"ties", func(r *rand.Rand) int64 { return int64(r.IntN(4)) * 1e7 }},
	}
}

// quantiles is a distribution recorded from the model.
func quantiles(name string) Distribution {
	text, err := recorded.ReadFile("delays/" + name + ".txt")
	if err != nil {
		panic(err)
	}
	var delays []int64
	for lines := bufio.NewScanner(strings.NewReader(string(text))); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		d, err := strconv.ParseInt(lines.Text(), 10, 64)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
		delays = append(delays, d)
	}
	return Distribution{name, func(r *rand.Rand) int64 { return delays[r.IntN(len(delays))] }}
}

// Delays are a million draws, so many that no branch predictor learns them.
func (d Distribution) Delays() []int64 {
	r := rand.New(rand.NewPCG(1, 2))
	delays := make([]int64, 1<<20)
	for i := range delays {
		delays[i] = d.Draw(r)
	}
	return delays
}
