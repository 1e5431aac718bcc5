package scenario

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"avsim/workload"
	"avsim/workload/guc"
	"avsim/workload/host"
	"avsim/workload/yamlfile"
)

const noun = "scenario"

// Run is a scenario of avsim run: a server, what is in its databases, and what
// is done to it for a while.
type Run struct {
	Name, Title, Description string

	PG       guc.Version
	Host     string // name of a built-in profile, or a file
	Strategy string // "" for the version's own; the name is not checked here

	// Assignments are the settings as they stand in the file, Settings the
	// version's defaults with these.
	Assignments [][2]string
	Settings    guc.Settings
	Changes     []Change // in the order of time

	RunFor, WarmUp time.Duration
	Seed           uint64 // 1 unless the file gives one

	// Foreground is the application, nil where the file has none.
	Foreground *workload.Foreground

	Expect []string // not parsed here
	Claims []Claim  // likewise
	Answer string   // in words, with figures of the results in braces

	// Text is the file, Filename what it is called in errors.
	Text     []byte
	Filename string

	file     *runFile
	variants []Variant
	instead  overrides // what holds instead of what the file says
}

// Change is a change of settings while the server runs, taken over as by a
// reload.
type Change struct {
	At          time.Duration
	Assignments [][2]string
}

// ParseRun reads a scenario of avsim run. Every error is one line of the form
//
//	file:line:column: field: what was found; accepted is …
func ParseRun(text []byte, filename string) (*Run, error) {
	return parseRun(text, filename, overrides{})
}

// ForPG is the same scenario under another version of PostgreSQL, and with it those of
// its variants that have none of their own. Settings and storage parameters that the version
// does not have are errors.
func (r *Run) ForPG(v guc.Version) (*Run, error) {
	instead := r.instead
	instead.pg = &v
	return parseRun(r.Text, r.Filename, instead)
}

// Changed is the same scenario, without its variants, with values in other places of
// the file's, and under another version of PostgreSQL if one is given.
func (r *Run) Changed(changes []yamlfile.Change, v *guc.Version) (*Run, error) {
	instead := r.instead
	instead.variant = true
	instead.changes = append(slices.Clone(instead.changes), changes...)
	if v != nil {
		instead.pg = v
	}
	return parseRun(r.Text, r.Filename, instead)
}

// Departures are the values that hold in places of the file's own, as path=value, in the
// order in which they were put there: those of Changed, and of a variant's set.
func (r *Run) Departures() (out []string) {
	for _, c := range r.instead.changes {
		out = append(out, c.Path+"="+c.Value)
	}
	return out
}

// Lasting is the same scenario with another length. What the file does after
// its end does not happen; World holds what happens before it to what can be.
func (r *Run) Lasting(length time.Duration) *Run {
	out, file := *r, *r.file
	out.RunFor, file.runFor = length, length
	out.file = &file
	out.variants = nil
	for _, v := range r.variants {
		out.variants = append(out.variants, Variant{v.Name, v.Lasting(length), v.OwnPG})
	}
	return &out
}

// ParseRunFor reads a length of a run as run_for has it, within its bounds.
func ParseRunFor(text string) (time.Duration, error) {
	d, ok := yamlfile.ParseDuration(text)
	if !ok || d < leastRunFor || d > mostRunFor {
		return 0, fmt.Errorf("accepted is a time from %s to %s with its unit, such as 90m, 36h or 7d",
			yamlfile.FormatDuration(leastRunFor), yamlfile.FormatDuration(mostRunFor))
	}
	return d, nil
}

// parseRun reads a file, with what holds instead of what it says.
func parseRun(text []byte, filename string, instead overrides) (*Run, error) {
	d := &yamlfile.Decoder{File: filename, Noun: noun, MostKeys: mostKeys, MostNested: mostNested, Changes: instead.changes}
	f := newRunFile(d)
	if err := d.Read(text, f.value()); err != nil {
		return nil, err
	}
	instead.apply(f)
	r := &Run{
		Name: f.name, Title: f.title, Description: f.description,
		PG: f.version, Host: f.host, Strategy: f.strategy,
		RunFor: f.runFor, WarmUp: f.warmUp, Seed: uint64(f.seed), Expect: f.expect, Claims: f.claims, Answer: f.answer,
		Text: text, Filename: filename, file: f, instead: instead,
	}
	if err := f.check(r); err != nil {
		return nil, err
	}
	// The world is made once, and thrown away, to find what cannot be.
	if err := f.populate(r.Seed, func(int, workload.Table) {}); err != nil {
		return nil, err
	}
	if _, err := f.obstacles(r.Seed); err != nil {
		return nil, err
	}
	r.Foreground = f.asked()
	if err := f.checkHostWith(r); err != nil {
		return nil, err
	}
	if instead.variant { // what is expected is of all of them
		r.Expect, r.Claims, r.Answer = nil, nil, ""
	}
	return r, f.checkVariants(r)
}

