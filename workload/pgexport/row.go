package pgexport

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// record is a row with the columns of its file.
type record struct {
	columns columns
	fields  []string
}

// text is a column's value; "" for NULL and for a column that the file does not have.
func (r record) text(name string) string {
	i, ok := r.columns[name]
	if !ok || i >= len(r.fields) || r.fields[i] == `\N` {
		return ""
	}
	return r.fields[i]
}

// number is a column's value, -1 where none is told.
func (r record) number(name string) (float64, error) {
	text := strings.TrimSpace(r.text(name))
	if text == "" {
		return -1, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != x || x > 1e15 || x < -1 {
		return -1, fmt.Errorf("%s: found %q; accepted is a number from 0 to 1e15", name, text)
	}
	return x, nil
}

// numbers reads several columns.
func (r record) numbers(into map[string]*int64) error {
	for name, to := range into {
		x, err := r.number(name)
		if err != nil {
			return err
		}
		*to = int64(x)
	}
	return nil
}

// truth is a column of t or f, true or false.
func (r record) truth(name string) bool {
	return strings.HasPrefix(strings.ToLower(r.text(name)), "t")
}

// at is a time as PostgreSQL or ISO 8601 write it; zero where none is told.
func (r record) at(name string) (time.Time, error) {
	text := strings.TrimSpace(r.text(name))
	if text == "" {
		return time.Time{}, nil
	}
	for _, form := range []string{
		time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999-07", "2006-01-02T15:04:05.999999999-07",
		"2006-01-02 15:04:05.999999999Z0700", "2006-01-02 15:04:05.999999999",
	} {
		if t, err := time.Parse(form, text); err == nil {
			return t.UTC(), nil
		}
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil && x > 0 && x < 1e11 { // seconds since 1970
		return time.UnixMicro(int64(x * 1e6)).UTC(), nil
	}
	return time.Time{}, fmt.Errorf("%s: found %q; accepted is a time such as 2026-11-30 09:29:37+00", name, text)
}

func (e *Export) settingRow(r record) error {
	s := Setting{Name: r.text("name"), Value: r.text("setting"), Unit: r.text("unit"), Source: r.text("source")}
	if s.Name == "" {
		return fmt.Errorf("name: found nothing; accepted is the name of a setting")
	}
	if s.Name == "server_version" {
		e.version = s.Value
	}
	for i := range e.Settings { // the last one counts
		if e.Settings[i].Name == s.Name {
			if e.Settings[i].Value != s.Value {
				e.note("%s is %s in one place, %s in another; the last is used", s.Name, e.Settings[i].Value, s.Value)
			}
			e.Settings[i] = s
			return nil
		}
	}
	e.Settings = append(e.Settings, s)
	return nil
}

func (e *Export) databaseRow(r record) error {
	name := r.text("db")
	if name == "" {
		return fmt.Errorf("datname: found nothing; accepted is a name")
	}
	at, err := r.at("time")
	if err != nil {
		return err
	}
	var oid, age, multi, next int64
	if err := r.numbers(map[string]*int64{"oid": &oid, "frozenxid_age": &age, "minmxid_age": &multi, "next_xid": &next}); err != nil {
		return err
	}
	d := e.database(name)
	if !d.Listed {
		e.list(d)
	}
	d.OID, d.XIDAge, d.MultiAge = oid, max(age, 0), max(multi, 0)
	d.Template = r.truth("datistemplate") || r.columns.has("datallowconn") && !r.truth("datallowconn") || name == "template0"
	d.NoStats = name == "template0" || r.columns.has("has_stats") && !r.truth("has_stats")
	if d.StatsReset, err = r.at("stats_reset"); err != nil {
		return err
	}
	if next > 0 && !at.IsZero() {
		d.XIDs = append(d.XIDs, Reading{at, next})
	}
	e.seen(at)
	return nil
}

// list puts a database where the list of databases has it: after those listed before.
func (e *Export) list(d *Database) {
	d.Listed = true
	rest := make([]*Database, 0, len(e.Databases))
	var listed []*Database
	for _, x := range e.Databases {
		switch {
		case x == d:
		case x.Listed:
			listed = append(listed, x)
		default:
			rest = append(rest, x)
		}
	}
	e.Databases = append(append(listed, d), rest...)
}

// kinds are the relations that have rows to vacuum.
const kinds = "rmt"

func (e *Export) tableRow(r record) error {
	kind := r.text("relkind")
	schema, name := r.text("nspname"), r.text("relname")
	if name == "" {
		return fmt.Errorf("relname: found nothing; accepted is a name")
	}
	if kind == "" {
		kind = "r"
		if schema == "pg_toast" {
			kind = "t"
		}
	}
	if !strings.Contains(kinds, kind) {
		if e.Dropped == nil {
			e.Dropped = make(map[string]int)
		}
		e.Dropped[kind]++
		return nil
	}
	at, err := r.at("time")
	if err != nil {
		return err
	}
	c, err := r.counters(at)
	if err != nil {
		return err
	}
	database := r.text("db")
	if database == "" {
		database = "postgres"
		e.note("the tables' database is not told (column db); it is called postgres")
	}
	d := e.database(database)
	widen(&d.First, &d.Last, at)
	t := d.table(r, schema, name)
	t.Kind = kind
	if err := t.describe(r); err != nil {
		return err
	}
	if r.columns.has("class_place") && at.After(t.complete) {
		t.complete = at
	}
	t.add(c)
	e.seen(at)
	return nil
}

// table is the one of a row, known by its oid or else its name.
func (d *Database) table(r record, schema, name string) *Table {
	key := r.text("oid")
	if key == "" {
		key = schema + "." + name
	}
	t := d.tables[key]
	if t == nil {
		t = &Table{Schema: schema, First: none, Last: none, untimed: none}
		d.tables[key] = t
		d.Tables = append(d.Tables, t)
	}
	t.Schema, t.Name = schema, name
	return t
}

// describe takes what does not change, as far as the row tells it.
func (t *Table) describe(r record) error {
	var oid, toast, indexes, pages, place int64
	if err := r.numbers(map[string]*int64{"oid": &oid, "toast_oid": &toast, "n_indexes": &indexes, "index_pages_total": &pages, "class_place": &place}); err != nil {
		return err
	}
	width, err := r.number("avg_row_data_width")
	if err != nil {
		return err
	}
	t.OID = max(t.OID, oid)
	if r.columns.has("toast_oid") {
		t.Toast = max(toast, 0)
	}
	if r.columns.has("n_indexes") {
		t.Indexes, t.IndexPages = int(max(indexes, 0)), max(pages, 0)
	}
	if place > 0 {
		t.Place = place
	}
	if width > 0 {
		t.RowWidth = width
	}
	if r.columns.has("reloptions") {
		t.Options = readOptions(r.text("reloptions"))
	}
	t.Shared = t.Shared || r.truth("relisshared")
	t.Temporary = t.Temporary || r.text("relpersistence") == "t"
	return nil
}

// readOptions reads an array of name=value: {a=1,b=2}, or the items alone.
func readOptions(text string) (out [][2]string) {
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text), "{"), "}")
	for _, item := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ';' }) {
		if name, value, ok := strings.Cut(strings.Trim(strings.TrimSpace(item), `"`), "="); ok {
			out = append(out, [2]string{name, value})
		}
	}
	return out
}

