package pgexport

import (
	_ "embed"
	"fmt"
	"strings"
)

// The queries. A name after a colon is a variable that Variables gives.
var (
	//go:embed queries/variables.sql
	variables string
	//go:embed queries/settings.sql
	settingsQuery string
	//go:embed queries/databases.sql
	databasesQuery string
	//go:embed queries/tables.sql
	tablesQuery string
)

// prefix begins the names of variables in the queries.
const prefix = "avsim_"

const scriptHead = `-- What avsim import needs to know of a server, as CSV files in the current folder:
--
--   psql -X -f THIS_FILE DATABASE        once for each database, then
--   avsim import csv .
--
-- Twice, an hour or a day apart, gives rates that are measured; once, those since
-- the statistics were reset. For PostgreSQL 9.6 to 19 and any psql since 9.3.
--
-- Reads catalogues and statistics only, no table; no text of a query and no setting
-- that could hold a secret. One read-only transaction. 100,000 tables take a second
-- or two.

\set ON_ERROR_STOP on
\set QUIET on
BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
SET LOCAL statement_timeout = '5min';
SET LOCAL lock_timeout = '1s';
SET LOCAL search_path = pg_catalog;
SET LOCAL datestyle = 'ISO';
`

// Script is the file for psql.
func Script() string {
	var b strings.Builder
	b.WriteString(scriptHead)
	fmt.Fprintf(&b, "\n-- What differs from version to version.\n%s\\gset %s\n", variables, prefix)
	for _, q := range []struct{ name, query string }{{"settings", settingsQuery}, {"databases", databasesQuery}, {"tables", tablesQuery}} {
		fmt.Fprintf(&b, "\n\\set avsim_file 'avsim-' :avsim_stamp '-' :avsim_db '-%s.csv'\n\\o :avsim_file\n%s;\n\\o\n\\echo :avsim_file\n", q.name, copyOut(q.query))
	}
	b.WriteString("\nCOMMIT;\n")
	return b.String()
}

// copyOut makes a query write CSV.
func copyOut(query string) string {
	return "COPY (\n" + strings.TrimRight(query, "\n") + "\n) TO STDOUT WITH (FORMAT csv, HEADER)"
}

// substituted puts in the variables.
func substituted(query string, values map[string]string) string {
	for name, value := range values {
		query = strings.ReplaceAll(query, ":"+prefix+name, value)
	}
	return query
}
