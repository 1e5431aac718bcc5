// Package foreground has what the application feels: transactions that share
// processors, device and buffers with VACUUM, and that cost more as tables bloat.
//
// Two parts stand apart, each a function of its inputs:
//
//   - [Costs] turns the state of the tables (live and dead rows, pages) into what a
//     transaction asks for: processor time, pages that it waits for, pages that it
//     leaves to be written, bytes of log. Which pages are in memory follows from the
//     rates at which they are looked at (Che's approximation), never from a constant.
//   - [Simulate] runs clients, closed or open, against a station of cores, a device
//     and the log, with or without a VACUUM at work beside them, for some thousands
//     of transactions, and tells throughput and latencies.
//
// Tables change over minutes, queues settle in fractions of a second. So a window is
// simulated with the tables as they stand, and windows are strung together: what
// Green and Kolesar call the pointwise stationary approximation (Management Science
// 37, 1991).
//
// Left out: locks between transactions and on the log's insertion slots (a machine
// of many cores comes out too fast at its peak), checkpoints as bursts, plans.
package foreground
