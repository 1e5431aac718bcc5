package cmd

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"avsim/scheduler"
	"avsim/scheduler/advise"
	"avsim/scheduler/study"
	"avsim/workload"
	"avsim/workload/scenario"
	"avsim/workload/yamlfile"
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
	if err := runCSV(&b, runInputs{}, shownTables{}); err != nil {
		t.Fatal(err)
	}
	if err := eventsCSV(&b, runInputs{}, &scheduler.RunResult{}); err != nil {
		t.Fatal(err)
	}
	world := workload.World{Databases: []workload.Database{{Name: "db"}}}
	result := &scheduler.RunResult{Tables: scheduler.ResultsOf(scheduler.TableResult{Database: "db"})}
	result.Felt = &scheduler.Felt{Took: time.Second, Intervals: make([]scheduler.FeltInterval, 1), Vacuums: make([]scheduler.FeltVacuum, 1)}
	err := runJSON(&b, runInputs{}, scheduler.RunConfig{World: world}, result, shown(result, 0), toldJSON{make([]expectationJSON, 1), make([]claimJSON, 1), new(string)})
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

// TestAdviseIsDocumented: docs/output.md names every field of advise's JSON, and
// docs/advise.md what may be free.
func TestAdviseIsDocumented(t *testing.T) {
	_, text, _ := strings.Cut(manual(t, "output.md"), "\n## advise\n")
	text, _, _ = strings.Cut(text, "\n## ")
	for _, of := range []any{adviseJSON{}, advisePointJSON{}, adviseChangeJSON{}, adviseMeasureJSON{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(of)) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); !strings.Contains(text, `"`+name+`"`) {
				t.Errorf("docs/output.md does not tell of %s", name)
			}
		}
	}
	text = manual(t, "advise.md")
	for _, name := range advise.DefaultFree {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("docs/advise.md does not tell of %s", name)
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
	for name := range new(scheduler.TableResult).Figures() {
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

// TestSweepIsDocumented: docs/output.md names every column of sweep.csv, and
// docs/sweep.md every axis and every key of a sweep file.
func TestSweepIsDocumented(t *testing.T) {
	_, text, _ := strings.Cut(manual(t, "output.md"), "\n## sweep.csv\n")
	text, _, _ = strings.Cut(text, "\n## Figures\n")
	for _, name := range (study.Contest{}).Columns(nil) {
		name = strings.TrimSuffix(strings.TrimSuffix(name, "_lo"), "_hi")
		if !strings.Contains(text, "`"+name+"`") && !strings.HasSuffix(name, "_share") {
			t.Errorf("docs/output.md does not tell of %s", name)
		}
	}
	idle, err := scenario.LoadRun("idle")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range study.NewRuns(idle).Columns(nil) {
		for _, ending := range []string{"_lo", "_hi", "_ratio_to_first", "_difference_to_first"} {
			name = strings.TrimSuffix(name, ending)
		}
		if !strings.Contains(text, "`"+name+"`") && (!strings.HasSuffix(name, "_share") || name == "dead_share") {
			t.Errorf("docs/output.md does not tell of %s", name)
		}
	}
	text = manual(t, "sweep.md")
	names := []string{"scenario:", "axes:", "zip:", "where:", "seed:", "replications:", "precision:", "precision_of:", "max_replications:"}
	for name := range axisFlags {
		names = append(names, "`"+name+"`")
	}
	for _, name := range names {
		if !strings.Contains(text, name) {
			t.Errorf("docs/sweep.md does not tell of %s", name)
		}
	}
}

// TestSweepSchema: docs/sweep.schema.json is what the reader has.
func TestSweepSchema(t *testing.T) {
	want := string(yamlfile.JSONSchema("a sweep file of avsim", new(sweepFile).root()))
	if manual(t, "sweep.schema.json") != want {
		if os.Getenv("UPDATE_SCHEMA") == "" {
			t.Error("docs/sweep.schema.json is not the reader's: UPDATE_SCHEMA=1 go test ./cmd -run SweepSchema writes it anew")
		} else if err := os.WriteFile("../docs/sweep.schema.json", []byte(want), 0o644); err != nil {
			t.Error(err)
		}
	}
}

// TestSweepManual: the sweep file in docs/sweep.md is one.
func TestSweepManual(t *testing.T) {
	_, text, _ := strings.Cut(manual(t, "sweep.md"), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	file := t.TempDir() + "/sweep.yaml"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs tail
	if code := run(t.Context(), []string{"sweep", "-f", file, "--plan"}, &out, &errs); code != exitDone {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// TestDocsOfPackages: every package, and every command, says in one place what it is.
func TestDocsOfPackages(t *testing.T) {
	documented := map[string][]string{}
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "testdata" || e.Name() == ".git"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		dir := filepath.Dir(path)
		texts := documented[dir]
		if file.Doc != nil {
			texts = append(texts, file.Doc.Text())
		}
		documented[dir] = texts
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, texts := range documented {
		if len(texts) != 1 {
			t.Errorf("%s: %d comments of the package, want one", dir, len(texts))
		} else if !strings.HasPrefix(texts[0], "Package "+filepath.Base(dir)+" ") && !strings.HasPrefix(texts[0], "Command "+filepath.Base(dir)+" ") {
			t.Errorf("%s: %q does not begin with what it is of", dir, strings.SplitN(texts[0], "\n", 2)[0])
		}
	}
	if len(documented) < 20 {
		t.Errorf("%d packages were found", len(documented))
	}
}

// TestDocsOfMechanisms: each part that docs/model.md lists is in the files that it names, and
// is held by tests that there are.
func TestDocsOfMechanisms(t *testing.T) {
	text := manual(t, "model.md")
	_, table, found := strings.Cut(text, "## Where each part is, and what holds it\n")
	if !found {
		t.Fatal("docs/model.md has no table of parts")
	}
	tests := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(source, -1) {
			tests[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || !strings.Contains(line, "`") {
			continue
		}
		rows++
		names := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[3]+cells[4], -1)
		held := false
		for _, m := range names {
			if strings.HasPrefix(m[1], "Test") {
				if held = true; !tests[m[1]] {
					t.Errorf("%s: there is no %s", strings.TrimSpace(cells[1]), m[1])
				}
			} else if _, err := os.Stat("../" + m[1]); err != nil {
				t.Errorf("%s: %v", strings.TrimSpace(cells[1]), err)
			}
		}
		if !held {
			t.Errorf("%s: no test holds it", strings.TrimSpace(cells[1]))
		}
	}
	if rows < 20 {
		t.Errorf("%d parts were found", rows)
	}
}

// TestPathsAreDocumented: docs/serve.md names every path that serve answers, and no other.
func TestPathsAreDocumented(t *testing.T) {
	_, sentence, _ := strings.Cut(manual(t, "serve.md"), "- there are seven paths")
	sentence, _, _ = strings.Cut(sentence, ". Hosts are")
	var told []string
	for _, path := range regexp.MustCompile("`(/[^`]*)`").FindAllStringSubmatch(sentence, -1) {
		told = append(told, path[1])
	}
	server, err := os.ReadFile("page/server.go")
	if err != nil {
		t.Fatal(err)
	}
	var answered []string
	for _, path := range regexp.MustCompile(`HandleFunc\("(/[^"{]*)[^"]*", `).FindAllSubmatch(server, -1) {
		answered = append(answered, string(path[1]))
	}
	p, _ := pageOf(t, "", nil)
	for name := range p.Questions {
		answered = append(answered, "/api/"+name)
	}
	slices.Sort(told)
	slices.Sort(answered)
	if len(answered) != 7 || !slices.Equal(told, answered) {
		t.Errorf("docs/serve.md has %q, serve answers %q", told, answered)
	}
}
