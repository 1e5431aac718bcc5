package scheduler

import (
	"time"

	"avsim/sim"
	"avsim/workload"
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

// message is what other processes send to the collector.
type message struct {
	inquiry bool
	cutoff  sim.Time // of an inquiry: the oldest stamp that will do
	table   int32    // of a vacuum's report
	counts  workload.Counts
}

type collector struct {
	sys     *system
	thread  *sim.Thread
	box     sim.Mailbox[message]
	taken   uint32 // messages that changed a table's counts
	pending bool   // a reader waits for a write
	last    sim.Time
	file    snapshot
	written sim.Signal // for readers that do not poll
}

func (s *system) startCollector() {
	c := &collector{sys: s, last: never, file: snapshot{stamp: never}}
	s.collector = c
	c.thread = s.cpu.Go("stats collector", func(t *sim.Thread) {
		for {
			if c.pending {
				c.write(t)
			}
			c.take(t, c.box.Receive(t, Idle))
		}
	})
}

// write writes the file. What it holds, and its stamp, are of the start.
func (c *collector) write(t *sim.Thread) {
	start := t.Now()
	c.pending = false
	c.last = start
	file := snapshot{taken: c.taken, stamp: start}
	t.Work(StatsRead, c.sys.cost.statsWrite)
	if c.sys.without.Has(StampAtStart) {
		file.stamp = t.Now()
	}
	c.file = file
	if c.sys.without.Has(PollSteps) {
		c.written.Broadcast(nil)
	}
	c.sys.count.statsWrites++
	c.sys.count.statsWriteTime += t.Now().Sub(start)
	c.sys.note(StatsWritten, nil, -1)
}

func (c *collector) take(t *sim.Thread, m message) {
	t.Work(StatsRead, c.sys.cost.message)
	if !m.inquiry {
		c.taken++
		c.sys.stats.set(m.table, c.taken, m.counts)
		return
	}
	if c.sys.strategy.Writes == WriteServesAll && c.last >= m.cutoff {
		return // the last write is fresh enough: "one write serves all"
	}
	c.pending = true
}

// report is the vacuum's message at its end. Where the collector sleeps, the
// worker pays for waking it.
func (c *collector) report(w *worker, table int32, counts workload.Counts) {
	if c.sys.without.Has(ReportQueue) {
		// Known at once, even in the file that is there.
		c.taken++
		c.sys.stats.set(table, c.taken, counts)
		c.file.taken = c.taken
		return
	}
	w.thread.Work(Vacuuming, c.box.Post(w.thread, message{table: table, counts: counts}))
}

// refresh gets a worker a snapshot that is fresh enough and reads it: the
// freshness is judged against the moment of the first look
// (backend_read_statsfile).
func (c *collector) refresh(w *worker, read sim.Cost) {
	t := w.thread
	var cutoff sim.Time
	for poll := range statMaxPolls {
		t.Work(StatsWait, c.sys.cost.timestampCheck)
		if poll == 0 {
			cutoff = t.Now().Add(-c.sys.strategy.Freshness)
			if c.sys.strategy.Freshness == 0 {
				cutoff = never
			}
		}
		if c.file.stamp >= cutoff {
			if poll == 0 {
				c.sys.count.freshAtOnce++
			}
			break
		}
		if poll%statInquiryPolls == 0 {
			t.Work(StatsWait, c.box.Post(t, message{inquiry: true, cutoff: cutoff}))
		}
		if c.sys.without.Has(PollSteps) {
			c.written.Wait(t, StatsWait)
			continue
		}
		t.Sleep(StatsWait, statRetryDelay)
	}
	w.snapshot = c.file
	w.displace()
	t.WorkCost(StatsRead, w.effort(read))
}
