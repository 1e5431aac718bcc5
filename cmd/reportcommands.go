package cmd

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"avsim/scheduler/study"
	"avsim/sim/experiment"
	"avsim/workload/scenario"
)

// commandLine writes arguments as a shell takes them.
func commandLine(words ...string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = shellWord(w)
	}
	return strings.Join(out, " ")
}

// arguments are those that run a scenario as the flags say.
func (f *runFlags) arguments(name string) []string {
	out := []string{name}
	for _, x := range []struct{ flag, value string }{{"--variant", f.variant}, {"--pg", f.pg}, {"--strategy", f.strategy}, {"--host", f.host}, {"--for", f.runFor}} {
		if x.value != "" {
			out = append(out, x.flag, x.value)
		}
	}
	for _, a := range f.set {
		out = append(out, "--set", a)
	}
	if f.seedGiven {
		out = append(out, "--seed", strconv.FormatUint(f.seed, 10))
	}
	return out
}

// runAgain finds the flags by which a built-in scenario gives a run of these inputs, and
// makes sure by the hash that it does.
func runAgain(in runInputs) (*runFlags, *scenario.Run, bool) {
	sc, err := scenario.LoadRun(in.Scenario)
	if err != nil || !builtInRun(in.Scenario) {
		return nil, nil, false
	}
	tries := []runFlags{{}}
	for _, v := range sc.Variants() {
		tries = append(tries, runFlags{variant: v.Name})
	}
	for _, f := range tries {
		if f.variant == "" && len(sc.Variants()) > 0 {
			continue
		}
		if found, ok := f.matching(in); ok {
			return found, sc, true
		}
	}
	return nil, nil, false
}

// matching adds flags where the scenario's own value is another.
func (f *runFlags) matching(in runInputs) (*runFlags, bool) {
	own, cfg, err := f.config(in.Scenario)
	if err != nil {
		return nil, false
	}
	if cfg.Settings.Version().String() != in.PG {
		f.pg = in.PG
	}
	if own.RunFor.Seconds() != in.RunFor {
		f.runFor = strconv.FormatFloat(in.RunFor, 'f', -1, 64) + "s"
	}
	if own.Seed != in.Seed {
		f.seed, f.seedGiven = in.Seed, true
	}
	if cfg.Host.Name != in.Host {
		f.host = in.Host
	}
	for _, a := range in.Settings {
		if !slices.Contains(cfg.Settings.Overrides(), a) {
			f.set = append(f.set, a)
		}
	}
	for _, strategy := range []string{"", in.Strategy} {
		f.strategy = strategy
		if sc, cfg, err := f.config(in.Scenario); err == nil && newRunInputs(sc, cfg).InputHash == in.InputHash {
			return f, true
		}
	}
	return nil, false
}

// sweepAgain is the command of a sweep of a contest whose inputs have the hash of this
// result; "" where none was found.
func sweepAgain(t *experiment.Table) string {
	values := func(column string) []string { return t.Distinct(column) }
	hash, settings := values("input_hash"), values("settings")
	if len(hash) != 1 || len(settings) != 1 || len(values("replications")) != 1 {
		return ""
	}
	for _, name := range scenario.Names() {
		if words, ok := contestAgain(pointFlags{scenario: name, grid: true}, values, settings[0], hash[0], len(t.Rows)); ok {
			if name != defaultScenario {
				words = append([]string{name}, words...)
			}
			return commandLine(append([]string{"avsim", "sweep"}, words...)...)
		}
	}
	return ""
}

// compareAgain is the command of compare whose inputs have the hash of this result; ""
// where none was found. A longest window of --window is not told by the result.
func compareAgain(out *compareOutput) string {
	at := out.Point
	known := map[string][]string{"tables": {itoa(at.Tables)}, "workers": {itoa(at.Workers)}, "cpus": {itoa(at.CPUs)}, "due_share": {decimal(at.DueShare)}, "start": {at.Start},
		"host": {at.Host}, "pg": {at.PG}, "seed": {strconv.FormatUint(at.Seed, 10)}, "replications": {itoa(at.Replications)}}
	for _, r := range out.Results {
		known["strategy"] = append(known["strategy"], r.Strategy)
	}
	sc, err := scenario.BuiltIn(at.Scenario)
	if err != nil {
		return ""
	}
	settings := slices.Concat(at.Settings, at.Choices)
	for _, s := range sc.Assignments() { // the scenario's own come first
		if len(settings) > 0 && settings[0] == s[0]+"="+s[1] {
			settings = settings[1:]
		}
	}
	words, ok := contestAgain(pointFlags{scenario: at.Scenario}, func(column string) []string { return known[column] }, strings.Join(settings, " "), at.InputHash, len(out.Results))
	if !ok {
		return ""
	}
	if at.Scenario != defaultScenario {
		words = append([]string{"--scenario", at.Scenario}, words...)
	}
	return commandLine(slices.Concat([]string{"avsim", "compare"}, words, []string{"--format", "json"})...)
}

