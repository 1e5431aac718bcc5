package workload

import (
	"iter"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"time"
	"unsafe"
)

// Tables are the tables of a database in the order of pg_class. Of those that follow one
// another and are alike what they share is kept once, so that each of ten million equal
// tables takes a few bytes. The zero value is none; a copy can be appended to by itself.
type Tables struct {
	blocks []*tableBlock
	n      int
}

// TablesOf are tables in their order.
func TablesOf(tables ...Table) (out Tables) {
	for i := range tables {
		out.Append(tables[i])
	}
	return out
}

// Len is how many there are.
func (l *Tables) Len() int { return l.n }

// At is the table at a place, from 0.
func (l *Tables) At(i int) (t Table) {
	b := l.block(i)
	b.fill(i-b.first, &t, false)
	t.Name = b.name(i - b.first)
	return t
}

// Fill makes t the table at a place, but for its name, which takes longer than the rest.
// Where tables differ in constant rates, those of t may be of another type than Constant.
func (l *Tables) Fill(i int, t *Table) {
	b := l.block(i)
	b.fill(i-b.first, t, true)
}

// Like is one that is as the table at a place in all that neither its name, its counts
// nor its activity tell. It is not to be changed.
func (l *Tables) Like(i int) *Table { return &l.block(i).like }

// Name is the name of the table at a place.
func (l *Tables) Name(i int) string {
	b := l.block(i)
	return b.name(i - b.first)
}

func (l *Tables) block(i int) *tableBlock {
	if i < 0 || i >= l.n {
		panic("workload: no such table")
	}
	if len(l.blocks) == 1 {
		return l.blocks[0]
	}
	return l.blocks[sort.Search(len(l.blocks), func(k int) bool { return l.blocks[k].first > i })-1]
}

// All goes through them, with their places.
func (l *Tables) All() iter.Seq2[int, Table] {
	return func(yield func(int, Table) bool) {
		for _, b := range l.blocks {
			for i := range min(b.n, l.n-b.first) { // another may have appended to the block
				var t Table
				b.fill(i, &t, false)
				t.Name = b.name(i)
				if !yield(b.first+i, t) {
					return
				}
			}
		}
	}
}

// Changed are the tables as change makes them; those of l stay as they are.
func (l *Tables) Changed(change func(place int, t *Table)) (out Tables) {
	for i, t := range l.All() {
		change(i, &t)
		out.Append(t)
	}
	return out
}

// Slice is a copy of all.
func (l *Tables) Slice() []Table {
	out := make([]Table, 0, l.n)
	for _, t := range l.All() {
		out = append(out, t)
	}
	return out
}

// Append puts a table behind the others. What it points to is not to be changed any more.
func (l *Tables) Append(t Table) {
	// The last block may be a copy's too, which has appended to it.
	if last := len(l.blocks) - 1; last < 0 || l.blocks[last].first+l.blocks[last].n != l.n || !l.blocks[last].append(&t) {
		l.blocks = append(slices.Clip(l.blocks), &tableBlock{first: l.n, n: 1, like: t})
	}
	l.n++
}

// Clip gives back the room for more of them.
func (l *Tables) Clip() {
	for _, b := range l.blocks {
		if b.more == nil {
			continue
		}
		for i := range b.more.numbers {
			b.more.numbers[i] = slices.Clone(b.more.numbers[i])
		}
	}
}

// tableBlock are tables that are alike.
type tableBlock struct {
	first, n int
	like     Table // the first of them
	more     *differing
}

// differing is in what the tables of a block of several differ.
type differing struct {
	// Their names: prefix, a number that counts up, suffix; or each by itself.
	prefix, suffix string
	number         int
	names          []string
	numbers        [differences][]uint64 // nil where all are as the first
	rates          [3][]Rate             // likewise, of rates that are not constant
}

// The numbers in which tables of a block may differ: counts, and the rates of constant
// activity.
const (
	ofRows = iota
	ofReltuples
	ofDead
	ofMods
	ofInserts
	ofToast
	ofRates     // inserts, updates, deletes
	differences = ofRates + 3
)

// numbersOf are those of a table, as bits; a rate that is not constant is 0.
func numbersOf(t *Table) [differences]uint64 {
	out := [differences]uint64{ofRows: uint64(t.Rows), ofReltuples: math.Float64bits(t.Reltuples),
		ofDead: uint64(t.Dead), ofMods: uint64(t.ModsSinceAnalyze), ofInserts: uint64(t.InsertsSinceVacuum), ofToast: uint64(t.ToastOf)}
	for i, r := range t.Activity.rates() {
		if c, ok := (*r).(Constant); ok {
			out[ofRates+i] = math.Float64bits(float64(c))
		}
	}
	return out
}

func (a *Activity) rates() [3]*Rate { return [3]*Rate{&a.Inserts, &a.Updates, &a.Deletes} }

// level is a constant rate in a column.
type level uint64

// Total is rate × time.
func (l *level) Total(t time.Duration) float64 {
	return Constant(math.Float64frombits(uint64(*l))).Total(t)
}

// Most is the rate.
func (l *level) Most(time.Duration) float64 { return math.Float64frombits(uint64(*l)) }

