package scheduler

import (
	"cmp"
	"slices"
	"time"

	"avsim/sim"
	"avsim/workload/guc"
)

const (
	// maxNap is MAX_AUTOVAC_SLEEPTIME. What a nap has above whole seconds is
	// kept when it is cut to this.
	maxNap = 300 * time.Second
	// crowdedStep stands for naptime/n where that is no more than minNap.
	crowdedStep = minNap + minNap/10
	// offList is the due time of a database that is not on the list.
	offList sim.Time = -1
	// neverVisited is lastAutovac of a database that no worker has been in.
	neverVisited sim.Time = -1
)

// databaseState is what the launcher knows of a database when it decides.
// States come in pg_database's order, which breaks ties, and with every
// database in it: template0 too, and one without statistics.
type databaseState struct {
	id       int  // from 0 up, without large gaps
	hasStats bool // somebody has connected since statistics were last lost
	// xidAge and multiAge are those of datfrozenxid and datminmxid.
	xidAge, multiAge int64
	occupied         bool     // has a worker, where that keeps others from being sent against wraparound
	lastAutovac      sim.Time // neverVisited, or when a worker last began
}

// databaseList is the launcher's list of databases, each with the time at which
// it is due for its next worker. Only databases with statistics are on it.
//
// That the head's time is the latest and the tail's the soonest is what
// PostgreSQL means it to be; where more databases are there than minNap allows
// in a naptime it is not, since a visit sets a time one naptime ahead.
//
// The launcher's round is: sleep; wait that long, or until a worker has taken
// its slot or has exited; read the clock; if a worker may start and due says so
// of that reading, choose, and launched with that same reading. Where a method
// takes a clock rather than a time, PostgreSQL reads the clock anew, and what
// passes in between decides: a due time between the reading that due was asked
// of and the one that the next sleep takes gives a sleep of zero.
type databaseList struct {
	naptime time.Duration
	turns   bool
	order   []int      // from the tail to the head
	dueAt   []sim.Time // by id
	// rebuilds counts rebuilds, the first included.
	rebuilds int
}

// newDatabaseList is an empty list, as a launcher begins with before it
// rebuilds it for the first time. With turns a rebuild turns the order round.
func newDatabaseList(naptime time.Duration, turns bool) *databaseList {
	return &databaseList{naptime: naptime, turns: turns}
}

// rebuildTurnsRound tells whether a release's launcher turns the order of its
// databases round in each rebuild. The comparison by which it sorts them was
// the other way about to 16; 17 took over a common helper with the operands
// swapped; 19 has them right. Whether a minor release of 17 or 18 mended it is
// unverified; 18.4 turns.
func rebuildTurnsRound(v guc.Version) bool {
	return v.AtLeast(guc.MustVersion("17.0")) && !v.AtLeast(guc.MustVersion("19"))
}

// StarvesDatabases tells whether a release, with so many databases, leaves some hardly
// visited: where its list turns round in each rebuild and does not fit into a naptime.
func StarvesDatabases(v guc.Version, databases int, naptime time.Duration) bool {
	return rebuildTurnsRound(v) && time.Duration(databases)*crowdedStep > naptime
}

// setNaptime changes autovacuum_naptime. A launcher that is told to reload
// rebuilds its list right after, whatever has changed.
func (l *databaseList) setNaptime(d time.Duration) { l.naptime = d }

// tail is the time at which the next worker is due.
func (l *databaseList) tail() sim.Time { return l.dueAt[l.order[0]] }

// due is whether the tail's time has come at a reading of the clock. An empty
// list is due at any time.
func (l *databaseList) due(now sim.Time) bool {
	return len(l.order) == 0 || l.tail() <= microsecond(now)
}

// sleep is launcher_determine_sleep and the cut to whole milliseconds that the
// wait makes of it. If the tail's time is not ahead the list is rebuilt, once.
// canLaunch is whether a slot is free, be a worker starting or not. The states are
// asked for only where it is rebuilt: with many databases they take a while.
func (l *databaseList) sleep(clock func() sim.Time, canLaunch bool, all func() []databaseState) time.Duration {
	nap := l.untilTail(clock, canLaunch)
	if nap == 0 {
		l.rebuild(clock, -1, all())
		nap = l.untilTail(clock, canLaunch)
	}
	nap = max(nap, minNap)
	if nap >= maxNap+time.Second {
		nap = maxNap + nap%time.Second
	}
	return nap.Truncate(time.Millisecond)
}

func (l *databaseList) untilTail(clock func() sim.Time, canLaunch bool) time.Duration {
	if !canLaunch || len(l.order) == 0 {
		return l.naptime
	}
	return max(l.tail().Sub(microsecond(clock())), 0)
}

