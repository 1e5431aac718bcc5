package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"avsim/scheduler"
	"avsim/scheduler/deadtid"
	"avsim/sim/experiment"
	"avsim/workload/guc"
	"avsim/workload/scenario"
	"avsim/workload/yamlfile"
)

// variantsText prints the variants side by side, a row each.
func variantsText(w io.Writer, sc *scenario.Run, results []variantResult) error {
	cfg := results[0].cfg
	answerText(w, sc, judgeAll(results), ofVariants(results))
	if sc.Foreground == nil {
		return plainVariantsText(w, sc, results)
	}
	fmt.Fprintf(w, "%s: %s\n%s simulated each, %s, seed %d\n\n", sc.Name, sc.Title, cfg.For, cfg.Host.Name, cfg.Seed)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "variant\t")
	for _, c := range variantColumns {
		if c.label != "" {
			fmt.Fprintf(t, "%s\t", c.label)
		}
	}
	fmt.Fprintln(t)
	for i := range results {
		fmt.Fprintf(t, "%s\t", results[i].name)
		figures := variantFigures(&results[i])
		for _, c := range variantColumns {
			if c.label != "" {
				fmt.Fprintf(t, "%s\t", variantFound(c.name, figures))
			}
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\ndrop: what the vacuum takes of the application's transactions, with the 95 % interval of chance; none where that holds 0")
	deadMemory(w, results)
	claimsText(w, sc, judgeAll(results))
	return nil
}

// variantCell writes a figure for people, by the unit in its column's name.
func variantCell(name string, x float64) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case strings.HasSuffix(name, "_bytes"):
		return megabytes(x)
	case strings.HasPrefix(name, "latency"):
		return inMilliseconds(inSeconds(x))
	case strings.HasSuffix(name, "_seconds"):
		unit := time.Second
		if x < 10 {
			unit = time.Millisecond
		}
		return yamlfile.FormatDuration(inSeconds(x).Round(unit))
	case name == "index_scans":
		return thousands(int(x))
	case name == "throughput_drop_share", name == "throughput_drop_half_width":
		return fmt.Sprintf("%.2f %%", 100*x)
	case strings.HasSuffix(name, "_share"):
		return percent(x)
	case math.Abs(x) >= 1e6:
		return figure(x/1e6) + " M"
	}
	return figure(x)
}

// variantFound is a figure of a variant for people; that nothing is lost where chance
// alone gives as much.
func variantFound(name string, figures map[string]float64) string {
	half := figures["throughput_drop_half_width"]
	if drop := figures["throughput_drop_share"]; half > 0 && math.Abs(drop) <= half {
		switch name {
		case "throughput_drop_share":
			return "none"
		case "transactions_lost":
			return "-"
		}
	}
	if name == "throughput_drop_share" && half > 0 {
		return fmt.Sprintf("%.2f ± %.2f %%", 100*figures[name], 100*half)
	}
	return variantCell(name, figures[name])
}

// megabytes writes bytes in units of 2^20.
func megabytes(x float64) string { return figure(x/(1<<20)) + " MB" }

// deadMemory says what each version's store takes for a hundred million dead rows, by
// how many of them share a page.
func deadMemory(w io.Writer, results []variantResult) {
	densities := []int{1, 3, 10, 24, 61, 150, 220, 291}
	fmt.Fprintln(w, "\nmemory of 100 million dead rows (MB of 2^20 bytes), by how many are on each page that has any (of 61 rows, or as many as are dead):")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\t")
	for _, d := range densities {
		fmt.Fprintf(t, "%d\t", d)
	}
	fmt.Fprintln(t)
	seen := map[bool]bool{} // a tree, and told
	for i := range results {
		v := results[i].cfg.Settings.Version()
		tree := v.AtLeast(guc.MustVersion("17"))
		if seen[tree] {
			continue
		}
		seen[tree] = true
		fmt.Fprintf(t, "PostgreSQL %v\t", v)
		for _, d := range densities {
			fmt.Fprintf(t, "%s\t", megabytes(bytesPerRow(v, d)*1e8))
		}
		fmt.Fprintln(t)
	}
	t.Flush()
}

// usualRows is how many rows of pgbench's accounts a page has.
const usualRows = 61

