package imported

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat"
)

// mostGroups is how many groups of tables that are alike a scenario has.
const mostGroups = 300

// group puts tables that are alike together where there are too many to stand for
// themselves: those in which least happens, the smallest first. What they are alike in
// becomes coarser until the groups are few enough.
func (m *maker) group(databases []*database) {
	n := 0
	var all []*entry
	for _, d := range databases {
		for _, e := range d.entries {
			e.place = n
			n++
		}
		all = append(all, d.entries...)
	}
	if n <= m.o.MostSingle {
		return
	}
	slices.SortFunc(all, func(a, b *entry) int {
		return cmp.Or(cmp.Compare(b.rates.all(), a.rates.all()), cmp.Compare(b.rows, a.rows), a.place-b.place)
	})
	rest := make(map[*entry]bool)
	for _, e := range all[m.o.MostSingle:] {
		rest[e] = true
	}
	grouped := 0
	for step := 1.0; ; step *= 2 {
		groups := 0
		for _, d := range databases {
			groups += len(groupsOf(d, rest, step))
		}
		if groups > mostGroups && step < 64 {
			continue
		}
		for _, d := range databases {
			grouped += d.gather(groupsOf(d, rest, step), rest, m.o.RunFor)
		}
		break
	}
	m.warn("%d tables in which least happens stand in groups of tables that are alike", grouped)
}

// groupsOf are the tables of a database that are alike, in the order of the first of
// each. A step of 1 takes a factor of 2 as alike.
func groupsOf(d *database, rest map[*entry]bool, step float64) (out [][]*entry) {
	at := make(map[likeness]int)
	for _, e := range d.entries {
		if !rest[e] {
			continue
		}
		key := e.likeness(step)
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], e)
	}
	return out
}

// likeness is equal for tables that may stand in one group: what makes them due, and
// how soon.
type likeness struct {
	options                             string
	toast, temporary, never             bool
	indexes, fillfactor                 int
	rows, changes, due, inserts, xidAge int
}

func (e *entry) likeness(step float64) likeness {
	class := func(x float64) int {
		if x <= 0 {
			return -1000
		}
		return int(math.Floor(math.Log2(x) / step))
	}
	// How near the table is to its threshold: in quarters of it.
	due := math.Ceil(4 * e.dead.most / (50 + 0.2*e.rows) / step)
	var mostlyInserts int
	if e.rates.inserts > e.rates.updates+e.rates.deletes {
		mostlyInserts = 1
	}
	return likeness{fmt.Sprint(e.options), e.toast, e.temporary, e.reltuples < 0, min(e.indexes, 2), e.fillfactor,
		class(e.rows), class(e.rates.all()), int(math.Min(due, 5)), mostlyInserts, class(float64(e.xidAge) / 1e7 / step)}
}

// gather replaces the tables of each group by one entry, where the first of them
// stood. It returns how many tables are in groups of several.
func (d *database) gather(groups [][]*entry, rest map[*entry]bool, length time.Duration) (grouped int) {
	first := make(map[*entry][]*entry)
	for _, g := range groups {
		first[g[0]] = g
	}
	var out []*entry
	n := 0
	for _, e := range d.entries {
		g := first[e]
		switch {
		case !rest[e] || len(g) == 1:
			out = append(out, e)
		case g != nil:
			n++
			grouped += len(g)
			out = append(out, together(g, n, length))
		}
	}
	d.entries = out
	return grouped
}

// together is one entry for several tables: their means, and the span of what is
// counted towards a threshold.
func together(g []*entry, number int, length time.Duration) *entry {
	out := *g[0]
	out.count = len(g)
	out.name = fmt.Sprintf("alike%d_%%d", number)
	n := float64(len(g))
	var rows, bytes, reltuples, indexes, visible, frozen float64
	out.rates, out.xidAge, out.multiAge = rates{}, 0, 0
	var names []string
	var dead, mods, inserted []float64
	for _, e := range g {
		rows, bytes, reltuples, indexes = rows+e.rows, bytes+float64(e.rowBytes), reltuples+e.reltuples, indexes+float64(e.indexes)
		visible, frozen = visible+math.Max(e.allVisible, 0), frozen+math.Max(e.allFrozen, 0)
		dead, mods, inserted = append(dead, e.dead.most), append(mods, e.mods.most), append(inserted, e.inserted.most)
		out.rates.inserts += e.rates.inserts / n
		out.rates.updates += e.rates.updates / n
		out.rates.deletes += e.rates.deletes / n
		out.rates.hotShare += e.rates.hotShare / n
		out.xidAge, out.multiAge = max(out.xidAge, e.xidAge), max(out.multiAge, e.multiAge)
		if len(names) < 3 {
			names = append(names, e.name)
		}
	}
	out.rows, out.rowBytes, out.indexes = math.Round(rows/n), int(math.Round(bytes/n)), int(math.Round(indexes/n))
	out.dead, out.mods, out.inserted = spread(dead), spread(mods), spread(inserted)
	if out.reltuples > 0 {
		out.reltuples = 0
	}
	if out.allVisible >= 0 {
		out.allVisible = visible / n
	}
	if out.allFrozen >= 0 {
		out.allFrozen = frozen / n
	}
	out.rowsOrigin, out.bytesOrigin = "mean", "mean"
	if out.why != "" {
		out.why += ", mean"
	}
	more := ""
	if len(g) > len(names) {
		more = ", …"
	}
	out.fit()
	out.steady(length)
	out.comment = fmt.Sprintf("%d tables that are alike: %s%s", len(g), strings.Join(names, ", "), more)
	return &out
}

// spread is the range of an even distribution that has the mean and, as far as none is
// below nothing, the deviation of the figures.
func spread(values []float64) figures {
	mean, deviation := stat.PopMeanStdDev(values, nil)
	half := math.Min(math.Sqrt(3)*deviation, mean)
	return figures{math.Round(mean - half), math.Round(mean + half)}
}
