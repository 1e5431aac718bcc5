package scheduler

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"avsim/workload/guc"
)

// tableOptions are a table's storage parameters by name, numbers in
// PostgreSQL's units, switches as 0 or 1; nil for none. A TOAST table that has
// none of its own goes by those of its main table.
type tableOptions map[string]float64

// or is the value of a parameter, or what stands in for it.
func (o tableOptions) or(name string, otherwise float64) float64 {
	if x, ok := o[name]; ok {
		return x
	}
	return otherwise
}

// indexCleanupAuto is the value of vacuum_index_cleanup that is neither on nor
// off.
const indexCleanupAuto = 2

var bareNumber = regexp.MustCompile(`^\s*[+-]?(0[xX][0-9a-fA-F]+|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)\s*$`)

// parseTableOptions reads the storage parameters of a table, as they stand in
// WITH (...): numbers bare, for PostgreSQL takes no units there.
func parseTableOptions(v guc.Version, texts map[string]string) (tableOptions, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	known := storageParameters(v)
	out := make(tableOptions, len(texts))
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		parse, ok := known[name]
		if !ok {
			return nil, unknownParameter(v, name, known)
		}
		x, err := parse(texts[name])
		if err != nil {
			return nil, fmt.Errorf("storage parameter %s: %w", name, err)
		}
		out[name] = x
	}
	return out, nil
}

// elsewhere are storage parameters that autovacuum does not look at.
var elsewhere = []string{"fillfactor", "parallel_workers", "toast_tuple_target", "user_catalog_table"}

func unknownParameter(v guc.Version, name string, known map[string]func(string) (float64, error)) error {
	if slices.Contains(elsewhere, name) {
		return fmt.Errorf("storage parameter %s does not concern autovacuum", name)
	}
	for _, b := range guc.Branches() {
		if _, ok := storageParameters(b)[name]; ok && b.Compare(v.Branch()) > 0 {
			return fmt.Errorf("storage parameter %s exists from PostgreSQL %s on, not in %s", name, b, v)
		}
	}
	if near := guc.Nearest(name, slices.Sorted(maps.Keys(known))); near != "" {
		return fmt.Errorf("unknown storage parameter %q: did you mean %s?", name, near)
	}
	return fmt.Errorf("unknown storage parameter %q", name)
}

// storageParameters are those of a version that concern autovacuum, with what
// reads them (reloptions.c). Most have the type and range of the setting that
// they override.
func storageParameters(v guc.Version) map[string]func(string) (float64, error) {
	out := make(map[string]func(string) (float64, error))
	for _, setting := range guc.Names(v) {
		d, _ := guc.Lookup(v, setting)
		if d.Reloption != "" {
			out[d.Reloption] = func(text string) (float64, error) { return parseLike(v, d, text) }
		}
	}
	if !v.AtLeast(guc.MustVersion("9.5")) {
		delete(out, "log_autovacuum_min_duration")
	}
	out[tablePriority] = parsePriority
	if v.AtLeast(guc.MustVersion("12")) {
		toggle, _ := guc.Lookup(v, "autovacuum")
		out["vacuum_truncate"] = func(text string) (float64, error) { return parseLike(v, toggle, text) }
		out["vacuum_index_cleanup"] = func(text string) (float64, error) {
			if v.AtLeast(guc.MustVersion("14")) && strings.EqualFold(text, "auto") {
				return indexCleanupAuto, nil
			}
			return parseLike(v, toggle, text)
		}
	}
	return out
}

func parseLike(v guc.Version, d guc.Setting, text string) (float64, error) {
	if d.Kind != guc.Bool && !bareNumber.MatchString(text) {
		return 0, fmt.Errorf("%q is not a bare number, which is all that PostgreSQL takes there", text)
	}
	if d.Reloption == "autovacuum_parallel_workers" && strings.TrimSpace(text) == "-1" {
		return -1, nil // leaves it to the setting
	}
	s := guc.Defaults(v)
	if err := s.Set(d.Name, text); err != nil {
		return 0, err
	}
	shown, _ := s.Show(d.Name) // which does not follow to the other setting
	if d.Fallback != "" && strings.HasPrefix(shown, "-") {
		return 0, fmt.Errorf("%s: -1 stands for another setting in postgresql.conf only; leave the parameter out", text)
	}
	if d.Fallback == "vacuum_cost_limit" && shown == "0" {
		return 0, fmt.Errorf("%s is outside the valid range (1 .. %v)", text, d.Max)
	}
	if d.Kind == guc.Bool {
		if s.Bool(d.Name) {
			return 1, nil
		}
		return 0, nil
	}
	return s.Float(d.Name), nil
}

// thresholds are the settings that relation_needs_vacanalyze goes by. They are
// float4 where PostgreSQL's are.
type thresholds struct {
	active                      bool // autovacuum and track_counts are on
	enabled                     bool // autovacuum_enabled of the table
	vacuumBase, vacuumFactor    float32
	vacuumMax                   float32 // -1 for none; none to 17
	insertBase, insertFactor    float32 // base -1 switches it off; off to 12
	byUnfrozen                  bool    // the factor counts for unfrozen pages only: from 18
	analyzeBase, analyzeFactor  float32
	freezeMaxAge, multiMaxAge   int64
	serverFreezeAge, serverMult int64 // the same, untouched by storage parameters
	// offIsOff: a table with autovacuum_enabled=false that is vacuumed by force
	// is not analyzed as well: from 19.
	offIsOff bool
}

