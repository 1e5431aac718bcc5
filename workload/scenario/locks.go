package scenario

import (
	"fmt"
	"time"

	"github.com/goccy/go-yaml/ast"

	"avsim/workload"
	"avsim/workload/yamlfile"
)

// mostLocks is how often locks may be asked for in a run.
const mostLocks = 10_000_000

// lock is what a file says of a lock on a table that is asked for once, at first,
// or again and again.
type lock struct {
	table    reference
	at       instant // once
	first    instant // again and again
	every    time.Duration
	hold     time.Duration
	everyAt  ast.Node
	node     ast.Node
	database int // places, once found
	place    int
}

var lockSets = []string{"table at hold", "table every hold first?"}

func lockValue(l *lock) yamlfile.Value {
	return yamlfile.Choice([]yamlfile.Field{
		{Name: "table", Doc: "as database.table", Value: referenceValue(&l.table)},
		{Name: "at", Doc: "when it is asked for, once", Value: instantValue(&l.at)},
		{Name: "first", Doc: "when it is asked for first; at the start unless given", Value: instantValue(&l.first)},
		{Name: "every", Doc: "from one request to the next", Value: yamlfile.Duration(&l.every, time.Millisecond, mostRunFor).Kept(&l.everyAt)},
		{Name: "hold", Doc: "how long it is held once it is granted", Value: yamlfile.Duration(&l.hold, time.Microsecond, mostRunFor)},
	}, lockSets...).Kept(&l.node)
}

// checkLocks finds their tables and holds their times against the run and each
// other.
func (f *runFile) checkLocks() (err error) {
	for i := range f.locks {
		l := &f.locks[i]
		path := fmt.Sprintf("locks[%d]", i)
		if l.database, l.place, err = f.findTable(path+".table", l.table); err != nil {
			return err
		}
		if l.every > 0 && l.every < l.hold {
			return f.d.Fail(l.everyAt, path+".every", "found "+yamlfile.FormatDuration(l.every)+", shorter than hold",
				yamlfile.FormatDuration(l.hold)+" or more: a table that is locked all the time has at, and a hold as long")
		}
		if err := f.within(path+".at", l.at.at, l.at.node); err != nil {
			return err
		}
		if err := f.within(path+".first", l.first.at, l.first.node); err != nil {
			return err
		}
	}
	return nil
}

// askedLocks are the locks that are asked for before the run ends.
func (f *runFile) askedLocks() (out []workload.Lock, err error) {
	requests := int64(0)
	for i := range f.locks {
		l := &f.locks[i]
		first := l.at.at + l.first.at // one of the two is zero
		if first > f.runFor {
			continue
		}
		requests++
		if l.every > 0 {
			requests += int64((f.runFor - first) / l.every)
		}
		if requests > mostLocks {
			return nil, f.d.Fail(l.node, fmt.Sprintf("locks[%d]", i), fmt.Sprintf("found %d requests in all so far", requests),
				fmt.Sprintf("%d at most in a run", mostLocks))
		}
		out = append(out, workload.Lock{Database: l.database, Table: l.place, First: first, Every: l.every, Hold: l.hold})
	}
	return out, nil
}
