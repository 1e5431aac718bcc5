// Package study runs measurements over a grid of points: tables, workers,
// processors, strategies, settings, figures of the host. A Grid is the product of
// axes, each over a part of a point, and makes its points when they are needed.
// A Study turns a point into the scheduler's Config, its replications into a row of
// a result table, and the whole of the inputs into a hash, so that a result can be
// told from another.
package study
