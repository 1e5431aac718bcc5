package cmd

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestDocsOfValidation: what README and docs/validation.md say of the model's errors is what
// validate finds.
func TestDocsOfValidation(t *testing.T) {
	var found struct {
		Summary struct {
			Points int
			Median float64 `json:"median_abs_error"`
			P90    float64 `json:"p90_abs_error"`
			Near   float64 `json:"within_1_25"`
			Nearer float64 `json:"within_1_5"`
			Ranks  float64 `json:"rank_agreement"`
			Pairs  int     `json:"rank_pairs"`
		}
	}
	if err := json.Unmarshal([]byte(avsim(t, "validate", "--format", "json", "--quiet")), &found); err != nil {
		t.Fatal(err)
	}
	s := found.Summary
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf("Over %d recorded runs of real PostgreSQL 9.5 to 18 it is off by %.0f %% in the median, by %.0f %% at the 90th percentile", s.Points, 100*s.Median, 100*s.P90)
	if !strings.Contains(strings.Join(strings.Fields(string(readme)), " "), line) {
		t.Errorf("README.md does not say: %s", line)
	}
	text := manual(t, "validation.md")
	for _, row := range []string{
		fmt.Sprintf("\n%d points count ", s.Points),
		fmt.Sprintf("\n| median error | %.1f %% |", 100*s.Median),
		fmt.Sprintf("\n| 90th percentile | %.1f %% |", 100*s.P90),
		fmt.Sprintf("\n| within 1.25 times | %.1f %% of the points |", 100*s.Near),
		fmt.Sprintf("\n| within 1.5 times | %.1f %% |", 100*s.Nearer),
		fmt.Sprintf("\n| strategies in the right order, of %d pairs | %.0f %% |", s.Pairs, 100*s.Ranks),
		fmt.Sprintf("\n| nothing | %.1f %% | %.0f %% |", 100*s.Median, 100*s.P90),
	} {
		if !strings.Contains(text, row) {
			t.Errorf("docs/validation.md does not say: %s", strings.TrimSpace(row))
		}
	}
}
