package cmd

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goccy/go-yaml"

	"avsim/workload/scenario"
)

// TestKubernetesExample: the sweep in the example's ConfigMap is one, and its
// pods' arguments are what the command takes.
func TestKubernetesExample(t *testing.T) {
	f, err := os.Open("../examples/kubernetes/job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var manifest struct {
		Kind string
		Data map[string]string
		Spec struct {
			Completions int
			Template    struct {
				Spec struct {
					Containers []struct{ Args []string }
				}
			}
		}
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "sweep.yaml")
	jobs := 0
	for d := yaml.NewDecoder(f); d.Decode(&manifest) == nil; {
		switch manifest.Kind {
		case "ConfigMap":
			if err := os.WriteFile(file, []byte(manifest.Data["sweep.yaml"]), 0o600); err != nil {
				t.Fatal(err)
			}
		case "Job":
			jobs++
			args := manifest.Spec.Template.Spec.Containers[0].Args
			for i, a := range args {
				switch a {
				case "/sweep/sweep.yaml":
					args[i] = file
				case "/result/shards":
					args[i] = filepath.Join(dir, "shards")
				}
			}
			t.Setenv("JOB_COMPLETION_INDEX", "7")
			var out, errs tail
			if code := run(t.Context(), append(args, "--plan"), &out, &errs); code != exitDone || manifest.Spec.Completions != 8 {
				t.Errorf("exit code %d: %s", code, errs)
			}
		}
	}
	if jobs != 1 {
		t.Errorf("%d jobs in the manifest", jobs)
	}
}

// tail keeps what was written last.
type tail string

func (t *tail) Write(p []byte) (int, error) { *t = tail(p); return len(p), nil }

// TestLargeExamples: the large scenarios are ones, with as many tables as they say. Run
// they are by BenchmarkLarge.
func TestLargeExamples(t *testing.T) {
	for name, tables := range map[string]int{"million-due": 1_000_000, "ten-million": 10_000_000} {
		if testing.Short() && tables > 1_000_000 {
			continue
		}
		sc, err := scenario.LoadRun(filepath.Join("..", "examples", "large", name+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		w, err := sc.World(sc.Seed)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Tables(); got != tables {
			t.Errorf("%s has %d tables", name, got)
		}
	}
}
