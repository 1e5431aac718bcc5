package cmd

import (
	"io"

	"github.com/spf13/cobra"

	"avsim/workload/pgexport"
)

func newImportSQL() *cobra.Command {
	var out outputFlags
	c := &cobra.Command{
		Use:   "sql",
		Short: "The queries that export what import csv needs",
		Long: `sql prints a script for psql. Run in a database, it writes three CSV files into
the current folder: settings, databases, and the tables of that database with
their sizes, ages, options and statistics. It reads catalogues and statistics
only, in one read-only transaction, on PostgreSQL 9.6 to 19.`,
		Example: `  avsim import sql > export.sql
  psql -X -f export.sql shop`,
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := out.tryOut(); err != nil {
				return err
			}
			return out.write(c.OutOrStdout(), func(w io.Writer) error {
				_, err := io.WriteString(w, pgexport.Script())
				return err
			})
		},
	}
	c.Flags().StringVarP(&out.out, "output", "o", "", "file to write to instead of standard output")
	return c
}
