package cmd

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"avsim/workload/guc"
	"avsim/workload/imported"
	"avsim/workload/pglog"
)

func logTable(w io.Writer, log *imported.Log, counts *pglog.Counts, v guc.Version, most int) error {
	fmt.Fprintf(w, "%s, %s; %s\n\n", plural(int(counts.Lines), "line"), logSpan(log), versionInWords(log, v))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "vacuums\tanalyzes\tcancelled\tskipped\tvacuum s\tlongest s\tremoved\tpages\trows\ttable\t")
	tables := shownOfLog(log, most)
	for _, x := range tables {
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t\n", x.Vacuums, x.Analyzes, x.Cancelled, x.Skipped, figure(x.VacuumSeconds), figure(x.Longest),
			thousands(int(x.Removed)), thousands(int(x.Pages)), thousands(int(x.Tuples)), printableName(x.Name))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if more := len(log.Tables) - len(tables); more > 0 {
		fmt.Fprintf(w, "and %s with no more vacuums than these (--tables-in-output 0 shows all)\n", plural(more, "table"))
	}
	fmt.Fprintf(w, "\n%s (%d aggressive, %d to prevent wraparound), %s, %d cancelled, %d skipped, %d with failsafe\n",
		plural(log.Counts[pglog.Vacuum], "automatic vacuum"), log.Aggressive, log.Wraparound, pluralOf(log.Counts[pglog.Analyze], "automatic analyze", "automatic analyzes"),
		log.Counts[pglog.Cancelled], log.Counts[pglog.Skipped], log.Counts[pglog.Failsafe])
	for _, i := range log.Infer(v) {
		fmt.Fprintf(w, "%s: %s %s (%s confidence, %d observations: %s)\n", i.Name, figure(i.Value), i.Unit, i.Confidence, i.From, i.Why)
	}
	for _, e := range log.Changes {
		fmt.Fprintf(w, "%s: %s was set to %s\n", clock(e.At), e.Text, e.Value)
	}
	for _, x := range sortedTroubles(log) {
		fmt.Fprintf(w, "%d times: %s\n", x.n, x.text)
	}
	return nil
}

type trouble struct {
	text string
	n    int
}

func sortedTroubles(log *imported.Log) (out []trouble) {
	for text, n := range log.Troubles {
		out = append(out, trouble{text, n})
	}
	slices.SortFunc(out, func(a, b trouble) int {
		return cmp.Or(b.n-a.n, cmp.Compare(a.text, b.text))
	})
	return out[:min(len(out), 10)]
}

func logSpan(log *imported.Log) string {
	if log.First.IsZero() {
		return "without times"
	}
	return fmt.Sprintf("%s to %s", clock(log.First), clock(log.Last))
}

