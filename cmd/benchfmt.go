package cmd

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// benchRows writes the Go benchmark format, which benchstat reads: a line per
// replication, named after what varies.
//
//	https://go.googlesource.com/proposal/+/master/design/14313-benchmark-format.md
type benchRows struct {
	out     *bufio.Writer
	columns []string
	begun   bool
}

// benchKeys tell the points of a result apart.
var benchKeys = []string{"tables", "workers", "host", "cpus", "due_share", "start", "pg", "settings", "strategy"}

func newBenchRows(w io.Writer, columns []string) rowWriter {
	return &benchRows{out: bufio.NewWriter(w), columns: columns}
}

func (b *benchRows) Row(row []string, samples []float64) error {
	text := func(column string) string { return row[slices.Index(b.columns, column)] }
	if !b.begun {
		b.begun = true
		fmt.Fprintf(b.out, "model: %s\ninputs: %s\nseed: %s\nUnit vacuums/s better=higher\n\n",
			text("model_version"), text("input_hash"), text("seed"))
	}
	var name strings.Builder
	for _, key := range benchKeys {
		if value := text(key); value != "" {
			fmt.Fprintf(&name, "/%s=%s", key, strings.NewReplacer(" ", ",", "/", "_").Replace(value))
		}
	}
	for _, x := range samples {
		if _, err := fmt.Fprintf(b.out, "BenchmarkAutovacuum%s 1 %g vacuums/s\n", name.String(), x); err != nil {
			return err
		}
	}
	return nil
}

func (b *benchRows) Close() error { return b.out.Flush() }