// rebuild is rebuild_database_list. Due times are spread over a naptime from a
// reading of the clock on. A new database, -1 for none, comes last, then those
// on the list in their order, and what was not on it is due first, the last of
// pg_database soonest; with turns all of that is the other way about.
func (l *databaseList) rebuild(clock func() sim.Time, newDB int, all []databaseState) {
	l.rebuilds++
	hasStats := make([]bool, len(l.dueAt))
	for _, db := range all {
		for db.id >= len(l.dueAt) {
			l.dueAt = append(l.dueAt, offList)
			hasStats = append(hasStats, false)
		}
		hasStats[db.id] = db.hasStats
	}
	scored := make([]int, 0, len(all))
	listed := make([]bool, len(l.dueAt))
	add := func(id int) {
		if id >= 0 && id < len(listed) && hasStats[id] && !listed[id] {
			listed[id] = true
			scored = append(scored, id)
		}
	}
	add(newDB)
	for i := len(l.order) - 1; i >= 0; i-- {
		add(l.order[i])
	}
	for _, db := range all {
		add(db.id)
	}
	for _, id := range l.order {
		l.dueAt[id] = offList
	}
	if !l.turns {
		for i, j := 0, len(scored)-1; i < j; i, j = i+1, j-1 {
			scored[i], scored[j] = scored[j], scored[i]
		}
	}
	l.order = scored
	if len(scored) == 0 {
		return
	}
	step := (l.naptime / time.Duration(len(scored))).Truncate(time.Millisecond)
	if step <= minNap {
		step = crowdedStep
	}
	at := microsecond(clock())
	for _, id := range scored {
		at = at.Add(step)
		l.dueAt[id] = at
	}
}

// visitFirst sets when databases are due, by id; negative leaves one as it is.
func (l *databaseList) visitFirst(at []time.Duration) {
	for id, d := range at {
		if d >= 0 && id < len(l.dueAt) && l.dueAt[id] != offList {
			l.dueAt[id] = sim.Time(d)
		}
	}
	if at != nil {
		slices.SortStableFunc(l.order, func(a, b int) int { return cmp.Compare(l.dueAt[a], l.dueAt[b]) })
	}
}

// choose is do_start_worker's choice of a database, which need not be the
// tail: the one with the oldest transactions if any is older than freezeMaxAge,
// then the same for multixacts, statistics or not; else of those with
// statistics the one whose last worker began first, where it was not visited
// within the naptime. It is -1 for none; if that is because all were visited,
// the list has been rebuilt.
func (l *databaseList) choose(clock func() sim.Time, all []databaseState, freezeMaxAge, multiFreezeMaxAge int64) (id int, wraparound bool) {
	now := microsecond(clock())
	var xid, multi, idle *databaseState
	skipped := false
	for i := range all {
		switch db := &all[i]; {
		case db.xidAge > freezeMaxAge && !db.occupied:
			if xid == nil || db.xidAge > xid.xidAge {
				xid = db
			}
		case xid != nil:
		case db.multiAge > multiFreezeMaxAge && !db.occupied:
			if multi == nil || db.multiAge > multi.multiAge {
				multi = db
			}
		case multi != nil || !db.hasStats:
		case l.visited(db.id, now):
			skipped = true
		case idle == nil || db.lastAutovac < idle.lastAutovac:
			idle = db
		}
	}
	switch {
	case xid != nil:
		return xid.id, true
	case multi != nil:
		return multi.id, true
	case idle != nil:
		return idle.id, false
	case skipped:
		l.rebuild(clock, -1, all)
	}
	return -1, false
}

// visited takes a due time ahead, but by less than a naptime, for a visit
// within the last naptime. To a database that a rebuild has given such a time
// no worker goes before it, visited or not.
func (l *databaseList) visited(id int, now sim.Time) bool {
	return id < len(l.dueAt) && l.dueAt[id] > now && l.dueAt[id] < now.Add(l.naptime)
}

// launched tells the list that a worker was sent to a database: it is due again
// a naptime after now, the reading that due was asked of, and moves to the
// head. A database that was not on the list makes it be rebuilt.
func (l *databaseList) launched(now sim.Time, clock func() sim.Time, id int, all func() []databaseState) {
	for i, o := range l.order {
		if o == id {
			copy(l.order[i:], l.order[i+1:])
			l.order[len(l.order)-1] = id
			l.dueAt[id] = microsecond(now).Add(l.naptime)
			return
		}
	}
	l.rebuild(clock, id, all())
}

// microsecond is what PostgreSQL's clock says at an instant.
func microsecond(t sim.Time) sim.Time { return t - t%sim.Time(time.Microsecond) }
