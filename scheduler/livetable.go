package scheduler

import (
	"math"
	"time"

	"avsim/sim"
	"avsim/workload"
)

// liveTable is a table that changes with time. What clients do to it is a
// function of time, evaluated when someone looks; what vacuums did is kept.
type liveTable struct {
	like // what it has in common with others
	// Of its own, as it was at the start.
	Rows, Dead int64
	Activity   workload.Activity
	id         int32
	dropped    bool // an orphaned temporary table
	entry      bool // it has one in the statistics
	db         *database
	options    tableOptions

	empty *emptyAtFirst // nil for one that is not

	// As the table is.
	removed   float64  // dead row versions removed, counted as changes.dead counts
	visible   float64  // heap pages that the last vacuum, or the start, left all-visible
	since     changes  // as they were then
	allFrozen float64  // heap pages that it left all-frozen: relallfrozen
	free      float64  // places for rows that it made on them
	reltuples float64  // pg_class.reltuples; -1 for unknown
	classAt   sim.Time // when its row of pg_class was last changed
	frozen    float64  // relfrozenxid, in transaction ids used since the start; below 0: before it
	minMulti  float64  // relminmxid, likewise
	leftItems float64  // dead item identifiers that vacuums left to a later index scan
	hinted    sim.Time // when a vacuum or analyze last began, which sets hint bits

	// As the statistics have it.
	dead, mods, inserted history

	dueSince sim.Time     // since when the statistics have said that it is due; Forever while they do not
	result   *TableVisits // nil for one that is only looked at
}

// like is a table of the world that others share.
type like = *workload.Table

// emptyAtFirst is of a table that has no row until an instant: the updates before find
// none.
type emptyAtFirst struct {
	until  sim.Time
	inVain float64
}

// counter is a figure of the statistics: the value that a report set, and what
// clients had told by then. What they tell later adds to it.
type counter struct {
	at    sim.Time
	value float64
	told  float64
}

// history is a counter with the one before, for readers of an older snapshot.
type history struct{ now, before counter }

// set is a report's effect.
func (h *history) set(c counter) { h.before, h.now = h.now, c }

// at is the counter that a snapshot of that instant shows, with what clients
// have told until then.
func (h *history) at(stamp sim.Time, told float64) float64 {
	c := h.now
	if stamp < c.at {
		c = h.before
	}
	return math.Max(c.value+told-c.told, 0) // less is told where pruning was held up
}

// changes are the rows changed since the start of the run.
type changes struct {
	inserted, updated, deleted float64
	dead                       float64 // row versions left dead until a vacuum
}

func (c changes) modified() float64 { return c.inserted + c.updated + c.deleted }

// pruned are the row versions that updates left dead and that pruning has removed.
func (c changes) pruned() float64 { return c.updated + c.deleted - c.dead }

// rowsOf are the rows that an activity changes by an instant: as they come, or as
// expected.
type rowsOf func(*workload.Activity, time.Duration) workload.Totals

// changed is what clients have done to the table by an instant.
func (t *liveTable) changed(at sim.Time) changes { return t.changedBy((*workload.Activity).Totals, at) }

// changedBy is the same for a way to count rows. What died since a snapshot was taken
// that is still held then cannot be pruned.
func (t *liveTable) changedBy(count rowsOf, at sim.Time) changes {
	c := t.settled(count, at)
	if len(t.db.horizons) == 0 {
		return c
	}
	if h := t.db.horizons.at(at); h < at {
		kept := math.Max(c.pruned()-t.settled(count, h).pruned(), 0)
		c.dead += math.Min(kept, t.room(c)) // what is beyond the room is crowded already
	}
	return c
}

// settled is what clients have done, with the dead rows that snapshots held so far leave
// for good, not those that can be pruned once none is held.
func (t *liveTable) settled(count rowsOf, at sim.Time) changes {
	c := t.doneBy(count, at)
	if len(t.db.held) > 0 && t.Activity.HotShare > 0 {
		c.dead += t.crowded(count, at)
	}
	return c
}

