package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"avsim/workload/guc"
	"avsim/workload/yamlfile"
)

// Kind is what a scenario file is for.
type Kind string

// A scenario of KindMeasure is for compare and sweep, one of KindRun for run.
const (
	KindMeasure Kind = "measure"
	KindRun     Kind = "run"
)

// Keys that only files of one kind have, at the beginning of a line or of the
// file's mapping.
var (
	runKeys     = regexp.MustCompile(`(?m)^\{?["']?(databases|run_for|expect|changes|progress|warm_up|horizons|locks|incidents)["']?\s*:`)
	measureKeys = regexp.MustCompile(`(?m)^\{?["']?(population|compare|sweep|strategies|start|window)["']?\s*:`)
)

// KindOf tells what a file is for by its keys; one with none that tells is for
// run.
func KindOf(text []byte) Kind {
	if measureKeys.Match(text) && !runKeys.Match(text) {
		return KindMeasure
	}
	return KindRun
}

// Entry is a built-in scenario.
type Entry struct {
	Name, Title string
	Kind        Kind
}

// List returns all built-in scenarios, sorted by name.
func List() []Entry {
	var out []Entry
	for _, name := range builtInNames() {
		text, err := Text(name)
		if err != nil {
			panic(err) // embedded at build time
		}
		out = append(out, Entry{Name: name, Title: titleOf(text), Kind: KindOf(text)})
	}
	return out
}

var titleLine = regexp.MustCompile(`(?m)^title: (.*)$`)

// titleOf is the title of a built-in scenario, which has it on a line of its
// own, unquoted.
func titleOf(text []byte) string {
	if m := titleLine.FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return ""
}

func builtInNames() []string {
	entries, err := builtin.ReadDir("builtin")
	if err != nil {
		panic(err) // embedded at build time
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	slices.Sort(names)
	return names
}

func namesOf(k Kind) []string {
	var names []string
	for _, e := range List() {
		if e.Kind == k {
			names = append(names, e.Name)
		}
	}
	return names
}

var caseName = regexp.MustCompile(`^t\d\d-`)

// IsCase tells whether a built-in scenario retells a public case (docs/cases.md).
func IsCase(name string) bool { return caseName.MatchString(name) }

// Text returns the file of a built-in scenario of either kind. The error for an
// unknown name suggests the nearest.
func Text(name string) ([]byte, error) {
	if !slices.Contains(builtInNames(), name) {
		return nil, unknown(name, builtInNames())
	}
	return builtin.ReadFile("builtin/" + name + ".yaml")
}

// seeList is where to look; there are too many built-in scenarios to name them all.
const seeList = "avsim scenarios list shows those that are built in"

func unknown(name string, among []string) error {
	hint := ""
	if near := guc.Nearest(name, among); near != "" {
		hint = fmt.Sprintf(", did you mean %s?", near)
	}
	return fmt.Errorf("no scenario %s%s (%s)", yamlfile.Quote(name), hint, seeList)
}

// Schema is the JSON schema of the files that ParseRun reads.
func Schema() []byte {
	d := &yamlfile.Decoder{Noun: noun}
	return yamlfile.JSONSchema("a scenario of avsim run", newRunFile(d).value())
}
