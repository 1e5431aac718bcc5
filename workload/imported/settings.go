package imported

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"avsim/workload/guc"
	"avsim/workload/pgexport"
	"avsim/workload/scenario"
)

// settings takes those that the model's version knows and that are not as it has them
// by default.
func (m *maker) settings() {
	defaults := guc.Defaults(m.e.Version)
	for _, s := range slices.SortedFunc(slices.Values(m.e.Settings), func(a, b pgexport.Setting) int { return strings.Compare(a.Name, b.Name) }) {
		if _, err := guc.Lookup(m.e.Version, s.Name); err != nil {
			continue
		}
		now := defaults
		if err := now.Set(s.Name, s.Value); err != nil {
			m.warn("setting %s: %v; left out", s.Name, err)
			continue
		}
		if len(now.Overrides()) == 0 {
			continue
		}
		shown, _ := now.Show(s.Name)
		m.set = append(m.set, line{s.Name, yamlValue(shown), s.Source})
	}
	if v, ok := m.e.Setting("track_counts"); ok && v == "off" {
		m.warn("track_counts is off: the statistics tell nothing, and autovacuum does nothing")
	}
	if v, ok := m.e.Setting("avsim_in_recovery"); ok && v == "true" {
		m.warn("the export is of a standby: autovacuum does not run there, and its counters are not those of the primary")
	}
	if v, ok := m.e.Setting("block_size"); ok && v != "8192" {
		m.warn("block_size is %s: pages of 8192 bytes are modelled", v)
	}
	if len(m.e.Settings) == 0 {
		m.warn("no settings in the export: PostgreSQL's defaults are taken")
	}
}

// effective are the export's settings over the version's defaults.
func (m *maker) effective() guc.Settings {
	s := guc.Defaults(m.e.Version)
	for _, x := range m.e.Settings {
		if _, err := guc.Lookup(m.e.Version, x.Name); err == nil {
			s.Set(x.Name, x.Value) // an error has been told
		}
	}
	return s
}

// options takes the storage parameters that concern vacuum, and the fillfactor.
func (m *maker) options(e *entry, t *pgexport.Table) {
	for _, o := range t.Options {
		name, value := strings.ToLower(o[0]), o[1]
		switch {
		case name == "fillfactor":
			if n, err := strconv.Atoi(value); err == nil && 10 <= n && n <= 100 {
				e.fillfactor = n
			}
		case m.knownOption(name):
			if err := m.checkOption(name, value); err != nil {
				m.warn("storage parameter %s of %s is left out: %v", name, printable(t.Schema+"."+t.Name), err)
				continue
			}
			e.options = append(e.options, [2]string{name, value})
		}
	}
}

// checkOption tells whether a scenario can have a storage parameter's value.
func (m *maker) checkOption(name, value string) error {
	return scenario.CheckOption(m.e.Version, name, value)
}

// knownOption tells whether a storage parameter concerns vacuum in the version.
func (m *maker) knownOption(name string) bool {
	if m.known == nil {
		m.known = make(map[string]bool)
		for _, setting := range guc.Names(m.e.Version) {
			if s, err := guc.Lookup(m.e.Version, setting); err == nil && s.Reloption != "" {
				m.known[s.Reloption] = true
			}
		}
		if m.e.Version.AtLeast(guc.MustVersion("12")) {
			m.known["vacuum_truncate"], m.known["vacuum_index_cleanup"] = true, true
		}
	}
	return m.known[name]
}