// bytesPerRow is what a store takes for a dead row where so many are on a page, spread
// over its rows: over two million pages, with no limit that they reach.
func bytesPerRow(v guc.Version, onPage int) float64 {
	const pages, memory = 2_000_000, 64 << 30
	store := deadtid.NewCounter(v, memory, pages)
	for block := range uint32(pages) {
		if store.Full() {
			break
		}
		store.AddCounted(block, onPage, uint16(max(onPage, usualRows*onPage/(onPage+1))))
	}
	return float64(store.Bytes()) / float64(store.Count())
}

// variantsTable is a row for each variant.
func variantsTable(results []variantResult) *experiment.Table {
	columns := slices.Concat(inputColumns, []string{"scenario", "variant", "pg", "host", "settings"})
	names := variantNames(results)
	columns = append(append(columns, names...), "verdict")
	t := &experiment.Table{Columns: columns}
	for i := range results {
		v := &results[i]
		in := newRunInputs(v.sc, v.cfg)
		row := append(in.columns(), in.Scenario, v.name, in.PG, in.Host, strings.Join(in.Settings, " "))
		figures := v.figures().Summary
		for _, name := range names {
			row = append(row, decimal(figures[name]))
		}
		t.AppendRow(append(row, string(v.result.Verdict.Constraint))...)
	}
	return t
}

// variantNames are the figures that a row has: of an application's scenario those that it
// is compared by, of others all of a run.
func variantNames(results []variantResult) (out []string) {
	if results[0].sc.Foreground != nil {
		for _, c := range variantColumns {
			out = append(out, c.name)
		}
		return out
	}
	return slices.Sorted(maps.Keys(results[0].figures().Summary))
}

// plainVariants are the figures by which variants without an application are put side by
// side for people.
var plainVariants = []struct{ name, label string }{
	{"total_autovacuum_count", "vacuums"},
	{"total_autoanalyze_count", "analyzes"},
	{"avg_autovacuum_workers", "workers"},
	{"worker_starts", "worker starts"},
	{"lateness_mean_seconds", "late, mean"},
	{"lateness_p99_seconds", "late, p99"},
	{"last_vacuum_end_seconds", "last vacuum ends"},
	{"dead_rows_end", "dead rows"},
	{"removed_rows", "removed"},
	{"index_pages_scanned", "index pages"},
}

func plainVariantsText(w io.Writer, sc *scenario.Run, results []variantResult) error {
	fmt.Fprintf(w, "%s: %s\n\n", sc.Name, sc.Title)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "variant\tPostgreSQL\tsimulated\t")
	for _, c := range plainVariants {
		fmt.Fprintf(t, "%s\t", c.label)
	}
	fmt.Fprintln(t, "what binds\t")
	for i := range results {
		v := &results[i]
		figures := v.figures().Summary
		fmt.Fprintf(t, "%s\t%v\t%s\t", v.name, v.cfg.Settings.Version(), yamlfile.FormatDuration(v.cfg.For))
		for _, c := range plainVariants {
			fmt.Fprintf(t, "%s\t", variantCell(c.name, figures[c.name]))
		}
		fmt.Fprintf(t, "%s, %s\t\n", v.result.Verdict.Constraint, percent(v.result.Verdict.Share))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	claimsText(w, sc, judgeAll(results))
	return nil
}

type (
	variantJSON struct {
		Name       string              `json:"name"`
		Run        runInputs           `json:"run"`
		Figures    map[string]*float64 `json:"figures"`
		Foreground *feltJSON           `json:"foreground"`
		Verdict    scheduler.Verdict   `json:"verdict"`
	}
	variantsOutput struct {
		Scenario     string            `json:"scenario"`
		Answer       *string           `json:"answer"`
		Variants     []variantJSON     `json:"variants"`
		Expectations []expectationJSON `json:"expectations"`
		Claims       []claimJSON       `json:"claims"`
	}
)

func variantsJSON(w io.Writer, sc *scenario.Run, results []variantResult) error {
	judge := judgeAll(results)
	expected := judgedOf(sc, judge)
	out := variantsOutput{sc.Name, standing(sc, expected, ofVariants(results)), []variantJSON{}, expectationsJSON(expected), claimsJSON(sc, judge)}
	for i := range results {
		v := &results[i]
		figures := map[string]*float64{}
		for name, x := range v.figures().Summary {
			figures[name] = known(x)
		}
		out.Variants = append(out.Variants, variantJSON{v.name, newRunInputs(v.sc, v.cfg), figures, newFeltJSON(v.result.Felt), v.result.Verdict})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
