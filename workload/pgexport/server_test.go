package pgexport

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

var options = ServerOptions{All: true, Timeout: 10 * time.Second}

// server is the connection string of scripts/pgtemp.
func server(t *testing.T) string {
	t.Helper()
	dsn := os.Getenv("AVSIM_TEST_DSN")
	if dsn == "" {
		t.Skip("no server: run scripts/pgtemp go test ./workload/pgexport -run Server")
	}
	return dsn
}

func do(t *testing.T, conn *pgconn.PgConn, sql string) {
	t.Helper()
	if err := conn.Exec(context.Background(), sql).Close(); err != nil {
		t.Fatal(err)
	}
}

// TestServer: a real server with 2,000 tables and names of all kinds, asked directly
// and by the script, tells the same.
func TestServer(t *testing.T) {
	dsn := server(t)
	ctx := context.Background()
	conn, err := pgconn.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	do(t, conn, `DO $$ BEGIN FOR i IN 1..2000 LOOP EXECUTE format('CREATE TABLE many_%s (a int PRIMARY KEY)', i); END LOOP; END $$`)
	do(t, conn, `CREATE TABLE "say ""x"", then`+"\n"+`%" (a text) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01)`)
	do(t, conn, `CREATE TABLE parent (a int) PARTITION BY RANGE (a); CREATE TABLE child PARTITION OF parent FOR VALUES FROM (1) TO (9)`)
	do(t, conn, `CREATE DATABASE "other one"`)
	do(t, conn, `INSERT INTO many_1 SELECT generate_series(1, 1000); ANALYZE many_1`)

	e := new(Export)
	begun := time.Now()
	if err := e.ReadServer(ctx, dsn, options); err != nil {
		t.Fatal(err)
	}
	t.Logf("asked in %v", time.Since(begun))
	if err := e.Finish(); err != nil || e.Bad > 0 {
		t.Fatal(err, e.BadFirst)
	}
	main := find(e, "postgres")
	tables := make(map[string]*Table)
	for _, x := range main.Tables {
		tables[x.Name] = x
	}
	odd := tables["say \"x\", then\n%"]
	if odd == nil || len(odd.Options) != 2 || odd.Toast == 0 || tables["parent"] != nil || tables["child"] == nil || tables["pg_class"] == nil || find(e, "other one") == nil {
		t.Errorf("%d tables, the odd one %+v", len(main.Tables), odd)
	}
	if x := tables["many_1"]; x.Last.Reltuples != 1000 || x.Indexes != 1 || x.Last.XIDAge < 0 || x.Last.MultiAge < 0 {
		t.Errorf("%+v", x)
	}
	if naptime, _ := e.Setting("autovacuum_naptime"); naptime != "1" || len(main.XIDs) == 0 {
		t.Errorf("autovacuum_naptime %q, transaction ids %v", naptime, main.XIDs)
	}
	if text := fmt.Sprint(e.Files, e.Notes); strings.Contains(text, "a-secret-word") {
		t.Errorf("the password is told: %s", text)
	}
	script(t, dsn, main)
}

// script runs the script by psql, and holds what it exports against what the server
// told.
func script(t *testing.T, dsn string, want *Database) {
	if _, err := exec.LookPath("psql"); err != nil {
		t.Skip("no psql")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "export.sql")
	if err := os.WriteFile(file, []byte(Script()), 0o644); err != nil {
		t.Fatal(err)
	}
	psql := exec.Command("psql", "-X", "-f", file, dsn)
	psql.Dir = dir
	if out, err := psql.CombinedOutput(); err != nil || strings.Count(string(out), ".csv\n") != 3 {
		t.Fatalf("%v: %s", err, out)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "avsim-*.csv"))
	e := new(Export)
	for _, f := range files {
		if kind, err := e.ReadFile(f); kind == Unknown || err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
	if err := e.Finish(); err != nil || e.Bad > 0 {
		t.Fatal(err, e.BadFirst)
	}
	got := find(e, want.Name)
	if len(got.Tables) != len(want.Tables) {
		t.Fatalf("%d tables by the script, %d by the server", len(got.Tables), len(want.Tables))
	}
	for i, x := range got.Tables {
		if y := want.Tables[i]; x.OID != y.OID || x.Name != y.Name || x.Kind != y.Kind || fmt.Sprint(x.Options) != fmt.Sprint(y.Options) {
			t.Errorf("place %d: %+v by the script, %+v by the server", i, x, y)
		}
	}
}

func find(e *Export, name string) *Database {
	for _, d := range e.Databases {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// A server asked twice gives rates; nothing is written to it.
func TestServerTwice(t *testing.T) {
	dsn := server(t)
	ctx := context.Background()
	conn, err := pgconn.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	do(t, conn, "CREATE TABLE busy (a int); INSERT INTO busy SELECT generate_series(1, 100); SELECT pg_sleep(1.5)")
	e := new(Export)
	one := ServerOptions{Timeout: 10 * time.Second}
	if err := e.ReadServer(ctx, dsn, one); err != nil {
		t.Fatal(err)
	}
	do(t, conn, "UPDATE busy SET a = a + 1; SELECT pg_sleep(1.5)")
	if err := e.ReadServer(ctx, dsn, one); err != nil {
		t.Fatal(err)
	}
	if err := e.Finish(); err != nil {
		t.Fatal(err)
	}
	for _, x := range find(e, "postgres").Tables {
		if x.Name == "busy" && x.Last.Updated-x.First.Updated != 100 {
			t.Errorf("%d updates, 100 were made", x.Last.Updated-x.First.Updated)
		}
	}
}

// Errors are one line without the password, whatever the server says.
func TestRefusals(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := closed.Addr().String()
	closed.Close()
	for _, dsn := range []string{
		"postgres://me:a-secret-word@" + address + "/x", "postgres://me:a-secret-word@127.0.0.1:port/x",
		"host=127.0.0.1 port=1 user=me password=a-secret-word sslmode=nonsense", "password='a-secret-word",
		"postgres://me:a-secret-word@" + speaking(t, 'E', "SFATAL\x00C28P01\x00Mpassword authentication failed for a-secret-word\x00\x00") + "/x?sslmode=disable",
		"postgres://me:a-secret-word@" + speaking(t, '?', "what") + "/x?sslmode=disable",
	} {
		err := new(Export).ReadServer(context.Background(), dsn, ServerOptions{Timeout: 2 * time.Second})
		if err == nil || strings.Contains(err.Error(), "a-secret-word") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", dsn, err)
		}
	}
	if err := tooOld("9.5.12"); err == nil {
		t.Error("9.5 was accepted")
	}
	if err := tooOld("16.3 (Debian)"); err != nil {
		t.Error(err)
	}
}

// speaking is the address of a server that answers with one message, and no more.
func speaking(t *testing.T, kind byte, message string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Read(make([]byte, 1024))
			n := len(message) + 4
			conn.Write(append([]byte{kind, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}, message...))
			conn.Close()
		}
	}()
	return l.Addr().String()
}