// contradictions tells where export and log say different things.
func (m *maker) contradictions() {
	s := m.effective()
	if v, told, ok := m.log.Version(); ok && (told && v.Branch() != m.e.Version.Branch() || !told && !fits(m.e.Version, m.log)) {
		m.warn("the log is of PostgreSQL %s, the export of %s", v, m.e.Version)
	}
	for _, c := range m.log.Changes {
		if shown, ok := m.e.Setting(c.Text); ok && shown != c.Value && !sameValue(m.e.Version, c.Text, shown, c.Value) {
			m.warn("%s is %s in the export, the log says that it was set to %s at %s", c.Text, shown, c.Value, utc(c.At))
		}
	}
	m.unlogged()
	naptime := s.Duration("autovacuum_naptime").Seconds()
	budget := budgetOf(s)
	for _, i := range m.log.Infer(m.e.Version) {
		switch {
		case i.Name == "naptime" && i.Confidence != Low && math.Abs(i.Value/naptime-1) > 0.1 && naptime > 1:
			m.warn("workers come to a database every %s s by the log (%s confidence), autovacuum_naptime is %s s in the export", significant(i.Value), i.Confidence, significant(naptime))
		case i.Name == "most_workers_at_work" && int64(i.Value) > s.Int("autovacuum_max_workers"):
			m.warn("%.0f workers were at work at once by the log, autovacuum_max_workers is %d in the export", i.Value, s.Int("autovacuum_max_workers"))
		case i.Name == "cost_per_second" && budget > 0 && i.Value > 1.15*budget && i.Confidence != Low:
			m.warn("workers spend %s cost units/s by the log, the settings of the export allow %s: tables with a limit of their own, or other settings then", significant(i.Value), significant(budget))
		case i.Name == "cost_per_second" && budget > 0 && i.Value < 0.5*budget && i.Confidence != Low:
			m.warn("workers spend %s of the %s cost units/s that the settings allow: it is not the cost limit that slows them but the machine, most likely its disk", significant(i.Value), significant(budget))
		}
	}
}

// unlogged tells where the statistics count other vacuums than the log between the
// export's first and last time, and of tables of the log that the export lacks.
func (m *maker) unlogged() {
	if m.log.First.After(m.e.First) || m.log.Last.Before(m.e.Last.Add(-time.Minute)) {
		return
	}
	counted, logged := int64(0), int64(0)
	for _, d := range m.e.Databases {
		for _, t := range d.Tables {
			if t.First.Autovacuums >= 0 && t.Last.Autovacuums > t.First.Autovacuums {
				counted += t.Last.Autovacuums - t.First.Autovacuums
			}
		}
	}
	for _, r := range m.log.runs {
		if r.vacuum && r.end.After(m.e.First) && !r.end.After(m.e.Last) {
			logged++
		}
	}
	const least = 20
	switch {
	case counted < least:
	case logged < counted*4/5:
		m.warn("the statistics count %d automatic vacuums from the first export to the last, the log has %d of them: log_autovacuum_min_duration keeps the short ones out, or the log is of another server", counted, logged)
	case logged > counted*5/4:
		m.warn("the log has %d automatic vacuums from the first export to the last, the statistics count %d: tables were dropped, databases not exported, or statistics reset", logged, counted)
	}
}

// fits tells whether the form of the log's messages is that of a version.
func fits(v guc.Version, l *Log) bool {
	for _, n := range []int{l.from, l.to} {
		if n == 0 {
			continue
		}
		text := fmt.Sprintf("9.%d", n-90)
		if n >= 100 {
			text = strconv.Itoa(n / 10)
		}
		b, err := guc.ParseVersion(text)
		if err == nil && (n == l.from && !v.AtLeast(b) || n == l.to && !b.AtLeast(v.Branch())) {
			return false
		}
	}
	return true
}

// sameValue tells whether two texts are one value of a setting.
func sameValue(v guc.Version, name, a, b string) bool {
	x, y := guc.Defaults(v), guc.Defaults(v)
	return x.Set(name, a) == nil && y.Set(name, b) == nil && x.Canonical() == y.Canonical()
}

// budgetOf is what all workers together may spend in a second, 0 for no limit.
func budgetOf(s guc.Settings) float64 {
	limit, delay := s.Float("autovacuum_vacuum_cost_limit"), s.Duration("autovacuum_vacuum_cost_delay").Seconds()
	if limit <= 0 || delay <= 0 {
		return 0
	}
	return limit / delay
}
