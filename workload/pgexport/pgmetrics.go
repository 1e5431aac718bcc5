package pgexport

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"
)

// ReadPgmetricsFile reads a report of pgmetrics in JSON (pgmetrics -f json), plain or
// gzip.
func (e *Export) ReadPgmetricsFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return e.ReadPgmetrics(f, name)
}

// The parts of pgmetrics' model (schema 1.0 and later) that tell of tables. Numbers are
// pointers where the schema got them later: what an older report lacks is not told.
type (
	pgmetricsReport struct {
		meta struct {
			Version      string   `json:"version"`
			At           int64    `json:"at"` // seconds since 1970
			CollectedDBs []string `json:"collected_dbs"`
			Mode         string   `json:"mode"`
		}
		nextXID    int64 // of the last checkpoint
		checkpoint int64
		inRecovery bool
		settings   map[string]pgmetricsSetting
		databases  []pgmetricsDatabase
		tables     []pgmetricsTable
		indexes    map[pgmetricsTableKey]*pgmetricsIndexes
		system     struct {
			CPUModel string `json:"cpu_model"`
			NumCores int    `json:"num_cores"`
		}
	}
	pgmetricsSetting struct {
		Setting string `json:"setting"`
		Source  string `json:"source"`
		Unit    string `json:"unit"`
	}
	pgmetricsDatabase struct {
		OID        int64  `json:"oid"`
		Name       string `json:"name"`
		Age        int64  `json:"age_datfrozenxid"`
		Commits    int64  `json:"xact_commit"`
		Rollbacks  int64  `json:"xact_rollback"`
		StatsReset int64  `json:"stats_reset"`
	}
	pgmetricsTable struct {
		OID         int64  `json:"oid"`
		DB          string `json:"db_name"`
		Schema      string `json:"schema_name"`
		Name        string `json:"name"`
		Kind        string `json:"relkind"`
		Persistence string `json:"relpersistence"`
		Inserted    *int64 `json:"n_tup_ins"`
		Updated     *int64 `json:"n_tup_upd"`
		Deleted     *int64 `json:"n_tup_del"`
		HOT         *int64 `json:"n_tup_hot_upd"`
		NewPage     *int64 `json:"n_tup_newpage_upd"`
		Live        *int64 `json:"n_live_tup"`
		Dead        *int64 `json:"n_dead_tup"`
		Mods        *int64 `json:"n_mod_since_analyze"`
		Inserts     *int64 `json:"n_ins_since_vacuum"`
		Vacuums     *int64 `json:"vacuum_count"`
		Autovacuums *int64 `json:"autovacuum_count"`
		Autoanalyze *int64 `json:"autoanalyze_count"`
		LastAuto    int64  `json:"last_autovacuum"`
		XIDAge      *int64 `json:"age_relfrozenxid"`
		Size        int64  `json:"size"` // pg_table_size; -1 for not told
	}
	pgmetricsTableKey struct {
		db  string
		oid int64
	}
	pgmetricsIndexes struct {
		n     int64
		bytes int64
	}
)

// ReadPgmetrics reads a report of pgmetrics. The name stands in notes and errors.
func (e *Export) ReadPgmetrics(r io.Reader, name string) error {
	text, err := unzipped(r)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	report := pgmetricsReport{indexes: make(map[pgmetricsTableKey]*pgmetricsIndexes)}
	early, err := report.read(e, json.NewDecoder(text), name)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case early != nil && len(report.tables) == 0:
		return fmt.Errorf("%s: ends early, before any table: %w", name, early)
	case report.meta.At <= 0:
		return fmt.Errorf("%s: no report of pgmetrics: it has no meta.at; accepted is what 'pgmetrics -f json' prints", name)
	case report.meta.Mode != "" && report.meta.Mode != "postgres":
		return fmt.Errorf("%s: a report of %s; accepted is one of a PostgreSQL server", name, report.meta.Mode)
	case len(report.tables) == 0:
		return fmt.Errorf("%s: no tables in the report; pgmetrics tells of the databases that are named on its command line (or --all-dbs), unless --omit=tables", name)
	}
	if early != nil {
		e.note("%s: ends early: %v; what stands before is used", name, early)
	}
	if !slices.Contains(e.Files, name) {
		e.Files = append(e.Files, name)
	}
	report.into(e, name)
	return nil
}

// read reads the report key by key. A report that is cut off is used as far as it goes:
// early is why it ends.
func (p *pgmetricsReport) read(e *Export, d *json.Decoder, name string) (early, err error) {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("no JSON object; accepted is what 'pgmetrics -f json' prints")
	}
	bad := func(err error) error { // one of types alone is of that value
		var of *json.UnmarshalTypeError
		if errors.As(err, &of) {
			e.bad(name, 0, fmt.Errorf("%s: found %s; accepted is a value of type %v", of.Field, of.Value, of.Type))
			return nil
		}
		return err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return oneLine(err), nil
		}
		switch key {
		case "meta":
			err = bad(d.Decode(&p.meta))
		case "next_xid":
			err = bad(d.Decode(&p.nextXID))
		case "checkpoint_time":
			err = bad(d.Decode(&p.checkpoint))
		case "is_in_recovery":
			err = bad(d.Decode(&p.inRecovery))
		case "settings":
			err = bad(d.Decode(&p.settings))
		case "system":
			err = bad(d.Decode(&p.system))
		case "databases":
			err = elements(d, bad, func(x pgmetricsDatabase) { p.databases = append(p.databases, x) })
		case "tables":
			err = elements(d, bad, func(x pgmetricsTable) { p.tables = append(p.tables, x) })
		case "indexes":
			err = elements(d, bad, p.index)
		default:
			var rest json.RawMessage
			err = d.Decode(&rest)
		}
		if err != nil {
			return oneLine(err), nil
		}
	}
	if _, err := d.Token(); err != nil {
		return oneLine(err), nil
	}
	return nil, nil
}

