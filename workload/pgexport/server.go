package pgexport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"avsim/workload/guc"
)

// ServerOptions say how a server is asked.
type ServerOptions struct {
	All     bool          // every database that allows connections, not only the one connected to
	Timeout time.Duration // of each statement, and of connecting
}

// ReadServer asks a server what the script asks: one round of queries in each
// database, each in a read-only transaction. dsn is a connection string as libpq takes
// it; what it leaves out comes from the environment (PGHOST and so on). No error bears
// the password.
func (e *Export) ReadServer(ctx context.Context, dsn string, o ServerOptions) error {
	config, err := pgconn.ParseConfig(dsn)
	if err != nil {
		return errors.New("the connection string cannot be read; accepted is one such as postgres://user@host:5432/database or 'host=… dbname=…'")
	}
	config.ConnectTimeout = o.Timeout
	config.RuntimeParams["application_name"] = "avsim"
	others, err := e.readDatabase(ctx, config, o, true)
	if err != nil {
		return withoutSecret(config, err)
	}
	if !o.All {
		return nil
	}
	for _, name := range others {
		next := config.Copy()
		next.Database = name
		if _, err := e.readDatabase(ctx, next, o, false); err != nil {
			e.note("database %q: %v; its tables are left out", name, withoutSecret(config, err))
		}
	}
	return nil
}

// readDatabase asks one database. Of the first it reads settings and the list of
// databases too, and returns the others that allow connections.
func (e *Export) readDatabase(ctx context.Context, config *pgconn.Config, o ServerOptions, first bool) (others []string, err error) {
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.Background())
	if err := tooOld(conn.ParameterStatus("server_version")); err != nil {
		return nil, err
	}
	if err := begin(ctx, conn, o.Timeout); err != nil {
		return nil, err
	}
	values, err := askVariables(ctx, conn)
	if err != nil {
		return nil, err
	}
	name := nameOf(config)
	queries := []string{tablesQuery}
	if first {
		queries = []string{settingsQuery, databasesQuery, tablesQuery}
	}
	for _, query := range queries {
		var b bytes.Buffer
		if _, err := conn.CopyTo(ctx, &b, copyOut(substituted(query, values))); err != nil {
			return nil, err
		}
		if _, err := e.Read(&b, name); err != nil {
			return nil, err
		}
	}
	if first {
		others, err = askOthers(ctx, conn)
	}
	return others, errors.Join(err, conn.Exec(ctx, "ROLLBACK").Close())
}

// begin opens the transaction in which all is asked.
func begin(ctx context.Context, conn *pgconn.PgConn, timeout time.Duration) error {
	return conn.Exec(ctx, fmt.Sprintf("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = %d; SET LOCAL lock_timeout = '1s'; "+
		"SET LOCAL search_path = pg_catalog; SET LOCAL datestyle = 'ISO'; SET LOCAL timezone = 'UTC'", timeout.Milliseconds())).Close()
}

// askVariables finds out what differs from version to version.
func askVariables(ctx context.Context, conn *pgconn.PgConn) (map[string]string, error) {
	results, err := conn.Exec(ctx, variables).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(results) != 1 || len(results[0].Rows) != 1 {
		return nil, errors.New("the server does not answer as PostgreSQL does")
	}
	out := make(map[string]string)
	for i, f := range results[0].FieldDescriptions {
		out[f.Name] = string(results[0].Rows[0][i])
	}
	return out, nil
}

// askOthers lists the other databases that allow connections.
func askOthers(ctx context.Context, conn *pgconn.PgConn) (names []string, err error) {
	results, err := conn.Exec(ctx, "SELECT datname FROM pg_database WHERE datallowconn AND datname <> current_database() ORDER BY ctid").ReadAll()
	if err != nil {
		return nil, err
	}
	for _, row := range results[0].Rows {
		names = append(names, string(row[0]))
	}
	return names, nil
}

// tooOld refuses servers that the queries do not run on.
func tooOld(version string) error {
	v, err := guc.NearestSupported(cleanVersion(version))
	if err == nil && !v.AtLeast(guc.MustVersion("9.6")) {
		return fmt.Errorf("the server is PostgreSQL %s; the queries run on 9.6 and later", version)
	}
	return nil
}

// nameOf tells a server and database, without the password.
func nameOf(config *pgconn.Config) string {
	u := url.URL{Scheme: "postgres", User: url.User(config.User), Host: fmt.Sprintf("%s:%d", config.Host, config.Port), Path: "/" + config.Database}
	return u.String()
}

// withoutSecret is an error on one line in which the password does not stand.
func withoutSecret(config *pgconn.Config, err error) error {
	text := strings.Join(strings.Fields(err.Error()), " ")
	for _, secret := range []string{config.Password, url.QueryEscape(config.Password), url.PathEscape(config.Password)} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "…")
		}
	}
	return fmt.Errorf("%s: %s", nameOf(config), text)
}
