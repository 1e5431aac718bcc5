package scenario

import (
	"fmt"
	"time"

	"github.com/goccy/go-yaml/ast"

	"avsim/workload/guc"
	"avsim/workload/yamlfile"
)

// check holds a file's parts against each other, and fills in the run's
// settings.
func (f *runFile) check(r *Run) error {
	if f.warmUp >= f.runFor {
		return f.d.Fail(f.places["warm_up"], "warm_up", "found "+yamlfile.FormatDuration(f.warmUp)+", not less than run_for",
			"less than "+yamlfile.FormatDuration(f.runFor))
	}
	if err := f.checkSettings(r); err != nil {
		return err
	}
	for _, p := range f.progress {
		for i, at := range p.Value {
			if err := f.within(fmt.Sprintf("progress.%s[%d].at", p.Name, i), at.at, at.node); err != nil {
				return err
			}
		}
		if p.Value[len(p.Value)-1].done == 0 {
			return f.d.Fail(p.Key, "progress."+p.Name, "found nothing done at the end", "a last point above 0")
		}
	}
	if err := f.checkDatabases(); err != nil {
		return err
	}
	if err := f.checkObstacles(); err != nil {
		return err
	}
	return f.checkForeground()
}

// within refuses an instant that the run does not reach.
func (f *runFile) within(path string, at time.Duration, n ast.Node) error {
	if at <= f.runFor {
		return nil
	}
	return f.d.Fail(n, path, "found "+yamlfile.FormatDuration(at)+", after the end of the run",
		"a time within run_for, "+yamlfile.FormatDuration(f.runFor))
}

func (f *runFile) checkDatabases() error {
	tables := 0
	defer func() { f.tables = tables }()
	seen := make(map[string]bool)
	for i := range f.databases {
		b := &f.databases[i]
		path := fmt.Sprintf("databases[%d]", i)
		for k := range b.count {
			name := numbered(b.name, k+1, b.count)
			if seen[name] {
				return f.d.Fail(b.node, path+".name", "found "+yamlfile.Quote(name)+" a second time", "a name of its own for each database")
			}
			seen[name] = true
		}
		if err := f.checkRate(path+".xids_per_second", &b.xids); err != nil {
			return err
		}
		if err := f.checkRate(path+".multixacts_per_second", &b.multis); err != nil {
			return err
		}
		tables += len(b.system()) * b.count
		for _, p := range b.populations {
			tables += p.count * b.count
		}
		if tables > mostTables {
			return f.d.Fail(b.node, path, fmt.Sprintf("found %d tables in all so far", tables), fmt.Sprintf("%d at most", mostTables))
		}
		if err := f.checkTables(path, b); err != nil {
			return err
		}
	}
	return nil
}

func (f *runFile) checkTables(path string, b *database) error {
	if err := f.checkNames(path, b); err != nil {
		return err
	}
	if err := f.checkTemp(path, b); err != nil {
		return err
	}
	for i := range b.populations {
		p := &b.populations[i]
		path := fmt.Sprintf("%s.tables[%d]", path, i)
		if err := f.checkOptions(path+".options", p); err != nil {
			return err
		}
		if p.temporary == orphaned && p.givenActivity != nil {
			return f.d.Fail(p.givenActivity, path+".activity", "found activity on a table that a crashed session left", "none: its session alone could have changed it")
		}
		if p.partitioned && (p.givenActivity != nil || p.toast) {
			return f.d.Fail(p.nameNode, path, "found a partitioned table with activity or a TOAST table", "none: both are of its partitions")
		}
		if err := f.checkActivity(path+".activity", &p.activity); err != nil {
			return err
		}
		if err := f.checkTOAST(path+".toast", p); err != nil {
			return err
		}
	}
	return nil
}

// checkNames refuses two tables of one name in a database, TOAST tables
// included. The names within one population differ by their numbers, and those
// of its TOAST tables by their beginning.
func (f *runFile) checkNames(path string, b *database) error {
	if len(b.populations) == 1 {
		return nil
	}
	const accepted = "a name of its own for each table of a database"
	seen := make(map[string]int) // the population of each name
	for i := range b.populations {
		p := &b.populations[i]
		for k := range p.count {
			name := numbered(p.name, k+1, p.count)
			if _, twice := seen[name]; twice {
				return f.d.Fail(p.nameNode, fmt.Sprintf("%s.tables[%d].name", path, i), "found "+yamlfile.Quote(name)+" a second time", accepted)
			}
			seen[name] = i
		}
	}
	for _, p := range b.populations {
		for k := 0; p.toast && k < p.count; k++ {
			main := numbered(p.name, k+1, p.count)
			if i, taken := seen[toastName(main)]; taken {
				return f.d.Fail(b.populations[i].nameNode, fmt.Sprintf("%s.tables[%d].name", path, i),
					fmt.Sprintf("found %s, the name of the TOAST table of %s", yamlfile.Quote(toastName(main)), main), accepted)
			}
		}
	}
	return nil
}

func (f *runFile) checkActivity(path string, a *activity) error {
	for _, r := range []struct {
		name string
		rate *rate
	}{{"inserts", &a.inserts}, {"updates", &a.updates}, {"deletes", &a.deletes}} {
		if err := f.checkRate(path+"."+r.name, r.rate); err != nil {
			return err
		}
	}
	for i, s := range a.statements {
		n, path := a.statementNodes[i], fmt.Sprintf("%s.statements[%d]", path, i)
		switch {
		case s.Inserts+s.Updates+s.Deletes == 0:
			return f.d.Fail(n, path, "found a statement that changes nothing", "one or more of insert, update, delete")
		case i > 0 && s.At < a.statements[i-1].At:
			return f.d.Fail(n, path+".at", "found "+yamlfile.FormatDuration(s.At)+", before the one above", "times in rising order")
		}
		if err := f.within(path+".at", s.At, n); err != nil {
			return err
		}
	}
	return nil
}

// checkRate holds the instants of a rate against the run, and makes a course of
// its own of a share in a curve of progress.
func (f *runFile) checkRate(path string, r *rate) error {
	for i, s := range r.steps {
		if err := f.within(fmt.Sprintf("%s.steps[%d].from", path, i), s.From, s.node); err != nil {
			return err
		}
	}
	for i, p := range r.course {
		if err := f.within(fmt.Sprintf("%s.total_by[%d].at", path, i), p.at, p.node); err != nil {
			return err
		}
	}
	if r.along == "" {
		return nil
	}
	var known []string
	for _, p := range f.progress {
		if p.Name == r.along {
			all := p.Value[len(p.Value)-1].done
			for _, x := range p.Value {
				x.done *= r.total / all
				r.course = append(r.course, x)
			}
			return nil
		}
		known = append(known, p.Name)
	}
	hint := ""
	if near := guc.Nearest(r.along, known); near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return f.d.Fail(r.node, path+".progress", "found "+yamlfile.Quote(r.along)+hint, "the name of a curve under progress at the top")
}
