package main

import "math/rand/v2"

// The M/M/1 queue as one writes it in plain Go for this one purpose: two kinds of
// event in a 4-ary heap of values, in the exact order of time and of scheduling, a ring
// of arrival times, and the sum of the times in the system.

type kind uint8

const (
	arrival kind = iota
	departure
)

type plainEvent struct {
	at   float64 // seconds
	seq  uint64
	kind kind
}

func (e *plainEvent) before(f *plainEvent) bool {
	return e.at < f.at || e.at == f.at && e.seq < f.seq
}

// plainHeap is a 4-ary heap.
type plainHeap []plainEvent

func (h *plainHeap) push(e plainEvent) {
	*h = append(*h, e)
	a, i := *h, len(*h)-1
	for i > 0 {
		parent := (i - 1) / 4
		if !e.before(&a[parent]) {
			break
		}
		a[i] = a[parent]
		i = parent
	}
	a[i] = e
}

func (h *plainHeap) pop() plainEvent {
	a, last := *h, len(*h)-1
	top, e := a[0], a[last]
	a = a[:last]
	*h = a
	if last == 0 {
		return top
	}
	i := 0
	for {
		first := 4*i + 1
		if first >= last {
			break
		}
		least := first
		for j := first + 1; j < min(first+4, last); j++ {
			if a[j].before(&a[least]) {
				least = j
			}
		}
		if !a[least].before(&e) {
			break
		}
		a[i] = a[least]
		i = least
	}
	a[i] = e
	return top
}

// mm1Plain runs the queue until so many customers have been served and returns their
// mean time in the system, in seconds.
func mm1Plain(r *rand.Rand, lambda, mu float64, customers int) float64 {
	var (
		heap plainHeap
		seq  uint64
		line []float64 // arrival times of those in the system, from head on
		head int
		sum  float64
	)
	schedule := func(at float64, k kind) {
		seq++
		heap.push(plainEvent{at, seq, k})
	}
	schedule(r.ExpFloat64()/lambda, arrival)
	for served := 0; served < customers; {
		e := heap.pop()
		switch e.kind {
		case arrival:
			line = append(line, e.at)
			if len(line)-head == 1 {
				schedule(e.at+r.ExpFloat64()/mu, departure)
			}
			schedule(e.at+r.ExpFloat64()/lambda, arrival)
		case departure:
			sum += e.at - line[head]
			served++
			if head++; head < len(line) {
				schedule(e.at+r.ExpFloat64()/mu, departure)
			} else {
				line, head = line[:0], 0
			}
		}
	}
	return sum / float64(customers)
}
