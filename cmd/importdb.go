package cmd

import (
	"time"

	"github.com/spf13/cobra"

	"avsim/workload/pgexport"
)

type importDBFlags struct {
	twinFlags
	all     bool
	wait    time.Duration
	timeout time.Duration
}

func newImportDB() *cobra.Command {
	var f importDBFlags
	c := &cobra.Command{
		Use:   "db [CONNECTION]",
		Short: "A scenario from a running server",
		Long: `db asks a server what the script of 'import sql' asks, one round of queries in a
read-only transaction, and writes a scenario for 'avsim run'. CONNECTION is as
for psql: postgres://user@host:5432/database or 'host=… dbname=…'; what it leaves
out comes from PGHOST, PGUSER, PGPASSWORD, PGPASSFILE and so on. The password is
in no output. PostgreSQL 9.6 to 19.`,
		Example: `  avsim import db postgres://monitor@db1/shop --wait 1h -o shop.yaml
  PGHOST=db1 avsim import db --all --log postgresql.log -o shop.yaml`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("import db takes one connection string, got %d", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return importDB(c, &f, append(args, "")[0]) },
	}
	f.register(c.Flags())
	c.Flags().BoolVar(&f.all, "all", false, "every database that allows connections, not only the one connected to")
	c.Flags().DurationVar(&f.wait, "wait", 0, "ask a second time after so long, such as 1h, and measure rates in between")
	c.Flags().DurationVar(&f.timeout, "timeout", time.Minute, "longest time of a query, and of connecting")
	return c
}

func importDB(c *cobra.Command, f *importDBFlags, dsn string) error {
	o, v, err := f.check()
	switch {
	case err != nil:
		return err
	case f.wait < 0 || f.wait > 0 && f.wait < time.Second:
		return usagef("--wait %v: accepted is a second or more", f.wait)
	case f.timeout < time.Second:
		return usagef("--timeout %v: accepted is a second or more", f.timeout)
	}
	export := new(pgexport.Export)
	options := pgexport.ServerOptions{All: f.all, Timeout: f.timeout}
	if err := export.ReadServer(c.Context(), dsn, options); err != nil {
		return inputError{err}
	}
	if f.wait > 0 {
		select {
		case <-c.Context().Done():
			return interrupted(c.Context().Err(), 0, 1, "nothing was written")
		case <-time.After(f.wait):
		}
		if err := export.ReadServer(c.Context(), dsn, options); err != nil {
			f.say(c.ErrOrStderr(), "asking a second time: %v; the first answer alone is used", err)
		}
	}
	return f.finish(c, export, v, o)
}
