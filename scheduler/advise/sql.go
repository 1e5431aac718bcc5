package advise

import (
	"fmt"
	"strings"

	"avsim/workload/guc"
)

// Statements are the lines, for psql, that make a point's changes, in the order in which
// they are to be run: of the server, then of tables by database. What is no statement of
// SQL is a comment or a command of psql.
func (o *Outcome) Statements(v guc.Version) (out []string) {
	reload, start := false, []string{}
	for _, c := range o.Changes {
		if c.Table != "" {
			continue
		}
		if !v.AtLeast(guc.MustVersion("9.4")) { // ALTER SYSTEM is of 9.4
			out = append(out, fmt.Sprintf("-- in postgresql.conf: %s = %s", c.Name, literal(c.Value)))
		} else {
			out = append(out, fmt.Sprintf("ALTER SYSTEM SET %s = %s;", c.Name, literal(c.Value)))
		}
		if c.Restart {
			start = append(start, c.Name)
		} else {
			reload = true
		}
	}
	if reload {
		out = append(out, "SELECT pg_reload_conf();")
	}
	if len(start) > 0 {
		out = append(out, fmt.Sprintf("-- restart the server: %s takes effect at a start only", strings.Join(start, ", ")))
	}
	database := ""
	for _, c := range o.Changes {
		if c.Table == "" {
			continue
		}
		if c.Database != database {
			database = c.Database
			out = append(out, `\connect `+connectTo(database))
		}
		name := c.SQLName
		if name == "" {
			name = tableName(c.Table)
		}
		out = append(out, fmt.Sprintf("ALTER TABLE %s SET (%s = %s);", name, c.Name, c.Value))
	}
	return out
}

// Restart tells whether a change of the point takes effect only at a start of the
// server.
func (o *Outcome) Restart() bool {
	for _, c := range o.Changes {
		if c.Restart {
			return true
		}
	}
	return false
}

// literal is a text in quotes, as SQL has them.
func literal(text string) string {
	text = strings.ReplaceAll(text, "'", "''")
	if strings.Contains(text, `\`) { // whatever standard_conforming_strings is
		return "E'" + strings.ReplaceAll(text, `\`, `\\`) + "'"
	}
	return "'" + text + "'"
}

// quoted is a name in quotes, as SQL has them.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// tableName is a table's name in quotes, of schema.table each of both.
func tableName(name string) string {
	if schema, table, ok := strings.Cut(name, "."); ok && schema != "" && table != "" {
		return quoted(schema) + "." + quoted(table)
	}
	return quoted(name)
}

// connectTo is the argument of \connect for a database. A name with = in it would be
// taken for a connection string: that is given as one. In single quotes psql reads \n
// as a line break.
func connectTo(name string) string {
	if strings.Contains(name, "=") || strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://") {
		value := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(name)
		return "-reuse-previous=on " + psqlArgument("dbname='"+value+"'")
	}
	return psqlArgument(name)
}

func psqlArgument(text string) string {
	if !strings.ContainsAny(text, "\n\r") {
		return quoted(text)
	}
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `''`, "\n", `\n`, "\r", `\r`).Replace(text) + "'"
}
