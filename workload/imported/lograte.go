package imported

import (
	"fmt"
	"math"
	"strconv"

	"avsim/workload/guc"
	"avsim/workload/pgexport"
)

// loggedRates are a table's rates by the log, where the export tells none: so many
// vacuums and analyzes, each after as many changes as its threshold. What more changes
// the analyzes tell of than the vacuums are inserts.
func (m *maker) loggedRates(d *pgexport.Database, t *pgexport.Table) (r rates, why string) {
	if m.log == nil || t.Kind == "t" {
		return r, ""
	}
	logged := m.log.Tables[d.Name+"."+t.Schema+"."+t.Name]
	seconds := m.log.Last.Sub(m.log.First).Seconds()
	if logged == nil || seconds < 60 {
		return r, ""
	}
	if m.rules == nil {
		s := m.effective()
		m.rules = &s
	}
	// A table that has come due waits half a naptime for a worker, on average.
	late := m.rules.Duration("autovacuum_naptime").Seconds() / 2
	rows := math.Max(t.Last.Reltuples, float64(max(t.Last.Live, 0)))
	rate := func(times int, kind string) float64 {
		n := float64(times)
		return n * m.threshold(t, kind, rows) / math.Max(seconds-n*late, seconds/4)
	}
	r.updates = rate(logged.Vacuums-logged.Wraparound, "autovacuum_vacuum")
	r.inserts = math.Max(rate(logged.Analyzes, "autovacuum_analyze")-r.updates, 0)
	return r, fmt.Sprintf("log: %d vacuums and %d analyzes in %.0f s, each by its threshold", logged.Vacuums, logged.Analyzes, seconds)
}

// threshold is that of a table, by its options or the settings.
func (m *maker) threshold(t *pgexport.Table, kind string, rows float64) float64 {
	return m.ruleOf(t, kind+"_threshold", *m.rules) + m.ruleOf(t, kind+"_scale_factor", *m.rules)*rows
}

func (m *maker) ruleOf(t *pgexport.Table, name string, s guc.Settings) float64 {
	for _, o := range t.Options {
		if x, err := strconv.ParseFloat(o[1], 64); o[0] == name && err == nil {
			return x
		}
	}
	return s.Float(name)
}
