package scenario

import (
	"math/rand/v2"

	"github.com/goccy/go-yaml/ast"

	"avsim/workload"
	"avsim/workload/yamlfile"
)

// toastChunk is the width of a full row of a TOAST table: 1,996 bytes of a
// value (TOAST_MAX_CHUNK_SIZE), its header, two columns and a line pointer.
const toastChunk = 2036

func toastName(of string) string { return "pg_toast_" + of }

// neverOfChunks is what nobody does to a TOAST table: a new value is new chunks, those of
// the old one are deleted (toast_save_datum and toast_delete_datum, toast_internals.c).
var neverOfChunks = []string{"updates", "hot_share", "update"}

// toastValue is whether tables have TOAST tables, or what is in these and done to them.
// They have one index, and no statistics for the planner that an analyze would make.
func toastValue(p *population) yamlfile.Value {
	q := &population{fillfactor: 100, indexes: 1, rowBytes: toastChunk}
	var givenXID, givenMulti ast.Node
	return yamlfile.Or(yamlfile.Switch(&p.toast), yamlfile.Object([]yamlfile.Field{
		{Name: "rows", Doc: "chunks at the start; none unless given", Value: rowsValue(&q.rows).Kept(&q.rowsNode)},
		{Name: "row_bytes", Doc: "mean width of a chunk with its header and line pointer; 2036, a full one, unless given",
			Value: yamlfile.Whole(&q.rowBytes, leastRowBytes, mostRowBytes)},
		{Name: "reltuples", Doc: "pg_class.reltuples; the chunks unless given", Value: yamlfile.Number(&q.reltuples, -1, mostRows).Kept(&q.givenReltuples)},
		{Name: "all_visible", Doc: "share of pages in the visibility map; 1 unless given, 0 where reltuples is -1",
			Value: yamlfile.Number(&q.allVisible, 0, 1).Kept(&q.givenAllVisible)},
		{Name: "all_frozen", Doc: "share of pages that are all-frozen; 0 unless given", Value: yamlfile.Number(&q.allFrozen, 0, 1)},
		{Name: "dead", Doc: "dead chunks at the start", Value: rowsValue(&q.dead)},
		{Name: "inserts_since_vacuum", Doc: "chunks inserted since the last vacuum", Value: rowsValue(&q.inserted)},
		{Name: "xid_age", Doc: "age of relfrozenxid; the table's unless given", Value: yamlfile.Whole(&q.xidAge, 0, mostAge).Kept(&givenXID)},
		{Name: "multi_age", Doc: "age of relminmxid; the table's unless given", Value: yamlfile.Whole(&q.multiAge, 0, mostAge).Kept(&givenMulti)},
		{Name: "forced_age", Doc: "an autovacuum_freeze_max_age below what PostgreSQL allows", Value: yamlfile.Whole(&q.forcedAge, 0, 2_000_000_000).Kept(&q.givenForcedAge)},
		{Name: "no_stats", Doc: "whether the statistics know nothing of it at the start", Value: yamlfile.Switch(&q.noStats)},
		{Name: "activity", Doc: "what clients do to it: chunks are inserted and deleted", Value: activityOf(&q.activity, neverOfChunks).Kept(&q.givenActivity)},
	}...).Kept(&q.node).Then(func(*yamlfile.Decoder, string, ast.Node) error {
		p.toast, p.chunks = true, q
		q.agesOfTable = [2]bool{givenXID == nil, givenMulti == nil}
		return nil
	}))
}

// checkTOAST fills in what a TOAST table has from its table, once that is checked.
func (f *runFile) checkTOAST(path string, p *population) error {
	q := p.chunks
	if q == nil {
		return nil
	}
	q.name, q.count, q.temporary = toastName(p.name), p.count, p.temporary
	q.mainOptions = p.optionsOfTOAST()
	if q.agesOfTable[0] {
		q.xidAge = p.xidAge
	}
	if q.agesOfTable[1] {
		q.multiAge = p.multiAge
	}
	if q.rowsNode == nil {
		q.rowsNode = q.node
	}
	if q.temporary == orphaned && q.givenActivity != nil {
		return f.d.Fail(q.givenActivity, path+".activity", "found activity on a table that a crashed session left", "none: its session alone could have changed it")
	}
	return f.checkActivity(path+".activity", &q.activity)
}

// optionsOfTOAST: a TOAST table without options of its own takes the table's
// (do_autovacuum, autovacuum.c).
func (p *population) optionsOfTOAST() map[string]string {
	if p.toastOptions == nil {
		return p.mainOptions
	}
	return p.toastOptions
}

// drawTOAST makes the TOAST tables of a population whose tables begin at a place. They
// have a stream of their own, so that what is in them changes no table.
func (f *runFile) drawTOAST(path string, p *population, stream func() *rand.Rand, place int, add func(workload.Table)) error {
	if p.chunks != nil {
		return f.draw(path, p.chunks, stream(), func(t workload.Table) {
			t.ToastOf = place
			place++
			add(t)
		})
	}
	for i := 1; p.toast && i <= p.count; i++ {
		add(p.emptyTOAST(numbered(p.name, i, p.count), place+i-1))
	}
	return nil
}

// emptyTOAST is the TOAST table of the table at a place, empty and untouched. That of a
// temporary table is temporary as well.
func (p *population) emptyTOAST(of string, place int) workload.Table {
	t := workload.Table{
		Name: toastName(of), ToastOf: place, RowBytes: toastChunk, Fillfactor: 100, Indexes: 1,
		XIDAge: p.xidAge, MultiAge: p.multiAge, NoStats: true, Options: p.optionsOfTOAST(),
		Temporary: p.temporary != "", Orphaned: p.temporary == orphaned,
	}
	if p.givenReltuples != nil && p.reltuples < 0 {
		t.Reltuples = -1
	}
	return t
}
