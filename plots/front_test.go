package plots

import (
	"errors"
	"strings"
	"testing"

	"avsim/sim/experiment"
)

func frontTable(rows ...string) *experiment.Table {
	t := &experiment.Table{Columns: []string{"model_version", "input_hash", "seed", "replications", "scenario", "pg_version", "objective", "point", "worker_slots", "io_budget_units_per_s", "holds"}}
	for _, row := range rows {
		t.AppendRow(strings.Split("1,cedd25222360,1,5,saturated,18,p99_lateness<2min,"+row, ",")...)
	}
	return t
}

// TestFront: the title says what was found, and each point is in the data once.
func TestFront(t *testing.T) {
	for _, x := range []struct {
		rows  []string
		title string
	}{
		{[]string{"now,3,20000,false", "found,3,50000,true", "front,1,40000,true", "front,8,21113,true", "cheaper,3,40000,false"},
			"The objective is met with 50,000 cost units a second and 3 worker slots; now there are 20,000 and 3"},
		{[]string{"now,3,20000,true", "found,1,10000,true"}, "The objective is met with 10,000 cost units a second and 1 worker slot; now there are 20,000 and 3"},
		{[]string{"now,3,20000,false", "nearest,32,5e+06,false"}, "Nothing within the bounds meets the objective"},
	} {
		figure, err := Front(frontTable(x.rows...))
		if err != nil {
			t.Fatal(err)
		}
		if figure.Title() != x.title || len(figure.Data().Rows) != len(x.rows) {
			t.Errorf("%q with %d rows, want %q with %d", figure.Title(), len(figure.Data().Rows), x.title, len(x.rows))
		}
		if len(x.rows) == 5 {
			checkGolden(t, "front", figure)
		}
	}
	if _, err := Front(frontTable("now,3,0,true")); !errors.Is(err, ErrNothingToDraw) {
		t.Errorf("without a limit: %v", err)
	}
}
