package scheduler

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"avsim/sim"
	"avsim/workload/guc"
)

const (
	freezeMaxAge      = 200_000_000
	multiFreezeMaxAge = 400_000_000
)

// visit is a worker that was sent to a database.
type visit struct {
	at         sim.Time
	db         int
	wraparound bool
}

// launchBench runs a database list by the launcher's loop on a simple machine.
type launchBench struct {
	list *databaseList
	all  []databaseState
	now  sim.Time
	// reading is what passes from one reading of the clock to the next.
	reading time.Duration
	// hard is the share of waits that end at the end of the slack which Linux
	// gives a wait: a thousandth of it. The rest end anywhere within, with the
	// interrupt of another timer. A machine with nothing else to do has 1.
	// Under load a quarter is taken, which the share of late starts in one
	// recording (r3) gave: only the other recordings are a check of it.
	hard   float64
	random *rand.Rand
	slots  int
	// life is how long a worker lives once it has taken its slot, in the mean;
	// lives vary by half of that either way.
	life func(db int) time.Duration

	starting bool
	running  int
	signals  []signalAt // in order of time
	visits   []visit
	rebuilt  []sim.Time
}

// signalAt is when a worker wakes the launcher: it has taken its slot, or exits.
type signalAt struct {
	at    sim.Time
	db    int
	exits bool
}

// forkTime is from the launch to the worker in its slot: 3 ms recorded.
const forkTime = 3 * time.Millisecond

func newLaunchBench(naptime time.Duration, turns bool, databases int) *launchBench {
	b := &launchBench{
		list: newDatabaseList(naptime, turns), reading: 2 * time.Microsecond, hard: 1,
		random: rand.New(rand.NewPCG(1, 1)), slots: 3,
		life: func(int) time.Duration { return 5 * time.Millisecond },
	}
	for i := range databases {
		b.all = append(b.all, databaseState{id: i, hasStats: true, lastAutovac: neverVisited})
	}
	return b
}

func (b *launchBench) clock() sim.Time {
	b.now = b.now.Add(b.reading)
	return b.now
}

// overshoot is by how much a wait lasts longer: 60 us until the thread runs,
// and its slack, which is at least 50 us.
func (b *launchBench) overshoot(nap time.Duration) time.Duration {
	slack := max(nap/1000, 50*time.Microsecond)
	if b.random.Float64() >= b.hard {
		slack = time.Duration(b.random.Float64() * float64(slack))
	}
	return 60*time.Microsecond + slack
}

func (b *launchBench) run(until sim.Time) *launchBench {
	if b.list.rebuilds == 0 {
		b.list.rebuild(b.clock, -1, b.all)
	}
	for {
		before := b.list.rebuilds
		nap := b.list.sleep(b.clock, b.slots > b.running, always(b.all))
		if b.list.rebuilds > before {
			b.rebuilt = append(b.rebuilt, b.now)
		}
		wake := b.now.Add(nap + b.overshoot(nap))
		if len(b.signals) > 0 && b.signals[0].at < wake {
			wake = max(b.now, b.signals[0].at)
		}
		if b.now = wake; b.now > until {
			return b
		}
		for len(b.signals) > 0 && b.signals[0].at <= b.now {
			b.take(b.signals[0])
			b.signals = b.signals[1:]
		}
		now := b.clock()
		if b.slots == b.running || b.starting || !b.list.due(now) {
			continue
		}
		id, wraparound := b.list.choose(b.clock, b.all, freezeMaxAge, multiFreezeMaxAge)
		if id < 0 {
			continue
		}
		b.visits = append(b.visits, visit{now, id, wraparound})
		b.starting = true
		b.running++
		up := b.now.Add(forkTime)
		b.signals = append(b.signals, signalAt{up, id, false}, signalAt{up.Add(time.Duration((0.5 + b.random.Float64()) * float64(b.life(id)))), id, true})
		slices.SortStableFunc(b.signals, func(x, y signalAt) int { return int(x.at - y.at) })
		b.list.launched(now, b.clock, id, always(b.all))
	}
}

func (b *launchBench) take(s signalAt) {
	if s.exits {
		b.running--
		return
	}
	b.starting = false
	b.all[s.db].lastAutovac = s.at
}

// starts are the visits' times, of one database or (-1) of all, in seconds.
func starts(visits []visit, db int) []float64 {
	var out []float64
	for _, v := range visits {
		if db < 0 || v.db == db {
			out = append(out, v.at.Seconds())
		}
	}
	return out
}

