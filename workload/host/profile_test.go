package host

import (
	"bytes"
	"os"
	"testing"
	"time"
)

// The built-in profile is what Fit makes of the recorded micro-costs, to the
// last digit: neither can change without the other.
func TestEmbeddedIsFitted(t *testing.T) {
	const recorded = "../recorded/epyc-2core/microcosts.csv"
	f, err := os.Open(recorded)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fitted, report, err := Fit(f, recorded)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range report.Warnings {
		t.Errorf("a recorded row is not used: %s", w)
	}
	embedded := load(t, "epyc-2core")
	if embedded.costs() != fitted.costs() {
		t.Errorf("profiles/epyc-2core.yaml has\n%s\nbut %s gives\n%s", embedded.costs(), recorded, fitted.costs())
	}
}

// The recording's README gives its own readings of the rows.
func TestEmbeddedAgainstREADME(t *testing.T) {
	p := load(t, "epyc-2core")
	const entries = 50000
	for _, c := range []struct {
		what      string
		got, want time.Duration
		within    float64
	}{
		{"writing: 0.054 ms + 0.18 us an entry", p.Statistics.Write.At(entries), 54*time.Microsecond + entries*180, 0.01},
		{"reading hot: 0.12 us an entry to 20,000", p.Statistics.Read.Hot.At(20000), 20000 * 120, 0.05},
		{"reading hot: 0.18 us an entry at 50,000", p.Statistics.Read.Hot.At(entries), entries * 180, 0.02},
		{"reading after a sleep: 0.21 us an entry", p.Statistics.Read.Cold.At(entries), entries * 210, 0.03},
		{"a vacuum after a sleep: 0.38 ms + 0.014 us per table", p.Worker.Vacuum.Cold.At(entries), 380*time.Microsecond + entries*14, 0.15},
		{"a 10 ms sleep takes 10.1 ms", 10*time.Millisecond + p.SleepSlack.At(10*time.Millisecond) + p.WakeLatency.P50, 10100 * time.Microsecond, 0.005},
	} {
		if off := float64(c.got)/float64(c.want) - 1; off > c.within || off < -c.within {
			t.Errorf("%s: %v, want %v, off by %+.1f %%", c.what, c.got, c.want, 100*off)
		}
	}
	if got := p.Statistics.FileBytes.At(100000); got != 19271+169*100000 {
		t.Errorf("a file of 100,000 entries has %d bytes, want 16,919,271", got)
	}
}

func TestEmbedded(t *testing.T) {
	for _, name := range Embedded() {
		p := load(t, name)
		if p.Name != name {
			t.Errorf("%s calls itself %s", name, p.Name)
		}
		if p.Description == "" || p.Source == "" {
			t.Errorf("%s lacks a description or a source", name)
		}
		again, err := Parse(p.Marshal(), "marshalled.yaml")
		if err != nil {
			t.Fatalf("%s, marshalled: %v", name, err)
		}
		if !bytes.Equal(again.Marshal(), p.Marshal()) {
			t.Errorf("%s changes when written and read:\n%s\n%s", name, p.Marshal(), again.Marshal())
		}
	}
}

// generic-4core is epyc-2core with four cores, and cores tell hashes apart.
func TestWithCores(t *testing.T) {
	two, four := load(t, "epyc-2core"), load(t, "generic-4core")
	if four.Hash() != two.WithCores(4).Hash() {
		t.Error("generic-4core differs from epyc-2core with four cores")
	}
	if two.Cores != 2 || two.Hash() == four.Hash() {
		t.Errorf("epyc-2core has %d cores, hash %s, generic-4core %s", two.Cores, two.Hash(), four.Hash())
	}
}

// A name, a description or a comment changes no result, hence no hash.
func TestHashIgnoresNames(t *testing.T) {
	p, err := Parse([]byte("# mine\nlike: epyc-2core\nname: other\n"), "x.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if p.Hash() != load(t, "epyc-2core").Hash() {
		t.Error("the name of a profile is in its hash")
	}
}

func TestLoadFile(t *testing.T) {
	name := t.TempDir() + "/mine.yaml"
	if err := os.WriteFile(name, []byte("like: generic-4core\ncold_after: 1.5us\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := load(t, name)
	if p.Name != "mine" || p.Cores != 4 || p.ColdAfter != 1500 {
		t.Errorf("read %s, %d cores, cold after %v; want mine, 4, 1.5us", p.Name, p.Cores, p.ColdAfter)
	}
	if p.Worker.ScanTables.At(10000) != 1167*time.Microsecond {
		t.Error("what the file does not say is not taken from generic-4core")
	}
}

// Slices by number of cores, as Linux prints base_slice_ns with 0.7 ms: 1.4 ms
// on two cores, 2.1 on four, 2.8 from eight on.
func TestSlice(t *testing.T) {
	for cores, want := range map[int]time.Duration{1: 700, 2: 1400, 3: 1400, 4: 2100, 8: 2800, 64: 2800} {
		if got := load(t, "epyc-2core").WithCores(cores).Slice(); got != want*time.Microsecond {
			t.Errorf("slice on %d cores is %v, want %dus", cores, got, want)
		}
	}
}

func load(t *testing.T, name string) *Profile {
	t.Helper()
	p, err := Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// FuzzParse: whatever the text, a profile that is accepted has costs that are
// never negative, and survives being written and read.
func FuzzParse(f *testing.F) {
	for _, name := range Embedded() {
		data, _ := profiles.ReadFile("profiles/" + name + ".yaml")
		f.Add(data)
	}
	f.Add([]byte("like: epyc-2core\nworker: {start: {points: {0: 1us, 5: 2ns}}}\n"))
	f.Add([]byte("like: epyc-2core\nname: |\n  a\n  b\nsleep_slack: {1h: 0s}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse(data, "fuzz.yaml")
		if err != nil {
			return
		}
		for _, n := range []int{-1, 0, 1, 1000, 1 << 40} {
			for _, c := range []Curve{p.Statistics.Write, p.Statistics.Read.Hot, p.Worker.Start, p.Worker.Vacuum.Cold} {
				if c.At(n) < 0 {
					t.Errorf("%+v costs %v at %d", c, c.At(n), n)
				}
			}
		}
		again, err := Parse(p.Marshal(), "fuzz.yaml")
		if err != nil {
			t.Fatalf("its own text is refused: %v\n%s", err, p.Marshal())
		}
		if again.Hash() != p.Hash() {
			t.Errorf("changed by being written and read:\n%s\n%s", p.Marshal(), again.Marshal())
		}
	})
}
