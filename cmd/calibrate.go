package cmd

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"avsim/sim/experiment"
	"avsim/workload/host"
)

func newCalibrate() *cobra.Command {
	var out, name string
	var cores int
	c := &cobra.Command{
		Use:   "calibrate MICROCOSTS.csv",
		Short: "A host profile from measured micro-costs",
		Long: `calibrate makes a host profile from a file of measured micro-costs: CSV with
the columns quantity, tables, value, unit and use, of which the rows of use
"input" count. The profile goes to standard output or to -o FILE, for --host;
how well it gives back the rows goes to standard error.

What such rows do not tell (slices of the kernel, cache, variation) is taken
from a two-core Linux machine; the profile can be edited.`,
		Example: `  avsim calibrate microcosts.csv --name my-server --cpus 8 -o my-server.yaml
  avsim compare --tables 20000 --host my-server.yaml`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("calibrate takes one file of micro-costs, got %d", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("cpus") && (cores < 1 || cores > 1024) {
				return usagef("--cpus %d: accepted is 1 to 1024", cores)
			}
			return calibrate(c.OutOrStdout(), c.ErrOrStderr(), args[0], out, name, cores)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "profile to write instead of standard output")
	c.Flags().StringVar(&name, "name", "", "name of the profile (default: the file's)")
	c.Flags().IntVar(&cores, "cpus", 0, "processors of the machine (default 2)")
	return c
}

// calibrated is the head of a profile that was made here.
const calibrated = `# Made by avsim calibrate from the micro-costs in %s. Not in them, and taken from
# a two-core Linux machine: cores (unless given), scheduler, cold_after,
# cache_bytes, variation, the spread of wake_call, statistics.timestamp_check and
# message, worker.lock_hold.hot.
`

// same tells whether two names are of one file.
func same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

func calibrate(stdout, stderr io.Writer, file, out, name string, cores int) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return inputError{err}
	}
	if same(file, out) {
		return usagef("-o %s is the file that is read", out)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) // byte order mark
	p, report, err := host.Fit(bytes.NewReader(data), file)
	if err != nil {
		return inputError{err}
	}
	if name != "" {
		p.Name = name
	}
	if cores > 0 {
		p.Cores = cores
	}
	for _, w := range report.Warnings {
		fmt.Fprintln(stderr, "avsim: warning: "+w)
	}
	text := append([]byte(fmt.Sprintf(calibrated, filepath.Base(file))), p.Marshal()...)
	if _, err := host.Parse(text, file); err != nil {
		return inputError{fmt.Errorf("no usable profile comes out: %w", err)}
	}
	write := func(w io.Writer) error { _, err := w.Write(text); return err }
	if out != "" {
		err = experiment.WriteFile(out, write)
	} else {
		err = write(stdout)
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(stderr, "residuals (fitted to measured):")
	for _, r := range report.Residuals {
		fmt.Fprintln(stderr, "  "+r.String())
	}
	return nil
}
