// Package lab runs every strategy through a panel of scenarios with common random numbers,
// and tells by paired differences which is best at what.
//
// A replication is a seed: the tables that a scenario draws, the times at which rows change
// and all else that is random are the same for all strategies, so that the difference of two
// of them has a much narrower interval than either has.
package lab
