package scenario

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"time"

	"github.com/goccy/go-yaml/ast"

	"avsim/workload"
	"avsim/workload/yamlfile"
)

const (
	mostRate    = 1e9 // rows a second
	rateAccepts = "a rate from 0 to 1e9 a second, such as 10/s, 5/min or 600/h"
	ratePattern = `^([0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?) ?/ ?(s|min|h|d)$`
)

var (
	rateText = regexp.MustCompile(ratePattern)
	rateUnit = map[string]time.Duration{"s": time.Second, "min": time.Minute, "h": time.Hour, "d": 24 * time.Hour}
)

// rate is what a file says of a rate: a level, which may differ from table to
// table, and what becomes of it in time; or a course in time.
type rate struct {
	given  bool
	level  distribution // rows a second
	wave   *workload.Wave
	bursts *workload.Bursts
	steps  []step
	course []point // what is done by when
	// total and along: a share of a curve of progress.
	total float64
	along string
	node  ast.Node
}

type step struct {
	workload.Step
	node ast.Node
}

// point is what is done by an instant.
type point struct {
	at   time.Duration
	done float64
	node ast.Node
}

// scalarRate reads 10/s, 5/min or 600/h; a bare number is a second's.
func scalarRate(into *float64) yamlfile.Value {
	return yamlfile.Value{
		Schema: map[string]any{"anyOf": []any{
			map[string]any{"type": "string", "pattern": ratePattern},
			map[string]any{"type": "number", "minimum": 0, "maximum": mostRate},
		}},
		Read: func(d *yamlfile.Decoder, path string, n ast.Node) error {
			text, per := yamlfile.Text(n), time.Second
			if m := rateText.FindStringSubmatch(text); m != nil {
				text, per = m[1], rateUnit[m[2]]
			}
			x, ok := yamlfile.ParseNumber(text)
			x /= per.Seconds()
			if !ok || !yamlfile.IsScalar(n) || math.Signbit(x) || x > mostRate {
				return d.Fail(n, path, "found "+yamlfile.Describe(n), rateAccepts)
			}
			*into = x
			return nil
		},
	}
}

// rateSets are the forms of a rate.
var rateSets = append(slices.Clone(distributionSets),
	"rate", "rate wave", "bursts", "steps", "total_by", "total progress")

// rateValue is a rate in any of its forms.
func rateValue(into *rate) yamlfile.Value {
	constant := func(x *distribution) yamlfile.Value {
		return scalarRate(&x.a)
	}
	return yamlfile.Or(constant(&into.level), yamlfile.Choice(append(distributionFields(&into.level, scalarRate),
		yamlfile.Field{Name: "rate", Doc: "its mean", Value: levelValue(&into.level)},
		yamlfile.Field{Name: "wave", Doc: "swings about the mean as a sine", Value: waveValue(&into.wave)},
		yamlfile.Field{Name: "bursts", Doc: "a rate for a while, again and again", Value: burstsValue(into)},
		yamlfile.Field{Name: "steps", Doc: "constant from one instant to the next; nothing before the first", Value: stepsValue(&into.steps)},
		yamlfile.Field{Name: "total_by", Doc: "rows in all by so many instants, even in between; nothing after the last",
			Value: pointsValue(&into.course, "rows")},
		yamlfile.Field{Name: "total", Doc: "rows in all at the end of a curve of progress", Value: yamlfile.Number(&into.total, 0, mostRows)},
		yamlfile.Field{Name: "progress", Doc: "name of the curve", Value: yamlfile.String(&into.along)},
	), rateSets...)).As("rate").Then(func(_ *yamlfile.Decoder, _ string, n ast.Node) error {
		into.given, into.node = true, n
		return nil
	})
}

// levelValue is a rate that is constant in time, the same or one drawn for each
// table.
func levelValue(into *distribution) yamlfile.Value {
	return yamlfile.Or(scalarRate(&into.a), yamlfile.Choice(distributionFields(into, scalarRate), distributionSets...)).As("level")
}

func waveValue(into **workload.Wave) yamlfile.Value {
	var w workload.Wave
	return yamlfile.Object(
		yamlfile.Field{Name: "amplitude", Doc: "share of the mean, 0 to 1", Required: true, Value: yamlfile.Number(&w.Amplitude, 0, 1)},
		yamlfile.Field{Name: "period", Doc: "time from peak to peak", Required: true, Value: yamlfile.Duration(&w.Period, time.Second, mostRunFor)},
		yamlfile.Field{Name: "peak", Doc: "a time at which it is highest; the start unless given", Value: yamlfile.Duration(&w.Peak, 0, mostRunFor)},
	).Then(func(*yamlfile.Decoder, string, ast.Node) error {
		*into = &w
		return nil
	})
}

