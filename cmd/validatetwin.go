package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"avsim/scheduler"
	"avsim/scheduler/validate"
	"avsim/sim/experiment"
	"avsim/workload/host"
	"avsim/workload/twin"
	"avsim/workload/yamlfile"
)

// validateTwin simulates a recorded run and prints it beside the recording.
func validateTwin(c *cobra.Command, f *validateFlags) error {
	if err := f.checkTwin(c); err != nil {
		return err
	}
	windows, err := f.twinWindows()
	if err != nil {
		return err
	}
	h, err := host.Load(f.host)
	if err != nil {
		return inputError{err}
	}
	run, err := twin.Read(f.twin)
	if err != nil {
		return inputError{err}
	}
	if !f.out.quiet {
		for _, w := range run.Warnings {
			fmt.Fprintln(c.ErrOrStderr(), "avsim: warning: "+w)
		}
	}
	result, err := validate.RunTwin(c.Context(), run, h, f.seed, windows)
	if err != nil {
		return interrupted(err, 0, 1, "nothing was written")
	}
	return f.out.write(c.OutOrStdout(), func(w io.Writer) error {
		switch f.out.format {
		case "json":
			return twinJSON(w, f, run, h, result)
		case "csv":
			return twinCSV(w, result)
		}
		return twinText(w, run, result)
	})
}

// checkTwin refuses flags that concern recorded points only.
func (f *validateFlags) checkTwin(c *cobra.Command) error {
	for _, name := range []string{"data", "without", "replications", "jobs"} {
		if c.Flags().Changed(name) {
			return usagef("--%s does not go with --twin, which is one run", name)
		}
	}
	return f.out.check()
}

// twinWindows reads windows as 15s-185s.
func (f *validateFlags) twinWindows() (out []validate.TwinWindow, err error) {
	for _, text := range f.windows {
		from, to, ok := strings.Cut(text, "-")
		a, aok := yamlfile.ParseDuration(from)
		b, bok := yamlfile.ParseDuration(to)
		if !ok || !aok || !bok || a < 0 || b <= a {
			return nil, usagef("--window %s: accepted are two times of the run, the later one second, such as 15s-185s", text)
		}
		out = append(out, validate.TwinWindow{From: a, To: b})
	}
	return out, nil
}

func twinJSON(w io.Writer, f *validateFlags, run *twin.Run, h *host.Profile, result *validate.Twin) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		ModelVersion string  `json:"model_version"`
		PG           string  `json:"pg"`
		Host         string  `json:"host"`
		Seed         uint64  `json:"seed"`
		Simulated    float64 `json:"simulated_seconds"`
		*validate.Twin
	}{scheduler.ModelVersion, run.Settings.Version().String(), h.Name, f.seed, run.Length.Seconds(), result})
}

func twinCSV(w io.Writer, result *validate.Twin) error {
	t := &experiment.Table{Columns: []string{"database", "name", "vacuums_recorded", "vacuums_predicted", "analyzes_recorded", "analyzes_predicted"}}
	for _, x := range result.Tables {
		t.AppendRow(x.Database, x.Name, itoa(x.VacuumsRecorded), itoa(x.VacuumsPredicted), itoa(x.AnalyzesRecorded), itoa(x.AnalyzesPredicted))
	}
	return t.WriteCSV(w)
}

// twinText is the summary, and the tables that are furthest off.
func twinText(w io.Writer, run *twin.Run, result *validate.Twin) error {
	s := result.Summary
	fmt.Fprintf(w, "%s: PostgreSQL %v, %s, %s\n\n", run.Dir, run.Settings.Version(), plural(run.World.Tables(), "table"), run.Length)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\trecorded\tpredicted\t\t")
	for _, x := range []struct {
		what   string
		r, p   float64
		digits func(float64) string
	}{
		{"vacuums", float64(s.VacuumsRecorded), float64(s.VacuumsPredicted), whole},
		{"analyzes", float64(s.AnalyzesRecorded), float64(s.AnalyzesPredicted), whole},
		{"workers, on average", s.BusyRecorded, s.BusyPredicted, figure},
	} {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t\n", x.what, x.digits(x.r), x.digits(x.p), signed(x.p/x.r-1))
	}
	for _, x := range result.Windows {
		name := fmt.Sprintf("from %v to %v: ", x.From, x.To)
		fmt.Fprintf(t, "%svacuums of user tables\t%d\t%d\t%s\t\n", name, x.VacuumsRecorded, x.VacuumsPredicted, signed(float64(x.VacuumsPredicted)/float64(x.VacuumsRecorded)-1))
		if x.DurationRecorded != nil && x.DurationPredicted != nil {
			fmt.Fprintf(t, "%stheir median duration, s\t%s\t%s\t%s\t\n", name, figure(*x.DurationRecorded), figure(*x.DurationPredicted), signed(*x.DurationPredicted / *x.DurationRecorded - 1))
		}
		fmt.Fprintf(t, "%scost units a second\t%s\t%s\t%s\t\n", name, figure(x.CostPerSecondRecorded), figure(x.CostPerSecondPredicted), signed(x.CostPerSecondPredicted/x.CostPerSecondRecorded-1))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	part := func(p *float64) string {
		if p == nil {
			return "-"
		}
		return percent(*p)
	}
	fmt.Fprintf(w, "\ntables within one vacuum or 10 %%: %s; recorded vacuums that are met within a naptime: %s; predicted ones that are: %s",
		part(s.TablesWithin), part(s.Recall), part(s.Precision))
	if s.TimeError != nil {
		fmt.Fprintf(w, "; they are apart by %s in the median", time.Duration(*s.TimeError*1e9).Round(10*time.Millisecond))
	}
	if s.DurationError != nil {
		fmt.Fprintf(w, "; their durations by %s", percent(*s.DurationError))
	}
	fmt.Fprintln(w)
	return nil
}

func whole(x float64) string { return thousands(int(x)) }
