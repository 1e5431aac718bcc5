package vacuum_test

import (
	"testing"

	"avsim/scheduler/vacuum"
	"avsim/workload/guc"
	"avsim/workload/host"
)

// BenchmarkPlan plans a VACUUM: of a page or two, as most of a run are, and of ten
// million pages of which each has its dead rows drawn and put into the store.
func BenchmarkPlan(b *testing.B) {
	for name, pages := range map[string]float64{"pages=2": 2, "pages=10M": 10e6} {
		for _, version := range []string{"16", "18"} {
			b.Run(name+"/pg="+version, func(b *testing.B) {
				j := vacuum.Job{Settings: vacuum.SettingsOf(guc.Defaults(guc.MustVersion(version))), Machine: vacuum.Machine{Vacuum: host.MeasuredVacuum},
					Table: vacuum.Table{Pages: pages, RowsPerPage: 61, Dead: 10 * pages, Indexes: []vacuum.Index{{Pages: pages / 6}}}, Into: new(vacuum.Plan)}
				for range b.N {
					j.Plan()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/pages, "ns/page")
			})
		}
	}
}
