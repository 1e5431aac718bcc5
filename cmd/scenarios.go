package cmd

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"avsim/workload/scenario"
)

func newScenarios() *cobra.Command {
	c := &cobra.Command{
		Use:   "scenarios",
		Short: "List or show the built-in scenarios",
		Example: `  avsim scenarios list
  avsim scenarios show daily-wave > my.yaml`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(&cobra.Command{
		Use:   "list",
		Short: "Name, kind and title of each built-in scenario",
		Long: `list prints each built-in scenario with what it is for: compare and sweep (measure)
or run, explain and advise (run; sweep takes these too).`,
		Example: `  avsim scenarios list
  avsim run daily-wave`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			t := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, e := range scenario.List() {
				fmt.Fprintf(t, "%s\t%s\t%s\n", e.Name, e.Kind, e.Title)
			}
			return t.Flush()
		},
	}, &cobra.Command{
		Use:   "show NAME",
		Short: "The file of a built-in scenario",
		Example: `  avsim scenarios show daily-wave > my.yaml
  avsim run my.yaml`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("show takes the name of one scenario (see 'avsim scenarios list')")
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return scenarioNames(scenario.KindMeasure, scenario.KindRun), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			text, err := scenario.Text(args[0])
			if err != nil {
				return usageError{err}
			}
			_, err = c.OutOrStdout().Write(text)
			return err
		},
	})
	return c
}
