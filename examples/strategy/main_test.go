package main

import (
	"strings"
	"testing"
	"time"

	"avsim/cmd"
	"avsim/scheduler"
)

// TestCommandsKnowIt: the strategy is in the list of all, runs a scenario, and a misspelt
// name suggests it.
func TestCommandsKnowIt(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"version --model", 0, "oldest-wait"},
		{"run idle --strategy oldest-wait --format json", 0, `"strategy": "oldest-wait"`},
		{"lab --starve oldest-wait --tries 1 --quiet", 0, "\noldest-wait: "},
		{"run idle --strategy oldest-wate", 2, `did you mean "oldest-wait"?`},
	} {
		var out strings.Builder
		if code := cmd.Main(strings.Fields(c.args), &out, &out); code != c.code || !strings.Contains(out.String(), c.want) {
			t.Errorf("avsim %s: exit %d, want %d and %s in\n%s", c.args, code, c.code, c.want, out.String())
		}
	}
}

// TestOrder: who has waited longest comes first, what is forced before all.
func TestOrder(t *testing.T) {
	due := []scheduler.Facts{{Table: 0, Wait: time.Minute}, {Table: 1, Wait: time.Hour}, {Table: 2, Wait: time.Second, Forced: true}}
	for i, f := range scheduler.By(oldestWait)(due, scheduler.Situation{}) {
		if want := []int{2, 1, 0}[i]; f.Table != want {
			t.Errorf("place %d: table %d, want %d", i, f.Table, want)
		}
	}
}
