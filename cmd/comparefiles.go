package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"avsim/scheduler"
	"avsim/sim"
	"avsim/sim/experiment"
)

// keyColumns tell the points of a result apart.
var keyColumns = []string{"tables", "workers", "host", "cpus", "due_share", "start", "autovacuum_naptime_seconds", "pg", "settings", "strategy"}

// compareFiles shows what changed between two result files.
func compareFiles(c *cobra.Command, o *outputFlags, files []string) error {
	if err := filesOnly(c.Flags()); err != nil {
		return err
	}
	if err := o.tryOut(); err != nil {
		return err
	}
	for _, f := range files {
		if o.out != "" && sameFile(f, o.out) {
			return usagef("--output %s: is one of the files to compare, which it would overwrite", o.out)
		}
	}
	var tables [2]*experiment.Table
	for i, f := range files {
		t, err := readTable(f)
		if err != nil {
			return err
		}
		for _, name := range []string{"strategy", "tables", "workers", "replications", "throughput_per_s", "throughput_per_s_hi"} {
			if _, ok := t.Column(name); !ok {
				return inputError{fmt.Errorf("%s: no column %s: accepted is a sweep.csv", f, name)}
			}
		}
		tables[i] = t
	}
	d, err := changesBetween(tables, files)
	if err != nil {
		return err
	}
	d.warn(c.ErrOrStderr(), o)
	return o.write(c.OutOrStdout(), func(w io.Writer) error {
		switch o.format {
		case "json":
			return d.json(w)
		case "csv":
			return d.table().WriteCSV(w)
		}
		return d.print(w)
	})
}

// filesOnly refuses flags that say what to measure: with files nothing is.
func filesOnly(fs *pflag.FlagSet) (err error) {
	fs.Visit(func(f *pflag.Flag) {
		if err == nil && !slices.Contains([]string{"format", "output", "quiet"}, f.Name) {
			err = usagef("--%s says what to measure, and two result files are compared without: accepted then are --format, --output and --quiet", f.Name)
		}
	})
	return err
}

// changes are what differs between two results.
type changes struct {
	files   [2]string
	between [][3]string // column, value of all rows of the old, of the new
	keys    []string    // by which points are matched
	points  []change
	only    [2]int // points of one file alone
}

// change is a point that both results have.
type change struct {
	key                 []string // by changes.keys
	old, new            sim.Interval
	ratio               sim.Interval
	effect              effect
	verdict, newVerdict string
}

// effect is what can be said of a difference at 95 %.
type effect string

const (
	faster  effect = "faster"
	slower  effect = "slower"
	unclear effect = "not significant"
	untold  effect = "no interval" // one replication
	nothing effect = "equal"       // the same figures
)

// changesBetween matches the points of two results. A column that has one value
// in each file, another one, is what the comparison is about: it is told once.
func changesBetween(tables [2]*experiment.Table, files []string) (*changes, error) {
	d := &changes{files: [2]string(files)}
	for _, name := range append(slices.Clone(keyColumns), "model_version", "seed") {
		a, b := tables[0].Distinct(name), tables[1].Distinct(name)
		switch {
		case len(a) == 1 && len(b) == 1 && a[0] != b[0]:
			d.between = append(d.between, [3]string{name, a[0], b[0]})
		case slices.Contains(keyColumns, name) && a != nil && b != nil:
			d.keys = append(d.keys, name)
		}
	}
	var rows [2]map[string]int
	for i, t := range tables {
		rows[i] = map[string]int{}
		for row := range t.Rows {
			key := strings.Join(d.keyOf(t, row), "\x00")
			if first, twice := rows[i][key]; twice {
				return nil, inputError{fmt.Errorf("%s: rows %d and %d are of the same point", files[i], first+1, row+1)}
			}
			rows[i][key] = row
		}
	}
	for row := range tables[0].Rows {
		other, ok := rows[1][strings.Join(d.keyOf(tables[0], row), "\x00")]
		if !ok {
			d.only[0]++
			continue
		}
		p, err := d.change(tables, [2]int{row, other})
		if err != nil {
			return nil, err
		}
		d.points = append(d.points, p)
	}
	d.only[1] = len(tables[1].Rows) - len(d.points)
	if len(d.points) == 0 {
		return nil, inputError{fmt.Errorf("%s and %s have no point in common (points are matched by %s)", files[0], files[1], strings.Join(d.keys, ", "))}
	}
	return d, nil
}

func (d *changes) keyOf(t *experiment.Table, row int) (out []string) {
	for _, name := range d.keys {
		out = append(out, t.Text(row, name))
	}
	return out
}

// change compares a point's rows.
func (d *changes) change(tables [2]*experiment.Table, rows [2]int) (change, error) {
	c := change{
		key:     d.keyOf(tables[0], rows[0]),
		verdict: tables[0].Text(rows[0], "verdict"), newVerdict: tables[1].Text(rows[1], "verdict"),
	}
	var estimates [2]sim.Estimate
	for i, t := range tables {
		mean, err := t.Float(rows[i], "throughput_per_s")
		if err != nil {
			return c, inputError{fmt.Errorf("%s: %w", d.files[i], err)}
		}
		n, err := t.Float(rows[i], "replications")
		if err != nil {
			return c, inputError{fmt.Errorf("%s: %w", d.files[i], err)}
		}
		interval := sim.Interval{Mean: mean, Lo: math.NaN(), Hi: math.NaN()}
		if hi, err := t.Float(rows[i], "throughput_per_s_hi"); err == nil {
			interval.Lo, interval.Hi = max(2*mean-hi, 0), hi
		}
		estimates[i] = sim.EstimateOf(interval, int(n), scheduler.Confidence)
		*[]*sim.Interval{&c.old, &c.new}[i] = interval
	}
	c.ratio = sim.Ratio(estimates[1], estimates[0], scheduler.Confidence)
	c.effect = effectOf(c, sim.Difference(estimates[1], estimates[0], scheduler.Confidence))
	return c, nil
}

