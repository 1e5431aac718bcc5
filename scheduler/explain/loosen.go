package explain

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"avsim/scheduler"
	"avsim/workload"
	"avsim/workload/guc"
	"avsim/workload/host"
)

// Loosening is a constraint made less tight, and how.
type Loosening struct {
	Constraint scheduler.Constraint
	What       string // in words
	apply      func(*scheduler.RunConfig)
}

// Apply loosens it in a configuration. What may be shared by others, its tables and its
// host profile, is copied.
func (l Loosening) Apply(cfg *scheduler.RunConfig) {
	if l.apply != nil {
		l.apply(cfg)
	}
}

// factor is by how much each constraint is loosened that has a number.
const factor = 2

// Loosenings are those that mean something in a configuration: where nothing holds back,
// locks or slows there is nothing to be taken away.
func Loosenings(cfg *scheduler.RunConfig) []Loosening {
	s := &cfg.Settings
	var out []Loosening
	add := func(c scheduler.Constraint, what string, apply func(*scheduler.RunConfig)) {
		out = append(out, Loosening{c, what, apply})
	}
	if s.Has("autovacuum") && !s.Bool("autovacuum") {
		add(scheduler.BoundByThreshold, "autovacuum on", set("autovacuum", "on"))
	}
	workers := s.Int("autovacuum_max_workers") * factor
	add(scheduler.BoundByWorkerSlots, fmt.Sprintf("%d workers instead of %d", workers, workers/factor), func(c *scheduler.RunConfig) {
		set("autovacuum_max_workers", fmt.Sprint(workers))(c)
		if c.Settings.Has("autovacuum_worker_slots") && c.Settings.Int("autovacuum_worker_slots") < workers {
			set("autovacuum_worker_slots", fmt.Sprint(workers))(c)
		}
	})
	if limit := s.Int("autovacuum_vacuum_cost_limit"); s.Duration("autovacuum_vacuum_cost_delay") > 0 && limit > 0 {
		if twice := min(limit*factor, mostLimit); twice > limit {
			add(scheduler.BoundByCostBudget, fmt.Sprintf("cost limit %d instead of %d", twice, limit), set("autovacuum_vacuum_cost_limit", fmt.Sprint(twice)))
		}
		add(scheduler.BoundByCostBudget, "no cost delay", set("autovacuum_vacuum_cost_delay", "0"))
	}
	if naptime := s.Duration("autovacuum_naptime"); naptime > time.Second {
		half := max(naptime/factor, time.Second).Round(time.Second)
		add(scheduler.BoundByNaptime, fmt.Sprintf("naptime %v instead of %v", half, naptime), set("autovacuum_naptime", fmt.Sprintf("%ds", int(half.Seconds()))))
	}
	add(scheduler.BoundByThreshold, "half the thresholds and scale factors", halveThresholds)
	out = append(out, memory(s)...)
	out = append(out, obstacles(&cfg.World)...)
	out = append(out, ages(s, &cfg.World)...)
	add(scheduler.BoundByProcessors, fmt.Sprintf("%d processors instead of %d", cfg.Host.Cores*factor, cfg.Host.Cores), onHost(func(h *host.Profile) { h.Cores *= factor }))
	add(scheduler.BoundByDisk, "a disk twice as fast", onHost(func(h *host.Profile) {
		h.Device.Latency /= factor
		h.Device.ReadPerSecond *= factor
		h.Device.WritePerSecond *= factor
	}))
	if cfg.Strategy.Stats == scheduler.CollectorFile {
		if shared, err := scheduler.LookUp("shared-stats"); err == nil {
			add(scheduler.BoundByStatistics, "statistics in shared memory, as from 15 on", func(c *scheduler.RunConfig) { c.Strategy = shared })
		}
	}
	if cfg.Strategy.Claim == scheduler.ClaimAfterRecheck {
		add(scheduler.BoundByScheduleLock, "the recheck after the schedule lock's release, as since March 2018", func(c *scheduler.RunConfig) { c.Strategy.Claim = scheduler.ClaimBeforeRecheck })
	}
	return out
}

// mostLimit is the greatest vacuum_cost_limit.
const mostLimit = 10000

// set changes a setting. Values are of known settings, within their bounds.
func set(name, value string) func(*scheduler.RunConfig) {
	return func(c *scheduler.RunConfig) {
		if err := c.Settings.Set(name, value); err != nil {
			panic(fmt.Sprintf("explain: %v", err))
		}
	}
}

// halveThresholds makes all tables due earlier, those with thresholds of their own too.
func halveThresholds(c *scheduler.RunConfig) {
	for _, name := range thresholds {
		if c.Settings.Has(name) {
			set(name, halved(name, fmt.Sprint(c.Settings.Float(name))))(c)
		}
	}
	tables(&c.World, func(t *workload.Table) {
		if t.Options == nil {
			return
		}
		own := make(map[string]string, len(t.Options))
		for name, value := range t.Options {
			if slices.Contains(thresholds, name) {
				value = halved(name, value)
			}
			own[name] = value
		}
		t.Options = own
	})
}