// contestAgain finds the flags by which a contest over a scenario has the hash and the
// number of points of a result.
func contestAgain(base pointFlags, values func(string) []string, settings, hash string, points int) ([]string, bool) {
	for _, pg := range []string{"", strings.Join(values("pg"), ",")} {
		for _, strategies := range [][]string{values("strategy"), nil} {
			f := base
			f.pg, f.strategy = pg, strategies
			words := f.fromResult(values, settings)
			st, g, err := f.contest(pflag.NewFlagSet("", pflag.ContinueOnError), nothingElse)
			if err != nil {
				continue
			}
			if s, err := study.Look(st, g, nil); err == nil && s.Hash == hash && s.Points == points {
				return words, true
			}
		}
	}
	return nil, false
}

// variantsAgain is the command that runs the variants of a built-in scenario with the hash
// that each has here; "" where none was found.
func variantsAgain(out *variantsOutput) string {
	f, _, ok := runAgain(out.Variants[0].Run)
	if !ok {
		return ""
	}
	for _, v := range out.Variants {
		f.variant = v.Name
		if sc, cfg, err := f.config(out.Scenario); err != nil || newRunInputs(sc, cfg).InputHash != v.Run.InputHash {
			return ""
		}
	}
	f.variant = ""
	return commandLine(slices.Concat([]string{"avsim", "run"}, f.arguments(out.Scenario), []string{"--format", "json"})...)
}

// hashAgain is the command of a built-in scenario of run, as it stands or with another
// seed, whose inputs have this hash; "" where none was found.
func hashAgain(hash string, seed uint64) string {
	for _, e := range scenario.List() {
		if e.Kind != scenario.KindRun {
			continue
		}
		sc, err := scenario.LoadRun(e.Name)
		if err != nil {
			continue
		}
		runs := sc.Variants()
		if len(runs) == 0 {
			runs = []scenario.Variant{{Run: sc}}
		}
		for _, v := range runs {
			f := runFlags{variant: v.Name}
			if v.Run.Seed != seed {
				f.seed, f.seedGiven = seed, true
			}
			if cfg, err := f.configOf(v.Run); err == nil && newRunInputs(v.Run, cfg).InputHash == hash {
				return commandLine(slices.Concat([]string{"avsim", "run"}, f.arguments(e.Name), []string{"--format", "csv"})...)
			}
		}
	}
	return ""
}

func nothingElse(*scenario.Scenario) (string, string) { return "", "" }

// fromResult sets flags to the values that a result has, and returns them as words.
func (f *pointFlags) fromResult(values func(string) []string, settings string) (words []string) {
	put := func(flag, value string) string {
		if value != "" {
			words = append(words, "--"+flag, value)
		}
		return value
	}
	list := func(column string) string { return strings.Join(values(column), ",") }
	f.tables, f.workers = put("tables", list("tables")), put("workers", list("workers"))
	f.cpus, f.dueShare, f.start = put("cpus", list("cpus")), put("due-share", list("due_share")), put("start", list("start"))
	f.host = put("host", list("host"))
	put("pg", f.pg)
	put("strategy", strings.Join(f.strategy, ","))
	for a := range strings.FieldsSeq(settings) {
		name, _, _ := strings.Cut(a, "=")
		figure, ofHost := strings.CutPrefix(a, "host.")
		switch {
		case ofHost:
			f.hostSet = append(f.hostSet, put("host-set", figure))
		case name == "longest_window":
			_, f.window, _ = strings.Cut(a, "=")
			put("window", f.window)
		case isSetting(name):
			f.set = append(f.set, put("set", a))
		default:
			f.choices = append(f.choices, put("choice", a))
		}
	}
	f.seed, _ = strconv.ParseUint(put("seed", list("seed")), 10, 64)
	f.replications, _ = strconv.Atoi(put("replications", list("replications")))
	return words
}