// room is for how many row versions the pages have room beside their rows: as many as
// the fillfactor leaves, one on a page that is filled to the brim.
func (t *liveTable) room(c changes) float64 {
	whole, filled := *t.like, t.RowsInPage()
	whole.Fillfactor = 100
	return math.Max(math.Floor(whole.RowsInPage())-math.Floor(filled), 1) * t.Pages(math.Max(float64(t.Rows)+c.inserted-c.deleted, 0))
}

// crowded are the updates that would be HOT but found no room, as no version could be
// pruned while a snapshot was held: they have left dead rows that only a vacuum removes.
func (t *liveTable) crowded(count rowsOf, at sim.Time) (sum float64) {
	const most = 1000 // of the snapshots, those that were held first
	for _, held := range t.db.held[:min(len(t.db.held), most)] {
		if held.from >= at {
			break
		}
		a, b := t.doneBy(count, held.from), t.doneBy(count, min(held.to, at))
		sum += math.Max(b.pruned()-a.pruned()-t.room(b), 0)
	}
	return sum
}

// done is the same for rows as they come.
func (t *liveTable) done(at sim.Time) changes { return t.settled((*workload.Activity).Totals, at) }

// doneBy is what clients have done as if no snapshot were ever held.
func (t *liveTable) doneBy(count rowsOf, at sim.Time) changes {
	sum := t.totals(count, at)
	if e := t.empty; e != nil {
		if at < e.until {
			sum.Updated = 0
		}
		sum.Updated = math.Max(sum.Updated-e.inVain, 0)
	}
	// By chance more may be deleted than there is; those wait for a row.
	sum.Deleted = math.Min(sum.Deleted, float64(t.Rows)+sum.Inserted)
	return changes{
		inserted: sum.Inserted,
		updated:  sum.Updated,
		deleted:  sum.Deleted,
		dead:     sum.Deleted + t.deadOfUpdates(sum.Updated, sum.Inserted),
	}
}

// totals are what clients have changed; while no ids are to be had it is nothing.
func (t *liveTable) totals(count rowsOf, at sim.Time) workload.Totals {
	sum := count(&t.Activity, time.Duration(at))
	for _, h := range t.db.halted() {
		if h.from >= at {
			break
		}
		from, to := count(&t.Activity, time.Duration(h.from)), count(&t.Activity, time.Duration(min(h.to, at)))
		sum.Inserted -= to.Inserted - from.Inserted
		sum.Updated -= to.Updated - from.Updated
		sum.Deleted -= to.Deleted - from.Deleted
	}
	return sum
}

// added are the row versions put into the table by an instant.
func (t *liveTable) added(at sim.Time) float64 {
	c := t.done(at)
	return c.inserted + c.updated*(1-t.Activity.HotShare)
}

