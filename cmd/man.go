package cmd

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"avsim/sim/experiment"
)

func newMan() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("man takes the folder to write to")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := experiment.CheckDir(args[0]); err != nil {
				return err
			}
			c.Root().DisableAutoGenTag = true
			header := &doc.GenManHeader{Title: "AVSIM", Section: "1", Source: "avsim " + Version}
			if err := doc.GenManTree(c.Root(), header, args[0]); err != nil {
				return err
			}
			pages, err := os.ReadDir(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s: %s\n", args[0], plural(len(pages), "page"))
			return nil
		},
	}
}
