package cmd

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"avsim/scheduler"
	"avsim/workload"
)

func manual(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestOutputIsDocumented: docs/output.md names every column and field that run
// writes.
func TestOutputIsDocumented(t *testing.T) {
	_, text, _ := strings.Cut(manual(t, "output.md"), "\n## run\n")
	var b bytes.Buffer
	if err := runCSV(&b, runInputs{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := eventsCSV(&b, runInputs{}, &scheduler.RunResult{}); err != nil {
		t.Fatal(err)
	}
	world := workload.World{Databases: []workload.Database{{Name: "db"}}}
	result := &scheduler.RunResult{Tables: []scheduler.TableResult{{Database: "db"}}}
	result.Felt = &scheduler.Felt{Took: time.Second, Intervals: make([]scheduler.FeltInterval, 1), Vacuums: make([]scheduler.FeltVacuum, 1)}
	err := runJSON(&b, runInputs{}, scheduler.RunConfig{World: world}, result, result.Tables, make([]claimJSON, 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := feltTable().WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	for _, c := range variantColumns {
		b.WriteString(c.name + "\n")
	}
	for _, name := range regexp.MustCompile(`[a-z][a-z0-9_]+`).FindAllString(b.String(), -1) {
		if strings.HasSuffix(name, "_share") || name == "null" || name == "db" {
			continue
		}
		if !regexp.MustCompile(`\b` + name + `\b`).MatchString(text) {
			t.Errorf("docs/output.md does not tell of %s", name)
		}
	}
}

// TestExpectationsAreDocumented: docs/scenario.md names what expectations can be
// about, and what the model leaves out.
func TestExpectationsAreDocumented(t *testing.T) {
	text := manual(t, "scenario.md")
	names := notModelled
	figures := figuresToCome(&workload.World{}, true)
	for name := range figures.Summary {
		names = append(names, name)
	}
	for name := range tableFigures(&scheduler.TableResult{}) {
		names = append(names, name)
	}
	for _, v := range verdicts {
		names = append(names, string(v))
	}
	for _, name := range names {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("docs/scenario.md does not tell of %s", name)
		}
	}
}
