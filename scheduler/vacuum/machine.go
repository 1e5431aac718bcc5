package vacuum

import (
	"time"

	"avsim/workload/host"
)

// Machine is what a page costs: processor time and the device.
type Machine struct {
	host.Vacuum
	Device host.Device
	// MemoryBytes is the machine's memory; 0 for as much as it takes.
	MemoryBytes float64
}

// MachineOf is that of a host profile.
func MachineOf(p *host.Profile) Machine {
	return Machine{Vacuum: p.Vacuum, Device: p.Device, MemoryBytes: p.MemoryBytes}
}

// Sizes from which on a VACUUM has its whole fixed part: a cost (what wakes the
// worker up again and again) where it sleeps, heap pages where it does not. The
// smallest recorded has 500 pages.
const (
	fixedFromCost  = 13400
	fixedFromPages = 100
)

// times gives each phase its times. A page of the heap takes its time once: half
// of it in the second pass where there is one. The fixed part goes with the
// charges.
func (b *builder) times() {
	m := b.Machine
	grown := min(1, b.cost/fixedFromCost)
	grownFree := min(1, b.total.heapOnce(b.Phases)/fixedFromPages)
	twice := b.secondPages()
	for i := range b.Phases {
		x := &b.Phases[i]
		u := x.Usage
		heap := u.HeapPages
		switch x.Kind {
		case ScanningHeap:
			heap -= twice * ratio(heap, b.Plan.Scanned) / 2
		case VacuumingHeap:
			heap /= 2
		}
		share := ratio(x.Cost, b.cost)
		throttled := float64(m.Throttled.Fixed)*grown*share + spent(m.Throttled, heap, u)
		free := float64(m.Free.Fixed)*grownFree*share + spent(m.Free, heap, u)
		if x.Kind == Initializing {
			throttled += float64(m.Throttled.Least)
			free += float64(m.Free.Least)
		}
		throttled, free = throttled/x.by, free/x.by
		device := b.reading(u) / x.by
		x.Throttled = Times{time.Duration(throttled), time.Duration(device)}
		x.Free = Times{time.Duration(free), time.Duration(max(device, b.writing(u)-free))}
	}
}

// spent is the processor time of pages, in nanoseconds.
func spent(t host.PageTimes, heap float64, u Usage) float64 {
	return float64(t.Heap)*heap + float64(t.Index)*u.IndexPages + float64(t.Read)*u.Reads + float64(t.Image)*u.Images
}

// heapOnce are the pages of first heap passes.
func (u Usage) heapOnce(phases []Phase) (sum float64) {
	for i := range phases {
		if phases[i].Kind == ScanningHeap {
			sum += phases[i].Usage.HeapPages
		}
	}
	return sum
}

// secondPages are the heap pages of second passes.
func (b *builder) secondPages() (sum float64) {
	for i := range b.Phases {
		if b.Phases[i].Kind == VacuumingHeap {
			sum += b.Phases[i].Usage.HeapPages
		}
	}
	return sum
}

// reading is how long, in nanoseconds, a phase waits for the device to read.
func (b *builder) reading(u Usage) float64 {
	depth := 1.0
	if b.Settings.from.v18 {
		depth = float64(b.Settings.Concurrency)
	}
	return b.Machine.Reading(u, depth)
}

// Reading is how long, in nanoseconds, the device takes for what is read from it, with so
// many reads under way at most. Pages in order come as fast as the device gives them or,
// where that is slower, as the kernel's read-ahead has them under way. Others wait for the
// device one by one; from 18 on VACUUM has several under way (its read streams are of 18:
// commits 9256822608, c3e775e608 and c5c239e26; that of 17 reads through one in
// sequential scans, ANALYZE and pg_prewarm only, which not all sources say).
func (m Machine) Reading(u Usage, depth float64) float64 {
	d := m.Device
	if u.FromDevice <= 0 {
		return 0
	}
	transfer := 0.0
	if d.ReadPerSecond > 0 {
		transfer = PageBytes / d.ReadPerSecond * 1e9
	}
	latency := float64(d.Latency)
	ahead := 1.0
	if d.ReadAhead > PageBytes {
		ahead = d.ReadAhead / PageBytes
	}
	depth = max(1, min(depth, float64(d.Depth)))
	inOrder := u.FromDevice - u.Scattered
	return inOrder*max(transfer, latency/max(ahead, depth)) + u.Scattered*max(transfer, latency/depth)
}

// writing is how long, in nanoseconds, the device takes for what a phase writes:
// the log, and pages that leave the ring. A VACUUM that does not sleep is not
// faster than that.
func (b *builder) writing(u Usage) float64 {
	if b.Machine.Device.WritePerSecond <= 0 {
		return 0
	}
	return (u.WALBytes + u.RingWrites*PageBytes) / b.Machine.Device.WritePerSecond * 1e9
}
