package lab

import (
	"fmt"
	"strings"

	"avsim/workload/scenario"
)

// CaseHost is the machine on which cases are searched for, and which their scenarios name.
const CaseHost = "generic-4core"

// caseName is the name of a case's scenario that has none of its own.
const caseName = "case"

// CaseDead is how many rows of a table are dead at the start, where some are.
func CaseDead(rows int64) int64 { return rows / 3 }

// YAML is the case as a scenario file of that name, with lines of comment at its top. avsim
// run and avsim lab take it.
func (c Case) YAML(name, title string, comment ...string) string {
	var b strings.Builder
	for _, line := range comment {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	fmt.Fprintf(&b, "name: %q\ntitle: %q\npg: %q\nhost: %s\nrun_for: %dm\nsettings:\n  autovacuum_max_workers: %d\ndatabases:\n  - name: db\n    tables:\n",
		name, title, casePG, CaseHost, int(caseLength.Minutes()), c.Workers)
	names := c.names()
	for i, t := range c.Tables {
		fmt.Fprintf(&b, "      - {name: %s, rows: %d, row_bytes: 132, indexes: 2", names[i], t.Rows)
		if t.Dead {
			fmt.Fprintf(&b, ", dead: %d", CaseDead(t.Rows))
		}
		if t.Updates > 0 {
			fmt.Fprintf(&b, ", activity: {updates: %d/s}", t.Updates)
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// names are those of the tables, in their order.
func (c Case) names() (out []string) {
	for i := range c.Tables {
		out = append(out, fmt.Sprintf("t%d", i+1))
	}
	return out
}

// Scenario is the case as a scenario.
func (c Case) Scenario(name string) (*scenario.Run, error) {
	return scenario.ParseRun([]byte(c.YAML(name, "a case of the search for starvation")), name)
}
