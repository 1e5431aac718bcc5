package cmd

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"avsim/scheduler"
	"avsim/workload/yamlfile"
)

// obstaclesInWords tells of what stood in the workers' way, where anything did.
func obstaclesInWords(w io.Writer, r *scheduler.RunResult) {
	var parts []string
	for _, x := range []struct {
		n    int
		what string
	}{
		{r.Skipped, "tables left since they were locked"},
		{r.Cancelled, "vacuums and analyzes cancelled for somebody else's lock"},
		{r.Killed, "ended as their worker was killed"},
		{r.HeldBack, "vacuums that could remove less than they had to leave, for a held snapshot"},
		{r.Failsafe, "with failsafe"},
	} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", thousands(x.n), x.what))
		}
	}
	if len(parts) > 0 {
		fmt.Fprintf(w, "%s\n", strings.Join(parts, "; "))
	}
	if r.Halted > 0 {
		fmt.Fprintf(w, "clients got no transaction ids for %s\n", yamlfile.FormatDuration(r.Halted.Round(time.Second)))
	}
	for _, x := range r.Warnings {
		fmt.Fprintf(w, "after %s: %s\n", yamlfile.FormatDuration(time.Duration(x.At).Round(time.Second)), x.Text)
	}
}

// lateInWords tells how late workers come, of which tables they come latest, and which
// wait still at the end.
func lateInWords(w io.Writer, r *scheduler.RunResult, naptime time.Duration) {
	const most = 3
	all := r.AllLateness()
	if len(all) == 0 {
		return
	}
	f := r.Figures()
	fmt.Fprintf(w, "late: %s in the mean, %s at the 99th percentile of %s; dead rows: %.3g %% in the mean, %.3g %% at most\n",
		inTime(f["lateness_mean_seconds"]), inTime(f["lateness_p99_seconds"]), plural(len(all), "visit"), 100*r.DeadShare, 100*r.DeadSharePeak)
	late, waiting := latest(r, naptime.Seconds(), (*scheduler.TableVisits).LatenessP99), latest(r, naptime.Seconds(), func(t *scheduler.TableVisits) float64 { return t.Waiting })
	for _, x := range []struct {
		list []lateTable
		what string
	}{{late, "more than a naptime late, latest (99th percentile)"}, {waiting, "due for more than a naptime at the end, and wait still"}} {
		if len(x.list) == 0 {
			continue
		}
		var parts []string
		for _, t := range x.list[:min(most, len(x.list))] {
			parts = append(parts, fmt.Sprintf("%s %s", r.Tables.Name(t.place), inTime(t.seconds)))
		}
		more := ""
		if n := len(x.list) - len(parts); n > 0 {
			more = fmt.Sprintf(" and %s more", thousands(n))
		}
		fmt.Fprintf(w, "%s %s: %s%s\n", plural(len(x.list), "table"), x.what, strings.Join(parts, ", "), more)
	}
}

// lateTable is a table and how late it is.
type lateTable struct {
	place   int
	seconds float64
}

// latest are the tables that are more than so late, the latest first.
func latest(r *scheduler.RunResult, than float64, late func(*scheduler.TableVisits) float64) (out []lateTable) {
	for i, t := range r.Tables.Visited() {
		// A visit in the naptime after the one in which a table came due is not late.
		if x := late(t); x > 1.05*than {
			out = append(out, lateTable{i, x})
		}
	}
	slices.SortStableFunc(out, func(a, b lateTable) int { return cmp.Compare(b.seconds, a.seconds) })
	return out
}

// nextForced is after how long the table at a place is vacuumed against wraparound.
type nextForced struct {
	after time.Duration
	place int
}

// forcedInWords is the calendar of the vacuums against wraparound: those of the run and
// those that come next.
func forcedInWords(w io.Writer, r *scheduler.RunResult) {
	const most = 3
	forcedInRun(w, r, most)
	var next []nextForced // the first of them
	before := make([]int, len(calendarDays))
	for i := range r.Tables.Len() {
		after := r.Tables.NextForced(i)
		if after < 0 {
			continue
		}
		for k, x := range calendarDays {
			if after < x.until {
				before[k]++
			}
		}
		if len(next) < most || after < next[most-1].after {
			next = append(next, nextForced{after, i})
			slices.SortStableFunc(next, func(a, b nextForced) int { return cmp.Compare(a.after, b.after) })
			next = next[:min(most, len(next))]
		}
	}
	if len(next) == 0 {
		return
	}
	var parts []string
	for _, x := range next {
		parts = append(parts, fmt.Sprintf("%s in %s", r.Tables.Name(x.place), inDays(x.after)))
	}
	fmt.Fprintf(w, "next to prevent wraparound, at this rate of transactions: %s\n", strings.Join(parts, ", "))
	calendar(w, before)
}

// forcedInRun are the vacuums against wraparound that took place, by time.
func forcedInRun(w io.Writer, r *scheduler.RunResult, most int) {
	type forced struct {
		at   time.Duration
		name string
	}
	var all []forced
	for i, t := range r.Tables.Visited() {
		for _, at := range t.WraparoundTimes {
			all = append(all, forced{time.Duration(at), r.Tables.Name(i)})
		}
	}
	if len(all) == 0 {
		return
	}
	slices.SortStableFunc(all, func(a, b forced) int { return cmp.Compare(a.at, b.at) })
	var parts []string
	for _, x := range all[:min(most, len(all))] {
		parts = append(parts, fmt.Sprintf("%s after %s", x.name, inDays(x.at)))
	}
	if n := len(all) - len(parts); n > 0 {
		parts = append(parts, fmt.Sprintf("the last, %s, after %s", all[len(all)-1].name, inDays(all[len(all)-1].at)))
	}
	fmt.Fprintf(w, "%s to prevent wraparound in the run: %s\n", plural(len(all), "vacuum"), strings.Join(parts, ", "))
}

// calendarDays are by when the calendar counts.
var calendarDays = []struct {
	until time.Duration
	name  string
}{{day, "a day"}, {7 * day, "7 days"}, {30 * day, "30 days"}, {365 * day, "a year"}}

const day = 24 * time.Hour

// calendar is how many of the tables are vacuumed against wraparound by when.
func calendar(w io.Writer, before []int) {
	var parts []string
	last := 0
	for k, x := range calendarDays {
		if n := before[k]; n > last {
			parts = append(parts, fmt.Sprintf("%s within %s", plural(n, "table"), x.name))
		}
		last = before[k]
	}
	if len(parts) > 0 {
		fmt.Fprintf(w, "to prevent wraparound come: %s\n", strings.Join(parts, ", "))
	}
}

// inDays rounds a time to what one plans by.
func inDays(d time.Duration) string {
	switch {
	case d < time.Hour:
		return d.Round(time.Minute).String()
	case d < 48*time.Hour:
		return fmt.Sprintf("%.1f hours", d.Hours())
	}
	return fmt.Sprintf("%s days", thousands(int(math.Round(d.Hours()/24))))
}
