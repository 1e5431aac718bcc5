package cmd

import (
	"time"

	"avsim/scheduler"
)

// The JSON form of what an application felt; docs/output.md describes it.
type (
	feltJSON struct {
		Without   speedJSON          `json:"without_vacuum"`
		With      speedJSON          `json:"with_vacuum"`
		After     speedJSON          `json:"after_vacuum"`
		Drop      *float64           `json:"throughput_drop_share"`
		P99Ratio  *float64           `json:"latency_p99_ratio"`
		Lost      *float64           `json:"transactions_lost"`
		Vacuuming float64            `json:"vacuum_seconds"`
		Done      *float64           `json:"transactions"`
		Took      *float64           `json:"took_seconds"`
		Vacuums   []feltVacuumJSON   `json:"vacuums"`
		Over      []feltIntervalJSON `json:"intervals"`
	}
	speedJSON struct {
		Throughput *float64 `json:"throughput_per_s"`
		Mean       *float64 `json:"latency_mean_seconds"`
		P50        *float64 `json:"latency_p50_seconds"`
		P95        *float64 `json:"latency_p95_seconds"`
		P99        *float64 `json:"latency_p99_seconds"`
		CPU        float64  `json:"cpu_share"`
		Device     float64  `json:"device_share"`
	}
	feltVacuumJSON struct {
		Database   string  `json:"database"`
		Table      string  `json:"table"`
		Start      float64 `json:"start_seconds"`
		Alone      float64 `json:"alone_seconds"`
		Loaded     float64 `json:"loaded_seconds"`
		IndexScans int     `json:"index_scans"`
		PeakBytes  int64   `json:"dead_tid_peak_bytes"`
		LimitBytes int64   `json:"dead_tid_limit_bytes"`
		DeadRows   float64 `json:"dead_rows"`
		DeadPages  float64 `json:"dead_pages"`
		HeapPages  float64 `json:"heap_pages_scanned"`
		IndexPages float64 `json:"index_pages_scanned"`
		Reads      float64 `json:"pages_read"`
		FromDevice float64 `json:"pages_from_device"`
		Dirtied    float64 `json:"pages_dirtied"`
		LogBytes   float64 `json:"wal_bytes"`
	}
	feltIntervalJSON struct {
		From        float64   `json:"from_seconds"`
		To          float64   `json:"to_seconds"`
		Phase       string    `json:"phase"`
		Share       float64   `json:"vacuum_share"`
		Stretch     float64   `json:"vacuum_stretch"`
		PagesPerRow float64   `json:"heap_pages_per_row"`
		Versions    float64   `json:"versions_per_look"`
		InShared    float64   `json:"shared_hit_share"`
		InOS        float64   `json:"os_hit_share"`
		Without     speedJSON `json:"without_vacuum"`
		With        speedJSON `json:"with_vacuum"`
	}
)

func newFeltJSON(f *scheduler.Felt) *feltJSON {
	if f == nil {
		return nil
	}
	s := f.Summary()
	out := &feltJSON{Without: newSpeedJSON(s.Without), With: newSpeedJSON(s.With), After: newSpeedJSON(s.After),
		Drop: known(s.Drop), P99Ratio: known(s.P99Ratio), Lost: known(s.Lost), Vacuuming: f.VacuumSeconds, Vacuums: []feltVacuumJSON{}, Over: []feltIntervalJSON{}}
	if f.Took > 0 {
		took := f.Took.Seconds()
		out.Done, out.Took = &f.Done, &took
	}
	for _, v := range f.Vacuums {
		out.Vacuums = append(out.Vacuums, feltVacuumJSON{v.Database, v.Table, v.Start.Seconds(), v.Alone.Seconds(), v.Loaded.Seconds(),
			v.IndexScans, v.PeakBytes, v.LimitBytes, v.DeadRows, v.DeadPages, v.HeapPages, v.IndexPages, v.Reads, v.FromDevice, v.Dirtied, v.LogBytes})
	}
	for _, x := range f.Intervals {
		out.Over = append(out.Over, feltIntervalJSON{x.From.Seconds(), x.To.Seconds(), x.Phase, x.Share, x.Stretch,
			x.PagesPerRow, x.Versions, x.InShared, x.InOS, newSpeedJSON(x.Without), newSpeedJSON(x.With)})
	}
	return out
}

func newSpeedJSON(s scheduler.Speed) speedJSON {
	of := func(d time.Duration) *float64 {
		if known(s.Throughput) == nil {
			return nil
		}
		x := d.Seconds()
		return &x
	}
	return speedJSON{known(s.Throughput), of(s.Mean), of(s.P50), of(s.P95), of(s.P99), s.CPU, s.Device}
}
