package cmd

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"avsim/sim/experiment"
)

// benchRows writes the Go benchmark format, which benchstat reads: a line per
// replication, named after what varies.
//
//	https://go.googlesource.com/proposal/+/master/design/14313-benchmark-format.md
type benchRows struct {
	out     *bufio.Writer
	columns []string
	units   []string // of the samples
	begun   bool
}

// benchKeys tell the points of a result apart.
var benchKeys = []string{"scenario", "variant", "tables", "workers", "host", "cpus", "due_share", "start", "pg", "settings", "strategy"}

func newBenchRows(w io.Writer, columns []string) rowWriter {
	return &benchRows{out: bufio.NewWriter(w), columns: columns, units: benchUnits(columns)}
}

// benchUnits are those of the samples: the figures by which points are compared.
func benchUnits(columns []string) (units []string) {
	if slices.Contains(columns, "throughput_per_s") {
		return []string{"vacuums/s"}
	}
	for _, name := range columns {
		if figure, ok := strings.CutSuffix(name, "_ratio_to_first"); ok {
			units = append(units, figure)
		}
	}
	return units
}

func (b *benchRows) Row(row []string, samples []experiment.Samples) error {
	text := func(column string) string {
		if i := slices.Index(b.columns, column); i >= 0 {
			return row[i]
		}
		return ""
	}
	if !b.begun {
		b.begun = true
		fmt.Fprintf(b.out, "model: %s\ninputs: %s\nseed: %s\n", text("model_version"), text("input_hash"), text("seed"))
		if b.units[0] == "vacuums/s" {
			fmt.Fprint(b.out, "Unit vacuums/s better=higher\n")
		}
		fmt.Fprintln(b.out)
	}
	var name strings.Builder
	for _, key := range benchKeys {
		if value := text(key); value != "" {
			fmt.Fprintf(&name, "/%s=%s", key, strings.NewReplacer(" ", ",", "/", "_").Replace(value))
		}
	}
	for i := range samples[0] {
		var line strings.Builder
		for k, unit := range b.units {
			if x := samples[k][i]; !math.IsNaN(x) {
				fmt.Fprintf(&line, " %g %s", x, unit)
			}
		}
		if line.Len() == 0 {
			continue
		}
		if _, err := fmt.Fprintf(b.out, "BenchmarkAutovacuum%s 1%s\n", name.String(), line.String()); err != nil {
			return err
		}
	}
	return nil
}

func (b *benchRows) Close() error { return b.out.Flush() }
