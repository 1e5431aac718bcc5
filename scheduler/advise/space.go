package advise

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"avsim/workload/guc"
)

// Kind is what a dimension is to the price.
type Kind int

// The kinds.
const (
	Other Kind = iota
	Budget
	Slots
)

// Change is one setting, or one storage parameter of a table.
type Change struct {
	Database, Table string // "" for a setting
	SQLName         string // of the table, where its name does not tell
	Name, Value     string
	From            string // what it is now
	Restart         bool   // takes effect only when the server starts
}

// Level is one value of a dimension: what it sets, nothing for what is now.
type Level struct {
	Text    string
	Changes []Change
	// Rate is the I/O budget in cost units a second, of a Budget; Slots the number of
	// worker slots, of Slots.
	Rate  float64
	Slots int
}

// Dimension is something that can be changed by itself: a setting, limit and delay
// together, or a storage parameter of a table. Levels go from less to more; those of an
// Other begin with what is now.
type Dimension struct {
	Name   string
	Kind   Kind
	Levels []Level
	Now    int
}

// Space is all that may be changed.
type Space []Dimension

// Point is a level of each dimension.
type Point []int

// Now is the point of what is set now.
func (s Space) Now() Point {
	p := make(Point, len(s))
	for i, d := range s {
		p[i] = d.Now
	}
	return p
}

// Changes are those of a point, in the order of the dimensions.
func (s Space) Changes(p Point) (out []Change) {
	for i, d := range s {
		if p[i] != d.Now {
			out = append(out, d.Levels[p[i]].Changes...)
		}
	}
	return out
}

// changed is how many dimensions are not as they are now.
func (s Space) changed(p Point) (n int) {
	for i, d := range s {
		if p[i] != d.Now {
			n++
		}
	}
	return n
}

// of is the place of the dimension of that kind, -1 for none.
func (s Space) of(k Kind) int {
	return slices.IndexFunc(s, func(d Dimension) bool { return d.Kind == k })
}

// Free is what may be changed, and within what bounds.
type Free struct {
	Name      string
	Low, High string // "" for the bounds of the list
}

// TableOptions is the name under which storage parameters of tables are free.
const TableOptions = "table_options"

// DefaultFree is what may be changed unless it is said.
var DefaultFree = []string{"autovacuum_max_workers", "autovacuum_vacuum_cost_limit", "autovacuum_vacuum_cost_delay",
	"autovacuum_naptime", "autovacuum_vacuum_scale_factor", "autovacuum_work_mem", TableOptions}

// values are the sensible ones of each setting, in the order of what they do: those
// after the one of now are tried.
var values = map[string][]string{
	"autovacuum_max_workers":       {"1", "2", "3", "4", "5", "6", "8", "10", "12", "16", "20", "24", "32"},
	"autovacuum_vacuum_cost_limit": {"20", "30", "40", "50", "60", "80", "100", "125", "150", "200", "250", "300", "400", "500", "600", "800", "1000", "1250", "1500", "2000", "2500", "3000", "4000", "5000", "6000", "8000", "10000"},
	"autovacuum_vacuum_cost_delay": {"100ms", "50ms", "20ms", "10ms", "5ms", "2ms", "1ms", "0.5ms", "0.2ms"},

	"autovacuum_naptime":                    {"30min", "10min", "5min", "2min", "1min", "30s", "20s", "15s", "10s", "5s", "2s", "1s"},
	"autovacuum_vacuum_scale_factor":        factors,
	"autovacuum_vacuum_insert_scale_factor": factors,
	"autovacuum_analyze_scale_factor":       factors,
	"autovacuum_vacuum_threshold":           thresholds,
	"autovacuum_vacuum_insert_threshold":    thresholds,
	"autovacuum_analyze_threshold":          thresholds,
	"autovacuum_vacuum_max_threshold":       {"50000000", "20000000", "10000000", "5000000", "2000000", "1000000", "500000", "200000", "100000", "50000"},
	"autovacuum_work_mem":                   memories,
	"maintenance_work_mem":                  memories,
	"vacuum_buffer_usage_limit":             {"256kB", "1MB", "2MB", "4MB", "16MB", "64MB", "256MB", "1GB"},
}

