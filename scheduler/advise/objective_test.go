package advise

import (
	"slices"
	"strings"
	"testing"

	"avsim/scheduler"
)

func names[V any](m map[string]V) (out []string) {
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func parse(text string) (Objective, error) {
	return ParseObjective(text, names(new(scheduler.RunResult).Figures()), names(new(scheduler.TableResult).Figures()), []string{"shop.orders", "shop.public.items", `shop.my, "old" and  new`})
}

func TestObjective(t *testing.T) {
	for text, want := range map[string]Objective{
		"p99_lateness<10min, dead_share<0.3": {
			{"p99_lateness<10min", "", "lateness_p99_seconds", true, true, 600},
			{"dead_share<0.3", "", "dead_share", true, true, 0.3}},
		"p99_lateness < 10 min": {{"p99_lateness < 10 min", "", "lateness_p99_seconds", true, true, 600}},
		"lateness_p99_seconds <= 1h30m and peak_dead_share<30%": {
			{"lateness_p99_seconds <= 1h30m", "", "lateness_p99_seconds", true, false, 5400},
			{"peak_dead_share<30%", "", "dead_share_peak", true, true, 0.3}},
		"shop.orders  dead_tuples_peak <1e6,": {{"shop.orders dead_tuples_peak <1e6", "shop.orders", "dead_tuples_peak", true, true, 1e6}},
		"shop.public.items autovacuum_count>=3": {
			{"shop.public.items autovacuum_count>=3", "shop.public.items", "autovacuum_count", false, false, 3}},
		`due_at_end<3 and "shop.my, ""old"" and  new"  dead_tuples_peak<5, "shop.orders" autovacuum_count > 1`: {
			{"due_at_end<3", "", "due_at_end", true, true, 3},
			{`"shop.my, ""old"" and  new" dead_tuples_peak<5`, `shop.my, "old" and  new`, "dead_tuples_peak", true, true, 5},
			{"shop.orders autovacuum_count > 1", "shop.orders", "autovacuum_count", false, true, 1}},
	} {
		got, err := parse(text)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
	}
}

// What cannot be meant is told, with what was.
func TestBadObjective(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "found nothing",
		" , ":                       "found nothing",
		"p99_latenes<1s":            "did you mean p99_lateness?",
		"dead_shares<0.3":           "did you mean dead_share?",
		"p99_lateness":              "accepted is a figure, <",
		"p99_lateness=3s":           "accepted is a figure, <",
		"p99_lateness<10":           `"10" is no time`,
		"p99_lateness<10 parsecs":   "is no time",
		"p99_lateness<-1s":          "is below 0",
		"dead_share<30":             "is no share",
		"dead_share<-1":             "is no share",
		"dead_share<NaN":            "is no number",
		"due_at_end<3%":             "is a percentage",
		"due_at_end<-3":             "is below 0",
		"shop.order dead_share<0.3": "did you mean shop.orders?",
		`"shop.orders dead_share<1`: "accepted is a figure, <",
		"shop.orders dead_share<1":  `no figure "dead_share"`,
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
}

func FuzzParseObjective(f *testing.F) {
	for _, text := range []string{"p99_lateness<10min, dead_share<0.3", "shop.orders dead_tuples_peak <= 1e6", "a<b and c>d", "<", "dead_share<3 %", `"shop.my, ""old"" and  new" dead_tuples_peak<5`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parse(text)
		if err != nil {
			return
		}
		for _, term := range got { // as it is told, it is read again
			again, err := parse(term.Text)
			if err != nil || len(again) != 1 || again[0] != term {
				t.Fatalf("%q is told as %q, which is read as %+v, %v", text, term.Text, again, err)
			}
			if term.Less && (term.holds(term.Bound*2+1) || term.holds(term.Bound) == term.Open) {
				t.Fatalf("%+v holds where it should not, or does not where it should", term)
			}
		}
	})
}
