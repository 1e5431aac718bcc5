package sim

import "time"

// DeviceSpec is what a device costs.
type DeviceSpec struct {
	// Depth is how many requests it works on at once; others wait in the order
	// in which they came. At least one.
	Depth int
	// Bandwidth is in bytes a second, shared by all requests, one after the
	// other; zero for no limit.
	Bandwidth float64
}

// Device is a disk, in event style: a request takes one of a number of places
// for its latency and for the passage of its bytes over a path that all share.
// Without a bandwidth it is a queue with Depth servers, without latencies one with
// a single server.
type Device struct {
	k      *Kernel
	spec   DeviceSpec
	active int
	queue  []deviceRequest
	head   int
	free   Time // of the path
	bytes  int64
	busy   TimeWeighted
	slots  []deviceRequest // under way, by place
	places []int64         // free places of slots
	flow   HandlerID
	finish HandlerID
}

type deviceRequest struct {
	bytes   int64
	latency time.Duration
	arg     int64
	done    HandlerID
}

// NewDevice returns an idle device.
func NewDevice(k *Kernel, spec DeviceSpec) *Device {
	if spec.Depth < 1 {
		panic("sim: a device needs a depth of at least one")
	}
	d := &Device{k: k, spec: spec}
	d.flow, d.finish = k.Handler(d.transfer), k.Handler(d.complete)
	return d
}

// Request asks for so many bytes, which flow after a latency; once they are there,
// handler done is called with arg.
func (d *Device) Request(bytes int64, latency time.Duration, done HandlerID, arg int64) {
	r := deviceRequest{bytes, latency, arg, done}
	if d.active == d.spec.Depth {
		d.queue = append(d.queue, r)
		return
	}
	d.active++
	d.busy.Set(d.k.now, float64(d.active))
	d.start(r)
}

// Bytes are those of all requests that were done.
func (d *Device) Bytes() int64 { return d.bytes }

// Utilization is the mean share of the places that were taken.
func (d *Device) Utilization() float64 { return d.busy.Mean(d.k.now) / float64(d.spec.Depth) }

func (d *Device) start(r deviceRequest) {
	var place int64
	if n := len(d.places); n > 0 {
		place = d.places[n-1]
		d.places = d.places[:n-1]
		d.slots[place] = r
	} else {
		place = int64(len(d.slots))
		d.slots = append(d.slots, r)
	}
	d.k.After(r.latency, d.flow, place)
}

func (d *Device) transfer(place int64) {
	d.free = max(d.free, d.k.now)
	if d.spec.Bandwidth > 0 {
		d.free = d.free.Add(time.Duration(float64(d.slots[place].bytes) / d.spec.Bandwidth * 1e9))
	}
	d.k.At(d.free, d.finish, place)
}

func (d *Device) complete(place int64) {
	r := d.slots[place]
	d.places = append(d.places, place)
	d.bytes += r.bytes
	if d.head < len(d.queue) {
		next := d.queue[d.head]
		if d.head++; d.head == len(d.queue) {
			d.queue, d.head = d.queue[:0], 0
		}
		d.start(next)
	} else {
		d.active--
		d.busy.Set(d.k.now, float64(d.active))
	}
	d.k.handlers[r.done](r.arg)
}
