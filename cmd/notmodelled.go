package cmd

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"avsim/scheduler"
	"avsim/workload/guc"
	"avsim/workload/scenario"
)

// notModelled are settings, storage parameters and keys of tables that a
// scenario may have, since PostgreSQL has them, and that change nothing in a
// run. What becomes modelled is taken off the list.
var notModelled = []string{
	"log_autoanalyze_min_duration",
	"log_autovacuum_min_duration",
	"max_parallel_maintenance_workers",
	"stats_fetch_consistency",
	"vacuum_defer_cleanup_age",
	"vacuum_max_eager_freeze_failure_rate",
}

// warnNotModelled tells what of the scenario and the flags changes nothing, a
// line each.
func (f *runFlags) warnNotModelled(stderr io.Writer, sc *scenario.Run) {
	if f.out.quiet {
		return
	}
	given := sc.Mentions()
	for _, assignment := range f.set {
		if name, _, err := guc.ParseAssignment(assignment); err == nil {
			given = append(given, strings.ToLower(name))
		}
	}
	for _, name := range notModelled {
		if slices.Contains(given, name) {
			fmt.Fprintf(stderr, "avsim: warning: %s is not modelled yet: ignored\n", name)
		}
	}
}

// warnServer tells what a server would warn of, or its administrator would want to
// know before the run.
func (f *runFlags) warnServer(stderr io.Writer, cfg *scheduler.RunConfig) {
	if f.out.quiet {
		return
	}
	s := cfg.Settings
	if s.Has("autovacuum_worker_slots") {
		if workers, slots := s.Int("autovacuum_max_workers"), s.Int("autovacuum_worker_slots"); workers > slots {
			fmt.Fprintf(stderr, "avsim: warning: autovacuum_max_workers is %d, above autovacuum_worker_slots: %d is what counts\n", workers, slots)
		}
	}
	if !s.Version().AtLeast(guc.MustVersion("19")) && membersUnknown(cfg) {
		fmt.Fprintln(stderr, "avsim: warning: multixact members are not followed, as no members_per_multixact is given: with ten of each they may run out before the ids do")
	}
	n, naptime := len(cfg.World.Databases), s.Duration("autovacuum_naptime")
	if scheduler.StarvesDatabases(s.Version(), n, naptime) {
		fmt.Fprintf(stderr, "avsim: warning: %d databases are more than a naptime of %v has room for; PostgreSQL 17 and 18 turn the order of visits round at each rebuild of their list, so that some databases are hardly ever visited\n", n, naptime)
	}
}

// membersUnknown tells whether there come to be so many multixacts that with ten members
// each, vacuums would be forced for them (half of 2^32), and nobody says how many each has.
func membersUnknown(cfg *scheduler.RunConfig) bool {
	multis, said := 0.0, false
	for i := range cfg.World.Databases {
		d := &cfg.World.Databases[i]
		if d.MultisPerSecond != nil {
			multis, said = multis+d.MultisPerSecond.Total(cfg.For), said || d.MembersPerMulti > 0
		}
	}
	return !said && multis*10 >= 1<<31
}
