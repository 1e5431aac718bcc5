package imported

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"avsim/workload/guc"
	"avsim/workload/pgexport"
	"avsim/workload/scenario"
	"avsim/workload/yamlfile"
)

// Options are what the export does not tell.
type Options struct {
	Name   string // of the scenario
	Host   string // profile
	RunFor time.Duration
	// MostSingle is how many tables stand for themselves; where there are more, those
	// in which least happens are put together with tables that are alike.
	MostSingle int
}

// DefaultMostSingle keeps a scenario of many tables within what one may have.
const DefaultMostSingle = 700

// Scenario is a scenario made of an export, and of a log where there is one.
type Scenario struct {
	Text []byte
	// Warnings tell what is doubtful, a line each.
	Warnings []string
	Tables   int // that it has, TOAST tables apart
	Entries  int // of the file
}

// Make writes the scenario.
func Make(e *pgexport.Export, log *Log, o Options) (*Scenario, error) {
	m := &maker{e: e, log: log, o: o, out: &Scenario{Warnings: slices.Clone(e.Notes)}}
	if o.MostSingle <= 0 {
		m.o.MostSingle = DefaultMostSingle
	}
	m.settings()
	m.warnRates()
	databases := m.databases()
	if len(databases) == 0 {
		return nil, errors.New("no table in the export that autovacuum looks at")
	}
	if log != nil {
		m.contradictions()
	}
	m.write(databases)
	m.out.Text = []byte(m.w.String())
	if _, err := scenario.ParseRun(m.out.Text, "scenario"); err != nil {
		return nil, fmt.Errorf("the scenario made of the export is not one (a fault of avsim: please report it): %w", err)
	}
	return m.out, nil
}

// maker makes one scenario.
type maker struct {
	e   *pgexport.Export
	log *Log
	o   Options
	out *Scenario
	w   strings.Builder

	set   []line          // settings
	known map[string]bool // storage parameters of the version
	rules *guc.Settings   // as they are in effect
}

func (m *maker) warn(form string, args ...any) {
	m.out.Warnings = append(m.out.Warnings, fmt.Sprintf(form, args...))
}

// line is a key with its value and where that comes from.
type line struct{ key, value, origin string }

func (m *maker) printf(form string, args ...any) { fmt.Fprintf(&m.w, form, args...) }

// lines writes keys at an indentation, the comments in a column.
func (m *maker) lines(indent string, lines []line) {
	width := 0
	for _, l := range lines {
		width = max(width, len(l.key)+2+len(l.value))
	}
	for _, l := range lines {
		text := l.key + ": " + l.value
		if l.value == "" {
			text = l.key + ":"
		}
		if l.origin != "" {
			text += strings.Repeat(" ", width-len(text)+1) + " # " + printable(l.origin)
		}
		m.printf("%s%s\n", indent, text)
	}
}

// write writes the file.
func (m *maker) write(databases []*database) {
	m.head()
	m.printf("name: %s\n", yamlName(m.o.Name))
	m.printf("title: %s\n", quoted(m.title(databases)))
	m.printf("pg: %q # server_version\n", m.e.Version.String())
	m.printf("host: %s # assumed: no export tells what the machine is like; 'avsim calibrate' measures one\n", yamlName(m.o.Host))
	m.printf("run_for: %s\n", yamlfile.FormatDuration(m.o.RunFor))
	if len(m.set) > 0 {
		m.printf("\n# Those that are not as PostgreSQL %s has them by default.\nsettings:\n", m.e.Version.Branch())
		m.lines("  ", m.set)
	}
	m.printf("\ndatabases:\n")
	for _, d := range databases {
		m.database(d)
	}
}

func (m *maker) title(databases []*database) string {
	tables := 0
	for _, d := range databases {
		for _, t := range d.entries {
			tables += t.count
		}
	}
	m.out.Tables = tables
	at := "of a server"
	if !m.e.Last.IsZero() {
		at = "as on " + m.e.Last.UTC().Format("2006-01-02 15:04 UTC")
	}
	return fmt.Sprintf("%d tables in %d databases, %s", tables, len(databases), at)
}

// head is the comment at the top: what the file was made of, and what is doubtful.
func (m *maker) head() {
	m.printf("# Made by avsim import of:\n")
	for _, f := range m.e.Files {
		m.printf("#   %s\n", printable(f))
	}
	switch {
	case m.e.Last.IsZero():
		m.printf("# The export has no time: there are no rates. Add activity by hand, or export twice.\n")
	case m.twice():
		m.printf("# Rates are measured from %s to %s (%s); the scenario starts then.\n", utc(m.e.First), utc(m.e.Last), m.e.Last.Sub(m.e.First).Round(time.Second))
	default:
		m.printf("# As of %s; rates are means since the statistics were reset.\n", utc(m.e.Last))
	}
	if m.log != nil {
		m.printf("# The log was used too, from %s to %s.\n", utc(m.log.First), utc(m.log.Last))
		for _, i := range m.log.Infer(m.e.Version) {
			m.printf("#   %s: %s %s (%s confidence, %d observations)\n", i.Name, significant(i.Value), i.Unit, i.Confidence, i.From)
		}
	}
	m.printf("# Edit it as you like: docs/scenario.md tells of the keys.\n")
	for i, text := range m.out.Warnings {
		const most = 30
		if i == most {
			m.printf("# ! and %d more\n", len(m.out.Warnings)-most)
			break
		}
		m.printf("# ! %s\n", printable(text))
	}
	m.printf("\n")
}

