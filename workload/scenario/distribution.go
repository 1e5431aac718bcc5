package scenario

import (
	"math"

	"github.com/goccy/go-yaml/ast"

	"avsim/workload/yamlfile"
)

// distribution is how a number of rows, or a rate, differs from table to table.
// The letters are those of the closed formulas in quantile.
type distribution struct {
	form form
	a, b float64 // fixed a; uniform a to b; median or least a; exponent b
	most float64 // of a log-normal, 0 for none; of a Pareto, a Zipf
}

type form int

const (
	fixed form = iota
	uniform
	lognormal
	pareto
	zipf
)

// distributionFields are the forms in which a distribution is written. Its
// levels are read by what level makes: rows, or rates.
func distributionFields(into *distribution, level func(*float64) yamlfile.Value) []yamlfile.Field {
	var x distribution
	as := func(f form, v yamlfile.Value) yamlfile.Value {
		return v.Then(func(*yamlfile.Decoder, string, ast.Node) error {
			x.form = f
			*into = x
			return nil
		})
	}
	ordered := func(d *yamlfile.Decoder, path string, n ast.Node) error {
		if x.most < x.a {
			return d.Fail(n, path, "found a max below the min", "min or more")
		}
		return nil
	}
	positive := func(of *float64) func(d *yamlfile.Decoder, path string, n ast.Node) error {
		return func(d *yamlfile.Decoder, path string, n ast.Node) error {
			if *of > 0 {
				return nil
			}
			return d.Fail(n, path, "found "+yamlfile.Describe(n), "more than 0")
		}
	}
	shape := func(into *float64, most float64) yamlfile.Value {
		return yamlfile.Number(into, 0, most).Then(positive(into))
	}
	least := func() yamlfile.Value { return level(&x.a).Then(positive(&x.a)) }
	return []yamlfile.Field{
		{Name: "fixed", Doc: "the same for all", Value: as(fixed, level(&x.a))},
		{Name: "uniform", Doc: "any between two as likely", Value: as(uniform, yamlfile.Object(
			yamlfile.Field{Name: "min", Required: true, Value: level(&x.a)},
			yamlfile.Field{Name: "max", Required: true, Value: level(&x.most)},
		).Then(ordered))},
		{Name: "lognormal", Doc: "the logarithm is normal with standard deviation sigma; cut off at max, where that is given",
			Value: as(lognormal, yamlfile.Object(
				yamlfile.Field{Name: "median", Required: true, Value: level(&x.a)},
				yamlfile.Field{Name: "sigma", Required: true, Value: yamlfile.Number(&x.b, 0, mostSigma)},
				yamlfile.Field{Name: "max", Value: level(&x.most).Then(positive(&x.most))},
			).Then(func(d *yamlfile.Decoder, path string, n ast.Node) error {
				if x.most > 0 && x.most < x.a {
					return d.Fail(n, path, "found a max below the median", "the median or more")
				}
				return nil
			}))},
		{Name: "pareto", Doc: "the share above x falls as x^-alpha, between min and max", Value: as(pareto, yamlfile.Object(
			yamlfile.Field{Name: "min", Required: true, Value: least()},
			yamlfile.Field{Name: "alpha", Required: true, Value: shape(&x.b, 100)},
			yamlfile.Field{Name: "max", Required: true, Value: level(&x.most)},
		).Then(ordered))},
		{Name: "zipf", Doc: "the k-th table of the population has max/k^exponent", Value: as(zipf, yamlfile.Object(
			yamlfile.Field{Name: "max", Required: true, Value: level(&x.most)},
			yamlfile.Field{Name: "exponent", Required: true, Value: shape(&x.b, 100)},
		))},
	}
}

// distributionSets are the keys of each form, for Choice.
var distributionSets = []string{"fixed", "uniform", "lognormal", "pareto", "zipf"}

// quantile is the value below which a share u of the tables is, 0 < u < 1; for
// a Zipf law that of the table at a place, counted from 1.
func (x distribution) quantile(u float64, place int) float64 {
	switch x.form {
	case uniform:
		return x.a + u*(x.most-x.a)
	case lognormal:
		if x.b == 0 || x.a == 0 {
			return x.a
		}
		if x.most > 0 { // a share of what lies below the cut
			u *= normal(math.Log(x.most/x.a) / x.b)
		}
		return x.a * math.Exp(x.b*normalQuantile(u))
	case pareto:
		cut := math.Pow(x.a/x.most, x.b) // the share that lies above the cut
		return x.a * math.Pow(1-u*(1-cut), -1/x.b)
	case zipf:
		return x.most / math.Pow(float64(place), x.b)
	}
	return x.a
}

// normal is the distribution function of the standard normal law.
func normal(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// normalQuantile is its inverse.
func normalQuantile(u float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*u) }

// rowsValue is a number of rows, the same or one drawn for each table.
func rowsValue(into *distribution) yamlfile.Value {
	rows := func(x *float64) yamlfile.Value { return yamlfile.Number(x, 0, mostRows) }
	scalar := yamlfile.Whole(new(int64), 0, mostRows).Then(func(_ *yamlfile.Decoder, _ string, n ast.Node) error {
		x, _ := yamlfile.ParseNumber(yamlfile.Text(n))
		*into = distribution{a: x}
		return nil
	})
	return yamlfile.Or(scalar, yamlfile.Choice(distributionFields(into, rows), distributionSets...)).As("rows")
}
