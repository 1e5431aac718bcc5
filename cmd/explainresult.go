package cmd

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ofResult takes a result's file for the run that gave it: the JSON of a run, or of the
// variants of a scenario, of which --variant takes one. The flags that gave it are found by
// its inputs, and held to their hash. It returns the scenario's name, or what it was given
// where that is no result.
func (f *explainFlags) ofResult(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostJSON || strings.ToLower(filepath.Ext(name)) != ".json" {
		return name, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", inputError{err}
	}
	var of struct {
		Run      *runInputs
		Summary  any
		Variants []struct {
			Name string
			Run  *runInputs
		}
		Point *struct{ Scenario string }
	}
	if json.Unmarshal(text, &of) != nil {
		return name, nil
	}
	switch {
	case of.Point != nil:
		return "", inputError{fmt.Errorf("%s: a result of avsim compare, which tells itself what binds; accepted is a scenario of avsim run, or the JSON of its result", name)}
	case len(of.Variants) > 0:
		var names []string
		for _, v := range of.Variants {
			if names = append(names, v.Name); v.Name == f.variant {
				of.Run = v.Run
			}
		}
		if of.Run == nil {
			return "", usagef("%s has the variants %s: --variant takes one of them", name, strings.Join(names, ", "))
		}
	case of.Run == nil || of.Summary == nil:
		return name, nil
	}
	return f.again(name, *of.Run)
}

// again sets the flags to those of a run with these inputs.
func (f *explainFlags) again(name string, in runInputs) (string, error) {
	found, sc, ok := runAgain(in)
	if !ok {
		return "", inputError{fmt.Errorf("%s: a result of the scenario %s, which is not built in, or was made with flags that its file does not tell; accepted is the scenario's file itself", name, in.Scenario)}
	}
	found.set, found.out = append(found.set, f.set...), f.out // what is given comes on top
	for _, x := range []struct{ to, from *string }{{&found.pg, &f.pg}, {&found.strategy, &f.strategy}, {&found.host, &f.host}, {&found.runFor, &f.runFor}} {
		if *x.from != "" {
			*x.to = *x.from
		}
	}
	if f.seedGiven {
		found.seed, found.seedGiven = f.seed, true
	}
	f.runFlags = *found
	return sc.Name, nil
}