func gaps(at []float64) []float64 {
	var out []float64
	for i := range at[1:] {
		out = append(out, at[i+1]-at[i])
	}
	return out
}

func middle(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return s[len(s)/2]
}

func near(x, want, by float64) bool { return x > want-by && x < want+by }

func seconds(s float64) sim.Time { return sim.Time(s * 1e9) }

// Four databases at a naptime of 60 s: a log on pgsql-hackers (PostgreSQL 14,
// July 2022) shows workers 15 s apart, in turn.
func TestDatabasesTakeTurns(t *testing.T) {
	for _, turns := range []bool{false, true} {
		for _, n := range []int{1, 4} {
			b := newLaunchBench(60*time.Second, turns, n).run(seconds(3600))
			slack := 0.06/float64(n) + 0.001 // a thousandth of the nap
			for i, gap := range gaps(starts(b.visits, -1)) {
				if !near(gap, 60/float64(n), 0.1) {
					t.Errorf("%d databases: %.3f s between starts %d and %d", n, gap, i, i+1)
				}
			}
			if gap := middle(gaps(starts(b.visits, -1))); !near(gap, 60/float64(n), slack) {
				t.Errorf("%d databases: %.3f s between starts", n, gap)
			}
			for i := n; i < len(b.visits); i++ {
				if b.visits[i].db != b.visits[i-n].db {
					t.Errorf("%d databases: start %d goes to %d", n, i, b.visits[i].db)
				}
			}
		}
	}
}

// With 1,000 databases a naptime of 60 s would have starts 60 ms apart; they
// are 110 ms apart, and a round takes 110 s. That holds once the list is in the
// order of visits. While it is not, the choice is not the tail, whose time then
// lies in the past, so that each start makes the list be rebuilt; and as that
// sets the next time anew, a nap that ends too early costs minNap each time. So
// it is for about half of the first round.
func TestManyDatabases(t *testing.T) {
	const n = 1000
	for _, hard := range []float64{1, 0} {
		b := newLaunchBench(60*time.Second, false, n)
		b.hard = hard
		b.run(seconds(1200))
		var rounds []float64
		for db := range n {
			rounds = append(rounds, gaps(starts(b.visits, db))[1:]...)
		}
		all := starts(b.visits[n:], -1)
		mean := (all[len(all)-1] - all[0]) / float64(len(all)-1)
		t.Logf("hard %v: starts %.1f ms apart, %d rebuilds; first round %.1f s, then %.1f to %.1f",
			hard, 1000*mean, b.list.rebuilds, b.visits[n-1].at.Seconds(), slices.Min(rounds), slices.Max(rounds))
		if !near(mean, 0.110, 0.001) {
			t.Errorf("hard %v: starts are %.4f s apart", hard, mean)
		}
		if slices.Min(rounds) < 109 || slices.Max(rounds) > 111 {
			t.Errorf("hard %v: a database waits for %.1f to %.1f s", hard, slices.Min(rounds), slices.Max(rounds))
		}
		for i := n; i < len(b.visits); i++ {
			if b.visits[i].db != b.visits[i-n].db {
				t.Fatalf("hard %v: start %d goes to %d, not to %d", hard, i, b.visits[i].db, b.visits[i-n].db)
			}
		}
	}
}

// Where a rebuild turns the order round and more databases are there than
// 110 ms allow in a naptime, the tail is the one visited last, so it is never
// the choice, stays in the past, and each start makes the list be rebuilt and
// turned. At a choice, at least 110 ms after the rebuild, the first 546 on the
// list are less than a naptime of 60 s ahead and count as visited: the choice
// is among the rest at one end, then at the other. 2*546 - n in the middle get
// no worker again.
func TestTurningStarvesTheMiddle(t *testing.T) {
	for n, want := range map[int]int{500: 0, 620: 472, 1000: 92, 1200: 0} {
		b := newLaunchBench(60*time.Second, true, n).run(seconds(2000))
		visits := make([]int, n)
		for _, v := range b.visits {
			visits[v.db]++
		}
		starved := 0
		for _, v := range visits {
			if v < 2 {
				starved++
			}
		}
		t.Logf("%d databases: %d starve; %d starts, %d rebuilds", n, starved, len(b.visits), b.list.rebuilds)
		if starved != want {
			t.Errorf("%d databases: %d starve, want %d", n, starved, want)
		}
	}
}

