package plots

import (
	"fmt"
	"slices"
	"strings"

	"avsim/sim/experiment"
)

// settingTexts tells how a setting's value reads in a subtitle.
var settingTexts = []struct {
	column string
	text   func(values []string) string
}{
	{"tables", countsText("table")},
	{"workers", countsText("worker")},
	{"host", func(v []string) string { return "host " + list(v) }},
	{"cpus", countsText("CPU")},
	{"due_share", dueText},
	{"start", func(v []string) string { return list(v) + " start" }},
	{naptimeColumn, func(v []string) string { return "naptime " + list(v) + " s" }},
	{"pg", func(v []string) string { return "PostgreSQL " + list(v) }},
	{"scenario", func(v []string) string { return list(v) }},
	{"settings", func(v []string) string { return list(v) }},
}

// countsText returns a function that tells counts: "1 CPU", "10,000 tables", "2 and 4 CPUs".
func countsText(noun string) func([]string) string {
	return func(counts []string) string {
		if len(counts) == 1 {
			return counted(counts[0], noun)
		}
		return list(counts) + " " + noun + "s"
	}
}

func dueText(shares []string) string {
	var texts []string
	for _, text := range shares {
		share, ok := parse(text)
		switch {
		case !ok:
			texts = append(texts, text)
		case share == 1:
			texts = append(texts, "all")
		default:
			texts = append(texts, percent(share))
		}
	}
	if len(texts) == 1 && texts[0] == "all" {
		return "all tables due"
	}
	return list(texts) + " of the tables due"
}

// list joins values: "a, b and c", and counts the rest where they are many.
func list(values []string) string {
	const most = 4
	switch n := len(values); {
	case n == 1:
		return values[0]
	case n > most:
		return fmt.Sprintf("%s and %d others", strings.Join(values[:most-1], ", "), n-most+1)
	default:
		return strings.Join(values[:n-1], ", ") + " and " + values[n-1]
	}
}

// settingSubtitle names the setting of the rows: what they have in common
// beyond the columns that are drawn.
func settingSubtitle(table *experiment.Table, rows []int, drawn ...string) string {
	var parts []string
	for _, setting := range settingTexts {
		values := distinctSorted(table, rows, setting.column)
		if slices.Contains(drawn, setting.column) {
			if setting.column != "settings" {
				continue
			}
			values = []string{strings.Join(commonSettings(table), " ")}
		}
		values = slices.DeleteFunc(values, func(s string) bool { return s == "" })
		if len(values) > 0 {
			parts = append(parts, setting.text(values))
		}
	}
	return strings.Join(parts, " · ")
}

// provenance says where the rows come from: model, seed, inputs, replications.
// Intervals is what the intervals are drawn as, empty if none are.
func provenance(table *experiment.Table, rows []int, intervals string) string {
	var parts []string
	add := func(column, format string, shorten int) {
		values := distinctSorted(table, rows, column)
		values = slices.DeleteFunc(values, func(s string) bool { return s == "" })
		for i, v := range values {
			if runes := []rune(v); shorten > 0 && len(runes) > shorten {
				values[i] = string(runes[:shorten])
			}
		}
		if len(values) > 2 {
			values = []string{fmt.Sprintf("%s and %d others", values[0], len(values)-1)}
		}
		if len(values) > 0 {
			parts = append(parts, fmt.Sprintf(format, strings.Join(values, " and ")))
		}
	}
	add("model_version", "avsim %s", 0)
	add("seed", "seed %s", 0)
	add("input_hash", "inputs %s", 12)
	if text := replications(table, rows); text != "" {
		parts = append(parts, text)
	}
	if intervals != "" {
		parts = append(parts, "95 % intervals ("+intervals+")")
	}
	return strings.Join(parts, " · ")
}

func replications(table *experiment.Table, rows []int) string {
	values := distinctSorted(table, rows, "replications")
	values = slices.DeleteFunc(values, func(s string) bool { return s == "" })
	switch {
	case len(values) == 0:
		return ""
	case len(values) == 1:
		return counted(values[0], "replication")
	}
	return values[0] + " to " + values[len(values)-1] + " replications"
}

// strategyKeys tell in a few words how a strategy claims a table.
var strategyKeys = []struct{ strategy, text string }{
	{"original", "recheck under the lock"},
	{"claim-release", "claim, release, recheck"},
	{"leapfrog", "only above the highest oid claimed"},
	{"stale-first", "claim-release, asking the snapshot in hand first"},
	{"shared-stats", "claim-release, statistics in shared memory"},
}

// strategyKey explains those of the strategies that are known.
func strategyKey(strategies []string) []string {
	var key []string
	for _, k := range strategyKeys {
		if slices.Contains(strategies, k.strategy) {
			key = append(key, k.strategy+": "+k.text)
		}
	}
	return key
}

// provenanceColumns are copied into every figure's data.
var provenanceColumns = []string{"model_version", "seed", "input_hash", "replications"}

// runColumns are copied into the data of every figure of a run, so that it can be drawn
// again with all that is written around it.
var runColumns = append([]string{"scenario", "pg", "host", "tables", "workers", "autovacuum_naptime_seconds", "settings"}, provenanceColumns...)
