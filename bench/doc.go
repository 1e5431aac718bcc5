// Command bench measures the engine beside what one could take instead, all in
// one run on one machine: the M/M/1 queue, the hold model, a switch between two
// processes, and a thousand threads at one lock. README.md says how to run it.
package main
