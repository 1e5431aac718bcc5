package foreground

import (
	"time"

	"avsim/sim"
)

// flusher makes the log durable. While one write is under way others wait, and the
// next write serves all that have come by then (XLogFlush: group commit).
type flusher struct {
	k       *sim.Kernel
	device  *sim.Device
	latency time.Duration
	pending int64 // bytes
	waiting []waiter
	served  []waiter
	busy    bool
	written sim.HandlerID
	durable sim.HandlerID
}

// waiter is called once what it asked for is durable.
type waiter struct {
	done sim.HandlerID
	arg  int64
}

func newFlusher(k *sim.Kernel, d *sim.Device, latency time.Duration) *flusher {
	f := &flusher{k: k, device: d, latency: latency}
	f.written = k.Handler(func(int64) { k.After(f.latency, f.durable, 0) })
	f.durable = k.Handler(func(int64) { f.finish() })
	return f
}

// add writes log for which nobody waits yet.
func (f *flusher) add(bytes float64) { f.pending += int64(bytes) }

// wait calls handler done once all that was added is durable.
func (f *flusher) wait(done sim.HandlerID, arg int64) {
	f.waiting = append(f.waiting, waiter{done, arg})
	if !f.busy {
		f.start()
	}
}

func (f *flusher) start() {
	f.busy = true
	f.served, f.waiting = f.waiting, f.served[:0]
	f.device.Request(f.pending, 0, f.written, 0)
	f.pending = 0
}

func (f *flusher) finish() {
	served := f.served
	f.busy = false
	if len(f.waiting) > 0 {
		f.served = nil // still read below
		f.start()
	}
	for _, w := range served {
		f.k.At(f.k.Now(), w.done, w.arg)
	}
}
