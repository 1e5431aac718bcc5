package cmd

import (
	"testing"

	"github.com/spf13/cobra"
)

// hashOf is the hash of the inputs of avsim run with those arguments.
func hashOf(t *testing.T, args ...string) string {
	t.Helper()
	var f runFlags
	c := &cobra.Command{}
	f.register(c.Flags())
	if err := c.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	f.seedGiven = c.Flags().Changed("seed")
	sc, cfg, err := f.config(c.Flags().Arg(0))
	if err != nil {
		t.Fatal(err)
	}
	return runHash(sc, cfg)
}

// TestRunHash: whatever can change a result changes the hash, and a flag that
// says what the scenario says does not.
func TestRunHash(t *testing.T) {
	base := hashOf(t, "onap-cps")
	if len(base) != 12 {
		t.Errorf("%q is not of 12 digits", base)
	}
	for _, same := range [][]string{{"onap-cps", "--seed", "1"}, {"onap-cps", "--format", "json"}} {
		if hashOf(t, same...) != base {
			t.Errorf("%v: another hash", same)
		}
	}
	seen := map[string]string{base: "nothing"}
	for _, flag := range []string{"--seed=0", "--for=20m", "--set=autovacuum_naptime=7s", "--pg=17", "--strategy=original", "--host=epyc-2core"} {
		h := hashOf(t, "onap-cps", flag)
		if other, taken := seen[h]; taken {
			t.Errorf("%s: the hash of %s", flag, other)
		}
		seen[h] = flag
	}
	if hashOf(t, "onap-cps-off") == base {
		t.Error("two scenarios have one hash")
	}
}