func utc(t time.Time) string {
	if t.IsZero() {
		return "a time not told"
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

func (m *maker) database(d *database) {
	m.printf("  - name: %s\n", yamlName(d.name))
	m.lines("    ", d.lines)
	m.printf("    tables:\n")
	for _, t := range d.entries {
		m.entry(t)
	}
}

func (m *maker) entry(t *entry) {
	m.out.Entries++
	if t.comment != "" {
		m.printf("      # %s\n", printable(t.comment))
	}
	m.printf("      - name: %s\n", yamlName(t.name))
	m.lines("        ", t.lines())
	if activity := t.activity(); len(activity) > 0 {
		m.printf("        activity:\n")
		m.lines("          ", activity)
	}
}

// database is a database of the scenario.
type database struct {
	name    string
	lines   []line
	entries []*entry
}

// databases are those that a worker may come to, or whose age counts.
func (m *maker) databases() (out []*database) {
	shared := false // the shared catalogues stand in one database
	rates := m.idRates()
	for _, d := range m.e.Databases {
		if d.NoStats && len(d.Tables) == 0 {
			if d.Name != "template0" {
				m.warn("database %q is left out: the statistics know nothing of it, so that no worker comes, except against wraparound", d.Name)
			}
			continue
		}
		x := &database{name: m.unique(printable(d.Name), out)}
		if d.Template {
			x.lines = append(x.lines, line{"template", "true", "datistemplate or no connections"})
		}
		if r, ok := rates[d.Name]; ok {
			x.lines = append(x.lines, r)
		}
		x.entries = m.entries(d, &shared)
		if len(x.entries) == 0 {
			x.entries = []*entry{standIn(d)}
			if !d.Template {
				m.warn("database %q is in the list, its tables are not in the export: export it too", d.Name)
			}
		}
		out = append(out, x)
	}
	m.group(out)
	return out
}

func (m *maker) unique(name string, among []*database) string {
	for n := 2; slices.ContainsFunc(among, func(d *database) bool { return d.name == name }); n++ {
		name = fmt.Sprintf("%s (%d)", name, n)
	}
	return name
}

// standIn stands for the catalogues of a database whose tables are not exported.
func standIn(d *pgexport.Database) *entry {
	return &entry{
		name: "pg_class", count: 1, rows: 400, rowBytes: 200, fillfactor: 100, indexes: 3, allVisible: -1, allFrozen: -1, xidAge: d.XIDAge,
		multiAge: d.MultiAge, comment: "not exported; stands for the catalogues of the database",
	}
}

// idRates are the rates of transaction ids, by database: the server's as a whole, put
// where most is done.
func (m *maker) idRates() map[string]line {
	value, origin := m.xidsPerSecond()
	if value <= 0 {
		if m.twice() {
			m.warn("how fast transaction ids are used up is not told: the ages of tables stay as they are")
		}
		return nil
	}
	busiest := slices.MaxFunc(m.e.Databases, func(a, b *pgexport.Database) int { return cmp.Compare(m.busy(a), m.busy(b)) })
	return map[string]line{busiest.Name: {"xids_per_second", rateText(value), origin + "; of all databases, put to the busiest"}}
}

func (m *maker) busy(d *pgexport.Database) (sum float64) {
	for _, t := range d.Tables {
		r := m.ratesOf(d, t)
		sum += r.inserts + r.updates + r.deletes
	}
	return sum
}

// xidsPerSecond is by two readings of the export, or else by the log.
func (m *maker) xidsPerSecond() (float64, string) {
	var first, last pgexport.Reading
	for _, d := range m.e.Databases {
		for _, r := range d.XIDs {
			if first.At.IsZero() || r.At.Before(first.At) {
				first = r
			}
			if r.At.After(last.At) {
				last = r
			}
		}
	}
	if seconds := last.At.Sub(first.At).Seconds(); seconds >= 1 && last.Value > first.Value {
		return float64(last.Value-first.Value) / seconds, fmt.Sprintf("next_xid %d, %d s later %d", first.Value, int(seconds), last.Value)
	}
	if m.log != nil {
		if i, ok := m.log.xidRate(); ok {
			return i.Value, "log: " + i.Why
		}
	}
	return 0, ""
}
