package lab

import (
	"slices"
	"testing"
	"time"

	"avsim/scheduler"
)

// bounded are made-up results in which the run bounded values of some replications.
func bounded(measure int, values [][]float64, bounds [][]bool) *Results {
	r := results(measure, values...)
	for i := range bounds {
		for k, is := range bounds[i] {
			if is {
				r.values[i][k][len(Measures())+measure] = 1
			}
		}
	}
	return r
}

func place(t *testing.T, name string) int {
	t.Helper()
	j := slices.IndexFunc(Measures(), func(m Measure) bool { return m.Name == name })
	if j < 0 {
		t.Fatalf("no measure %s", name)
	}
	return j
}

// TestBoundedMarks: who waits as long as the run lasts is neither the best nor tied with
// others that do; who waits less is the best, and they are worse. Of rates of those that ran
// out of tables none is best, and none worse.
func TestBoundedMarks(t *testing.T) {
	yes, no := []bool{true, true}, []bool{false, false}
	for _, c := range []struct {
		name, measure string
		values        [][]float64
		bounds        [][]bool
		want          []Mark
	}{
		{"all wait for the whole run", "wait_max_seconds", [][]float64{{60, 60}, {60, 60}}, [][]bool{yes, yes}, []Mark{Ended, Ended}},
		{"one does not", "wait_max_seconds", [][]float64{{60, 60}, {10, 11}, {60, 60}}, [][]bool{yes, no, yes}, []Mark{Worse, Best, Worse}},
		{"in one replication it does", "makespan_seconds", [][]float64{{60, 50}, {60, 52}, {60, 60}}, [][]bool{{true, false}, {true, false}, yes}, []Mark{Ended, Ended, Ended}},
		{"a tie with the best that is bounded", "lateness_p99_seconds", [][]float64{{60, 10}, {50, 30}}, [][]bool{{true, false}, no}, []Mark{Ended, Ended}},
		{"tables ran out", "vacuums_per_s", [][]float64{{9, 9.1}, {9.01, 9.11}, {2, 2.1}}, [][]bool{yes, yes, no}, []Mark{Exhausted, Exhausted, Worse}},
		{"and for none", "vacuums_per_s", [][]float64{{9, 9.1}, {2, 2.1}}, [][]bool{no, no}, []Mark{Best, Worse}},
	} {
		j := place(t, c.measure)
		var got []Mark
		for _, cell := range bounded(j, c.values, c.bounds).Column(0, j) {
			got = append(got, cell.Mark)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestWhatTheRunBounds by hand, of a run of a minute: a table due at the start is never done
// and waits for all of it; with it done everything is, and the tables have run out.
func TestWhatTheRunBounds(t *testing.T) {
	done := scheduler.TableResult{TableVisits: scheduler.TableVisits{Lateness: []float64{5}, DueAtStart: true, FirstDone: 5e9}}
	waits := scheduler.TableResult{TableVisits: scheduler.TableVisits{Waiting: 60, DueAtStart: true, FirstDone: -1}}
	late := scheduler.TableResult{TableVisits: scheduler.TableVisits{Waiting: 59, FirstDone: -1}}
	for _, c := range []struct {
		tables []scheduler.TableResult
		want   []string
	}{
		{[]scheduler.TableResult{done, waits}, []string{"makespan_seconds", "lateness_p99_seconds", "wait_max_seconds"}},
		{[]scheduler.TableResult{done, late}, nil},
		{[]scheduler.TableResult{done}, []string{"vacuums_per_s"}},
	} {
		o := newOutcome(&scheduler.RunResult{Simulated: time.Minute, Tables: scheduler.ResultsOf(c.tables...)}, nil)
		var got []string
		for _, m := range Measures() {
			if m.bound != nil && m.bound(o) {
				got = append(got, m.Name)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d tables: %v, want %v", len(c.tables), got, c.want)
		}
	}
}
