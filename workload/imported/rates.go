package imported

import (
	"fmt"
	"math"
	"slices"
	"time"

	"avsim/workload/pgexport"
)

// ratesOf is what is done to a table: by two times of its counters or, where it has
// one, by what was counted since the statistics were reset; by the log where neither
// tells.
func (m *maker) ratesOf(d *pgexport.Database, t *pgexport.Table) rates {
	c, before, length := m.spanOf(d, t)
	if length < time.Second {
		r, _ := m.loggedRates(d, t)
		return r
	}
	per := func(now, then int64) float64 {
		return math.Min(math.Max(float64(now-max(then, 0)), 0)/length.Seconds(), 1e9)
	}
	r := rates{inserts: per(c.Inserted, before.Inserted), updates: per(c.Updated, before.Updated), deletes: per(c.Deleted, before.Deleted)}
	r.hotShare = hotShare(t, c, before)
	return r
}

// spanOf are a table's counters at the end and at the start of the time over which its
// rates are measured, and that time.
func (m *maker) spanOf(d *pgexport.Database, t *pgexport.Table) (now, before pgexport.Counters, length time.Duration) {
	now, before = t.Last, t.First
	if now.Inserted < 0 && now.Updated < 0 && now.Deleted < 0 {
		return now, before, 0
	}
	if d.Twice() {
		start := before.At
		if start.IsZero() {
			start = d.First
		}
		return now, before, d.Last.Sub(start)
	}
	if d.StatsReset.IsZero() || now.At.IsZero() {
		return now, before, 0
	}
	return now, pgexport.Counters{}, now.At.Sub(d.StatsReset)
}

// twice tells whether the tables of some database stand at two times.
func (m *maker) twice() bool {
	return slices.ContainsFunc(m.e.Databases, (*pgexport.Database).Twice)
}

// warnRates tells of databases whose rates are little to go by, or none.
func (m *maker) warnRates() {
	const short = 10 * time.Minute
	for _, d := range m.e.Databases {
		since := d.Last.Sub(d.StatsReset)
		switch {
		case len(d.Tables) == 0 || d.Twice():
		case d.Last.IsZero():
			m.warn("database %q: the export has no time, so that there are no rates", d.Name)
		case d.StatsReset.IsZero() && m.log != nil:
			m.warn("database %q: one export, and statistics that were never reset, tell no rates; those of tables in the log are estimated by it; export again later", d.Name)
		case d.StatsReset.IsZero():
			m.warn("database %q: one export, and statistics that were never reset, tell no rates; export again later", d.Name)
		case since < short:
			m.warn("database %q: its rates are those of the %s since the statistics were reset; export again later", d.Name, since.Round(time.Second))
		default:
			m.warn("database %q: its rates are means since %s, when the statistics were reset; export again later for rates that are measured", d.Name, utc(d.StatsReset))
		}
	}
}

// hotShare is the share of updates that change no indexed column: of those whose new
// version stayed on the page (from 16 it is told which did not) the ones that were
// HOT. A table without indexes has no other updates.
func hotShare(t *pgexport.Table, now, before pgexport.Counters) float64 {
	if t.Indexes == 0 {
		return 1
	}
	updates := float64(now.Updated - max(before.Updated, 0))
	hot := float64(max(now.HOT, 0) - max(before.HOT, 0))
	if now.NewPage >= 0 {
		updates -= float64(now.NewPage - max(before.NewPage, 0))
	}
	if updates <= 0 || hot <= 0 {
		return 0
	}
	return math.Min(hot/updates, 1)
}

// whyRates tells where a table's rates come from.
func (m *maker) whyRates(d *pgexport.Database, t *pgexport.Table) string {
	_, _, length := m.spanOf(d, t)
	switch {
	case length < time.Second:
		_, why := m.loggedRates(d, t)
		return why
	case d.Twice():
		return fmt.Sprintf("n_tup_ins, _upd, _del over %s", length.Round(time.Second))
	}
	return fmt.Sprintf("n_tup_ins, _upd, _del since %s", utc(d.StatsReset))
}
