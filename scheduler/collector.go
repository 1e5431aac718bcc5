package scheduler

import (
	"time"

	"avsim/sim"
)

// The statistics collector of PostgreSQL 9.3 to 14 (postmaster/pgstat.c): one
// process that takes in messages, one at a time, and writes the database's
// file when a reader has asked for it. A file bears the time at which its
// write started and is seen when it is renamed into place.

const (
	// statRetryDelay is PGSTAT_RETRY_DELAY, the poll of a reader that waits.
	statRetryDelay = 10 * time.Millisecond
	// statInquiryPolls is after how many polls a reader asks again
	// (PGSTAT_INQ_INTERVAL, 640 ms).
	statInquiryPolls = 64
	// statMaxPolls is after how many polls a reader takes what there is
	// (PGSTAT_MAX_WAIT_TIME, 10 s).
	statMaxPolls = 1000
	// never is the stamp of a file from before the run.
	never = sim.Time(-1 << 62)
)

// message is what other processes send to the collector: an inquiry, or the
// report of a vacuum or analyze.
type message struct {
	inquiry bool
	cutoff  sim.Time // of an inquiry: the oldest stamp that will do
	db      *database
	report  report
}

type collector struct {
	sys     *system
	thread  *sim.Thread
	box     sim.Mailbox[message]
	taken   uint32      // reports taken in
	pending []*database // whose files readers wait for
	written sim.Signal  // for readers that do not poll
}

func (s *system) startCollector() {
	c := &collector{sys: s}
	s.collector = c
	c.thread = s.cpu.Go("stats collector", func(t *sim.Thread) {
		for {
			if len(c.pending) > 0 {
				c.write(t)
			}
			m := c.box.Receive(t, Idle)
			t.Work(StatsRead, m.db.cost.message)
			c.take(m)
		}
	})
}

// write writes the files that were asked for. What they hold, and their stamp,
// are of the start; they are seen when the last is written.
func (c *collector) write(t *sim.Thread) {
	start := t.Now()
	written := c.pending
	c.pending = nil
	file := snapshot{taken: c.taken, stamp: start}
	for _, d := range written {
		d.requested, d.written = false, start
		t.Work(StatsRead, d.cost.statsWrite)
	}
	if c.sys.without.Has(StampAtStart) {
		file.stamp = t.Now()
	}
	for _, d := range written {
		d.file = file
	}
	if c.sys.without.Has(PollSteps) {
		c.written.Broadcast(nil)
	}
	c.sys.count.statsWrites++
	c.sys.count.statsWriteTime += t.Now().Sub(start)
	c.sys.note(StatsWritten, nil, -1)
}

func (c *collector) take(m message) {
	if !m.inquiry {
		c.taken++
		c.sys.content.reported(m.report, c.taken)
		return
	}
	if c.sys.strategy.Writes == WriteServesAll && m.db.written >= m.cutoff {
		return // the last write is fresh enough: "one write serves all"
	}
	if !m.db.requested {
		m.db.requested = true
		c.pending = append(c.pending, m.db)
	}
}

// report is the message of a vacuum or analyze at its end. Where the collector
// sleeps, the worker pays for waking it.
func (c *collector) report(w *worker, r report) {
	if c.sys.without.Has(ReportQueue) {
		// Known at once, even in the file that is there.
		c.taken++
		c.sys.content.reported(r, c.taken)
		w.db.file.taken = c.taken
		return
	}
	w.thread.Work(Vacuuming, c.box.Post(w.thread, message{db: w.db, report: r}))
}

// refresh gets a worker a snapshot that is fresh enough and reads it: the
// freshness is judged against the moment of the first look
// (backend_read_statsfile).
func (c *collector) refresh(w *worker, read sim.Cost) {
	t := w.thread
	var cutoff sim.Time
	for poll := range statMaxPolls {
		t.Work(StatsWait, w.db.cost.timestampCheck)
		if poll == 0 {
			cutoff = t.Now().Add(-c.sys.strategy.Freshness)
			if c.sys.strategy.Freshness == 0 {
				cutoff = never
			}
		}
		if w.db.file.stamp >= cutoff {
			if poll == 0 {
				c.sys.count.freshAtOnce++
			}
			break
		}
		if poll%statInquiryPolls == 0 {
			t.Work(StatsWait, c.box.Post(t, message{inquiry: true, cutoff: cutoff, db: w.db}))
		}
		if c.sys.without.Has(PollSteps) {
			c.written.Wait(t, StatsWait)
			continue
		}
		t.Sleep(StatsWait, statRetryDelay)
	}
	c.sys.count.entriesRead += int64(w.db.tables())
	w.snapshot = w.db.file
	w.displace()
	t.WorkCost(StatsRead, w.effort(read))
}