// waitForRow finds when a table that is empty at first gets its first row, if it does
// in a run of that length.
func (t *liveTable) waitForRow(length sim.Time) {
	if t.Rows >= 1 {
		return
	}
	there := func(at sim.Time) bool { return float64(t.Rows)+t.Activity.Totals(time.Duration(at)).Inserted >= 1 }
	if there(0) {
		return
	}
	if !there(length) {
		t.empty = &emptyAtFirst{until: sim.Forever}
		return
	}
	low, high := sim.Time(0), length
	for high-low > 1 {
		if middle := low + (high-low)/2; there(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	t.empty = &emptyAtFirst{high, t.Activity.Totals(time.Duration(low)).Updated}
}

// brim is the fillfactor above which a page has no room for a second version of
// a row: pruning on access keeps a tenth of a page free (heap_page_prune_opt).
const brim = 90

// deadOfUpdates is how many row versions so many updates leave dead until a
// vacuum. An update that changes an indexed column leaves one. One that does not
// is HOT where the page has room: its old version is pruned when the page is
// next looked at, so none is left. In a table filled to the brim the first such
// update of a page finds no room: it goes elsewhere and leaves a dead version,
// whose space is the room of the next. Of P full pages, those filled since the
// start included, u updates of rows at random have met P·(1-exp(-u/P)) for the
// first time.
func (t *liveTable) deadOfUpdates(updated, inserted float64) float64 {
	hot := updated * t.Activity.HotShare
	dead := updated - hot
	if t.Fillfactor > brim && hot > 0 {
		pages := t.Pages(float64(t.Rows) + inserted)
		dead += pages * -math.Expm1(-hot/pages)
	}
	return dead
}

// deadOfInserts is an upper bound of what so many inserts add to deadOfUpdates: none,
// but where updates made before are counted as if they had met the new pages too.
func (t *liveTable) deadOfInserts(inserted float64) float64 {
	if t.Fillfactor > brim && t.Activity.HotShare > 0 {
		return inserted
	}
	return 0
}

// rows is the number of live rows at an instant.
func (t *liveTable) rows(at sim.Time) float64 {
	c := t.changed(at)
	return math.Max(float64(t.Rows)+c.inserted-c.deleted, 0)
}

// deadRows is the number of dead row versions in the table at an instant,
// whatever the statistics say.
func (t *liveTable) deadRows(at sim.Time) float64 {
	return math.Max(float64(t.Dead)+t.changed(at).dead-t.removed, 0)
}

// stillVisible are the pages that are all-visible: those of the last vacuum on
// which no row died and none was put since. New versions go to the places that it
// made, at random, then to new pages at the end.
func (t *liveTable) stillVisible(at sim.Time) float64 {
	c := t.changed(at)
	added := c.inserted + c.updated*(1-t.Activity.HotShare) - t.since.inserted - t.since.updated*(1-t.Activity.HotShare)
	return t.visible * (1 - touched(c.dead-t.since.dead+math.Min(added, t.free), t.visible))
}

// frozenBy is how many pages are all-frozen after a vacuum: those that were and
// have not changed, and of those that it reads the ones whose rows are all old
// enough, from before old. Pages frozen because a full page image was written
// anyway (from 16) or by eager scans (from 18) are not among them.
func (t *liveTable) frozenBy(start, old sim.Time, aggressive bool) float64 {
	still := t.stillFrozen(start)
	if old < 0 {
		return still
	}
	now, then := t.changed(start), t.changed(old)
	kept := math.Max(float64(t.Rows)+then.inserted-now.deleted, 0) // as if the oldest were deleted
	if kept <= 0 {
		return still
	}
	pages := t.Pages(kept)
	reused := math.Min(now.inserted-then.inserted, now.deleted)
	pages *= 1 - touched(now.updated-then.updated+reused, pages)
	visible := t.stillVisible(start)
	if aggressive || t.visible <= 0 {
		return math.Max(pages, still)
	}
	return still + math.Max(pages-visible, 0)
}

// stillFrozen are the pages that the last vacuum left all-frozen and that have not
// changed.
func (t *liveTable) stillFrozen(at sim.Time) float64 {
	if t.visible <= 0 {
		return 0
	}
	return t.allFrozen * t.stillVisible(at) / t.visible
}

// vacuumed notes that a vacuum has left nothing but the rows that died since its
// horizon.
func (t *liveTable) vacuumed(horizon sim.Time, removed, removable float64) {
	t.free = removed
	t.visible, t.since = t.Pages(t.rows(horizon)+t.free), t.done(horizon)
	t.removed = math.Max(t.removed, float64(t.Dead)+removable)
}

// flushes says when clients tell the statistics of their changes: at the end of
// a transaction, but no more often than every 500 ms to PostgreSQL 14
// (PGSTAT_STAT_INTERVAL) and every second since (PGSTAT_MIN_INTERVAL). A table
// has sessions of its own, whose rhythm has a phase of its own.
type flushes struct{ every sim.Time }

// last is the last time before at at which a table's sessions told.
func (f flushes) last(at sim.Time, table int32) sim.Time {
	phase := sim.Time(uint64(table+1) * 0x9E3779B97F4A7C15 >> 33 % uint64(f.every)) // spread evenly over the period
	return max(at-(at+f.every-phase)%f.every, 0)
}

// statistics is what a snapshot says of a table.
func (t *liveTable) statistics(f flushes, stamp sim.Time) (dead, mods, inserted float64) {
	told := t.changed(f.last(stamp, t.id))
	return t.dead.at(stamp, told.dead), t.mods.at(stamp, told.modified()), t.inserted.at(stamp, told.inserted)
}

// toldBy tells whether statistics of an instant have what was last reported.
func (t *liveTable) toldBy(stamp sim.Time) bool {
	return stamp >= max(t.dead.now.at, t.mods.now.at, t.inserted.now.at)
}
