package scheduler

import (
	"fmt"
	"reflect"
	"unsafe"

	"avsim/sim"
	"avsim/workload"
)

// liveTables are the tables of a run. One that was never due, and that nothing has
// happened to, is not kept but made anew of the world whenever somebody looks: what there
// is of ten million of them is until when each is quiet.
type liveTables struct {
	kept   []*liveTable // by id; nil for one that is as it was at the start
	looked []sim.Time   // until when each is known not to have been due
	slab   []keptTable  // memory for the next ones to be kept
	// view is the one that was looked at last.
	view    liveTable
	of      workload.Table
	options map[optionsOf]tableOptions
}

// keptTable is all that is kept of a table, in one piece.
type keptTable struct {
	table  liveTable
	visits TableVisits
}

// slabTables is for how many tables memory is taken at a time: one by one, a million would
// each be written down by the allocator.
const slabTables = 64

// optionsOf are storage parameters that several tables have together, and the age limit
// that their fork allows.
type optionsOf struct {
	texts  unsafe.Pointer
	forced int64
}

// table is a table to do something with.
func (c *live) table(id int32) *liveTable {
	if t := c.tables.kept[id]; t != nil {
		return t
	}
	return c.retain(c.lookAt(id))
}

// lookAt is a table to look at, without its name; it is valid until the next call.
func (c *live) lookAt(id int32) *liveTable {
	if t := c.tables.kept[id]; t != nil {
		return t
	}
	v := &c.tables
	c.makeTable(id, &v.view, &v.of)
	return &v.view
}

// makeTable makes a table as it was at the start.
func (c *live) makeTable(id int32, t *liveTable, of *workload.Table) {
	db := c.sys.databaseOf(id)
	tables := &c.world.Databases[db.id].Tables
	tables.Fill(int(id-db.first), of)
	*t = newLiveTable(of, tables.Like(int(id-db.first)), db, id, c.optionsOf(of))
	t.waitForRow(c.length)
}

// retain keeps a table that is only looked at.
func (c *live) retain(t *liveTable) *liveTable {
	if kept := c.tables.kept[t.id]; kept != nil {
		return kept
	}
	if len(c.tables.slab) == 0 {
		c.tables.slab = make([]keptTable, min(slabTables, len(c.tables.kept)))
	}
	k := &c.tables.slab[0]
	c.tables.slab = c.tables.slab[1:]
	k.table, k.table.result = *t, &k.visits
	k.visits.reset()
	c.tables.kept[t.id] = &k.table
	return &k.table
}

// tablesOf are those of a table's database.
func (c *live) tablesOf(t *liveTable) *workload.Tables { return &c.world.Databases[t.db.id].Tables }

// frozenOf are a table's relfrozenxid and relminmxid, and whether it counts for its
// database's. It takes less time than to look at the table.
func (c *live) frozenOf(db *database, id int32) (frozen, minMulti float64, counts bool) {
	if t := c.tables.kept[id]; t != nil {
		return t.frozen, t.minMulti, !t.dropped && !t.Partitioned
	}
	like := c.world.Databases[db.id].Tables.Like(int(id - db.first))
	return -float64(like.XIDAge), -float64(like.MultiAge), !like.Partitioned
}

// nameOf is a table's name, which one that is only looked at does not have.
func (c *live) nameOf(t *liveTable) string {
	return c.tablesOf(t).Name(int(t.id - t.db.first))
}

// checkTables reads the storage parameters of a database's tables, and keeps those that
// are not as the world has them: Poisson ones, whose chance is of this replication (a world
// is shared by several), and temporary ones, which may be dropped at any look.
func (c *live) checkTables(db *database) error {
	tables := &c.world.Databases[db.id].Tables
	for j := range tables.Len() {
		of := &c.tables.of
		if tables.Fill(j, of); len(of.Options) > 0 || of.ForcedAge != nil {
			if err := c.readOptions(of); err != nil {
				return err
			}
		}
		if !of.Activity.Poisson && !of.Temporary {
			continue
		}
		t := c.lookAt(db.first + int32(j))
		if of.Activity.Poisson {
			of.Activity.Seed = c.sys.streams.Named(fmt.Sprintf("activity %d %d", db.id, j)).Uint64() >> 2
			of.Activity.Memo = new(workload.PoissonMemo)
			*t = newLiveTable(of, t.like, db, t.id, t.options)
			t.waitForRow(c.length)
		}
		c.retain(t)
	}
	return nil
}

// readOptions reads a table's storage parameters, once for all that share them.
func (c *live) readOptions(of *workload.Table) error {
	key := keyOfOptions(of)
	if _, known := c.tables.options[key]; known {
		return nil
	}
	options, err := parseTableOptions(c.settings.Version(), of.Options)
	if err != nil {
		return err
	}
	if of.ForcedAge != nil {
		if options == nil {
			options = tableOptions{}
		}
		options["autovacuum_freeze_max_age"] = float64(*of.ForcedAge)
	}
	c.tables.options[key] = options
	return nil
}

// optionsOf are a table's storage parameters, which were checked at the start.
func (c *live) optionsOf(t *workload.Table) tableOptions {
	if len(t.Options) == 0 && t.ForcedAge == nil {
		return nil
	}
	return c.tables.options[keyOfOptions(t)]
}

func keyOfOptions(t *workload.Table) optionsOf {
	key := optionsOf{texts: reflect.ValueOf(t.Options).UnsafePointer(), forced: -1}
	if t.ForcedAge != nil {
		key.forced = *t.ForcedAge
	}
	return key
}

// databaseOf is the database of a table.
func (s *system) databaseOf(table int32) *database {
	if len(s.dbs) == 1 {
		return s.dbs[0]
	}
	low, high := 0, len(s.dbs)-1
	for low < high {
		if middle := (low + high) / 2; table < s.dbs[middle].last {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return s.dbs[low]
}
