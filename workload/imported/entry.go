package imported

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"avsim/workload"
	"avsim/workload/pgexport"
)

// entry is a table of the scenario, or a number of tables that are alike.
type entry struct {
	name, comment                string
	count                        int
	rows                         float64
	rowBytes                     int
	fillfactor, indexes          int
	toast, temporary             bool
	reltuples                    float64 // as rows where it is 0
	allVisible, allFrozen        float64 // shares, -1 for not given
	dead, mods, inserted         figures
	xidAge, multiAge             int64
	options                      [][2]string
	sqlName                      string // in SQL, where the name does not tell
	rates                        rates
	place                        int
	rowsOrigin, bytesOrigin, why string // why: of the rates
}

// figures are a number, or the least and the greatest of a group's.
type figures struct{ least, most float64 }

func one(x float64) figures { return figures{x, x} }

func (f figures) atMost(x float64) figures {
	return figures{math.Min(f.least, x), math.Min(f.most, x)}
}

func (f figures) text() string {
	if f.least == f.most {
		return whole(f.least)
	}
	return fmt.Sprintf("{uniform: {min: %s, max: %s}}", whole(f.least), whole(f.most))
}

// rates are rows a second.
type rates struct{ inserts, updates, deletes, hotShare float64 }

func (r rates) all() float64 { return r.inserts + r.updates + r.deletes }

// usable is what a heap page has for rows.
const usable = 8168

// entries are a database's tables, in the order of pg_class, TOAST tables that are in
// use last.
func (m *maker) entries(d *pgexport.Database, shared *bool) (out []*entry) {
	byOID := make(map[int64]*pgexport.Table)
	owners := make(map[int64]*pgexport.Table)
	for _, t := range d.Tables {
		byOID[t.OID] = t
		if t.Toast > 0 {
			owners[t.Toast] = t
		}
	}
	names := make(map[string]bool)
	var toast []*entry
	sharedHere := *shared
	for _, t := range d.Tables {
		if t.Shared {
			*shared = true
			if sharedHere {
				continue
			}
		}
		if t.Kind == "t" {
			if inUse(t) {
				x := m.entryOf(d, t, names)
				x.ofTOAST(owners[t.OID])
				toast = append(toast, x)
			}
			continue
		}
		x := m.entryOf(d, t, names)
		if o := byOID[t.Toast]; o != nil && !inUse(o) {
			x.toast = true
		}
		out = append(out, x)
	}
	return append(out, toast...)
}

// inUse tells a TOAST table that has or had rows.
func inUse(t *pgexport.Table) bool {
	c := t.Last
	return c.Reltuples > 0 || c.Live > 0 || c.Dead > 0 || c.Inserted > 0 || c.Pages > 1
}

// entryOf makes the entry of a table.
func (m *maker) entryOf(d *pgexport.Database, t *pgexport.Table, names map[string]bool) *entry {
	c := t.Last
	e := &entry{
		count: 1, indexes: t.Indexes, fillfactor: 100, temporary: t.Temporary, allVisible: -1, allFrozen: -1,
		xidAge: clamp(c.XIDAge, 1<<31-1), multiAge: clamp(c.MultiAge, 1<<31-1), dead: one(positive(c.Dead)), mods: one(positive(c.Mods)), inserted: one(positive(c.InsertedSinceVacuum)),
	}
	e.named(t, names)
	m.options(e, t)
	e.size(t)
	if c.Pages > 0 && c.AllVisible >= 0 {
		e.allVisible = math.Min(float64(c.AllVisible)/c.Pages, 1)
		if c.AllFrozen > 0 {
			e.allFrozen = math.Min(float64(c.AllFrozen)/c.Pages, e.allVisible)
		}
	}
	e.rates = m.ratesOf(d, t)
	e.why = m.whyRates(d, t)
	e.steady(m.o.RunFor)
	return e
}

func positive(x int64) float64 { return math.Max(float64(x), 0) }

