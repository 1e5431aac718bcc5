package cmd

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"avsim/scheduler"
)

// Version is that of the command.
const Version = "0.1.0"

func newVersion() *cobra.Command {
	var model bool
	c := &cobra.Command{
		Use:   "version",
		Short: "The version, and what is modelled",
		Example: `  avsim version
  avsim version --model`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			fmt.Fprintf(c.OutOrStdout(), "avsim %s, model %s\n", Version, scheduler.ModelVersion)
			if model {
				return printModel(c.OutOrStdout())
			}
			return nil
		},
	}
	c.Flags().BoolVar(&model, "model", false, "list the strategies, what is modelled and what is not")
	return c
}

func printModel(w io.Writer) error {
	fmt.Fprintln(w, "\nstrategies")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, s := range scheduler.Strategies() {
		fmt.Fprintf(t, "  %s\t%s\t%s\n", s.Name, s.Summary, s.Releases)
	}
	t.Flush()
	fmt.Fprintln(w, "\nmodelled")
	for _, line := range scheduler.Modelled() {
		fmt.Fprintln(w, "  "+line)
	}
	fmt.Fprintln(w, "\nnot modelled")
	for _, line := range scheduler.NotModelled() {
		fmt.Fprintln(w, "  "+line)
	}
	return nil
}
