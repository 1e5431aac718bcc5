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

// forcedInWords is the calendar of the vacuums against wraparound that come next.
func forcedInWords(w io.Writer, r *scheduler.RunResult) {
	const most = 3
	var next []*scheduler.TableResult
	for i := range r.Tables {
		if r.Tables[i].NextForced >= 0 {
			next = append(next, &r.Tables[i])
		}
	}
	if len(next) == 0 {
		return
	}
	slices.SortStableFunc(next, func(a, b *scheduler.TableResult) int { return cmp.Compare(a.NextForced, b.NextForced) })
	var parts []string
	for _, t := range next[:min(most, len(next))] {
		parts = append(parts, fmt.Sprintf("%s.%s in %s", t.Database, t.Name, inDays(t.NextForced)))
	}
	fmt.Fprintf(w, "next to prevent wraparound, at this rate of transactions: %s\n", strings.Join(parts, ", "))
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
