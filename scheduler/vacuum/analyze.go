package vacuum

import (
	"math"
	"time"
)

// Sample is what an ANALYZE finds.
type Sample struct {
	Costs       PageCosts
	Pages, Rows float64
	// Changed is the share of pages with rows that were written or deleted and that
	// nobody has looked at since: their hint bits are set, which changes the page
	// (SetHintBits). 0 to 1.
	Changed                 float64
	ChangedCache, RestCache Cache
	Into                    *Plan // whose memory may be used again, or nil
}

// sampleRows is the sample at the default statistics target: 300 rows for each
// of 100 histogram bins, from as many pages at most.
const sampleRows = 30000

// analyzeWork are pages and the milliseconds that an ANALYZE of a table of
// seven columns takes, all of its sample rows found, in shared buffers, without
// cost delay, as recorded (18.4). readAway comes to it for each page read.
var (
	analyzeWork = [...]struct{ pages, ms float64 }{{500, 43}, {2000, 65}, {8000, 106}, {32000, 148}}
	readAway    = 900 * time.Nanosecond
)

// Plan works out what an ANALYZE does. Between the recorded sizes its work is
// interpolated by the logarithm of the pages; where the table has fewer rows
// than the sample wants, the part of 500 pages shrinks with the rows to the
// 0.35 ms that the smallest tables take.
func (a Sample) Plan() *Plan {
	p := a.Into
	if p == nil {
		p = new(Plan)
	}
	*p = Plan{Phases: p.Phases[:0], charges: p.charges[:0], starts: p.starts[:0], Dead: DeadItems{Fills: p.Dead.Fills[:0]}, Pages: a.Pages}
	full := min(a.Rows/sampleRows, 1)
	sampled := min(a.Pages, sampleRows)
	b := builder{Job: &Job{Settings: Settings{Costs: a.Costs}}, Plan: p}
	b.open(AcquiringSample)
	looks := 45 + 200*full // catalogues, and rows of pg_statistic
	b.visit(looks, page{}, All())
	b.phase.Usage.Beside += looks
	b.visit(sampled*a.Changed, page{changed: true, imaged: true}, a.ChangedCache)
	b.visit(sampled*(1-a.Changed), page{}, a.RestCache)
	p.Scanned = sampled
	p.total, p.cost = b.phase.Usage, b.phase.Cost
	first := analyzeWork[0]
	const least = 0.35
	ms := least + (first.ms-least)*full
	for i, x := range analyzeWork[:len(analyzeWork)-1] {
		y := analyzeWork[i+1]
		within := (math.Log(max(a.Pages, 1)) - math.Log(x.pages)) / (math.Log(y.pages) - math.Log(x.pages))
		ms += full * (y.ms - x.ms) * min(max(within, 0), 1)
	}
	work := time.Duration(ms*float64(time.Millisecond) + p.total.Reads*float64(readAway))
	b.phase.Throttled.Processor, b.phase.Free.Processor = work, work
	return p
}
