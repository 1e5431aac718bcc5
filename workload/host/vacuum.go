package host

import "time"

// MeasuredVacuum is what single vacuums of PostgreSQL 18.4 took on a guest with
// two processors, AMD EPYC (family 25, model 17) at 2.6 GHz, tables of 500 to
// 32,000 pages, least squares (scheduler/vacuum/testdata/single.csv); the
// least are automatic vacuums of a page or two there. A profile that does not
// say otherwise has these.
var MeasuredVacuum = Vacuum{
	Throttled: PageTimes{
		Least: 350 * time.Microsecond, Fixed: 12150 * time.Microsecond,
		Heap: 8400 * time.Nanosecond, Index: 16 * time.Microsecond, Read: 17 * time.Microsecond,
	},
	Free: PageTimes{
		Least: 350 * time.Microsecond, Fixed: 1450 * time.Microsecond,
		Heap: 6700 * time.Nanosecond, Index: 2200 * time.Nanosecond, Read: 13300 * time.Nanosecond, Image: 12500 * time.Nanosecond,
	},
}

// AssumedDevice is the disk of a profile that does not say which: a solid-state
// disk of a server, by data sheets, and the read-ahead that Linux starts with
// (128 kB). Nothing of it is measured.
var AssumedDevice = Device{
	Latency:       100 * time.Microsecond,
	ReadPerSecond: 500 << 20, WritePerSecond: 400 << 20,
	Depth: 32, ReadAhead: 128 << 10,
}

// assume puts in what a profile may leave out, unless it takes it from another.
func (p *Profile) assume(inherits bool) {
	if !inherits {
		p.Vacuum, p.Device = MeasuredVacuum, AssumedDevice
	}
}