// elements reads an array, or null, an element at a time.
func elements[T any](d *json.Decoder, bad func(error) error, each func(T)) error {
	t, err := d.Token()
	switch {
	case err != nil:
		return err
	case t == nil:
		return nil
	case t != json.Delim('['):
		return fmt.Errorf("found %v; accepted is an array", t)
	}
	for d.More() {
		var x T
		err := d.Decode(&x)
		if err == nil {
			each(x)
		} else if err = bad(err); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

// pgmetricsIndex is what is asked of an index.
type pgmetricsIndex struct {
	DB    string `json:"db_name"`
	Table int64  `json:"table_oid"`
	Size  int64  `json:"size"`
}

func (p *pgmetricsReport) index(x pgmetricsIndex) {
	key := pgmetricsTableKey{x.DB, x.Table}
	i := p.indexes[key]
	if i == nil {
		i = new(pgmetricsIndexes)
		p.indexes[key] = i
	}
	i.n++
	i.bytes += max(x.Size, 0)
}

// into hands the report over as rows with the columns of an export.
func (p *pgmetricsReport) into(e *Export, name string) {
	at := seconds(p.meta.At)
	add := func(row func(record) error, fields map[string]string) {
		if err := row(recordOf(fields)); err != nil {
			e.bad(name, 0, err)
		}
	}
	names := make([]string, 0, len(p.settings))
	for n := range p.settings {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		s := p.settings[n]
		add(e.settingRow, map[string]string{"name": n, "setting": s.Setting, "unit": s.Unit, "source": s.Source})
	}
	if p.inRecovery {
		add(e.settingRow, map[string]string{"name": "avsim_in_recovery", "setting": "true"})
	}
	for _, x := range p.databases {
		fields := map[string]string{"time": at, "oid": whole(x.OID), "db": x.Name, "frozenxid_age": whole(x.Age), "stats_reset": seconds(x.StatsReset),
			"has_stats": strconv.FormatBool(x.StatsReset > 0 || x.Commits+x.Rollbacks > 0)}
		add(e.databaseRow, fields)
	}
	if p.nextXID > 0 && p.checkpoint > 0 && len(e.Databases) > 0 {
		d := e.Databases[0]
		if r := (Reading{time.Unix(p.checkpoint, 0).UTC(), p.nextXID}); !slices.Contains(d.XIDs, r) {
			d.XIDs = append(d.XIDs, r)
		}
	}
	for i := range p.tables {
		add(e.tableRow, p.table(&p.tables[i], at))
	}
	p.tell(e)
}

// table is a table's row.
func (p *pgmetricsReport) table(x *pgmetricsTable, at string) map[string]string {
	fields := map[string]string{"time": at, "db": x.DB, "oid": whole(x.OID), "nspname": x.Schema, "relname": x.Name, "relkind": x.Kind, "relpersistence": x.Persistence,
		"class_place":     "", // not told, but a report has all tables
		"last_autovacuum": seconds(x.LastAuto), "n_indexes": "0"}
	for column, n := range map[string]*int64{
		"n_tup_ins": x.Inserted, "n_tup_upd": x.Updated, "n_tup_del": x.Deleted, "n_tup_hot_upd": x.HOT, "n_tup_newpage_upd": x.NewPage,
		"n_live_tup": x.Live, "n_dead_tup": x.Dead, "n_mod_since_analyze": x.Mods, "n_ins_since_vacuum": x.Inserts,
		"vacuum_count": x.Vacuums, "autovacuum_count": x.Autovacuums, "autoanalyze_count": x.Autoanalyze, "frozenxid_age": x.XIDAge,
	} {
		if n != nil {
			fields[column] = whole(*n)
		}
	}
	if x.Size > 0 {
		fields["table_size"] = whole(x.Size)
	}
	if i := p.indexes[pgmetricsTableKey{x.DB, x.OID}]; i != nil {
		fields["n_indexes"], fields["index_pages_total"] = whole(i.n), whole(i.bytes/8192)
	}
	return fields
}

// tell notes what a report does not have, or has besides.
func (p *pgmetricsReport) tell(e *Export) {
	e.note("pgmetrics tells neither storage parameters of tables nor catalogues and TOAST tables: what autovacuum does there is left out ('avsim import sql' tells them)")
	if p.system.NumCores > 0 {
		e.note("the server has %d cores (%s) by pgmetrics; the host profile is assumed, --host names another", p.system.NumCores, p.system.CPUModel)
	}
	for _, d := range p.databases {
		if len(p.meta.CollectedDBs) > 0 && !slices.Contains(p.meta.CollectedDBs, d.Name) && d.Name != "template0" {
			e.note("database %q is in the report, its tables are not: name it on pgmetrics' command line too, or --all-dbs", d.Name)
		}
	}
}

// recordOf is a row of its own columns.
func recordOf(fields map[string]string) record {
	r := record{columns: make(columns, len(fields)), fields: make([]string, 0, len(fields))}
	for name, text := range fields {
		r.columns[name] = len(r.fields)
		r.fields = append(r.fields, text)
	}
	return r
}

func whole(n int64) string { return strconv.FormatInt(n, 10) }

// seconds is a time since 1970 as text; none for 0.
func seconds(n int64) string {
	if n <= 0 {
		return ""
	}
	return time.Unix(n, 0).UTC().Format(time.RFC3339)
}
