package scenario

import (
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"time"

	"github.com/goccy/go-yaml/ast"

	"avsim/sim"
	"avsim/workload"
	"avsim/workload/yamlfile"
)

// mostHorizons is how many snapshots may be held in a run, one after the other
// or at once.
const mostHorizons = 100_000

// horizon is what a file says of snapshots that are held: one, one again and
// again, or many that begin at random.
type horizon struct {
	from, to instant // one

	every, length time.Duration // again and again
	first         instant

	perSecond float64 // at random, of mean length

	database reference
	place    int // of the database, -1 for all
	node     ast.Node
}

// instant is a time since the start, and where it stands in the file.
type instant struct {
	at   time.Duration
	node ast.Node
}

func instantValue(into *instant) yamlfile.Value {
	return yamlfile.Duration(&into.at, 0, mostRunFor).Kept(&into.node)
}

var horizonSets = []string{"from to database?", "every length first? database?", "rate length database?"}

func horizonValue(h *horizon) yamlfile.Value {
	return yamlfile.Choice([]yamlfile.Field{
		{Name: "from", Doc: "when one begins", Value: instantValue(&h.from)},
		{Name: "to", Doc: "when it ends", Value: instantValue(&h.to)},
		{Name: "every", Doc: "from start to start of one that comes again and again", Value: yamlfile.Duration(&h.every, time.Millisecond, mostRunFor)},
		{Name: "first", Doc: "start of the first; the start of the run unless given", Value: instantValue(&h.first)},
		{Name: "rate", Doc: "how many begin, at random", Value: scalarRate(&h.perSecond).Then(h.aboveZero)},
		{Name: "length", Doc: "how long each is held; a mean where they begin at random", Value: yamlfile.Duration(&h.length, time.Millisecond, mostRunFor)},
		{Name: "database", Doc: "where it is held; everywhere unless given", Value: referenceValue(&h.database)},
	}, horizonSets...).Kept(&h.node)
}

func (h *horizon) aboveZero(d *yamlfile.Decoder, path string, n ast.Node) error {
	if h.perSecond > 0 {
		return nil
	}
	return d.Fail(n, path, "found "+yamlfile.Describe(n), "more than 0")
}

// checkHorizons finds their databases and holds their times against the run.
func (f *runFile) checkHorizons() (err error) {
	for i := range f.horizons {
		h := &f.horizons[i]
		path := fmt.Sprintf("horizons[%d]", i)
		if h.place, err = f.findDatabase(path+".database", h.database); err != nil {
			return err
		}
		if h.to.node != nil && h.to.at <= h.from.at {
			return f.d.Fail(h.to.node, path+".to", "found "+yamlfile.FormatDuration(h.to.at)+", not after from",
				"a time after "+yamlfile.FormatDuration(h.from.at))
		}
		for _, x := range []struct {
			key string
			instant
		}{{"from", h.from}, {"to", h.to}, {"first", h.first}} {
			if err := f.within(path+"."+x.key, x.at, x.node); err != nil {
				return err
			}
		}
	}
	return nil
}

// heldHorizons are those that begin before the end of the run, at which they are
// cut off: in the order of the file, those of one entry in the order of time.
func (f *runFile) heldHorizons(seed uint64) (out []workload.Horizon, err error) {
	equal := make(map[string]int)
	for i := range f.horizons {
		h := &f.horizons[i]
		name := h.stream()
		equal[name]++
		stream := sim.NewStreams(seed, 0).Named(fmt.Sprintf("%s %d", name, equal[name]))
		for from, to := range h.spans(stream) {
			if from >= f.runFor {
				break
			}
			if len(out) == mostHorizons {
				return nil, f.d.Fail(h.node, fmt.Sprintf("horizons[%d]", i),
					fmt.Sprintf("found more than %d horizons in all within %s", mostHorizons, yamlfile.FormatDuration(f.runFor)),
					fmt.Sprintf("%d at most in a run", mostHorizons))
			}
			out = append(out, workload.Horizon{Database: h.place, From: from, To: min(to, f.runFor)})
		}
	}
	return out, nil
}

// stream names the random numbers of an entry by what it says, so that another
// entry, before it or after, leaves them as they are. Equal entries are counted.
func (h *horizon) stream() string {
	return fmt.Sprintf("horizon %q %v %v", h.database.name, h.perSecond, h.length)
}

// spans are when a snapshot is taken and given up.
func (h *horizon) spans(r *rand.Rand) iter.Seq2[time.Duration, time.Duration] {
	switch {
	case h.perSecond > 0:
		return h.atRandom(r)
	case h.every > 0:
		return h.againAndAgain
	}
	return func(yield func(from, to time.Duration) bool) { yield(h.from.at, h.to.at) }
}

func (h *horizon) againAndAgain(yield func(from, to time.Duration) bool) {
	for from := h.first.at; from <= mostRunFor && yield(from, from+h.length); from += h.every {
	}
}

// atRandom is a Poisson process of beginnings, with exponential lengths.
func (h *horizon) atRandom(r *rand.Rand) iter.Seq2[time.Duration, time.Duration] {
	return func(yield func(from, to time.Duration) bool) {
		for at := 0.0; ; {
			at += r.ExpFloat64() / h.perSecond
			length := r.ExpFloat64() * h.length.Seconds()
			if at > mostRunFor.Seconds() || !yield(span(at, length)) {
				return
			}
		}
	}
}

// span is a time from a number of seconds on, of a nanosecond or more.
func span(at, length float64) (from, to time.Duration) {
	const second = float64(time.Second)
	from = time.Duration(at * second)
	length = math.Min(length*second, float64(mostRunFor))
	return from, from + max(time.Duration(length), 1)
}
