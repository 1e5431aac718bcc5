package vacuum

import "math"

// Spread is how dead rows lie in the heap.
type Spread uint8

// The spreads.
const (
	// Random: each row version is as likely dead as any other.
	Random Spread = iota
	// Even: the same number of rows, to one, on every page.
	Even
	// Clustered: on as few pages as can be, side by side at the front.
	Clustered
)

// DeadPagesOf is how many of so many pages have one of the dead rows.
func DeadPagesOf(s Spread, pages, dead float64, rowsPerPage int) float64 {
	perPage := float64(max(rowsPerPage, 1))
	dead = min(dead, pages*perPage)
	switch {
	case pages <= 0 || dead <= 0:
		return 0
	case s == Even:
		return min(pages, dead)
	case s == Clustered:
		return min(pages, math.Ceil(dead/perPage))
	}
	return min(pages*-math.Expm1(perPage*math.Log1p(-dead/(pages*perPage))), dead)
}

// deadOn is a page's dead rows: how many, and the last offset.
type deadOn struct {
	n    int
	last uint16
}

// pageStream gives the pages of a heap with the dead rows of each.
type pageStream struct {
	table *Table
	pages int64
	dead  int64
	drawn draws
	state uint64
}

func newPageStream(t *Table) *pageStream {
	s := &pageStream{table: t, pages: int64(math.Ceil(t.Pages)), state: t.Seed}
	most := s.pages * int64(t.RowsPerPage)
	s.dead = min(int64(math.Round(t.Dead)), most)
	if t.Spread == Random && s.pages > 0 {
		s.drawn = newDraws(t.RowsPerPage, float64(s.dead)/float64(most))
	}
	return s
}

// on are the dead rows of a page; pages are asked for in order.
func (s *pageStream) on(page int64) deadOn {
	m := int64(s.table.RowsPerPage)
	var n int64
	switch s.table.Spread {
	case Random:
		return s.drawn.of(s.next())
	case Even:
		n = parts(s.dead, page+1, s.pages) - parts(s.dead, page, s.pages)
	case Clustered:
		n = min(max(s.dead-page*m, 0), m)
	}
	return deadOn{int(n), uint16(n)}
}

// parts is whole·page/pages, rounded down, without overflow.
func parts(whole, page, pages int64) int64 {
	return whole/pages*page + whole%pages*page/pages
}

// next is a random number (splitmix64).
func (s *pageStream) next() uint64 {
	s.state += 0x9E3779B97F4A7C15
	x := s.state
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
