package scenario

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"avsim/sim"
	"avsim/workload"
	"avsim/workload/yamlfile"
)

// World is what is in the databases when the run starts and what is done to it.
// The numbers that the file leaves to chance are drawn from the seed: for each
// population a stream of its own, so that a change in one leaves the others as
// they are. A draw that cannot be, such as more rows deleted than there are, is
// an error.
//
// Within a table, the rates are drawn together: one with many inserts has many
// updates and deletes. Its number of rows is drawn apart.
func (r *Run) World(seed uint64) (workload.World, error) {
	var w workload.World
	for i := range r.file.databases {
		b := &r.file.databases[i]
		// A rate of transaction ids that differs at random does so by database.
		for k := range b.count {
			name := numbered(b.name, k+1, b.count)
			xids, err := r.file.ids(seed, &b.xids, "xids_per_second", name, k)
			if err != nil {
				return workload.World{}, err
			}
			multis, err := r.file.ids(seed, &b.multis, "multixacts_per_second", name, k)
			if err != nil {
				return workload.World{}, err
			}
			w.Databases = append(w.Databases, workload.Database{Name: name, XIDsPerSecond: xids, MultisPerSecond: multis, Template: b.template, ConnectTime: b.connect, MembersPerMulti: b.members})
		}
	}
	err := r.file.populate(seed, func(db int, t workload.Table) {
		w.Databases[db].Tables.Append(t)
	})
	if err != nil {
		return workload.World{}, err
	}
	for i := range w.Databases {
		w.Databases[i].Tables.Clip()
	}
	if w.Obstacles, err = r.file.obstacles(seed); err != nil {
		return workload.World{}, err
	}
	return w, nil
}

// ids is the rate at which the k-th of a number of databases uses up ids; one that
// uses many transaction ids uses many multixact ids.
func (f *runFile) ids(seed uint64, r *rate, key, name string, k int) (workload.Rate, error) {
	if !r.given {
		return workload.Constant(0), nil
	}
	u := share(sim.NewStreams(seed, 0).Named("database " + name))
	x, err := r.draw(u, k+1)
	if err != nil {
		return nil, f.d.Refuse(r.node, key, err.Error())
	}
	return x, nil
}

// populate makes all tables of all databases, in the order of the catalogue: of
// each database the system catalogues, the main tables, then their TOAST tables.
func (f *runFile) populate(seed uint64, add func(db int, t workload.Table)) error {
	streams := sim.NewStreams(seed, 0)
	db := 0
	for i := range f.databases {
		b := &f.databases[i]
		for k := range b.count {
			name := numbered(b.name, k+1, b.count)
			if _, err := f.ids(seed, &b.xids, "xids_per_second", name, k); err != nil {
				return err
			}
			if _, err := f.ids(seed, &b.multis, "multixacts_per_second", name, k); err != nil {
				return err
			}
			system := b.system()
			for _, t := range system {
				add(db, t)
			}
			for j := range b.populations {
				p := &b.populations[j]
				path := fmt.Sprintf("databases[%d].tables[%d]", i, j)
				stream := streams.Named("population " + name + "." + p.name)
				if err := f.draw(path, p, stream, func(t workload.Table) { add(db, t) }); err != nil {
					return err
				}
			}
			place := len(system)
			for j := range b.populations {
				p := &b.populations[j]
				path := fmt.Sprintf("databases[%d].tables[%d].toast", i, j)
				stream := func() *rand.Rand { return streams.Named("toast " + name + "." + p.name) }
				if err := f.drawTOAST(path, p, stream, place, func(t workload.Table) { add(db, t) }); err != nil {
					return err
				}
				place += p.count
			}
			db++
		}
	}
	return nil
}

// draw makes the tables of a population.
func (f *runFile) draw(path string, p *population, stream *rand.Rand, add func(workload.Table)) error {
	a := &p.activity
	varies := a.inserts.varies() || a.updates.varies() || a.deletes.varies()
	var now workload.Activity
	for place := 1; place <= p.count; place++ {
		// As many draws for each table, used or not, so that what one
		// distribution is does not change what the others give.
		var ofRates float64
		start, err := p.start(stream, place, &ofRates)
		if err != nil {
			return f.d.Refuse(p.rowsNode, path+".rows", err.Error())
		}
		if place == 1 || varies {
			if now, err = f.activityOf(path, a, ofRates, place); err != nil {
				return err
			}
		}
		if place == 1 || varies || p.rows.varies() {
			if err := f.checkDeletes(path, p, place, start.rows, &now); err != nil {
				return err
			}
		}
		add(p.table(place, start, now))
	}
	return nil
}

// start is how much is in a table at first.
type start struct{ rows, dead, mods, inserted float64 }

// start draws what is in the table at a place, and the share for its rates.
func (p *population) start(stream *rand.Rand, place int, ofRates *float64) (out start, err error) {
	draw := func(x distribution) float64 {
		rows := math.Round(x.quantile(share(stream), place))
		if rows > mostRows {
			err = fmt.Errorf("drew %s for table %d; accepted is %d at most: give the distribution a max",
				yamlfile.Plain(rows), place, int64(mostRows))
		}
		return rows
	}
	out.rows = draw(p.rows)
	*ofRates = share(stream)
	out.dead, out.mods, out.inserted = draw(p.dead), draw(p.mods), draw(p.inserted)
	if err == nil {
		err = p.fits(out, place)
	}
	return out, err
}