// While a database is at risk every worker goes there, whether it is on the
// list or not, and wherever the tail is.
func TestDatabaseAtRiskStarvesOthers(t *testing.T) {
	for name, risk := range map[string]func(all []databaseState) int{
		"xid": func(all []databaseState) int {
			all[1].xidAge, all[2].xidAge = freezeMaxAge+1, freezeMaxAge+2
			all[3].multiAge = multiFreezeMaxAge + 5
			return 2
		},
		"multixact": func(all []databaseState) int {
			all[0].xidAge, all[1].multiAge, all[3].multiAge = freezeMaxAge, multiFreezeMaxAge+1, multiFreezeMaxAge+2
			return 3
		},
		"no statistics": func(all []databaseState) int {
			all[3].hasStats, all[3].xidAge = false, freezeMaxAge+1
			return 3
		},
	} {
		for _, turns := range []bool{false, true} {
			b := newLaunchBench(60*time.Second, turns, 4)
			want := risk(b.all)
			b.run(seconds(600))
			if len(b.visits) < 29 {
				t.Errorf("%s: %d workers in ten minutes", name, len(b.visits))
			}
			for _, v := range b.visits {
				if v.db != want || !v.wraparound {
					t.Fatalf("%s: a worker goes to %d at %v, wraparound %v", name, v.db, v.at, v.wraparound)
				}
			}
		}
	}
}

// at is a clock that stands still.
func at(s float64) func() sim.Time { return func() sim.Time { return seconds(s) } }

func fourDatabases() []databaseState {
	return []databaseState{
		{id: 0, hasStats: true, lastAutovac: seconds(4)},
		{id: 1, lastAutovac: neverVisited},
		{id: 2, hasStats: true, lastAutovac: seconds(3)},
		{id: 3, hasStats: true, lastAutovac: seconds(3)},
	}
}

func TestChoose(t *testing.T) {
	all := fourDatabases()
	l := newDatabaseList(60*time.Second, false)
	l.rebuild(at(100), -1, all) // due at 120: 3, 140: 2, 160: 0
	choose := func(s float64, want int) {
		t.Helper()
		if got, wraparound := l.choose(at(s), all, freezeMaxAge, multiFreezeMaxAge); got != want || wraparound {
			t.Errorf("at %v s a worker goes to %d, wraparound %v; want %d", s, got, wraparound, want)
		}
	}
	choose(120, 3)
	choose(150, 2) // of two that are due and equally old, the first in pg_database
	choose(100, 0) // a full naptime ahead is no visit
	all[2].hasStats = false
	choose(150, 3)

	// All were visited within the naptime: none, and the list is rebuilt.
	all = fourDatabases()
	l.rebuild(at(200), -1, all)
	n := l.rebuilds
	choose(200.001, -1)
	if l.rebuilds != n+1 {
		t.Errorf("the list was rebuilt %d times", l.rebuilds-n)
	}
	for i := range all {
		all[i].hasStats = false
	}
	choose(300, -1) // without statistics there is none to skip
	if l.rebuilds != n+1 {
		t.Errorf("with no statistics the list is rebuilt")
	}
}

func TestRebuildOrder(t *testing.T) {
	for _, test := range []struct {
		turns                bool
		first, again, withDB string // from the tail: what is due first
	}{
		{false, "[3 2 0]", "[2 0 3]", "[5 4 2 0 3 1]"},
		{true, "[0 2 3]", "[0 3 2]", "[1 2 3 0 4 5]"},
	} {
		all := fourDatabases()
		l := newDatabaseList(10*time.Second, test.turns)
		l.rebuild(at(0), -1, all)
		if got := fmt.Sprint(l.order); got != test.first {
			t.Errorf("turns %v: built as %s, want %s", test.turns, got, test.first)
		}
		if got := l.tail(); got != seconds(3.333) { // whole milliseconds
			t.Errorf("turns %v: the first is due at %v", test.turns, got)
		}
		l.launched(seconds(3.4), at(3.5), l.order[0], always(all))
		if head := l.order[2]; l.dueAt[head] != seconds(13.4) {
			t.Errorf("turns %v: the head is due at %v", test.turns, l.dueAt[head])
		}
		l.rebuild(at(3.4), -1, all)
		if got := fmt.Sprint(l.order); got != test.again {
			t.Errorf("turns %v: rebuilt as %s, want %s", test.turns, got, test.again)
		}
		// Two more have come, and a worker is sent to one that was not listed.
		all[1].hasStats = true
		all = append(all, databaseState{id: 4, hasStats: true}, databaseState{id: 5, hasStats: true}, databaseState{id: 6})
		l.launched(seconds(4), at(4), 1, always(all))
		if got := fmt.Sprint(l.order); got != test.withDB {
			t.Errorf("turns %v: with a new database %s, want %s", test.turns, got, test.withDB)
		}
		// One is dropped.
		l.rebuild(at(5), -1, all[1:])
		if slices.Contains(l.order, 0) || len(l.order) != 5 || l.visited(0, 0) {
			t.Errorf("turns %v: a dropped database is on the list: %v", test.turns, l.order)
		}
	}
}