// counters reads what the row tells of the statistics and of pg_class.
func (r record) counters(at time.Time) (Counters, error) {
	c := none
	c.At = at
	err := r.numbers(map[string]*int64{
		"n_tup_ins": &c.Inserted, "n_tup_upd": &c.Updated, "n_tup_del": &c.Deleted, "n_tup_hot_upd": &c.HOT, "n_tup_newpage_upd": &c.NewPage,
		"n_live_tup": &c.Live, "n_dead_tup": &c.Dead, "n_mod_since_analyze": &c.Mods, "n_ins_since_vacuum": &c.InsertedSinceVacuum,
		"vacuum_count": &c.Vacuums, "autovacuum_count": &c.Autovacuums, "autoanalyze_count": &c.Autoanalyzes,
		"relallvisible": &c.AllVisible, "relallfrozen": &c.AllFrozen, "frozenxid_age": &c.XIDAge, "minmxid_age": &c.MultiAge,
	})
	if err != nil {
		return c, err
	}
	if c.Reltuples, err = r.number("reltuples"); err != nil {
		return c, err
	}
	if c.Pages, err = r.number("relpages"); err != nil {
		return c, err
	}
	c.LastAutovacuum, err = r.at("last_autovacuum")
	return c, err
}

// add takes in counters: later ones replace what earlier ones tell, and what they do
// not tell stays.
func (t *Table) add(c Counters) {
	if c.At.IsZero() {
		t.untimed = c
	}
	switch {
	case t.Last == none:
		t.First, t.Last = c, c
	case c.At.IsZero() || c.At.Before(t.Last.At): // out of order: fills gaps
		t.Last = t.Last.over(c)
		if t.First.At.IsZero() || !c.At.IsZero() && c.At.Before(t.First.At) {
			t.First = c.over(t.First)
			t.First.At = c.At
		}
	default:
		if t.Last.fell(c) {
			t.Backwards = true
			t.First = c
		}
		if t.First.At.IsZero() { // from a file without a time
			t.First = c.over(t.First)
		}
		t.Last = c.over(t.Last)
	}
}

// fell tells whether a counter of rows is less than before.
func (c Counters) fell(next Counters) bool {
	less := func(a, b int64) bool { return b >= 0 && b < a }
	return less(c.Inserted, next.Inserted) || less(c.Updated, next.Updated) || less(c.Deleted, next.Deleted)
}

// over is c, with what it does not tell from another.
func (c Counters) over(other Counters) Counters {
	pick := func(a *int64, b int64) {
		if *a < 0 {
			*a = b
		}
	}
	pick(&c.Inserted, other.Inserted)
	pick(&c.Updated, other.Updated)
	pick(&c.Deleted, other.Deleted)
	pick(&c.HOT, other.HOT)
	pick(&c.NewPage, other.NewPage)
	pick(&c.Live, other.Live)
	pick(&c.Dead, other.Dead)
	pick(&c.Mods, other.Mods)
	pick(&c.InsertedSinceVacuum, other.InsertedSinceVacuum)
	pick(&c.Vacuums, other.Vacuums)
	pick(&c.Autovacuums, other.Autovacuums)
	pick(&c.Autoanalyzes, other.Autoanalyzes)
	pick(&c.AllVisible, other.AllVisible)
	pick(&c.AllFrozen, other.AllFrozen)
	pick(&c.XIDAge, other.XIDAge)
	pick(&c.MultiAge, other.MultiAge)
	if c.Reltuples < 0 && c.Pages < 0 {
		c.Reltuples, c.Pages = other.Reltuples, other.Pages
	}
	if c.At.IsZero() {
		c.At = other.At
	}
	if c.LastAutovacuum.IsZero() {
		c.LastAutovacuum = other.LastAutovacuum
	}
	return c
}