func clamp(x, most int64) int64 { return max(min(x, most), 0) }

// named gives a table a name of its own in the scenario: its own where it can be.
func (e *entry) named(t *pgexport.Table, taken map[string]bool) {
	name := t.Name
	if t.Schema != "public" && t.Schema != "pg_catalog" && t.Schema != "pg_toast" && t.Schema != "" {
		name = t.Schema + "." + t.Name
	}
	plain := strings.ReplaceAll(printable(name), "%", "_")
	if plain == "" {
		plain = "_"
	}
	if plain != name {
		e.comment = fmt.Sprintf("%q", name)
	}
	ambiguous := plain != name || taken[plain] || strings.Contains(t.Schema+t.Name, ".")
	if ambiguous && t.Schema != "" {
		e.sqlName = sqlQuoted(t.Schema) + "." + sqlQuoted(t.Name)
	}
	for base, n := plain, 2; taken[plain]; n++ {
		plain = fmt.Sprintf("%s (%d)", base, n)
	}
	taken[plain] = true
	e.name = plain
}

// sqlQuoted is a name as SQL has it in quotes, on one line: what does not print is
// escaped (U&"…", with standard_conforming_strings on).
func sqlQuoted(name string) string {
	inQuotes := strings.ReplaceAll(name, `"`, `""`)
	if !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return `"` + inQuotes + `"`
	}
	var b strings.Builder
	b.WriteString(`U&"`)
	for _, r := range strings.ReplaceAll(inQuotes, `\`, `\\`) {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\+%06X`, r)
		}
	}
	return b.String() + `"`
}

// size finds rows, and a width of rows with which they take the pages that the table
// has.
func (e *entry) size(t *pgexport.Table) {
	c := t.Last
	switch {
	case c.Live > 0 || c.Live == 0 && c.Reltuples <= 0:
		e.rows, e.rowsOrigin = float64(c.Live), "n_live_tup"
		if c.Reltuples >= 0 && c.Reltuples != e.rows || c.Reltuples < 0 && m14(c) {
			e.reltuples = c.Reltuples
		}
	case c.Reltuples > 0:
		e.rows, e.rowsOrigin = c.Reltuples, "reltuples"
	}
	const few, narrow, least, most = 4, 100, 28, 8160
	width, origin := float64(narrow), "assumed"
	if t.RowWidth > 0 {
		width, origin = t.RowWidth+32, "width of the columns"
	}
	pages, rows, from := c.Pages, c.Reltuples, fmt.Sprintf("relpages %s, reltuples %s", whole(c.Pages), whole(c.Reltuples))
	if pages < 0 && t.Bytes > 0 { // of what has no pg_class
		pages, rows, from = math.Ceil(float64(t.Bytes)/8192), float64(max(c.Live, 0)+max(c.Dead, 0)), fmt.Sprintf("pg_table_size %d, n_live_tup + n_dead_tup", t.Bytes)
	}
	if pages > 0 && rows > 0 {
		perPage := math.Max(math.Round(rows/pages), 1)
		density := math.Floor(usable * float64(e.fillfactor) / 100 / perPage)
		if pages > few || density < width {
			width, origin = density, from
		}
	}
	e.rowBytes = int(math.Min(math.Max(width, least), most))
	e.bytesOrigin = origin
	e.fit()
}

// fit cuts figures that no table can have, of a damaged export: 32 TiB, a million
// million rows.
func (e *entry) fit() {
	const mostBlocks, mostRows = 1<<32 - 3, 1e12
	table := workload.Table{RowBytes: e.rowBytes, Fillfactor: e.fillfactor}
	most := math.Min(mostBlocks*table.RowsInPage(), mostRows)
	e.rows = math.Min(e.rows, most)
	e.dead = e.dead.atMost(most - e.rows)
	e.mods, e.inserted = e.mods.atMost(mostRows), e.inserted.atMost(mostRows)
	e.reltuples = math.Min(e.reltuples, mostRows)
}