func effectOf(c change, difference sim.Interval) effect {
	switch {
	case c.old.Mean == c.new.Mean && (c.old == c.new || !c.old.Known()):
		return nothing
	case !difference.Known():
		return untold
	case difference.Lo > 0:
		return faster
	case difference.Hi < 0:
		return slower
	}
	return unclear
}

// count is the number of points with an effect.
func (d *changes) count(e effect) (n int) {
	for _, p := range d.points {
		if p.effect == e {
			n++
		}
	}
	return n
}

// mean is the geometric mean of the ratios, NaN if there is none.
func (d *changes) mean() float64 {
	sum, n := 0.0, 0.0
	for _, p := range d.points {
		if p.ratio.Mean > 0 {
			sum, n = sum+math.Log(p.ratio.Mean), n+1
		}
	}
	return math.Exp(sum / n)
}

func (d *changes) warn(stderr io.Writer, o *outputFlags) {
	for i, n := range d.only {
		if n > 0 {
			o.note(stderr, "%s: %s that the other file does not have", d.files[i], plural(n, "point"))
		}
	}
}

// print is the table for people: by what the points differ, and what changed.
func (d *changes) print(w io.Writer) error {
	fmt.Fprintf(w, "old: %s\nnew: %s\n", d.files[0], d.files[1])
	for _, b := range d.between {
		fmt.Fprintf(w, "%s: %s → %s\n", b[0], orNone(b[1]), orNone(b[2]))
	}
	fmt.Fprintln(w)
	shown := d.varied()
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, i := range shown {
		fmt.Fprintf(t, "%s\t", d.keys[i])
	}
	fmt.Fprintln(t, "old vacuums/s\tnew vacuums/s\tnew/old\t95 % interval\t\tverdict\t")
	for _, p := range d.points {
		for _, i := range shown {
			fmt.Fprintf(t, "%s\t", p.key[i])
		}
		verdict := p.verdict
		if p.newVerdict != p.verdict {
			verdict += " → " + p.newVerdict
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t\n", withDoubt(p.old), withDoubt(p.new), figure(p.ratio.Mean), ends(p.ratio), p.effect, verdict)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s: %d faster, %d slower, %d not significant, %d equal, %d without an interval; geometric mean of the ratios %s\n",
		plural(len(d.points), "point"), d.count(faster), d.count(slower), d.count(unclear), d.count(nothing), d.count(untold), figure(d.mean()))
	tests := d.count(faster) + d.count(slower) + d.count(unclear)
	_, err := fmt.Fprintf(w, "At 95 %% confidence about %.0f of %d would differ by chance where nothing changed.\n", math.Ceil(0.05*float64(tests)), tests)
	return err
}

func ends(i sim.Interval) string {
	if !i.Known() {
		return "-"
	}
	return figure(i.Lo) + " to " + figure(i.Hi)
}

func orNone(text string) string { return or(text, "(none)") }

// varied are the keys, by index, that differ between points; at least one.
func (d *changes) varied() (out []int) {
	for i := range d.keys {
		if slices.ContainsFunc(d.points, func(p change) bool { return p.key[i] != d.points[0].key[i] }) {
			out = append(out, i)
		}
	}
	if len(out) == 0 {
		out = append(out, len(d.keys)-1)
	}
	return out
}

// table is the changes as CSV has them.
func (d *changes) table() *experiment.Table {
	columns := slices.Clone(d.keys)
	for _, name := range []string{"old_throughput_per_s", "new_throughput_per_s", "ratio"} {
		columns = append(columns, name, name+"_lo", name+"_hi")
	}
	t := &experiment.Table{Columns: append(columns, "effect", "old_verdict", "new_verdict")}
	for _, p := range d.points {
		row := slices.Clone(p.key)
		for _, i := range []sim.Interval{p.old, p.new, p.ratio} {
			row = append(row, plain(i.Mean), plain(i.Lo), plain(i.Hi))
		}
		t.AppendRow(append(row, string(p.effect), p.verdict, p.newVerdict)...)
	}
	return t
}

// plain is a number with six digits; NaN is empty.
func plain(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return fmt.Sprintf("%.6g", x)
}

// json is the changes as JSON has them.
func (d *changes) json(w io.Writer) error {
	type point struct {
		Point   map[string]string `json:"point"`
		Old     sim.Interval      `json:"old_throughput_per_s"`
		New     sim.Interval      `json:"new_throughput_per_s"`
		Ratio   sim.Interval      `json:"ratio"`
		Effect  effect            `json:"effect"`
		Verdict [2]string         `json:"verdicts"`
	}
	out := struct {
		Old     string      `json:"old"`
		New     string      `json:"new"`
		Between [][3]string `json:"between"`
		Points  []point     `json:"points"`
	}{d.files[0], d.files[1], append([][3]string{}, d.between...), nil}
	for _, p := range d.points {
		key := map[string]string{}
		for i, name := range d.keys {
			key[name] = p.key[i]
		}
		out.Points = append(out.Points, point{key, p.old, p.new, p.ratio, p.effect, [2]string{p.verdict, p.newVerdict}})
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