// fill is all but the name. With inPlace a rate may be where the column has it, which
// takes no memory.
func (b *tableBlock) fill(i int, t *Table, inPlace bool) {
	*t = b.like
	m := b.more
	if m == nil {
		return
	}
	of := func(kind int, otherwise uint64) uint64 {
		if column := m.numbers[kind]; column != nil {
			return column[i]
		}
		return otherwise
	}
	t.Rows, t.Dead = int64(of(ofRows, uint64(t.Rows))), int64(of(ofDead, uint64(t.Dead)))
	t.ModsSinceAnalyze, t.InsertsSinceVacuum = int64(of(ofMods, uint64(t.ModsSinceAnalyze))), int64(of(ofInserts, uint64(t.InsertsSinceVacuum)))
	t.ToastOf = int(of(ofToast, uint64(t.ToastOf)))
	if column := m.numbers[ofReltuples]; column != nil {
		t.Reltuples = math.Float64frombits(column[i])
	}
	for k, r := range t.Activity.rates() {
		switch {
		case m.rates[k] != nil:
			*r = m.rates[k][i]
		case m.numbers[ofRates+k] != nil && inPlace:
			*r = (*level)(&m.numbers[ofRates+k][i])
		case m.numbers[ofRates+k] != nil:
			*r = Constant(math.Float64frombits(m.numbers[ofRates+k][i]))
		}
	}
}

func (b *tableBlock) name(i int) string {
	switch {
	case b.more == nil:
		return b.like.Name
	case b.more.names != nil:
		return b.more.names[i]
	}
	return b.more.numbered(i)
}

func (m *differing) numbered(i int) string {
	var room [64]byte
	name := append(room[:0], m.prefix...)
	name = strconv.AppendInt(name, int64(m.number+i), 10)
	return string(append(name, m.suffix...))
}

// append puts a table into the block if it is like the others.
func (b *tableBlock) append(t *Table) bool {
	if !b.isLike(t) || !b.takesRates(t) {
		return false
	}
	if b.more == nil {
		b.more = newDiffering(b.like.Name, t.Name)
	}
	m := b.more
	switch {
	case m.names != nil:
		m.names = append(m.names, t.Name)
	case m.numbered(b.n) != t.Name:
		return false
	}
	first, now := numbersOf(&b.like), numbersOf(t)
	for i := range now {
		m.numbers[i] = extend(m.numbers[i], b.n, first[i], now[i])
	}
	for i, r := range t.Activity.rates() {
		like := *b.like.Activity.rates()[i]
		if m.rates[i] == nil && sameRate(like, *r) || constant(like) && constant(*r) {
			continue
		}
		if m.rates[i] == nil {
			m.rates[i] = slices.Repeat([]Rate{like}, b.n)
		}
		m.rates[i] = append(m.rates[i], *r)
	}
	b.n++
	return true
}

// extend adds a number to a column of n, which is nil as long as all are as the first.
func extend(column []uint64, n int, first, now uint64) []uint64 {
	switch {
	case column == nil && first == now:
		return nil
	case column == nil:
		column = slices.Repeat([]uint64{first}, n)
	}
	return append(column, now)
}

// newDiffering is of two tables of those names.
func newDiffering(first, second string) *differing {
	for i := 0; i < len(first); i++ {
		if !digit(first[i]) || i > 0 && digit(first[i-1]) {
			continue
		}
		end := i + 1
		for end < len(first) && digit(first[end]) {
			end++
		}
		m := &differing{prefix: first[:i], suffix: first[end:]}
		m.number, _ = strconv.Atoi(first[i:end])
		if m.numbered(0) == first && m.numbered(1) == second {
			return m
		}
	}
	return &differing{names: []string{first}}
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// isLike tells whether a table is the first one's like in all that a block has once.
func (b *tableBlock) isLike(t *Table) bool {
	x, y := b.like, *t
	if !maps.Equal(x.Options, y.Options) || !sameAge(x.ForcedAge, y.ForcedAge) || !sameSlice(x.Activity.Statements, y.Activity.Statements) {
		return false
	}
	a, c := &x.Activity, &y.Activity
	return x.SQLName == y.SQLName && (x.ToastOf < 0) == (y.ToastOf < 0) && x.RowBytes == y.RowBytes && x.Fillfactor == y.Fillfactor && x.Indexes == y.Indexes &&
		x.AllVisible == y.AllVisible && x.AllFrozen == y.AllFrozen && x.XIDAge == y.XIDAge && x.MultiAge == y.MultiAge &&
		x.Temporary == y.Temporary && x.Orphaned == y.Orphaned && x.Partitioned == y.Partitioned && x.NoStats == y.NoStats &&
		a.HotShare == c.HotShare && a.Poisson == c.Poisson && a.Seed == c.Seed && a.Memo == c.Memo
}

// takesRates tells whether the block can have a table's rates beside those that it has: of
// one kind either all are constant or none need be.
func (b *tableBlock) takesRates(t *Table) bool {
	for i, r := range t.Activity.rates() {
		like := *b.like.Activity.rates()[i]
		if constant(like) != constant(*r) {
			return false
		}
	}
	return true
}

func constant(r Rate) bool {
	_, ok := r.(Constant)
	return ok
}

// sameRate tells whether two rates are certainly the same.
func sameRate(a, b Rate) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case Constant, Wave, Bursts:
		return a == b
	}
	return false
}

func sameAge(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }

// sameSlice tells whether two slices are one.
func sameSlice(a, b []Statement) bool {
	return len(a) == len(b) && (len(a) == 0 || unsafe.SliceData(a) == unsafe.SliceData(b))
}