func clock(t time.Time) string {
	if t.IsZero() {
		return "at a time not told"
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

func versionInWords(log *imported.Log, v guc.Version) string {
	if got, told, ok := log.Version(); ok && got == v {
		if told {
			return fmt.Sprintf("PostgreSQL %s", v)
		}
		return fmt.Sprintf("PostgreSQL %s by the form of its messages", v)
	}
	return fmt.Sprintf("taken for PostgreSQL %s", v)
}

// printableName is a name on one line.
func printableName(name string) string {
	if q := strconv.Quote(name); q[1:len(q)-1] != name {
		return q
	}
	return name
}

// The JSON form of import log; docs/output.md describes it.
type (
	loggedTable struct {
		Name            string  `json:"name"`
		Vacuums         int     `json:"vacuums"`
		Analyzes        int     `json:"analyzes"`
		Wraparound      int     `json:"to_prevent_wraparound"`
		Cancelled       int     `json:"cancelled"`
		Skipped         int     `json:"skipped"`
		VacuumSeconds   float64 `json:"vacuum_seconds"`
		AnalyzeSeconds  float64 `json:"analyze_seconds"`
		LongestSeconds  float64 `json:"longest_vacuum_seconds"`
		Pages           int64   `json:"pages"`
		Rows            int64   `json:"rows"`
		Removed         int64   `json:"rows_removed"`
		NotRemovableEnd int64   `json:"not_removable_end"`
	}
	loggedExample struct {
		File string `json:"file"`
		Line int64  `json:"line"`
		Text string `json:"text"`
	}
	loggedInference struct {
		Name         string  `json:"name"`
		Value        float64 `json:"value"`
		Unit         string  `json:"unit"`
		Confidence   string  `json:"confidence"`
		Observations int     `json:"observations"`
		Why          string  `json:"why"`
	}
)

func logJSON(w io.Writer, files []string, log *imported.Log, counts *pglog.Counts, v guc.Version, most int) error {
	type summary struct {
		Files         int             `json:"files"`
		Lines         int64           `json:"lines"`
		Bytes         int64           `json:"bytes"`
		Messages      int64           `json:"messages"`
		NotUnderstood int64           `json:"not_understood"`
		Examples      []loggedExample `json:"not_understood_examples"`
		Incomplete    int64           `json:"incomplete"`
		First         string          `json:"first"`
		Last          string          `json:"last"`
		PGVersion     string          `json:"pg_version"`
		Vacuums       int             `json:"vacuums"`
		Analyzes      int             `json:"analyzes"`
		Aggressive    int             `json:"aggressive"`
		Wraparound    int             `json:"to_prevent_wraparound"`
		Cancelled     int             `json:"cancelled"`
		Skipped       int             `json:"skipped"`
		Failsafe      int             `json:"failsafe"`
	}
	out := struct {
		Summary  summary           `json:"summary"`
		Inferred []loggedInference `json:"inferred"`
		Tables   []loggedTable     `json:"tables"`
	}{summary{
		Files: len(files), Lines: counts.Lines, Bytes: counts.Bytes, Messages: counts.Messages, NotUnderstood: counts.Strange,
		Examples: []loggedExample{}, Incomplete: counts.Incomplete, First: stamp(log.First), Last: stamp(log.Last), PGVersion: v.String(),
		Vacuums: log.Counts[pglog.Vacuum], Analyzes: log.Counts[pglog.Analyze], Aggressive: log.Aggressive, Wraparound: log.Wraparound,
		Cancelled: log.Counts[pglog.Cancelled], Skipped: log.Counts[pglog.Skipped], Failsafe: log.Counts[pglog.Failsafe],
	}, []loggedInference{}, []loggedTable{}}
	for _, e := range counts.Examples {
		out.Summary.Examples = append(out.Summary.Examples, loggedExample(e))
	}
	for _, i := range log.Infer(v) {
		out.Inferred = append(out.Inferred, loggedInference{i.Name, i.Value, i.Unit, string(i.Confidence), i.From, i.Why})
	}
	for _, t := range shownOfLog(log, most) {
		out.Tables = append(out.Tables, loggedTable{t.Name, t.Vacuums, t.Analyzes, t.Wraparound, t.Cancelled, t.Skipped,
			t.VacuumSeconds, t.AnalyzeSeconds, t.Longest, t.Pages, t.Tuples, t.Removed, t.NotRemovableEnd})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

// stamp is an instant as ISO 8601, "" for none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// eventRows writes events as CSV.
type eventRows struct{ w *csv.Writer }

var eventColumns = []string{"time", "kind", "pid", "database", "schema", "table", "aggressive", "to_prevent_wraparound", "of_analyze", "complete",
	"elapsed_seconds", "cpu_seconds", "delay_seconds", "index_scans", "pages_removed", "pages_remain", "pages_scanned", "rows_removed", "rows_remain", "not_removable",
	"hits", "misses", "dirtied", "wal_bytes", "text", "value"}

func newEventRows(w io.Writer) *eventRows {
	r := &eventRows{csv.NewWriter(w)}
	r.w.Write(eventColumns)
	return r
}

func (r *eventRows) add(e *pglog.Event) {
	n := func(x int64) string { return strconv.FormatInt(x, 10) }
	s := func(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }
	b := strconv.FormatBool
	row := []string{stamp(e.At), string(e.Kind), n(int64(e.PID)), e.Database, e.Schema, e.Table, b(e.Aggressive), b(e.Wraparound), b(e.OfAnalyze), b(e.Complete),
		s(e.Elapsed), s(e.User + e.System), "", n(int64(e.IndexScans)), n(e.PagesRemoved), n(e.PagesRemain), "", n(e.TuplesRemoved), n(e.TuplesRemain), n(e.NotRemovable),
		n(e.Hits), n(e.Misses), n(e.Dirtied), n(e.WALBytes), e.Text, e.Value}
	if e.HasDelayed {
		row[12] = s(e.Delayed)
	}
	if e.PagesScanned >= 0 && e.Kind == pglog.Vacuum {
		row[16] = n(e.PagesScanned)
	}
	r.w.Write(row)
}

func (r *eventRows) flush() error {
	r.w.Flush()
	return r.w.Error()
}
