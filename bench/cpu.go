package main

import (
	"runtime"
	"syscall"
)

// cpuTime is the processor time that this process has used, in ns: what other work on the
// machine changes little, unlike the time on the wall.
func cpuTime() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// perUnit times n units of m, in ns each.
func (m measured) perUnit(n int) float64 {
	run := m.start()
	runtime.GC()
	began := cpuTime()
	run(n)
	return float64(cpuTime()-began) / float64(n)
}
