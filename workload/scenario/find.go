package scenario

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"avsim/workload/guc"
	"avsim/workload/yamlfile"
)

// reference is a name of something that stands elsewhere in the file; node is
// nil where none is given.
type reference struct {
	name string
	node ast.Node
}

// longestReference bounds the search for what a name means; PostgreSQL's have 63
// bytes.
const longestReference = 1000

func referenceValue(into *reference) yamlfile.Value {
	return yamlfile.String(&into.name).Then(func(d *yamlfile.Decoder, path string, n ast.Node) error {
		if len(into.name) > longestReference {
			return d.Fail(n, path, fmt.Sprintf("found %d bytes", len(into.name)), fmt.Sprintf("a name of %d at most", longestReference))
		}
		return nil
	}).Kept(&into.node)
}

// databaseAt is the database of that name and its place among all.
func (f *runFile) databaseAt(name string) (b *database, place int, ok bool) {
	for i := range f.databases {
		b := &f.databases[i]
		if k, ok := numberOf(name, b.name, b.count); ok {
			return b, place + k - 1, true
		}
		place += b.count
	}
	return nil, 0, false
}

// tableAt is the place of the table of that name: system catalogues, tables,
// TOAST tables.
func (b *database) tableAt(name string) (place int, ok bool) {
	system := b.system()
	for i := range system {
		if system[i].Name == name {
			return i, true
		}
	}
	main, toast := strings.CutPrefix(name, toastName(""))
	first := len(system)
	for _, p := range b.populations {
		if k, ok := numberOf(name, p.name, p.count); ok {
			return first + k - 1, true
		}
		first += p.count
	}
	for _, p := range b.populations {
		if !p.toast {
			continue
		}
		if k, ok := numberOf(main, p.name, p.count); ok && toast {
			return first + k - 1, true
		}
		first += p.count
	}
	return 0, false
}

// findDatabase is the place of a database that a key names, -1 where it is not
// given.
func (f *runFile) findDatabase(path string, r reference) (place int, err error) {
	if r.node == nil {
		return -1, nil
	}
	if _, place, ok := f.databaseAt(r.name); ok {
		return place, nil
	}
	return 0, f.d.Fail(r.node, path, "found "+yamlfile.Quote(r.name)+", which is no database"+didYouMean(guc.Nearest(r.name, f.databaseNames())),
		"the name of a database of the scenario")
}

// findTable is the place of a table that a key names as database.table. Both
// names may have dots, so that there are several ways to read it; a name that
// means two tables is refused.
func (f *runFile) findTable(path string, r reference) (db, table int, err error) {
	found := 0
	eachSplit(r.name, func(database, name string) {
		if b, i, ok := f.databaseAt(database); ok {
			if k, ok := b.tableAt(name); ok {
				db, table = i, k
				found++
			}
		}
	})
	const accepted = "database.table of the scenario"
	switch found {
	case 0:
		return 0, 0, f.d.Fail(r.node, path, "found "+yamlfile.Quote(r.name)+", which is no table"+didYouMean(f.nearestTable(r.name)), accepted)
	case 1:
		return db, table, nil
	}
	return 0, 0, f.d.Fail(r.node, path, fmt.Sprintf("found %s, which means %d tables", yamlfile.Quote(r.name), found), accepted+" that means one")
}

// eachSplit cuts a name in two at each of its dots.
func eachSplit(name string, yield func(before, after string)) {
	for i, c := range []byte(name) {
		if c == '.' {
			yield(name[:i], name[i+1:])
		}
	}
}

// nearestTable is the table that a name most probably means, "" for none: one of
// the database that it names, or else of the database with the nearest name; of
// any where it has no dot.
func (f *runFile) nearestTable(name string) (nearest string) {
	try := func(database, table string) {
		if b, _, ok := f.databaseAt(database); ok && nearest == "" {
			if near := guc.Nearest(table, b.tableNames()); near != "" {
				nearest = database + "." + near
			}
		}
	}
	eachSplit(name, try)
	database, table, dotted := strings.Cut(name, ".")
	if dotted && nearest == "" {
		try(guc.Nearest(database, f.databaseNames()), table)
	}
	for i := 0; !dotted && i < len(f.databases); i++ {
		try(numbered(f.databases[i].name, 1, f.databases[i].count), name)
	}
	return nearest
}

// didYouMean suggests a name, if there is one.
func didYouMean(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", name)
}

// mostSuggested is how many of a number of equal tables or databases are
// looked at for one that a misspelt name means.
const mostSuggested = 1000

func (f *runFile) databaseNames() (names []string) {
	for i := range f.databases {
		names = appendNumbered(names, f.databases[i].name, f.databases[i].count)
	}
	return names
}

func (b *database) tableNames() (names []string) {
	for _, t := range b.system() {
		names = append(names, t.Name)
	}
	for _, p := range b.populations {
		names = appendNumbered(names, p.name, p.count)
	}
	return names
}

func appendNumbered(names []string, pattern string, count int) []string {
	for k := 1; k <= min(count, mostSuggested); k++ {
		names = append(names, numbered(pattern, k, count))
	}
	return names
}
