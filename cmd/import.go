package cmd

import "github.com/spf13/cobra"

func newImport() *cobra.Command {
	c := &cobra.Command{
		Use:   "import",
		Short: "A scenario from a real database",
		Long: `import makes a scenario for 'avsim run' out of what a server tells of itself:
'import sql' prints the queries that export its catalogues and statistics,
'import csv' reads the export, 'import db' asks a server itself, 'import pgmetrics'
reads reports of that tool, 'import log' tells what the server's log says of
autovacuum. An export and a log together make a better scenario. docs/import.md is
the manual.`,
		Example: `  avsim import sql > export.sql
  psql -X -f export.sql shop
  avsim import csv . --log postgresql.log -o shop.yaml
  avsim run shop.yaml`,
		SuggestionsMinimumDistance: 2,
		Args:                       noArgs,
		RunE:                       func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newImportCSV(), newImportDB(), newImportPgmetrics(), newImportSQL(), newImportLog())
	return c
}
