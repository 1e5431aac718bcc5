package vacuum

import "math"

// Progress is a row of pg_stat_progress_vacuum (9.6 on), in the columns of all
// versions: to 16 a store is told in rows, from 17 in bytes, from when on indexes
// are counted too.
type Progress struct {
	Phase         Kind
	HeapTotal     int64
	HeapScanned   int64
	HeapVacuumed  int64
	IndexScans    int
	DeadItems     int64 // num_dead_tuples, from 17 num_dead_item_ids
	MaxDeadItems  int64 // max_dead_tuples, to 16
	DeadBytes     int64 // dead_tuple_bytes, from 17
	MaxDeadBytes  int64
	IndexesTotal  int // while indexes are gone through, otherwise 0
	IndexesPassed int
}

// Progress is how far a VACUUM is when so much of its time is over, from 0 to 1,
// of the time that it takes at a budget. The job is the plan's own.
func (p *Plan) Progress(j *Job, done float64, b Budget) Progress {
	out := Progress{HeapTotal: round(p.Pages), MaxDeadBytes: p.Dead.LimitBytes, MaxDeadItems: p.Dead.LimitBytes / tidBytes}
	i, within := p.phaseAt(done, b)
	for k := range i + 1 {
		x, part := &p.Phases[k], 1.0
		if k == i {
			part = within
		}
		out.passed(p, x, part)
	}
	if x := &p.Phases[i]; p.Indexes > 0 && x.Kind < CleaningUpIndexes && x.Kind > Initializing {
		if block := p.collectedTo(x, out.HeapScanned); block > 0 {
			out.DeadItems, out.DeadBytes = j.storeAt(block)
			out.DeadItems = min(out.DeadItems, int64(math.Ceil(j.Table.Dead)))
			if !j.Settings.tidTree {
				out.DeadBytes = out.DeadItems * tidBytes
			}
		}
	}
	return out
}

// tidBytes is an identifier in the array.
const tidBytes = 6

// passed takes in a phase of which a part is over.
func (out *Progress) passed(p *Plan, x *Phase, part float64) {
	out.Phase = x.Kind
	out.IndexesTotal, out.IndexesPassed = 0, 0
	block := round(x.From + part*(x.To-x.From))
	switch x.Kind {
	case ScanningHeap:
		out.HeapScanned = block
		if p.Indexes == 0 {
			out.HeapVacuumed = block
		}
	case VacuumingIndexes, CleaningUpIndexes:
		out.IndexesTotal, out.IndexesPassed = p.Indexes, int(part*float64(p.Indexes))
		if x.Kind == CleaningUpIndexes {
			out.HeapVacuumed = out.HeapTotal
		}
	case VacuumingHeap:
		out.IndexScans++ // counted when the indexes are done
		out.HeapVacuumed = block
	}
}

// phaseAt finds the phase under way, and how much of it is over.
func (p *Plan) phaseAt(done float64, b Budget) (i int, within float64) {
	slept := p.Sleeps(b).Total
	asleep := p.asleep(slept)
	all := 0.0
	for k := range p.Phases {
		all += float64(p.lasts(k, slept, asleep))
	}
	left := min(max(done, 0), 1) * all
	last := len(p.Phases) - 1
	for k := range last {
		w := float64(p.lasts(k, slept, asleep))
		if left < w {
			return k, left / w
		}
		left -= w
	}
	return last, min(ratio(left, float64(p.lasts(last, slept, asleep))), 1)
}

// collectedTo is the block to which the dead rows in the store are collected in a
// phase: during the second heap pass they are all still there.
func (p *Plan) collectedTo(x *Phase, scanned int64) int64 {
	if x.Kind == ScanningHeap {
		return scanned
	}
	return round(x.To)
}

// storeAt is what the store holds when the heap pass has come to a block.
func (j *Job) storeAt(block int64) (items, bytes int64) {
	if j.Table.Dead <= 0 {
		return 0, 0
	}
	store, stream := j.store(), newPageStream(&j.Table)
	for b := range min(block, stream.pages) {
		if store.Full() {
			store.Reset()
		}
		if dead := stream.on(b); dead.n > 0 {
			store.AddCounted(uint32(b), dead.n, dead.last)
		}
	}
	return store.Count(), store.Bytes()
}

func round(x float64) int64 { return int64(math.Round(x)) }