// m14 tells a reltuples of -1 that is told from one that is not.
func m14(c pgexport.Counters) bool { return c.Reltuples == -1 && c.Pages == 0 }

// ofTOAST makes the entry that of a TOAST table: it goes by the options of its main
// table, and is never analyzed.
func (e *entry) ofTOAST(owner *pgexport.Table) {
	e.mods = figures{}
	e.options = slices.DeleteFunc(e.options, func(o [2]string) bool { return strings.Contains(o[0], "analyze") })
	e.options = append(e.options, [2]string{"autovacuum_analyze_threshold", "2147483647"})
	e.comment = "a TOAST table: nothing analyzes it"
	if owner != nil {
		e.comment = fmt.Sprintf("the TOAST table of %s: nothing analyzes it", owner.Name)
	}
}

// steady lowers deletes that the table could not bear for as long as the run: those
// measured go on at the pace of the inserts.
func (e *entry) steady(length time.Duration) {
	if e.rows+(e.rates.inserts-e.rates.deletes)*length.Seconds()*1.01 < 0 && e.rates.deletes > e.rates.inserts {
		e.why += fmt.Sprintf("; deletes were %s, more than the rows would last: as many as inserts", rateText(e.rates.deletes))
		e.rates.deletes = e.rates.inserts
	}
}

// lines are the entry's keys but name and activity.
func (e *entry) lines() (out []line) {
	add := func(given bool, key, value, origin string) {
		if given {
			out = append(out, line{key, value, origin})
		}
	}
	add(e.count > 1, "count", fmt.Sprint(e.count), "")
	add(e.sqlName != "" && e.count == 1, "sql_name", quoted(e.sqlName), "")
	add(true, "rows", whole(e.rows), e.rowsOrigin)
	add(true, "row_bytes", fmt.Sprint(e.rowBytes), e.bytesOrigin)
	add(e.fillfactor != 100, "fillfactor", fmt.Sprint(e.fillfactor), "reloptions")
	add(e.indexes != 1, "indexes", fmt.Sprint(e.indexes), "pg_index")
	add(e.toast, "toast", "true", "reltoastrelid, an empty one")
	add(e.temporary, "temporary", "live", "relpersistence t")
	add(e.reltuples != 0 && e.reltuples != e.rows, "reltuples", whole(e.reltuples), "pg_class")
	add(e.allVisible >= 0, "all_visible", significant(e.allVisible), "relallvisible / relpages")
	add(e.allFrozen > 0, "all_frozen", significant(e.allFrozen), "relallfrozen / relpages")
	add(e.dead.most > 0, "dead", e.dead.text(), "n_dead_tup")
	add(e.mods.most > 0, "mods", e.mods.text(), "n_mod_since_analyze")
	add(e.inserted.most > 0, "inserts_since_vacuum", e.inserted.text(), "n_ins_since_vacuum")
	add(e.xidAge > 0, "xid_age", fmt.Sprint(e.xidAge), "age(relfrozenxid)")
	add(e.multiAge > 0, "multi_age", fmt.Sprint(e.multiAge), "mxid_age(relminmxid)")
	var options []string
	for _, o := range e.options {
		options = append(options, o[0]+": "+yamlValue(o[1]))
	}
	add(len(options) > 0, "options", "{"+strings.Join(options, ", ")+"}", "reloptions")
	return out
}

// activity are the keys of what is done to it.
func (e *entry) activity() (out []line) {
	for _, r := range []struct {
		key  string
		rate float64
	}{{"inserts", e.rates.inserts}, {"updates", e.rates.updates}, {"deletes", e.rates.deletes}} {
		if r.rate > 0 {
			out = append(out, line{r.key, rateText(r.rate), e.why})
			e.why = ""
		}
	}
	if e.rates.updates > 0 && e.rates.hotShare > 0 {
		out = append(out, line{"hot_share", significant(e.rates.hotShare), "n_tup_hot_upd of the updates that stayed on their page"})
	}
	return out
}
