package sim

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Streams gives out the random substreams of one replication by name.
//
// A substream is a function of the seed, the replication and its name alone.
// Two models that draw their arrivals from the stream "arrivals" therefore meet
// the same arrivals, whatever else either of them draws: common random numbers
// (Law, Simulation Modeling and Analysis, 5th ed., section 11.2). A part added
// to a model draws from a stream of its own and moves no other.
type Streams struct {
	seed        uint64
	replication uint64
}

// NewStreams returns the substreams of a replication, counted from 0. Any seed
// is as good as any other, 0 included.
func NewStreams(seed uint64, replication int) Streams {
	return Streams{seed: seed, replication: uint64(replication)}
}

// Named returns the substream of that name at its beginning: asked for twice,
// it gives the same numbers twice, so a model keeps the one it was given.
//
// The 128 bits of the PCG generator's state are the head of a SHA-256 over
// seed, replication and name, so that neighbouring seeds and similar names
// start far apart. The overlap of two streams of n draws has a probability of
// about n/2^127.
func (s Streams) Named(name string) *rand.Rand {
	key := make([]byte, 0, 64)
	key = binary.LittleEndian.AppendUint64(key, s.seed)
	key = binary.LittleEndian.AppendUint64(key, s.replication)
	key = append(key, name...)
	sum := sha256.Sum256(key)
	return rand.New(rand.NewPCG(
		binary.LittleEndian.Uint64(sum[0:8]),
		binary.LittleEndian.Uint64(sum[8:16]),
	))
}