var (
	factors    = []string{"0.5", "0.2", "0.15", "0.1", "0.05", "0.03", "0.02", "0.01", "0.005", "0.002", "0.001"}
	thresholds = []string{"10000", "5000", "2000", "1000", "500", "200", "100", "50", "25", "10"}
	memories   = []string{"16MB", "32MB", "64MB", "128MB", "256MB", "512MB", "1GB", "2GB"}
)

// Freeable are the names that may be free, sorted.
func Freeable() []string {
	out := []string{TableOptions}
	for name := range values {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// ParseFree reads names with bounds, such as autovacuum_max_workers=2..8, with commas
// between them.
func ParseFree(list []string, v guc.Version) (out []Free, err error) {
	for _, text := range list {
		name, bounds, bounded := strings.Cut(strings.ReplaceAll(text, " ", ""), "=")
		f := Free{Name: strings.ToLower(name)}
		if !slices.Contains(Freeable(), f.Name) {
			return nil, fmt.Errorf("%q%s; accepted are %s", name, suggestion(f.Name, Freeable()), strings.Join(Freeable(), ", "))
		}
		if slices.ContainsFunc(out, func(x Free) bool { return x.Name == f.Name }) {
			return nil, fmt.Errorf("%s: given twice", f.Name)
		}
		if bounded {
			var ok bool
			if f.Low, f.High, ok = strings.Cut(bounds, ".."); !ok || f.Low == "" && f.High == "" || f.Name == TableOptions {
				return nil, fmt.Errorf("%s; accepted is a setting alone or with bounds, such as autovacuum_max_workers=2..8", text)
			}
		}
		if f.Name != TableOptions {
			if err := f.check(v); err != nil {
				return nil, err
			}
		}
		out = append(out, f)
	}
	return out, nil
}

// check refuses a setting that the version lacks, and bounds that it does not take.
func (f Free) check(v guc.Version) error {
	if _, err := guc.Lookup(v, f.Name); err != nil {
		return err
	}
	ends := make([]float64, 0, 2)
	for _, text := range []string{f.Low, f.High} {
		if text == "" {
			continue
		}
		x, err := number(v, f.Name, text)
		if err != nil {
			return err
		}
		if strings.HasPrefix(f.Name, "autovacuum_vacuum_cost_") && (x <= 0 || strings.HasPrefix(text, "-")) {
			return fmt.Errorf("%s: a bound of %s stands for another setting or for no limit, which has no budget to be compared; accepted is above 0", f.Name, text)
		}
		ends = append(ends, x)
	}
	if len(ends) == 2 && ends[0] > ends[1] {
		return fmt.Errorf("%s=%s..%s: the lower bound is above the upper one", f.Name, f.Low, f.High)
	}
	return nil
}

// number is a value of a setting in the setting's own unit.
func number(v guc.Version, name, text string) (float64, error) {
	s := guc.Defaults(v)
	if err := s.Set(name, text); err != nil {
		return 0, err
	}
	return s.Float(name), nil
}

// list are the values of a setting that the version takes and the bounds allow, the
// value of now and the bounds among them, in the order of what they do; now is the
// place of the value of now.
func (f Free) list(s guc.Settings) (texts []string, now int) {
	v := s.Version()
	is := s.Float(f.Name)
	type value struct {
		text string
		x    float64
	}
	var all []value
	within := func(x float64) bool {
		low, err := number(v, f.Name, f.Low)
		high, err2 := number(v, f.Name, f.High)
		return (f.Low == "" || err == nil && x >= low) && (f.High == "" || err2 == nil && x <= high)
	}
	for _, text := range append(slices.Clone(values[f.Name]), f.Low, f.High) {
		x, err := number(v, f.Name, text)
		if text != "" && err == nil && within(x) && x != is && (f.Low != "" || f.High != "" || sensible(v, f.Name, x)) {
			all = append(all, value{text, x})
		}
	}
	text, _ := s.Show(f.Name)
	all = append(all, value{text, is})
	list := values[f.Name]
	first, _ := number(v, f.Name, list[0])
	last, _ := number(v, f.Name, list[len(list)-1])
	slices.SortStableFunc(all, func(a, b value) int {
		switch {
		case a.x == b.x:
			return 0
		case (a.x < b.x) == (first < last):
			return -1
		}
		return 1
	})
	all = slices.CompactFunc(all, func(a, b value) bool { return a.x == b.x })
	for i, x := range all {
		texts = append(texts, x.text)
		if x.x == is {
			now = i
		}
	}
	return texts, now
}

// sensible leaves out what a version rounds away: delays of less than a millisecond
// before 12 are read as 0, which is no limit at all.
func sensible(v guc.Version, name string, x float64) bool {
	return name != "autovacuum_vacuum_cost_delay" || x >= 1 || v.AtLeast(guc.MustVersion("12"))
}

// restart tells whether a setting takes effect only at a start of the server.
func restart(v guc.Version, name string) bool {
	s, err := guc.Lookup(v, name)
	return err == nil && s.Context == guc.Restart
}

// TableAt is a table whose storage parameters may be changed.
type TableAt struct {
	Database, Table string
	SQLName         string // where the name does not tell
	Options         map[string]string
}

// CheckSlots refuses a bound on workers for which there are no slots, as there are from 18
// on: more would need another setting and a restart.
func CheckSlots(s guc.Settings, free []Free) error {
	if !s.Has("autovacuum_worker_slots") {
		return nil
	}
	slots := s.Int("autovacuum_worker_slots")
	for _, f := range free {
		for _, bound := range []string{f.Low, f.High} {
			if n, err := strconv.ParseInt(bound, 10, 64); f.Name == "autovacuum_max_workers" && err == nil && n > slots {
				return fmt.Errorf("%s of %d: there are %d slots; accepted is up to that, or more with --set autovacuum_worker_slots", f.Name, n, slots)
			}
		}
	}
	return nil
}

// NewSpace is what the names make, from the settings of now.
func NewSpace(s guc.Settings, free []Free, tables []TableAt) (out Space) {
	for _, f := range free {
		switch f.Name {
		case "autovacuum_max_workers":
			out = append(out, slotsDimension(s, f))
		case "autovacuum_vacuum_cost_limit", "autovacuum_vacuum_cost_delay":
			if out.of(Budget) < 0 {
				if d, ok := budgetDimension(s, free); ok {
					out = append(out, d)
				}
			}
		case TableOptions:
			for _, t := range tables {
				out = append(out, tableDimension(s, t))
			}
		default:
			out = append(out, otherDimension(s, f))
		}
	}
	return slices.DeleteFunc(out, func(d Dimension) bool { return len(d.Levels) < 2 })
}

func slotsDimension(s guc.Settings, f Free) Dimension {
	texts, now := f.list(s)
	d := Dimension{Name: f.Name, Kind: Slots}
	for i, text := range texts {
		n, err := strconv.Atoi(text)
		// Beyond the slots that there are from 18 on, a restart would be needed, and
		// another setting.
		if err != nil || s.Has("autovacuum_worker_slots") && int64(n) > s.Int("autovacuum_worker_slots") && i != now {
			continue
		}
		if i == now {
			d.Now = len(d.Levels)
			n = SlotsOf(s)
		}
		d.Levels = append(d.Levels, Level{Text: text, Slots: n, Changes: []Change{change(s, f.Name, text)}})
	}
	return d
}

func change(s guc.Settings, name, value string) Change {
	from := shown(s, name)
	return Change{Name: name, Value: value, From: from, Restart: restart(s.Version(), name)}
}

// shown is a setting as it is, where it stands for another with what that is.
func shown(s guc.Settings, name string) string {
	text, _ := s.Show(name)
	d, err := guc.Lookup(s.Version(), name)
	if err == nil && text == "-1" && d.Fallback != "" {
		if of := shown(s, d.Fallback); of != "" {
			return of + " (" + d.Fallback + ")"
		}
	}
	return text
}

// SlotsOf is how many workers settings allow: from 18 no more than there are slots.
func SlotsOf(s guc.Settings) int {
	n := s.Int("autovacuum_max_workers")
	if s.Has("autovacuum_worker_slots") {
		n = min(n, s.Int("autovacuum_worker_slots"))
	}
	return int(n)
}

// RateOf is the I/O budget of settings in cost units a second, 0 for no limit.
func RateOf(s guc.Settings) float64 {
	limit, delay := s.Float("autovacuum_vacuum_cost_limit"), s.Duration("autovacuum_vacuum_cost_delay").Seconds()
	if limit <= 0 || delay <= 0 {
		return 0
	}
	return limit / delay
}

// atMost tells whether a value of a setting is at most so much, in its own unit.
func atMost(v guc.Version, name, text string, most float64) bool {
	x, err := number(v, name, text)
	return err == nil && x <= most
}

// budgetDimension is limit and delay: the limit where it is free, and beyond its most
// the delay; ok is false where there is no limit now.
func budgetDimension(s guc.Settings, free []Free) (d Dimension, ok bool) {
	const limit, delay = "autovacuum_vacuum_cost_limit", "autovacuum_vacuum_cost_delay"
	d = Dimension{Name: "I/O budget", Kind: Budget}
	if RateOf(s) == 0 {
		return d, false
	}
	at := func(name string) int { return slices.IndexFunc(free, func(f Free) bool { return f.Name == name }) }
	add := func(changes ...Change) {
		then := s
		var texts []string
		for _, c := range changes {
			then.Set(c.Name, c.Value) // they come from a list of valid ones
			texts = append(texts, strings.TrimPrefix(c.Name, "autovacuum_vacuum_cost_")+" "+shown(then, c.Name))
		}
		d.Levels = append(d.Levels, Level{Text: strings.Join(texts, ", "), Rate: RateOf(then), Changes: changes})
	}
	var beyond [][]Change // the highest limit
	most := ""
	if i := at(limit); i >= 0 {
		texts, now := free[i].list(s)
		d.Now = now
		for _, text := range texts {
			add(change(s, limit, text))
		}
		most = texts[len(texts)-1]
	}
	if i := at(delay); i >= 0 {
		texts, now := free[i].list(s)
		for j, text := range texts {
			switch {
			case text == "0" || text == "0ms": // no limit at all
			case most != "" && j > now && atMost(s.Version(), delay, text, 0.9):
				// gigabytes a second
			case most != "" && j > now && d.Now == len(d.Levels)-1: // the limit is at its most
				beyond = append(beyond, []Change{change(s, delay, text)})
			case most != "" && j > now:
				beyond = append(beyond, []Change{change(s, limit, most), change(s, delay, text)})
			case most == "":
				if j == now {
					d.Now = len(d.Levels)
				}
				add(change(s, delay, text))
			}
		}
	}
	for _, changes := range beyond {
		add(changes...)
	}
	return d, true
}

func otherDimension(s guc.Settings, f Free) Dimension {
	texts, now := f.list(s)
	d := Dimension{Name: f.Name}
	for _, text := range texts[now:] {
		d.Levels = append(d.Levels, Level{Text: text, Changes: []Change{change(s, f.Name, text)}})
	}
	if len(d.Levels) > 0 {
		d.Levels[0].Text = shown(s, f.Name)
	}
	return d
}

// tableDimension is the scale factor of one table.
func tableDimension(s guc.Settings, t TableAt) Dimension {
	const name = "autovacuum_vacuum_scale_factor"
	from, given := t.Options[name]
	own := s
	if !given || own.Set(name, from) != nil {
		from, _ = s.Show(name)
		from += " (of the server)"
	}
	d := otherDimension(own, Free{Name: name})
	d.Name = t.Database + "." + t.Table + " " + name
	for i := range d.Levels {
		for j := range d.Levels[i].Changes {
			c := &d.Levels[i].Changes[j]
			c.Database, c.Table, c.SQLName, c.From, c.Restart = t.Database, t.Table, t.SQLName, from, false
		}
	}
	return d
}
