package cmd

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// nextAfter are the commands that are suggested after one.
func nextAfter(t *testing.T, args ...string) (out []string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), args, &stdout, &stderr); code != exitDone && code != exitUnmet {
		t.Fatalf("avsim %s: exit code %d: %s", strings.Join(args, " "), code, stderr.String())
	}
	for line := range strings.Lines(stderr.String()) {
		if next, ok := strings.CutPrefix(line, "avsim: next: "); ok {
			command, _, _ := strings.Cut(next, "   ")
			out = append(out, command)
		}
	}
	return out
}

// TestNextSteps: what is suggested after a command is a command, with what was given to the
// one before, and nothing is suggested to who reads no table or wants it quiet.
func TestNextSteps(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ args, want string }{
		{"run idle", "avsim explain idle\navsim run idle --figures out"},
		{"run idle --set autovacuum_naptime=15s --set autovacuum=on --for 2h", "avsim explain idle --for 2h --set autovacuum_naptime=15s --set autovacuum=on\navsim run idle --for 2h --set autovacuum_naptime=15s --set autovacuum=on --figures out"},
		{"run idle --quiet", ""},
		{"run idle --format json", ""},
		{"run --help", ""},
		{"explain idle --replications 1", `avsim advise idle --objective "p99_lateness<10min, dead_share<0.3"`},
		{"compare --tables 100 --workers 1 --replications 1 --pg 13", "avsim sweep --pg 13 -o out"},
		{"compare --tables 100 --workers 1 --replications 1 --format csv", ""},
		{"sweep --tables 100 --workers 1 --replications 1 --strategy original,leapfrog", "avsim sweep --replications 1 --strategy original,leapfrog --tables 100 --workers 1 -o out"},
		{"sweep --tables 100,200 --workers 1 --replications 1 -o a", "avsim plot a/sweep.csv -o figure.svg"},
		{"sweep --tables 100,200 --workers 1 --replications 1 -o b --shard 1/2", "avsim merge -o b b"},
		{"sweep --tables 100 --plan", ""},
		{"sweep idle --for 1h --set autovacuum_naptime=5s,60s --replications 1", "avsim sweep idle --for 1h --replications 1 --set autovacuum_naptime=5s,60s -o out"},
		{"sweep --scenario idle --for 1h --set autovacuum_naptime=5s,60s --replications 1", "avsim sweep --for 1h --replications 1 --scenario idle --set autovacuum_naptime=5s,60s -o out"},
		{"scenarios list", "avsim run NAME\navsim scenarios show NAME > my.yaml"},
		{"scenarios show idle", "avsim run idle"},
		{"version", "avsim version --model"},
		{"import sql -o x.sql", "psql -X -f x.sql DATABASE"},
	} {
		got := nextAfter(t, strings.Fields(c.args)...)
		if strings.Join(got, "\n") != c.want {
			t.Errorf("after avsim %s:\n%s\nwant\n%s", c.args, strings.Join(got, "\n"), c.want)
		}
		if !strings.Contains(c.want, "NAME") {
			checkCommands(t, "after avsim "+c.args, strings.Join(got, "\n"))
		}
	}
}

// TestNextStepRuns: the steps after an import, followed as they are, work.
func TestNextStepRuns(t *testing.T) {
	twin, err := filepath.Abs("../workload/recorded/twin/r2")
	if err != nil {
		t.Fatal(err)
	}
	own, err := filepath.Abs("../workload/imported/testdata/r2")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	const odd = "it's mine.yaml"
	steps := nextAfter(t, "import", "csv", twin+"/settings.csv", twin+"/tables.csv.gz", own+"/databases.csv", own+"/snapshots.csv.gz", "-o", odd, "--for", "10m")
	if len(steps) != 1 || steps[0] != `avsim run 'it'\''s mine.yaml'` {
		t.Fatalf("%q", steps)
	}
	avsim(t, "run", odd)
}

// TestProgressLines: on a terminal that is dumb, progress is a line every five seconds, each
// with what is left if it goes on so.
func TestProgressLines(t *testing.T) {
	var b bytes.Buffer
	at := time.Unix(0, 0)
	ctx, cancel := context.WithCancel(t.Context())
	tell := progressLines(ctx, &b, "simulating", func() time.Time { return at })
	for range 100 {
		at = at.Add(100 * time.Millisecond)
		tell(int64(at.Sub(time.Unix(0, 0))), int64(20*time.Second))
	}
	cancel()
	at = at.Add(time.Minute)
	tell(15, 20)
	if want := "simulating: 25 %, 15s left\nsimulating: 50 %, 10s left\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
