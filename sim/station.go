package sim

import "time"

// Station is a number of equal cores under processor sharing, in event style: a
// job of d is done after d of service, of which each of n jobs gets the share
// min(1, cores/n), and then its handler is called. It is to NewSharing what an
// event is to a thread: nothing is allocated per job, and there is no account.
type Station struct {
	k        *Kernel
	cores    int64
	jobs     []stationJob // a heap by finish, then seq
	attained int64        // service that a job here since the start would have, in 1/sharedScale ns
	updated  Time
	used     time.Duration
	gen      int64
	seq      uint64
	alarm    HandlerID
}

type stationJob struct {
	finish int64 // value of attained at which it is done
	seq    uint64
	arg    int64
	done   HandlerID
}

func (a *stationJob) before(b *stationJob) bool {
	return a.finish < b.finish || a.finish == b.finish && a.seq < b.seq
}

// NewStation returns a station of so many cores, at least one.
func NewStation(k *Kernel, cores int) *Station {
	if cores < 1 {
		panic("sim: a station needs at least one core")
	}
	s := &Station{k: k, cores: int64(cores)}
	s.alarm = k.Handler(s.ring)
	return s
}

// Serve brings a job of d; once it is done, handler done is called with arg.
func (s *Station) Serve(d time.Duration, done HandlerID, arg int64) {
	s.update()
	s.seq++
	s.used += d
	s.push(stationJob{finish: s.attained + int64(d)*sharedScale, seq: s.seq, arg: arg, done: done})
	s.arm()
}

// Demanded is the core time of all jobs that were ever brought.
func (s *Station) Demanded() time.Duration { return s.used }

// Jobs is the number of jobs that are there.
func (s *Station) Jobs() int { return len(s.jobs) }

func (s *Station) ring(gen int64) {
	if gen != s.gen {
		return
	}
	s.update()
	job := s.pop()
	s.arm()
	s.k.handlers[job.done](job.arg)
}

// update brings the attained service up to now.
func (s *Station) update() {
	if n := int64(len(s.jobs)); n > 0 {
		gain := int64(s.k.now-s.updated) * sharedScale
		if n > s.cores {
			gain = gain/n*s.cores + gain%n*s.cores/n
		}
		s.attained += gain
	}
	s.updated = s.k.now
}

// arm times the next completion anew.
func (s *Station) arm() {
	s.gen++
	n := int64(len(s.jobs))
	if n == 0 {
		return
	}
	left := max(s.jobs[0].finish-s.attained, 0)
	unit := min(s.cores, n) * sharedScale
	s.k.After(time.Duration(left/unit*n+(left%unit*n+unit-1)/unit), s.alarm, s.gen)
}

func (s *Station) push(j stationJob) {
	s.jobs = append(s.jobs, j)
	h, i := s.jobs, len(s.jobs)-1
	for i > 0 && j.before(&h[(i-1)/2]) {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = j
}

func (s *Station) pop() stationJob {
	h, last := s.jobs, len(s.jobs)-1
	top, j := h[0], h[last]
	h = h[:last]
	s.jobs = h
	for i := 0; last > 0; {
		child := 2*i + 1
		if child+1 < last && h[child+1].before(&h[child]) {
			child++
		}
		if child >= last || !h[child].before(&j) {
			h[i] = j
			break
		}
		h[i] = h[child]
		i = child
	}
	return top
}