// autovacuuming is AutoVacuumingActive.
func autovacuuming(s guc.Settings) bool { return s.Bool("autovacuum") && s.Bool("track_counts") }

func newThresholds(s guc.Settings) thresholds {
	whole := func(name string) float32 { return float32(s.Int(name)) }
	real := func(name string) float32 { return float32(s.Float(name)) }
	t := thresholds{
		active:        autovacuuming(s),
		enabled:       true,
		vacuumBase:    whole("autovacuum_vacuum_threshold"),
		vacuumFactor:  real("autovacuum_vacuum_scale_factor"),
		vacuumMax:     -1,
		insertBase:    -1,
		analyzeBase:   whole("autovacuum_analyze_threshold"),
		analyzeFactor: real("autovacuum_analyze_scale_factor"),
		freezeMaxAge:  s.Int("autovacuum_freeze_max_age"),
		multiMaxAge:   s.Int("autovacuum_multixact_freeze_max_age"),
		byUnfrozen:    s.Version().AtLeast(guc.MustVersion("18.0")),
		offIsOff:      s.Version().AtLeast(guc.MustVersion("19.0")),
	}
	if s.Has("autovacuum_vacuum_insert_threshold") {
		t.insertBase = whole("autovacuum_vacuum_insert_threshold")
		t.insertFactor = real("autovacuum_vacuum_insert_scale_factor")
	}
	if s.Has("autovacuum_vacuum_max_threshold") {
		t.vacuumMax = whole("autovacuum_vacuum_max_threshold")
	}
	t.serverFreezeAge, t.serverMult = t.freezeMaxAge, t.multiMaxAge
	return t
}

// with are the thresholds of a table with storage parameters. The ages that
// force a vacuum can only be lowered.
func (t thresholds) with(o tableOptions) thresholds {
	if len(o) == 0 {
		return t
	}
	lower := func(name string, age int64) int64 { return min(age, int64(o.or(name, float64(age)))) }
	over := func(name string, x *float32) { *x = float32(o.or(name, float64(*x))) }
	t.enabled = o.or("autovacuum_enabled", 1) == 1
	over("autovacuum_vacuum_threshold", &t.vacuumBase)
	over("autovacuum_vacuum_scale_factor", &t.vacuumFactor)
	over("autovacuum_vacuum_max_threshold", &t.vacuumMax)
	over("autovacuum_vacuum_insert_threshold", &t.insertBase)
	over("autovacuum_vacuum_insert_scale_factor", &t.insertFactor)
	over("autovacuum_analyze_threshold", &t.analyzeBase)
	over("autovacuum_analyze_scale_factor", &t.analyzeFactor)
	t.freezeMaxAge = lower("autovacuum_freeze_max_age", t.freezeMaxAge)
	t.multiMaxAge = lower("autovacuum_multixact_freeze_max_age", t.multiMaxAge)
	return t
}

// needInputs are what is known of a table when a worker looks at it. Counts may
// be fractions of rows, of which PostgreSQL sees the whole ones.
type needInputs struct {
	reltuples              float64 // of pg_class, -1 where it never was counted
	relpages, relallfrozen int64
	dead, inserted, mods   float64 // of the statistics
	hasStats               bool
	isToast, isStatistic   bool  // pg_statistic
	xidAge, multiAge       int64 // of relfrozenxid and relminmxid
	options                tableOptions
}

// Why a vacuum is due.
const (
	freezeAgeReason = "freeze age"
	multiAgeReason  = "multixact age"
	deadReason      = "dead rows"
	insertReason    = "inserts"
)

// need is what a table needs and why.
type need struct {
	vacuum, analyze, wraparound bool
	// The thresholds that the counts have to exceed, 0 where the version or the
	// table has none.
	vacuumThreshold, insertThreshold, analyzeThreshold float64
	reason                                             string // of the vacuum; the first that holds
}

// needs is relation_needs_vacanalyze.
func (t thresholds) needs(in needInputs) need {
	t = t.with(in.options)
	var n need
	switch {
	case in.xidAge > t.freezeMaxAge:
		n.vacuum, n.wraparound, n.reason = true, true, freezeAgeReason
	case in.multiAge > t.multiMaxAge:
		n.vacuum, n.wraparound, n.reason = true, true, multiAgeReason
	}
	vacuum, insert, analyze := t.of(in)
	n.vacuumThreshold, n.analyzeThreshold = float64(vacuum), float64(analyze)
	if t.insertBase >= 0 {
		n.insertThreshold = float64(insert)
	}
	if !t.counts(in, n.wraparound) {
		return n
	}
	if whole(in.dead) > vacuum {
		n.vacuum, n.reason = true, cmp.Or(n.reason, deadReason)
	}
	if t.insertBase >= 0 && whole(in.inserted) > insert {
		n.vacuum, n.reason = true, cmp.Or(n.reason, insertReason)
	}
	n.analyze = !in.isToast && !in.isStatistic && whole(in.mods) > analyze
	return n
}

