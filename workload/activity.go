package workload

import (
	"sort"
	"time"
)

// Activity is what clients do to a table.
type Activity struct {
	Inserts, Updates, Deletes Rate // nil for none
	// HotShare is the share of updates that change no indexed column: they are
	// HOT where the page has room. 0 to 1.
	HotShare float64
	// Statements are single statements at given times, in order.
	Statements []Statement
	// Poisson: rows come one by one at random times, which Seed decides;
	// otherwise as a fluid.
	Poisson bool
	Seed    uint64
	// Memo makes asking for one place after another cheap; nil for none. Whoever has
	// an activity with one has it alone.
	Memo *PoissonMemo
}

// PoissonMemo is where the rows of an activity were last counted.
type PoissonMemo struct{ inserts, updates, deletes interval }

// Statement changes many rows at one instant.
type Statement struct {
	At                        time.Duration
	Inserts, Updates, Deletes int64
}

// Totals are rows changed since the start of the run.
type Totals struct {
	Inserted, Updated, Deleted float64
}

// Totals are the rows changed to instant t.
func (a *Activity) Totals(t time.Duration) Totals {
	if !a.Poisson {
		return a.Expected(t)
	}
	single := Activity{Inserts: a.Inserts, Updates: a.Updates, Deletes: a.Deletes}
	flow, all := single.Expected(t), a.Expected(t)
	memo := a.Memo
	if memo == nil {
		memo = new(PoissonMemo)
	}
	return Totals{
		Inserted: all.Inserted - flow.Inserted + poissonPath(3*a.Seed+1).at(flow.Inserted, &memo.inserts),
		Updated:  all.Updated - flow.Updated + poissonPath(3*a.Seed+2).at(flow.Updated, &memo.updates),
		Deleted:  all.Deleted - flow.Deleted + poissonPath(3*a.Seed+3).at(flow.Deleted, &memo.deletes),
	}
}

// Expected are the rows changed to instant t on average: as a fluid.
func (a *Activity) Expected(t time.Duration) Totals {
	total := func(r Rate) float64 {
		if r == nil || t <= 0 {
			return 0
		}
		return r.Total(t)
	}
	out := Totals{total(a.Inserts), total(a.Updates), total(a.Deletes)}
	n := sort.Search(len(a.Statements), func(i int) bool { return a.Statements[i].At > t })
	for _, s := range a.Statements[:n] {
		out.Inserted += float64(s.Inserts)
		out.Updated += float64(s.Updates)
		out.Deleted += float64(s.Deletes)
	}
	return out
}

// NextStatement is the first statement after t; ok is false where none comes.
func (a *Activity) NextStatement(t time.Duration) (at time.Duration, ok bool) {
	n := sort.Search(len(a.Statements), func(i int) bool { return a.Statements[i].At > t })
	if n == len(a.Statements) {
		return 0, false
	}
	return a.Statements[n].At, true
}

// Most is an upper bound of all rows changed a second from t on, statements
// apart.
func (a *Activity) Most(t time.Duration) (sum float64) {
	for _, r := range []Rate{a.Inserts, a.Updates, a.Deletes} {
		if r != nil {
			sum += r.Most(t)
		}
	}
	return sum
}

// Idle tells whether nothing is ever done to the table.
func (a *Activity) Idle() bool {
	return len(a.Statements) == 0 && a.Most(0) == 0
}

// By is where a kind of change has its rate: "ins", "upd" or "del"; nil for another.
func (a *Activity) By(kind string) *Rate {
	switch kind {
	case "ins":
		return &a.Inserts
	case "upd":
		return &a.Updates
	case "del":
		return &a.Deletes
	}
	return nil
}
