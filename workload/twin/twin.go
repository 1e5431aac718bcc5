package twin

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"avsim/workload"
	"avsim/workload/guc"
)

// Run is a recorded run.
type Run struct {
	Dir      string
	Length   time.Duration
	Settings guc.Settings
	Changes  []Change // reloads of the configuration, in the order of time
	World    workload.World
	// FirstVisits are when each database of the world was first visited, from the
	// start on: the launcher's state. Negative for one that never was.
	FirstVisits []time.Duration
	Events      []Event // that began within the run, in the order of their start
	// Busy is how many workers there were, on average over the run.
	Busy     float64
	Warnings []string
}

// Change is a reload of the configuration.
type Change struct {
	At       time.Duration
	Settings guc.Settings
}

// Event is an automatic vacuum or analyze.
type Event struct {
	Database, Table string
	System          bool // of a system catalogue or the information schema
	Vacuum          bool
	Start, End      time.Duration
	Cost            float64 // charged, in the units of vacuum_cost_limit
}

// Read reads a run's folder.
func Read(dir string) (*Run, error) {
	r := &Run{Dir: dir}
	for _, step := range []func() error{r.readMeta, r.readSettings, r.readActions, r.readTables, r.readWorkers, r.readWorkload, r.readDelays, r.readEvents} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func (r *Run) readMeta() error {
	file := filepath.Join(r.Dir, "meta.json")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var meta struct {
		Seconds float64 `json:"duration_planned_s"`
	}
	if err := json.Unmarshal(text, &meta); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if meta.Seconds <= 0 || meta.Seconds > 30*86400 {
		return fmt.Errorf("%s: duration_planned_s: found %v; accepted is a number of seconds up to thirty days", file, meta.Seconds)
	}
	r.Length = seconds(meta.Seconds)
	return nil
}

func seconds(s float64) time.Duration { return time.Duration(s * 1e9) }

// readSettings takes over what the version's settings are known to be; others, such as
// those of the machine, are left out.
func (r *Run) readSettings() error {
	t, err := readTable(r.Dir, "settings.csv", "name", "setting")
	if err != nil {
		return err
	}
	version := ""
	for i := range t.rows {
		if x := (row{t: t, i: i}); x.text("name") == "server_version" {
			version, _, _ = strings.Cut(x.text("setting"), " ")
		}
	}
	v, err := guc.ParseVersion(version)
	if err != nil {
		return fmt.Errorf("%s: server_version: %w", t.file, err)
	}
	r.Settings = guc.Defaults(v)
	return t.each(func(x row) {
		name := x.text("name")
		if _, err := guc.Lookup(v, name); err != nil {
			return
		}
		if err := r.Settings.Set(name, x.text("setting")); err != nil {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s:%d: %v: left at its default", t.file, t.lines[x.i], err))
		}
	})
}

var alterSystem = regexp.MustCompile(`(?i)^\s*alter\s+system\s+set\s+(\w+)\s*(?:=|\bto\b)\s*'?([^';]+?)'?\s*;?\s*$`)

// readActions follows ALTER SYSTEM, which takes effect with the next pg_reload_conf.
func (r *Run) readActions() error {
	t, err := readTable(r.Dir, "actions.csv", "t", "sql")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	now := r.Settings
	return t.each(func(x row) {
		sql := x.text("sql")
		if m := alterSystem.FindStringSubmatch(sql); m != nil {
			if err := now.Set(strings.ToLower(m[1]), m[2]); err != nil {
				r.Warnings = append(r.Warnings, fmt.Sprintf("%s:%d: %v: left out", t.file, t.lines[x.i], err))
			}
		} else if strings.Contains(strings.ToLower(sql), "pg_reload_conf") {
			r.Changes = append(r.Changes, Change{seconds(x.number("t")), now})
		}
	})
}

// database is the place of a database, which is added where it is new.
func (r *Run) database(name string) int {
	i := slices.IndexFunc(r.World.Databases, func(d workload.Database) bool { return d.Name == name })
	if i < 0 {
		i = len(r.World.Databases)
		r.World.Databases = append(r.World.Databases, workload.Database{Name: name})
		r.FirstVisits = append(r.FirstVisits, -1)
	}
	return i
}

// readWorkers finds the first visit to each database, and how many workers there were.
// Where the start of a worker was not recorded it is when it had connected.
func (r *Run) readWorkers() error {
	t, err := readTable(r.Dir, "workers.csv", "db", "t_fork", "t_processing", "t_exit")
	if err != nil {
		return err
	}
	var lives time.Duration
	err = t.each(func(x row) {
		from := "t_fork"
		if x.text(from) == "" {
			from = "t_processing"
		}
		db, start, end := x.text("db"), seconds(x.number(from)), r.Length
		if x.text("t_exit") != "" {
			end = min(end, seconds(x.number("t_exit")))
		}
		if db == "" || x.text(from) == "" || start > r.Length {
			return
		}
		lives += max(end-max(start, 0), 0)
		if i := r.database(db); start >= 0 && (r.FirstVisits[i] < 0 || start < r.FirstVisits[i]) {
			r.FirstVisits[i] = start
		}
	})
	r.Busy = lives.Seconds() / r.Length.Seconds()
	return err
}

func (r *Run) readEvents() error {
	t, err := readTable(r.Dir, "events.csv", "kind", "db", "schema", "table", "t_end")
	if err != nil {
		return err
	}
	err = t.each(func(x row) {
		kind := x.text("kind")
		if kind != "vacuum" && kind != "analyze" {
			x.fail("kind", kind, "vacuum or analyze")
			return
		}
		start := "t_start_log"
		if x.text(start) == "" {
			start = "t_start"
		}
		e := Event{Database: x.text("db"), Table: x.text("table"), System: isSystem(x.text("schema")), Vacuum: kind == "vacuum",
			Start: seconds(x.number(start)), End: seconds(x.number("t_end")), Cost: x.number("nominal_cost")}
		if e.Start >= 0 && e.Start <= r.Length {
			r.Events = append(r.Events, e)
		}
	})
	slices.SortStableFunc(r.Events, func(a, b Event) int { return int(a.Start - b.Start) })
	return err
}

func isSystem(schema string) bool { return schema == "pg_catalog" || schema == "information_schema" }