func TestSleep(t *testing.T) {
	all := fourDatabases()[2:3]
	for _, test := range []struct {
		naptime   time.Duration
		wait      time.Duration // to the tail's time
		canLaunch bool
		want      time.Duration
	}{
		{20 * time.Second, 909_999 * time.Microsecond, true, 909 * time.Millisecond},
		{20 * time.Second, 101 * time.Millisecond, true, 101 * time.Millisecond},
		{20 * time.Second, 100_500 * time.Microsecond, true, 100 * time.Millisecond},
		{20 * time.Second, time.Microsecond, true, minNap},
		{20 * time.Second, 0, true, 20 * time.Second},             // rebuilt
		{20 * time.Second, -time.Second, true, 20 * time.Second},  // rebuilt
		{20 * time.Second, -time.Second, false, 20 * time.Second}, // no slot
		{1000 * time.Second, 999_250 * time.Millisecond, true, maxNap + 250*time.Millisecond},
		{1000 * time.Second, 300_750 * time.Millisecond, true, maxNap + 750*time.Millisecond},
		{1000 * time.Second, time.Second, false, maxNap},
	} {
		l := newDatabaseList(test.naptime, true)
		l.rebuild(at(0), -1, all)
		now := l.tail().Add(-test.wait)
		if got := l.sleep(func() sim.Time { return now }, test.canLaunch, always(all)); got != test.want {
			t.Errorf("naptime %v, due in %v: a sleep of %v, want %v", test.naptime, test.wait, got, test.want)
		}
		if want := test.canLaunch && test.wait <= 0; (l.rebuilds == 2) != want {
			t.Errorf("naptime %v, due in %v: rebuilt %v", test.naptime, test.wait, !want)
		}
		// Less than a microsecond is not seen.
		if tail := l.tail(); !l.due(tail.Add(999)) || l.due(tail.Add(-1)) {
			t.Error("due is not told by the microsecond")
		}
	}
	l := newDatabaseList(20*time.Second, true)
	if !l.due(0) || l.sleep(at(0), true, nil) != 20*time.Second {
		t.Error("an empty list is due at once, a naptime after the last look")
	}
	if l.setNaptime(time.Second); l.sleep(at(0), false, nil) != time.Second {
		t.Error("the naptime did not change")
	}
}

// The due test and the next sleep read the clock one after the other. Where the
// due time lies between, the list is rebuilt; the database that was visited
// last is then the next with turns, and the one that was due else.
func TestDueTimePassesBetweenTwoReadings(t *testing.T) {
	for _, turns := range []bool{false, true} {
		all := newLaunchBench(0, turns, 4).all
		l := newDatabaseList(20*time.Second, turns)
		l.rebuild(at(0), -1, all)
		last := l.order[0]
		l.launched(seconds(5), at(5), last, always(all))
		want := l.order[0]
		if turns {
			want = last
		}
		if l.due(l.tail() - 1) {
			t.Fatal("due too early")
		}
		now := l.tail()
		nap := l.sleep(func() sim.Time { now = now.Add(3 * time.Microsecond); return now }, true, always(all))
		if l.rebuilds != 2 || l.order[0] != want {
			t.Errorf("turns %v: %d rebuilds, %d is next, want %d", turns, l.rebuilds, l.order[0], want)
		}
		// The sleep's own reading comes after that of the rebuild.
		if nap != 4999*time.Millisecond {
			t.Errorf("turns %v: a sleep of %v", turns, nap)
		}
	}
}

func TestRebuildTurnsRound(t *testing.T) {
	for version, want := range map[string]bool{"9.4": false, "13.23": false, "16": false, "17.0": true, "18.4": true, "19": false} {
		if got := rebuildTurnsRound(guc.MustVersion(version)); got != want {
			t.Errorf("%s: %v", version, got)
		}
	}
}

