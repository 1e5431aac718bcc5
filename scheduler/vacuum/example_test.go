package vacuum_test

import (
	"fmt"

	"avsim/scheduler/vacuum"
	"avsim/workload/guc"
	"avsim/workload/host"
)

// A table of 500 million rows, 61 a page, of which 40 % are dead, with two indexes:
// how often the indexes are gone through, and the memory that dead rows take at most.
func ExampleJob_Plan() {
	h, err := host.Load("generic-4core")
	if err != nil {
		panic(err)
	}
	for _, version := range []string{"16", "17"} {
		for _, memory := range []string{"64MB", "1GB", "64GB"} {
			s := guc.Defaults(guc.MustVersion(version))
			if err := s.Set("maintenance_work_mem", memory); err != nil {
				panic(err)
			}
			away := vacuum.Cache{} // nothing in shared buffers or the operating system's cache
			p := vacuum.Job{Settings: vacuum.Manual(s), Machine: vacuum.MachineOf(h), Count: true, Table: vacuum.Table{
				Pages: 8_196_722, RowsPerPage: 61, RowBytes: 132, Dead: 200e6,
				DeadCache: away, RestCache: away,
				Indexes: []vacuum.Index{{Pages: 1_370_000, Cache: away, Correlated: true}, {Pages: 1_370_000, Cache: away}},
			}}.Plan()
			u := p.Total()
			fmt.Printf("%s, %4s: %2d passes, %4d MB, %.0f million pages read\n", version, memory, p.IndexScans, p.Dead.PeakBytes>>20, u.Reads/1e6)
		}
	}
	// Output:
	// 16, 64MB: 18 passes,   63 MB, 66 million pages read
	// 16,  1GB:  2 passes, 1023 MB, 22 million pages read
	// 16, 64GB:  2 passes, 1023 MB, 22 million pages read
	// 17, 64MB:  4 passes,   64 MB, 27 million pages read
	// 17,  1GB:  1 passes,  192 MB, 19 million pages read
	// 17, 64GB:  1 passes,  192 MB, 19 million pages read
}

// What 100 million dead rows take in 17, by how many of them a page has: 600 MB in 16
// whatever the pages. 25 to 35 MB, as some write, takes pages with more than a hundred.
func ExampleDeadItems() {
	s := guc.Defaults(guc.MustVersion("17"))
	if err := s.Set("maintenance_work_mem", "64GB"); err != nil {
		panic(err)
	}
	for _, perPage := range []int{10, 30, 61, 120, 226, 291} {
		pages := 100e6 / float64(perPage)
		p := vacuum.Job{Settings: vacuum.Manual(s), Count: true, Table: vacuum.Table{
			Pages: pages, RowsPerPage: perPage, Dead: 100e6, Spread: vacuum.Clustered, Indexes: []vacuum.Index{{Pages: 1}},
		}}.Plan()
		fmt.Printf("%3d a page: %4d MB\n", perPage, p.Dead.PeakBytes>>20)
	}
	// Output:
	//  10 a page:  239 MB
	//  30 a page:   82 MB
	//  61 a page:   45 MB
	// 120 a page:   30 MB
	// 226 a page:   27 MB
	// 291 a page:   18 MB
}
