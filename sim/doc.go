// Package sim is a discrete-event simulation engine.
//
// A [Kernel] holds the clock and the calendar of pending events. Time is a
// whole number of nanoseconds; events at the same instant run in the order in
// which they were scheduled, so a run is a pure function of its inputs.
//
// Three styles stand on one another:
//
//   - events: a handler, registered once, is called with a small argument
//     (Kernel.Handler, Kernel.At). Nothing is allocated per event.
//   - coroutines: a script that holds and parks ([Coroutine]), for models that
//     read like the code they stand for.
//   - threads: a coroutine that needs a core of a [Processor] to run
//     ([Thread]). It works, sleeps, is preempted and woken, and every
//     nanosecond of its life is charged to an [Activity].
//
// A [Station] of cores and a [Device] serve models in event style.
// Coroutines and threads meet at [Lock], [Signal] and [Mailbox]. [Streams]
// gives named random substreams, so that two variants of a model see the same
// randomness. [Tally], [TimeWeighted], [StudentInterval] and their neighbours
// turn runs into figures with their doubt. Package experiment runs grids of
// replications in parallel.
package sim
