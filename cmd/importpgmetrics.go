package cmd

import (
	"slices"

	"github.com/spf13/cobra"

	"avsim/workload/pgexport"
)

func newImportPgmetrics() *cobra.Command {
	var f twinFlags
	c := &cobra.Command{
		Use:   "pgmetrics FILE...",
		Short: "A scenario from reports of pgmetrics",
		Long: `pgmetrics reads reports of the tool of that name, in JSON (pgmetrics -f json),
plain or gzip, and writes a scenario for 'avsim run'. With two reports of one
server, rates are measured between them; with one, they are means since the
statistics were reset. A report has neither storage parameters of tables nor
catalogues and TOAST tables: what 'import sql' exports tells more.`,
		Example: `  pgmetrics --no-password -f json -o monday.json --all-dbs
  avsim import pgmetrics monday.json tuesday.json --log postgresql.log -o shop.yaml`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("import pgmetrics takes one or more reports in JSON (pgmetrics -f json)")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return importPgmetrics(c, &f, args) },
	}
	f.register(c.Flags())
	return c
}

func importPgmetrics(c *cobra.Command, f *twinFlags, files []string) error {
	o, v, err := f.check()
	if err != nil {
		return err
	}
	for _, in := range append(slices.Clone(files), f.logs...) {
		if f.out.out != "" && sameFile(in, f.out.out) {
			return usagef("-o %s: is a file to read, which it would overwrite; accepted is another file", f.out.out)
		}
	}
	export := new(pgexport.Export)
	var failed error
	for _, name := range files {
		if err := export.ReadPgmetricsFile(name); err != nil {
			if failed == nil {
				failed = err
			}
			if len(files) > 1 {
				f.say(c.ErrOrStderr(), "%v; left out", err)
			}
		}
	}
	if len(export.Files) == 0 {
		return inputError{failed}
	}
	return f.finish(c, export, v, o)
}