// counts tells whether the counts matter at all.
func (t thresholds) counts(in needInputs, forced bool) bool {
	return t.active && in.hasStats && (t.enabled || forced && !t.offIsOff)
}

// of are the three thresholds for a table.
func (t thresholds) of(in needInputs) (vacuum, insert, analyze float32) {
	rows := float32(max(in.reltuples, 0))
	vacuum = t.vacuumBase + float32(t.vacuumFactor*rows)
	if t.vacuumMax >= 0 {
		vacuum = min(vacuum, t.vacuumMax)
	}
	grown := float32(t.insertFactor * rows)
	if t.byUnfrozen && in.relpages > 0 && in.relallfrozen > 0 {
		grown *= 1 - float32(float32(min(in.relallfrozen, in.relpages))/float32(in.relpages))
	}
	return vacuum, t.insertBase + float32(grown), t.analyzeBase + float32(t.analyzeFactor*rows)
}

// whole is a count as the trigger sees it.
func whole(count float64) float32 { return float32(math.Floor(count)) }

// rates are what is added to a table's counts and ages each second.
type rates struct {
	dead, inserted, mods, xids, multis float64
}

// after is what the trigger sees at a time after in, at constant rates.
func (in needInputs) after(d time.Duration, r rates) needInputs {
	s := d.Seconds()
	in.dead += r.dead * s
	in.inserted += r.inserted * s
	in.mods += r.mods * s
	in.xidAge += int64(math.Floor(r.xids * s))
	in.multiAge += int64(math.Floor(r.multis * s))
	return in
}

// nextDue is how long a table takes to need a vacuum or an analyze at constant
// rates, none done meanwhile; ok is false where it never does, or not within
// 292 years.
func (t thresholds) nextDue(in needInputs, r rates) (d time.Duration, ok bool) {
	if t.needs(in).any() {
		return 0, true
	}
	t = t.with(in.options)
	first := math.Inf(1)
	reach := func(count, rate, least float64) {
		if rate > 0 {
			first = min(first, (least-count)/rate)
		}
	}
	reach(0, r.xids, float64(t.freezeMaxAge+1-in.xidAge))
	reach(0, r.multis, float64(t.multiMaxAge+1-in.multiAge))
	if t.counts(in, false) {
		vacuum, insert, analyze := t.of(in)
		reach(in.dead, r.dead, leastAbove(vacuum))
		if t.insertBase >= 0 {
			reach(in.inserted, r.inserted, leastAbove(insert))
		}
		if !in.isToast && !in.isStatistic {
			reach(in.mods, r.mods, leastAbove(analyze))
		}
	}
	if first*1e9 >= math.MaxInt64/2 {
		return 0, false
	}
	d = time.Duration(math.Ceil(first * 1e9))
	for step := time.Duration(1); ; step *= 2 { // rounding may leave it short
		if t.needs(in.withoutOptions().after(d, r)).any() {
			return d, true
		}
		d += step
	}
}

// withoutOptions is for thresholds that contain the options already.
func (in needInputs) withoutOptions() needInputs {
	in.options = nil
	return in
}

// leastAbove is the least whole number that exceeds a threshold once it is a
// float4.
func leastAbove(threshold float32) float64 {
	next := math.Nextafter32(threshold, float32(math.Inf(1)))
	n := math.Ceil((float64(threshold) + float64(next)) / 2)
	for float32(n) <= threshold {
		n++
	}
	return n
}

// freezeAges are the ages that a vacuum freezes by, of transactions and of
// multixacts.
type freezeAges struct {
	min, table, multiMin, multiTable int64
}

// newFreezeAges are those of a table. In template databases and those that
// take no connections all are zero where the table does not say otherwise.
func newFreezeAges(s guc.Settings, o tableOptions, template bool) freezeAges {
	age := func(name string) int64 {
		x := s.Int(name)
		if template {
			x = 0
		}
		return int64(o.or("auto"+name, float64(x)))
	}
	// vacuum_get_cutoffs keeps the least ages to half of what forces a vacuum.
	return freezeAges{
		min: min(age("vacuum_freeze_min_age"), s.Int("autovacuum_freeze_max_age")/2), table: age("vacuum_freeze_table_age"),
		multiMin: min(age("vacuum_multixact_freeze_min_age"), s.Int("autovacuum_multixact_freeze_max_age")/2), multiTable: age("vacuum_multixact_freeze_table_age"),
	}
}

// aggressive tells whether a vacuum reads all pages that are not frozen: when
// an age reaches freeze_table_age, or 95 % of the server's freeze_max_age where
// that is less. With an age of zero each does.
func (t thresholds) aggressive(f freezeAges, xidAge, multiAge int64) bool {
	reaches := func(age, table, most int64) bool { return age >= min(table, int64(float64(most)*0.95)) }
	return reaches(xidAge, f.table, t.serverFreezeAge) || reaches(multiAge, f.multiTable, t.serverMult)
}