// Where is the place of a key of the file, file:line:column, such as "strategy"
// or "expect[2]"; the file alone for a key that it does not have.
func (r *Run) Where(key string) string {
	if n, ok := r.file.places[key]; ok {
		return r.file.d.Where(n)
	}
	return r.Filename
}

// Mentions are the names, sorted, of what the file sets: settings, at the start
// or later, storage parameters, without the prefix of TOAST tables, and
// all_visible. They are for telling which of it a model leaves out.
func (r *Run) Mentions() []string {
	all := make(map[string]bool)
	put := func(list []assignment) {
		for _, a := range list {
			all[strings.TrimPrefix(strings.ToLower(a.Name), toastPrefix)] = true
		}
	}
	put(r.file.settings)
	for _, c := range r.file.changes {
		put(c.settings)
	}
	for _, b := range r.file.databases {
		for _, p := range b.populations {
			put(p.options)
			if p.givenAllVisible != nil || p.chunks != nil && p.chunks.givenAllVisible != nil {
				all["all_visible"] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// LoadRun returns the built-in scenario of that name or, when there is none,
// the scenario in the file of that name.
func LoadRun(nameOrFile string) (*Run, error) {
	if slices.Contains(builtInNames(), nameOrFile) {
		text, err := Text(nameOrFile)
		if err != nil {
			return nil, err
		}
		if KindOf(text) != KindRun {
			return nil, fmt.Errorf("%s is a scenario of avsim compare and sweep, not of avsim run (%s)", nameOrFile, seeList)
		}
		return ParseRun(text, nameOrFile+".yaml")
	}
	text, err := yamlfile.ReadFile(nameOrFile, noun)
	var missing *fs.PathError
	switch {
	case err != nil && !errors.As(err, &missing): // it is there, but no file
		return nil, err
	case err != nil && !yamlfile.LooksLikeFile(nameOrFile) && filepath.Ext(nameOrFile) == "":
		return nil, unknown(nameOrFile, namesOf(KindRun))
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w (%s)", err, seeList)
	case err != nil:
		return nil, err
	case KindOf(text) == KindMeasure:
		return nil, fmt.Errorf("%s: a scenario of avsim compare and sweep, not of avsim run: it has no databases and no run_for", nameOrFile)
	}
	r, err := ParseRun(text, nameOrFile)
	if err != nil && strings.EqualFold(filepath.Ext(nameOrFile), ".json") {
		err = fmt.Errorf("%w (is it a result? avsim report reads those of run, sweep and compare)", err)
	}
	return r, err
}

// HostProfile is the host profile with the figures that stand in its place.
func (r *Run) HostProfile() (*host.Profile, error) {
	p, err := host.Load(r.Host)
	for _, a := range r.file.hostWith {
		if err == nil {
			p, err = p.With(a.Name, a.Value.text)
		}
	}
	return p, err
}

// checkHostWith refuses what is no figure of a host profile, where the profile is built in:
// files are read when they are needed.
func (f *runFile) checkHostWith(r *Run) error {
	if !slices.Contains(host.Embedded(), r.Host) {
		return nil
	}
	p, err := host.Load(r.Host)
	for _, a := range f.hostWith {
		if err != nil {
			return err
		}
		if p, err = p.With(a.Name, a.Value.text); err != nil {
			return f.d.Refuse(a.Value.node, "host_with."+a.Name, err.Error())
		}
	}
	return nil
}

// checkHost refuses a name that is neither a built-in profile nor a file's.
func checkHost(name string) error {
	if slices.Contains(host.Embedded(), name) || yamlfile.LooksLikeFile(name) || filepath.Ext(name) != "" {
		return nil
	}
	hint := ""
	if near := guc.Nearest(name, host.Embedded()); near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return fmt.Errorf("found %s%s; accepted is a profile (%s) or a file", yamlfile.Quote(name), hint, strings.Join(host.Embedded(), ", "))
}
