package scheduler

import (
	"avsim/sim"
	"avsim/workload"
)

// statistics is what the collector knows about each table, with as much of its
// past as a file that is still read may hold. A file is then no copy but a
// number: how many messages the collector had taken in when it began to write.
type statistics struct {
	initial []workload.Counts
	newest  []int32 // per table, its newest change in changes; 0 none
	changes []change
}

// change is what a table's counts are from one message on.
type change struct {
	taken  uint32 // messages taken in, this one included
	older  int32
	counts workload.Counts
}

func newStatistics(initial []workload.Counts) *statistics {
	return &statistics{
		initial: initial,
		newest:  make([]int32, len(initial)),
		changes: make([]change, 1),
	}
}

// at is what the statistics of taken messages say about a table.
func (s *statistics) at(table int32, taken uint32) workload.Counts {
	i := s.newest[table]
	for i != 0 && s.changes[i].taken > taken {
		i = s.changes[i].older
	}
	if i == 0 {
		return s.initial[table]
	}
	return s.changes[i].counts
}

// set is the effect of the message number taken.
func (s *statistics) set(table int32, taken uint32, c workload.Counts) {
	s.changes = append(s.changes, change{taken: taken, older: s.newest[table], counts: c})
	s.newest[table] = int32(len(s.changes) - 1)
}

// snapshot is the statistics that a worker has in hand.
type snapshot struct {
	taken uint32   // messages that the collector had taken in
	stamp sim.Time // when the collector began to write the file
}