// recordedVisits reads a recording's workers: databases numbered in order of
// their first worker, times in seconds.
func recordedVisits(t *testing.T, run string) (visits []visit, names []string) {
	t.Helper()
	f, err := os.Open("../workload/recorded/twin/" + run + "/visits.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		id := slices.Index(names, row[0])
		if id < 0 {
			id = len(names)
			names = append(names, row[0])
		}
		at, err := strconv.ParseFloat(row[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		visits = append(visits, visit{at: seconds(at), db: id})
	}
	return visits, names
}

// resume is a bench whose list stands as after these visits, one of each
// database. The recording's milliseconds are filled up at random.
func resume(naptime time.Duration, turns bool, visits []visit, seed uint64) *launchBench {
	b := newLaunchBench(naptime, turns, len(visits))
	b.random = rand.New(rand.NewPCG(seed, 1))
	b.list.rebuild(b.clock, -1, b.all)
	for _, v := range visits {
		at := v.at.Add(time.Duration(b.random.Float64() * float64(time.Millisecond)))
		b.all[v.db].lastAutovac = at
		b.list.launched(at, b.clock, v.db, always(b.all))
		b.now = at
	}
	b.now = b.now.Add(20 * time.Millisecond) // the last worker has exited
	return b
}

// late is the share of intervals that are 100 ms longer than the naptime among
// those that are the naptime or that; other is how many are neither.
func late(visits []visit, databases int, naptime float64) (share float64, other int) {
	var on, late int
	for db := range databases {
		at := starts(visits, db)
		if len(at) < 2 {
			continue
		}
		for _, gap := range gaps(at) {
			switch {
			case near(gap, naptime, 0.02):
				on++
			case near(gap, naptime+0.1, 0.02):
				late++
			default:
				other++
			}
		}
	}
	return float64(late) / float64(max(on+late, 1)), other
}

// Recorded with PostgreSQL 18.4: 22 databases at a naptime of 20 s. From the
// first round after t = 16.6 s on until just before the list was rebuilt, starts
// are held against the recording's. Where a run of the model rebuilds, starts
// after that are not compared: the instant of a rebuild is one of chance.
//
// A nap is cut to whole milliseconds, so it ends up to 1 ms before the due
// time, less what the wake-up is late. If it ends before, the next nap is
// minNap, and the database gets its worker 100 ms late, and a naptime after
// that the next.
func TestDatabasesAsRecorded(t *testing.T) {
	recorded, names := recordedVisits(t, "r3")
	const n = 22
	if len(names) != n {
		t.Fatalf("%d databases", len(names))
	}
	first := slices.IndexFunc(recorded, func(v visit) bool { return v.at >= seconds(16.6) })
	last := slices.IndexFunc(recorded, func(v visit) bool { return v.at >= seconds(125) })
	recorded = recorded[first:last]
	share, other := late(recorded, n, 20)
	t.Logf("recorded: %d starts, %.0f %% of the intervals 20.1 s", len(recorded), 100*share)
	if share < 0.25 || share > 0.5 || other > 0 {
		t.Errorf("recorded: %.0f %% late, %d neither", 100*share, other)
	}

	var rebuilt, compared, outside int
	var medians, shares []float64
	for seed := range uint64(200) {
		b := resume(20*time.Second, true, recorded[:n], seed)
		b.hard = 0.25
		b.run(seconds(125))
		until := seconds(125)
		if len(b.rebuilt) > 0 {
			rebuilt++
			until = b.rebuilt[0]
		}
		visits := slices.Clone(recorded[:n])
		for _, v := range b.visits {
			if v.at < until {
				visits = append(visits, v)
			}
		}
		if len(visits) < 3*n {
			continue
		}
		compared++
		var off []float64
		for db := range n {
			want, got := starts(recorded, db), starts(visits, db)
			for i := 1; i < min(len(want), len(got)); i++ {
				off = append(off, max(got[i]-want[i], want[i]-got[i]))
			}
		}
		share, other := late(visits, n, 20)
		medians, shares = append(medians, middle(off)), append(shares, share)
		if m := middle(off); m > 0.2 {
			t.Errorf("seed %d: starts are off by %.3f s in the median", seed, m)
		}
		if share < 0.25 || share > 0.5 {
			outside++
		}
		if other > 0 {
			t.Errorf("seed %d: %d intervals are neither 20.0 nor 20.1 s", seed, other)
		}
	}
	t.Logf("modelled: %d runs, %d rebuild before 125 s; off by %.3f s in the median (at most %.3f); late %.0f %% (%.0f to %.0f, %d outside 25 to 50)",
		compared, rebuilt, middle(medians), slices.Max(medians), 100*middle(shares), 100*slices.Min(shares), 100*slices.Max(shares), outside)
	// A share over 98 intervals has a standard error of 5 %.
	if m := middle(shares); m < 0.25 || m > 0.5 || outside > compared/10 {
		t.Errorf("%.0f %% late, %d runs of %d outside 25 to 50 %%", 100*m, outside, compared)
	}
	if rebuilt == 0 || compared < 150 {
		t.Errorf("%d runs of 200 rebuild, %d are compared", rebuilt, compared)
	}
}

// A rebuild turns the order of visits round: the database visited last is next,
// about a step later, and intervals go from just over a step to 40 s. In 17 and
// 18 only.
func TestOrderTurnsAtRebuild(t *testing.T) {
	recorded, _ := recordedVisits(t, "r3")
	first := slices.IndexFunc(recorded, func(v visit) bool { return v.at >= seconds(16.6) })
	for _, turns := range []bool{false, true} {
		rebuilds := 0
		for seed := range uint64(50) {
			b := resume(20*time.Second, turns, recorded[first:first+22], seed)
			b.hard = 0.25
			b.run(seconds(365))
			rebuilds += len(b.rebuilt)
			if len(b.rebuilt) == 0 {
				continue
			}
			i := slices.IndexFunc(b.visits, func(v visit) bool { return v.at > b.rebuilt[0] })
			if i < 2 || i+1 >= len(b.visits) {
				continue
			}
			turned := b.visits[i].db == b.visits[i-1].db && b.visits[i+1].db == b.visits[i-2].db
			if turned != turns {
				t.Errorf("turns %v, seed %d: rebuilt at %v, visits before %v, after %v", turns, seed, b.rebuilt[0], b.visits[i-2:i], b.visits[i:i+2])
			}
		}
		t.Logf("turns %v: %.1f rebuilds in 365 s; recorded 2", turns, float64(rebuilds)/50)
		if rebuilds == 0 {
			t.Errorf("turns %v: no rebuild", turns)
		}
	}
}

// Recorded with 18.4 and 13.23 at a naptime of 5 s: the busy database beside
// idle ones gets a worker every 5.00 s. The first was under load, the second
// all but idle.
func TestBusyDatabaseAsRecorded(t *testing.T) {
	for _, test := range []struct {
		run   string
		turns bool
		hard  float64
		life  time.Duration
	}{
		{"r1", true, 0.25, 56 * time.Millisecond},
		{"r4p13", false, 1, 1350 * time.Millisecond},
	} {
		recorded, names := recordedVisits(t, test.run)
		busy, n := slices.Index(names, "bench"), len(names)
		want := starts(recorded, busy)
		wantLate, _ := late(recorded, n, 5)
		if gap := middle(gaps(want)); !near(gap, 5, 0.005) {
			t.Errorf("%s: recorded: %.3f s between workers", test.run, gap)
		}
		var lates, counts []float64
		for seed := range uint64(40) {
			b := resume(5*time.Second, test.turns, recorded[:n], seed)
			b.hard = test.hard
			b.life = func(db int) time.Duration {
				if db == busy {
					return test.life
				}
				return 2 * time.Millisecond
			}
			b.run(recorded[len(recorded)-1].at.Add(time.Second))
			got := append(starts(recorded[:n], busy), starts(b.visits, busy)...)
			if gap := middle(gaps(got)); !near(gap, 5, 0.005) {
				t.Errorf("%s, seed %d: %.3f s between workers", test.run, seed, gap)
			}
			share, _ := late(append(slices.Clone(recorded[:n]), b.visits...), n, 5)
			lates, counts = append(lates, share), append(counts, float64(len(got)))
		}
		t.Logf("%s: recorded %d workers in the busy database, %.0f %% of the intervals 5.1 s; modelled %.0f (%.0f to %.0f), %.0f %%",
			test.run, len(want), 100*wantLate, middle(counts), slices.Min(counts), slices.Max(counts), 100*middle(lates))
		if m := middle(counts); !near(m, float64(len(want)), 1.5) {
			t.Errorf("%s: %v workers, recorded %d", test.run, m, len(want))
		}
	}
}

// always is what the launcher knows where nothing changes.
func always(all []databaseState) func() []databaseState {
	return func() []databaseState { return all }
}
