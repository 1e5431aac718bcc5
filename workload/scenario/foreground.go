package scenario

import (
	"fmt"
	"time"

	"github.com/goccy/go-yaml/ast"

	"avsim/workload"
	"avsim/workload/guc"
	"avsim/workload/yamlfile"
)

// foreground is what a file says of the application.
type foreground struct {
	workload.Foreground
	transaction []access
	progress    reference
	node        ast.Node // nil where there is none
	apartNode   ast.Node
}

type access struct {
	workload.Access
	table reference
	node  ast.Node
}

// Bounds of what an application may be.
const (
	mostClients = 10_000
	mostAccess  = 1e6 // rows or scans a transaction
	leastAccess = 1e-3
	leastAsked  = 0.1 // transactions a second
)

var foregroundSets = []string{
	"clients transaction think_time? costs? flush_latency? progress? apart? vacuum_time?",
	"rate transaction costs? flush_latency? vacuum_time?",
}

func foregroundValue(x *foreground) yamlfile.Value {
	x.Costs, x.VacuumTime = workload.AssumedCosts, 1
	return yamlfile.Choice([]yamlfile.Field{
		{Name: "clients", Doc: "clients that go round: a transaction, then think_time", Value: yamlfile.Whole(&x.Clients, 1, mostClients)},
		{Name: "rate", Doc: "transactions that come at random, whether others are done or not", Value: scalarRate(&x.Rate).Then(func(d *yamlfile.Decoder, path string, n ast.Node) error {
			if x.Rate < leastAsked {
				return d.Fail(n, path, "found "+yamlfile.Describe(n), "a rate from 0.1/s: rarer transactions do not meet each other")
			}
			return nil
		})},
		{Name: "think_time", Doc: "of a client between two transactions, exponential; none unless given", Value: yamlfile.Duration(&x.Think, 0, time.Hour)},
		{Name: "transaction", Doc: "what a transaction does, table by table", Value: yamlfile.List(&x.transaction, 1, accessValue)},
		{Name: "costs", Doc: "what things cost a transaction; assumed ones unless given", Value: costsValue(&x.Costs)},
		{Name: "flush_latency", Doc: "time to make the log durable; none unless given", Value: yamlfile.Duration(&x.FlushLatency, 0, time.Second)},
		{Name: "progress", Doc: "a curve of transactions done: how long they take is told", Value: referenceValue(&x.progress)},
		{Name: "apart", Doc: "time spent on something else, added to that; none unless given", Value: yamlfile.Duration(&x.Apart, 0, mostRunFor).Kept(&x.apartNode)},
		{Name: "vacuum_time", Doc: "how many times as long vacuums take as they would by the host profile; 1 unless given", Value: yamlfile.Number(&x.VacuumTime, 1, 1000)},
	}, foregroundSets...).Kept(&x.node)
}

func accessValue(a *access) yamlfile.Value {
	rows := func(name, doc string, into *float64) yamlfile.Field {
		return yamlfile.Field{Name: name, Doc: doc, Value: yamlfile.Number(into, 0, mostAccess)}
	}
	return yamlfile.Object(
		yamlfile.Field{Name: "table", Doc: "as database.table", Required: true, Value: referenceValue(&a.table)},
		rows("reads", "rows read by their key", &a.Reads),
		rows("updates", "rows updated by their key", &a.Updates),
		rows("inserts", "rows inserted", &a.Inserts),
		rows("scans", "reads of the whole table", &a.Scans),
	).Kept(&a.node)
}

func costsValue(c *workload.AccessCosts) yamlfile.Value {
	cost := func(name, doc string, into *time.Duration) yamlfile.Field {
		return yamlfile.Field{Name: name, Doc: doc, Value: yamlfile.Duration(into, 0, time.Second)}
	}
	return yamlfile.Object(
		cost("statement", "processor time of each row asked for or table scanned, apart from what follows", &c.Statement),
		cost("page", "of a look at a page in shared buffers", &c.Page),
		cost("version", "of a look at a row version", &c.Version),
		cost("copy", "of a page from the operating system's cache", &c.Copy),
		yamlfile.Field{Name: "log_bytes", Doc: "bytes of log of a changed row, page images apart", Value: yamlfile.Number(&c.LogBytes, 0, 1e6)},
	)
}

// checkForeground finds the tables and the curve that it names.
func (f *runFile) checkForeground() (err error) {
	x := &f.foreground
	if x.node == nil {
		return nil
	}
	f.places["foreground"] = x.node
	all := 0.0
	for i := range x.transaction {
		a := &x.transaction[i]
		path := fmt.Sprintf("foreground.transaction[%d]", i)
		if a.Database, a.Table, err = f.findTable(path+".table", a.table); err != nil {
			return err
		}
		if a.Reads+a.Updates+a.Inserts+a.Scans == 0 {
			return f.d.Fail(a.node, path, "found a table to which nothing is done", "one or more of reads, updates, inserts, scans")
		}
		all += a.Reads + a.Updates + a.Inserts + a.Scans
	}
	if all < leastAccess {
		return f.d.Fail(x.node, "foreground.transaction", fmt.Sprintf("found %g rows and scans in all", all), "a thousandth of a row or scan at least")
	}
	if x.progress.node == nil {
		if x.apartNode != nil {
			return f.d.Fail(x.apartNode, "foreground.apart", "found time apart from nothing", "progress beside it")
		}
		return nil
	}
	var known []string
	for _, p := range f.progress {
		if p.Name == x.progress.name {
			x.Progress, x.Done = slopes(p.Value, 1), p.Value[len(p.Value)-1].done
			return nil
		}
		known = append(known, p.Name)
	}
	return f.d.Fail(x.progress.node, "foreground.progress", "found "+yamlfile.Quote(x.progress.name)+didYouMean(guc.Nearest(x.progress.name, known)),
		"the name of a curve under progress at the top")
}

// asked is the application, nil where the file has none.
func (f *runFile) asked() *workload.Foreground {
	if f.foreground.node == nil {
		return nil
	}
	out := f.foreground.Foreground
	for _, a := range f.foreground.transaction {
		out.Transaction = append(out.Transaction, a.Access)
	}
	return &out
}