// thresholds are the settings, and storage parameters, that tell when a table is due.
var thresholds = []string{"autovacuum_vacuum_threshold", "autovacuum_vacuum_scale_factor", "autovacuum_vacuum_insert_threshold",
	"autovacuum_vacuum_insert_scale_factor", "autovacuum_analyze_threshold", "autovacuum_analyze_scale_factor"}

// halved is half a threshold, in whole rows, or half a scale factor; -1, which stands for
// never, stays.
func halved(name, text string) string {
	x, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || x < 0:
		return text
	case strings.HasSuffix(name, "_factor"):
		return strconv.FormatFloat(x/factor, 'g', -1, 64)
	}
	return strconv.FormatInt(int64(x)/factor, 10)
}

// Memory is no constraint that a verdict names, but one that can hold a figure.
const Memory scheduler.Constraint = "memory"

// memory is more of it for dead rows, which spares passes over indexes.
func memory(s *guc.Settings) []Loosening {
	name := "maintenance_work_mem"
	if s.Has("autovacuum_work_mem") {
		if own, err := s.Show("autovacuum_work_mem"); err == nil && own != "-1" {
			name = "autovacuum_work_mem"
		}
	}
	now := s.Bytes(name) >> 10
	return []Loosening{{Memory, fmt.Sprintf("%s of %d MB instead of %d", name, 4*now>>10, now>>10), set(name, fmt.Sprintf("%dkB", 4*now))}}
}

// ages are the limits of them, where ids are used up, and fewer members of multixacts.
func ages(s *guc.Settings, w *workload.World) (out []Loosening) {
	for _, x := range []struct {
		name string
		used bool
	}{
		{"autovacuum_freeze_max_age", uses(w, func(d *workload.Database) bool { return moves(d.XIDsPerSecond) })},
		{"autovacuum_multixact_freeze_max_age", uses(w, func(d *workload.Database) bool { return moves(d.MultisPerSecond) })},
	} {
		if !x.used || !s.Has(x.name) {
			continue
		}
		now := s.Int(x.name)
		if twice := min(now*factor, mostAge); twice > now {
			out = append(out, Loosening{scheduler.BoundByWraparound, fmt.Sprintf("%s of %d million instead of %d", x.name, twice/1e6, now/1e6), set(x.name, fmt.Sprint(twice))})
		}
	}
	if uses(w, func(d *workload.Database) bool { return d.MembersPerMulti > 0 }) {
		out = append(out, Loosening{scheduler.BoundByWraparound, "half as many members in each multixact", func(c *scheduler.RunConfig) {
			c.World.Databases = slices.Clone(c.World.Databases)
			for i := range c.World.Databases {
				c.World.Databases[i].MembersPerMulti /= factor
			}
		}})
	}
	return out
}

// mostAge is the greatest autovacuum_freeze_max_age.
const mostAge = 2_000_000_000

func moves(r workload.Rate) bool { return r != nil && r.Most(0) > 0 }

func uses(w *workload.World, does func(*workload.Database) bool) bool {
	for i := range w.Databases {
		if does(&w.Databases[i]) {
			return true
		}
	}
	return false
}

// obstacles are those of a world, taken away.
func obstacles(w *workload.World) (out []Loosening) {
	if len(w.Obstacles.Horizons) > 0 {
		out = append(out, Loosening{scheduler.BoundByHorizon, "no snapshots held", func(c *scheduler.RunConfig) { c.World.Obstacles.Horizons = nil }})
	}
	if len(w.Obstacles.Locks) > 0 {
		out = append(out, Loosening{scheduler.BoundByTableLock, "no locks of others on tables", func(c *scheduler.RunConfig) { c.World.Obstacles.Locks = nil }})
	}
	forced := func(d *workload.Database) bool {
		for _, t := range d.Tables.All() {
			if t.ForcedAge != nil {
				return true
			}
		}
		return false
	}
	if uses(w, forced) {
		out = append(out, Loosening{scheduler.BoundByThreshold, "no age limits below what PostgreSQL allows", func(c *scheduler.RunConfig) {
			tables(&c.World, func(t *workload.Table) { t.ForcedAge = nil })
		}})
	}
	if uses(w, func(d *workload.Database) bool { return d.ConnectTime > 0 }) {
		out = append(out, Loosening{scheduler.BoundByLauncher, "workers that start at once", func(c *scheduler.RunConfig) {
			c.World.Databases = slices.Clone(c.World.Databases)
			for i := range c.World.Databases {
				c.World.Databases[i].ConnectTime = 0
			}
		}})
	}
	return out
}

// tables changes copies of all tables: a world may be shared.
func tables(w *workload.World, change func(*workload.Table)) {
	w.Databases = slices.Clone(w.Databases)
	for i := range w.Databases {
		d := &w.Databases[i]
		d.Tables = d.Tables.Changed(func(_ int, t *workload.Table) { change(t) })
	}
}

// onHost changes a copy of the host profile.
func onHost(change func(*host.Profile)) func(*scheduler.RunConfig) {
	return func(c *scheduler.RunConfig) {
		h := *c.Host
		change(&h)
		c.Host = &h
	}
}
