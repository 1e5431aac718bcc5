package scheduler

import (
	"math"

	"avsim/scheduler/vacuum"
	"avsim/sim"
	"avsim/workload/guc"
)

// checkpoints tells when pages were last written: a checkpoint begins every
// checkpoint_timeout, counted from the start of the run, or sooner, once so much log is
// written as max_wal_size allows; and writes what is dirty then, evenly, in the share of
// that time that checkpoint_completion_target allows.
type checkpoints struct {
	timeout  sim.Time
	distance float64 // bytes of log
	target   float64

	every sim.Time // at the log of now
	began sim.Time // one of them
	// log is what is written a second besides a vacuum's own, in bytes: by changes of
	// rows and by vacuums so far.
	log       float64
	vacuums   float64 // bytes of all vacuums
	vacuumsAt sim.Time
	counted   float64 // of these, until vacuumsAt
}

func checkpointsOf(s guc.Settings) checkpoints {
	k := checkpoints{timeout: sim.Time(s.Duration("checkpoint_timeout")), target: s.Float("checkpoint_completion_target")}
	k.distance = logBetween(s, k.target)
	k.every = k.timeout
	return k
}

// again takes over changed settings.
func (k *checkpoints) again(s guc.Settings, at sim.Time) {
	now := checkpointsOf(s)
	began, _ := k.since(at)
	k.began = at - began
	k.timeout, k.distance, k.target, k.every = now.timeout, now.distance, now.target, min(k.every, now.timeout)
}

// segmentBytes is wal_segment_size, as initdb has it.
const segmentBytes = 16 << 20

// logBetween is after how many bytes of log a checkpoint begins
// (CalculateCheckpointSegments): to 9.4 after checkpoint_segments; from 9.5 on the log
// of two checkpoints and that written during the second is to fit max_wal_size, from 11
// on, when one is kept, of one (commit 4b0d28de06). It is looked at when a segment is
// full, and the one in which the last began counts, half of it on average.
func logBetween(s guc.Settings, target float64) float64 {
	segments := 0.0
	switch v := s.Version(); {
	case s.Has("checkpoint_segments"):
		segments = float64(s.Int("checkpoint_segments"))
	case v.AtLeast(guc.MustVersion("11")):
		segments = float64(s.Bytes("max_wal_size")) / segmentBytes / (1 + target)
	default:
		segments = float64(s.Bytes("max_wal_size")) / segmentBytes / (2 + target)
	}
	return (max(math.Floor(segments), 1) - 0.5) * segmentBytes
}

// interval is how long it is between two checkpoints, where log tells how many bytes are
// written in so many seconds, which grows with them.
func (k *checkpoints) interval(log func(seconds float64) float64) sim.Time {
	timeout := k.timeout.Seconds()
	if log(timeout) <= k.distance {
		return k.timeout
	}
	low, high := 0.0, timeout
	for range 40 {
		if middle := (low + high) / 2; log(middle) < k.distance {
			low = middle
		} else {
			high = middle
		}
	}
	return max(sim.Time(high*1e9), 1)
}

// since is when the last one began, before an instant, and which share of the pages
// that it writes it has not written yet.
func (k *checkpoints) since(at sim.Time) (began sim.Time, unwritten float64) {
	began = max(at-k.began, 0) % k.every
	return began, math.Max(0, 1-float64(began)/math.Max(k.target*float64(k.every), 1))
}

// forVacuum is what a vacuum's plan takes of them.
func (k *checkpoints) forVacuum() vacuum.Checkpoints {
	return vacuum.Checkpoints{Timeout: k.timeout.Sub(0), Distance: k.distance, Target: k.target, OthersLog: k.log}
}

// Bytes of log of a changed row, page images apart (xlogrecord.h, heapam_xlog.h,
// nbtxlog.h): of the heap besides the row itself, and of an entry of a btree of one
// 8-byte key.
const (
	heapRecord  = 24 + 20 + 2 + 14
	indexRecord = 24 + 20 + 2 + 2 + 16
)

// writeLog is the log that changes of rows write.
type writeLog struct {
	records float64     // bytes a second
	changed vacuum.Pool // pages, by how often each is changed a second: the first change after a checkpoint writes an image
}

// add takes in a table of so many rows.
func (w *writeLog) add(t *liveTable, r touches, rows float64) {
	if r.lookups+r.added <= 0 {
		return
	}
	w.records += (r.lookups+r.added)*heapRecord + r.added*float64(t.RowBytes) + r.indexChanges*indexRecord
	w.changed.Add(t.Pages(rows), r.lookups/t.Pages(rows))
	w.changed.Stream(r.added / t.RowsInPage()) // side by side
	if pages := t.IndexPages(rows); pages > 0 {
		w.changed.Add(pages, r.indexChanges/pages)
	}
}

// in is how many bytes it is in so many seconds.
func (w *writeLog) in(seconds float64) float64 {
	return w.records*seconds + vacuum.PageBytes*w.changed.Distinct(seconds)
}

// pace finds how far apart checkpoints are from now on.
func (c *live) pace(w *writeLog, now sim.Time) {
	k := &c.checkpoints
	began, _ := k.since(now)
	k.began = now - began
	vacuums := 0.0
	if now > k.vacuumsAt {
		vacuums = (k.vacuums - k.counted) / now.Sub(k.vacuumsAt).Seconds()
		k.vacuumsAt, k.counted = now, k.vacuums
	}
	application := c.application.log()
	log := func(seconds float64) float64 { return w.in(seconds) + vacuums*seconds + application(seconds) }
	k.every = k.interval(log)
	k.log = log(k.every.Seconds()) / k.every.Seconds()
}