func burstsValue(into *rate) yamlfile.Value {
	var b workload.Bursts
	return yamlfile.Object(
		yamlfile.Field{Name: "rate", Doc: "within a burst", Required: true, Value: levelValue(&into.level)},
		yamlfile.Field{Name: "every", Doc: "from start to start", Required: true, Value: yamlfile.Duration(&b.Every, time.Millisecond, mostRunFor)},
		yamlfile.Field{Name: "length", Doc: "of a burst", Required: true, Value: yamlfile.Duration(&b.Length, time.Millisecond, mostRunFor)},
		yamlfile.Field{Name: "first", Doc: "start of the first; the start of the run unless given", Value: yamlfile.Duration(&b.First, 0, mostRunFor)},
	).Then(func(d *yamlfile.Decoder, path string, n ast.Node) error {
		if b.Length > b.Every {
			return d.Fail(n, path+".length", "found "+yamlfile.FormatDuration(b.Length)+", longer than every", "every or less")
		}
		into.bursts = &b
		return nil
	})
}

func stepsValue(into *[]step) yamlfile.Value {
	return yamlfile.List(into, 1, func(s *step) yamlfile.Value {
		return yamlfile.Object(
			yamlfile.Field{Name: "from", Doc: "time since the start", Required: true, Value: yamlfile.Duration(&s.From, 0, mostRunFor).Kept(&s.node)},
			yamlfile.Field{Name: "rate", Doc: "until the next", Required: true, Value: scalarRate(&s.PerSecond)},
		)
	}).Then(func(d *yamlfile.Decoder, path string, _ ast.Node) error {
		for i, s := range *into {
			if i > 0 && s.From <= (*into)[i-1].From {
				return d.Fail(s.node, fmt.Sprintf("%s[%d].from", path, i), "found "+yamlfile.Describe(s.node)+", not after the one before", "times in rising order")
			}
		}
		return nil
	})
}

// pointsValue is a curve that never falls, linear between its points. It begins
// with nothing done: at its first point or, where that has something done, at
// the start of the run.
func pointsValue(into *[]point, done string) yamlfile.Value {
	var amounts []ast.Node
	return yamlfile.List(into, 1, func(p *point) yamlfile.Value {
		return yamlfile.Object(
			yamlfile.Field{Name: "at", Doc: "time since the start", Required: true, Value: yamlfile.Duration(&p.at, 0, mostRunFor).Kept(&p.node)},
			yamlfile.Field{Name: done, Doc: "in all by then", Required: true, Value: yamlfile.Number(&p.done, 0, mostRows).Then(
				func(_ *yamlfile.Decoder, _ string, n ast.Node) error {
					amounts = append(amounts, n)
					return nil
				})},
		)
	}).Then(func(d *yamlfile.Decoder, path string, n ast.Node) error {
		last := point{}
		for i, p := range *into {
			switch at := fmt.Sprintf("%s[%d].", path, i); {
			case i > 0 && p.at <= last.at:
				return d.Fail(p.node, at+"at", "found "+yamlfile.Describe(p.node)+", not after the one before", "times in rising order")
			case p.done < last.done:
				return d.Fail(amounts[i], at+done, "found "+yamlfile.Describe(amounts[i])+", less than the one before", yamlfile.Plain(last.done)+" or more")
			case p.at == 0 && p.done > 0:
				return d.Fail(amounts[i], at+done, "found "+yamlfile.Describe(amounts[i])+" at the start of the run", "0")
			}
			last = p
		}
		return nil
	})
}

// draw is the rate of the table at a place of its population, for a share u of
// the tables that have less.
func (r *rate) draw(u float64, place int) (workload.Rate, error) {
	switch {
	case !r.given:
		return nil, nil
	case r.steps != nil:
		out := make(workload.Steps, len(r.steps))
		for i, s := range r.steps {
			out[i] = s.Step
		}
		return out, nil
	case r.course != nil:
		return slopes(r.course, 1), nil
	}
	level := r.level.quantile(u, place)
	if level > mostRate {
		return nil, fmt.Errorf("drew %s a second for table %d; accepted is 1e9 at most: give the distribution a max", yamlfile.Plain(level), place)
	}
	switch {
	case r.wave != nil:
		w := *r.wave
		w.Mean = level
		return w, nil
	case r.bursts != nil:
		b := *r.bursts
		b.PerSecond = level
		return b, nil
	}
	return workload.Constant(level), nil
}

// slopes turns points of what is done in all into rates, each times a factor.
func slopes(points []point, factor float64) workload.Steps {
	var out workload.Steps
	last := point{}
	for _, p := range points {
		if p.at > last.at {
			perSecond := (p.done - last.done) * factor / (p.at - last.at).Seconds()
			out = append(out, workload.Step{From: last.at, PerSecond: perSecond})
		}
		last = p
	}
	return append(out, workload.Step{From: last.at})
}
