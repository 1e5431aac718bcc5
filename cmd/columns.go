package cmd

import (
	"slices"
	"strings"
)

// columnKind is what a column of a result holds.
type columnKind int

const (
	numberKind columnKind = iota
	wholeKind
	seedKind // a whole number that takes all 64 bits
	textKind
)

// textColumns are those whose fields are texts, though some look like numbers;
// wholeColumns hold whole numbers.
var (
	textColumns  = []string{"model_version", "input_hash", "host", "pg", "strategy", "start", "settings", "exhausted", "verdict", "scenario", "variant", "measure", "mark"}
	wholeColumns = []string{"tables", "workers", "cpus", "replications", "vacuums", "verdict_replications"}
)

// kindOf is what a column of a result holds: what has no other kind is a number.
func kindOf(column string) columnKind {
	switch {
	case column == "seed":
		return seedKind
	case slices.Contains(textColumns, column), strings.HasPrefix(column, "choice_"), strings.HasSuffix(column, "_text"):
		return textKind
	case slices.Contains(wholeColumns, column):
		return wholeKind
	}
	return numberKind
}
