package scheduler

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"avsim/workload/guc"
)

// overrides are the single choices that can be made apart from a strategy, by
// the name and the values that --choice takes.
var overrides = map[string]map[string]func(*Choices){
	"claim": {
		"after-recheck":  func(c *Choices) { c.Claim = ClaimAfterRecheck },
		"before-recheck": func(c *Choices) { c.Claim = ClaimBeforeRecheck },
	},
	"reach": {
		"any":           func(c *Choices) { c.Reach = AnyUnclaimed },
		"above-highest": func(c *Choices) { c.Reach = AboveHighest },
	},
	"order": {
		"catalogue": func(c *Choices) { c.Order = CatalogueOrder },
		"oid":       func(c *Choices) { c.Order = OIDOrder },
	},
	"recheck": {
		"fresh":          func(c *Choices) { c.Recheck = RecheckFresh },
		"snapshot-first": func(c *Choices) { c.Recheck = RecheckSnapshotFirst },
		"none":           func(c *Choices) { c.Recheck = RecheckNone },
	},
	"writes": {
		"serve-all":   func(c *Choices) { c.Writes = WriteServesAll },
		"per-inquiry": func(c *Choices) { c.Writes = WritePerInquiry },
	},
}

// Override makes a single choice, such as recheck=none or freshness=500ms.
// Freshness is a time, or none.
func (c *Choices) Override(assignment string) error {
	name, value, err := guc.ParseAssignment(assignment)
	if err != nil {
		return err
	}
	if name == "freshness" {
		return c.overrideFreshness(value)
	}
	values, ok := overrides[name]
	if !ok {
		known := append(slices.Sorted(maps.Keys(overrides)), "freshness")
		return fmt.Errorf("unknown choice %q%s (known: %s)", name, suggest(name, known), strings.Join(known, ", "))
	}
	set, ok := values[value]
	if !ok {
		known := slices.Sorted(maps.Keys(values))
		return fmt.Errorf("choice %s: unknown value %q%s (known: %s)", name, value, suggest(value, known), strings.Join(known, ", "))
	}
	set(c)
	return nil
}

func (c *Choices) overrideFreshness(value string) error {
	if value == "none" {
		c.Freshness = 0
		return nil
	}
	d, err := time.ParseDuration(value)
	if err != nil || d <= 0 || d > time.Hour {
		return fmt.Errorf("choice freshness: %q is not a time above 0 such as 10ms or 500ms, nor none", value)
	}
	c.Freshness = d
	return nil
}

// suggest is ", did you mean …?" where something is near enough.
func suggest(word string, known []string) string {
	if near := guc.Nearest(word, known); near != "" {
		return fmt.Sprintf(", did you mean %q?", near)
	}
	return ""
}
