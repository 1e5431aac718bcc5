package vacuum

import "avsim/workload/guc"

// PageBytes is the size of a page.
const PageBytes = 8192

// PageCosts are the charges of a page: found in shared buffers, read, changed
// while clean.
type PageCosts struct{ Hit, Miss, Dirty float64 }

// Settings are what a VACUUM takes from the version and its settings. Get them
// from SettingsOf.
type Settings struct {
	Version guc.Version
	Costs   PageCosts
	// Memory is that for dead rows, in bytes: autovacuum_work_mem, or
	// maintenance_work_mem.
	Memory int64
	// Ring is the buffer ring, in pages; 0 for none: all of shared buffers.
	Ring float64
	// SharedBuffers is the size of the buffer pool in pages.
	SharedBuffers float64
	// Truncate is whether empty pages at the end are given back.
	Truncate bool
	// IndexCleanup is whether the indexes are gone through.
	IndexCleanup IndexCleanup
	// Parallel is how many workers may help with the indexes, and
	// ParallelPages how large an index has to be for that.
	Parallel      int
	ParallelPages float64
	// Concurrency is how many reads VACUUM has under way at a time, from 18.
	Concurrency int

	manual  bool // typed by somebody, in a session that has just begun
	from    since
	tidTree bool
}

// IndexCleanup is what is to be done about rows that the indexes still have
// (VACUUM's INDEX_CLEANUP, the storage parameter vacuum_index_cleanup).
type IndexCleanup uint8

// The forms of it.
const (
	CleanupAuto IndexCleanup = iota // as the version decides
	CleanupOn                       // always
	CleanupOff                      // never: dead line pointers stay
)

// since are the versions from which VACUUM does things in another way.
type since struct {
	v96, v11, v13, v14, v16, v17, v18, v19 bool
}

// DefaultRing is the buffer ring of VACUUM before it was a setting (16): 256 kB
// (GetAccessStrategy, BAS_VACUUM).
const DefaultRing = 256 << 10 / PageBytes

// ringShare is the most of shared buffers that a ring takes, one part in so
// many (GetAccessStrategyWithSize, GetAccessStrategy).
const ringShare = 8

// SettingsOf are those of an automatic vacuum.
func SettingsOf(s guc.Settings) Settings {
	v := s.Version()
	at := func(branch string) bool { return v.AtLeast(guc.MustVersion(branch)) }
	out := Settings{
		Version: v,
		Costs: PageCosts{
			Hit:   float64(s.Int("vacuum_cost_page_hit")),
			Miss:  float64(s.Int("vacuum_cost_page_miss")),
			Dirty: float64(s.Int("vacuum_cost_page_dirty")),
		},
		SharedBuffers: float64(s.Bytes("shared_buffers") / PageBytes),
		Ring:          DefaultRing,
		Truncate:      true,
		from: since{v96: at("9.6"), v11: at("11"), v13: at("13"), v14: at("14"),
			v16: at("16"), v17: at("17"), v18: at("18"), v19: at("19")},
	}
	memory := "maintenance_work_mem"
	if s.Has("autovacuum_work_mem") {
		memory = "autovacuum_work_mem"
	}
	out.Memory = s.Bytes(memory)
	out.tidTree = out.from.v17
	if s.Has("vacuum_buffer_usage_limit") {
		out.Ring = float64(s.Bytes("vacuum_buffer_usage_limit") / PageBytes)
	}
	out.Ring = min(out.Ring, float64(int64(out.SharedBuffers)/ringShare))
	if s.Has("vacuum_truncate") {
		out.Truncate = s.Bool("vacuum_truncate")
	}
	if s.Has("autovacuum_max_parallel_workers") {
		out.Parallel = int(s.Int("autovacuum_max_parallel_workers"))
	}
	if s.Has("min_parallel_index_scan_size") {
		out.ParallelPages = float64(s.Bytes("min_parallel_index_scan_size") / PageBytes)
	}
	if out.from.v18 {
		out.Concurrency = int(s.Int("maintenance_io_concurrency"))
	}
	return out
}

// Manual are the settings of a VACUUM that somebody types: its memory is
// maintenance_work_mem, and from 13 workers may help with the indexes.
func Manual(s guc.Settings) Settings {
	out := SettingsOf(s)
	out.Memory = s.Bytes("maintenance_work_mem")
	out.manual, out.Parallel = true, 0
	if out.from.v13 {
		out.Parallel = int(s.Int("max_parallel_maintenance_workers"))
	}
	return out
}