// mostBlocks is how many pages a table has at most (MaxBlockNumber, less one for each
// end).
const mostBlocks = 1<<32 - 2

// fits refuses a table that is larger than PostgreSQL's can be: 32 TiB.
func (p *population) fits(s start, place int) error {
	t := workload.Table{RowBytes: p.rowBytes, Fillfactor: p.fillfactor}
	if pages := t.Pages(s.rows + s.dead); pages > mostBlocks {
		return fmt.Errorf("table %d has %s rows and dead rows of %d bytes, %s pages; accepted are %d, what a table of PostgreSQL can have (32 TiB)",
			place, yamlfile.Plain(s.rows+s.dead), p.rowBytes, yamlfile.Plain(pages), int64(mostBlocks))
	}
	return nil
}

// varies tells whether tables of one population differ.
func (x distribution) varies() bool { return x.form != fixed }

func (r *rate) varies() bool { return r.given && r.level.varies() }

// share is uniform between 0 and 1, both left out.
func share(r *rand.Rand) float64 { return (float64(r.Uint64()>>11) + 0.5) / (1 << 53) }

func (f *runFile) activityOf(path string, a *activity, u float64, place int) (workload.Activity, error) {
	out := workload.Activity{HotShare: a.hotShare, Statements: a.statements, Poisson: a.poisson}
	for _, x := range []struct {
		name string
		from *rate
		into *workload.Rate
	}{{"inserts", &a.inserts, &out.Inserts}, {"updates", &a.updates, &out.Updates}, {"deletes", &a.deletes, &out.Deletes}} {
		r, err := x.from.draw(u, place)
		if err != nil {
			return out, f.d.Refuse(x.from.node, path+".activity."+x.name, err.Error())
		}
		*x.into = r
	}
	return out, nil
}

// table is one table of the population.
func (p *population) table(place int, s start, a workload.Activity) workload.Table {
	t := workload.Table{
		Name: numbered(p.name, place, p.count), ToastOf: -1,
		Rows: int64(s.rows), RowBytes: p.rowBytes, Fillfactor: p.fillfactor, Indexes: p.indexes,
		Reltuples: s.rows, AllVisible: 1,
		Dead: int64(s.dead), ModsSinceAnalyze: int64(s.mods), InsertsSinceVacuum: int64(s.inserted),
		XIDAge: p.xidAge, MultiAge: p.multiAge, NoStats: p.noStats,
		SQLName: p.sqlName, Partitioned: p.partitioned, ForcedAge: p.forced(),
		Temporary: p.temporary != "", Orphaned: p.temporary == orphaned,
		Options: p.mainOptions, Activity: a,
	}
	if p.givenReltuples != nil {
		t.Reltuples = p.reltuples
	}
	if t.Reltuples < 0 {
		t.AllVisible = 0
	}
	if p.givenAllVisible != nil {
		t.AllVisible = p.allVisible
	}
	t.AllFrozen = min(p.allFrozen, t.AllVisible)
	return t
}

// checkDeletes refuses a table that loses more rows, as a fluid, than it has
// had by then.
func (f *runFile) checkDeletes(path string, p *population, place int, rows float64, a *workload.Activity) error {
	for _, at := range instants(a, f.runFor) {
		sum := a.Expected(at)
		there := rows + sum.Inserted
		if sum.Deleted <= there*(1+1e-9)+1e-6 {
			continue
		}
		n, key := p.activity.deletesNode, ".activity.deletes"
		for i, s := range a.Statements {
			if s.At == at && s.Deletes > 0 {
				n, key = p.activity.statementNodes[i], fmt.Sprintf(".activity.statements[%d]", i)
			}
		}
		return f.d.Fail(n, path+key, fmt.Sprintf("found %.0f rows deleted by %s from table %s, which has had %.0f",
			math.Ceil(sum.Deleted), yamlfile.FormatDuration(at), numbered(p.name, place, p.count), there), "at most its rows and those inserted")
	}
	return nil
}

// instants are those at which a table may be found to have lost too many rows,
// in order: the end, each statement, each step, and some in between where rates
// swing.
func instants(a *workload.Activity, end time.Duration) []time.Duration {
	const between = 32
	deletes := a.Deletes != nil
	for _, s := range a.Statements {
		deletes = deletes || s.Deletes > 0
	}
	if !deletes {
		return nil
	}
	out := []time.Duration{end}
	for _, s := range a.Statements {
		out = append(out, s.At)
	}
	for _, r := range []workload.Rate{a.Inserts, a.Deletes} {
		switch r := r.(type) {
		case workload.Steps:
			for _, s := range r {
				out = append(out, s.From)
			}
		case workload.Wave, workload.Bursts:
			for i := 1; i < between; i++ {
				out = append(out, end/between*time.Duration(i))
			}
		}
	}
	slices.Sort(out)
	return out
}

// forced is the age limit of a population's tables, nil where it has none of its own.
func (p *population) forced() *int64 {
	if p.givenForcedAge == nil {
		return nil
	}
	age := p.forcedAge
	return &age
}
