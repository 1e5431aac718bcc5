// Package advise searches for the cheapest settings under which a scenario meets an
// objective.
//
//	objective, err := advise.ParseObjective("p99_lateness<10min, dead_share<0.3")
//	…
//	advice, err := advise.Search(ctx, problem)
//
// What may be changed is a [Space]: a list of [Dimension]s, each with a few sensible
// values in the order of what they do. Two of them cost something that others could
// use: the I/O budget (limit over delay) and the worker slots. The price of a point is
// their product, budget × slots, so that half as much again of the one weighs as much
// as half as much again of the other. The other dimensions go one way only, towards
// more: visits more often, vacuums earlier, more memory. Later vacuums are never
// proposed: a table that is called due later is not vacuumed better.
//
// The search simulates. It looks for the least budget for each number of slots, with
// the other dimensions as they are and with each of them moved (the front), takes the
// point of least price, of equal ones that with fewest changes, then that which spends
// least, and steps down from there until each single step misses the objective. It
// takes it that more budget and slots do no harm; the steps that it ends at were
// simulated whether that is so or not.
//
// A point meets the objective if it does in each replication, and so does the end of
// the 95 % interval of their mean that lies towards the bound.
package advise
