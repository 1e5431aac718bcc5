package pglog

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/unicode"
)

// scan reads a text.
func scan(t testing.TB, text string) ([]Event, Counts) {
	t.Helper()
	var events []Event
	s := Scanner{Each: func(e *Event) { events = append(events, *e) }}
	if err := s.Scan(strings.NewReader(text), "test.log"); err != nil {
		t.Fatal(err)
	}
	return events, s.Counts
}

type block struct{ version, text string }

// blocks are a vacuum and an analyze in each version's form.
func blocks(t testing.TB) (out []block) {
	t.Helper()
	text, err := os.ReadFile("testdata/blocks.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(strings.TrimSpace(string(text)), "\n\n")[1:] {
		head, rest, _ := strings.Cut(part, "\n")
		out = append(out, block{strings.TrimPrefix(head, "== "), rest})
	}
	if len(out) != 26 {
		t.Fatalf("%d blocks, want a vacuum and an analyze of 13 versions", len(out))
	}
	return out
}

// wrappers are the ways in which a message comes to a file. The time is 09:29:40 UTC
// and the process id 3422 in all of them that have one.
var wrappers = map[string]func(message string) string{
	"%m [%p]":         stderrWith("2026-11-30 09:29:40.000 UTC [3422] "),
	"%m [%p] %d":      stderrWith("2026-11-30 09:29:40.000 UTC [3422]  "),
	"%t [%p]: [%l-1]": stderrWith("2026-11-30 09:29:40 UTC [3422]: [7-1] user=,db=,app=,client= "),
	"%m %p %c":        stderrWith("2026-11-30 10:29:40.000 CET 3422 674adb63.d5e "),
	"rds":             stderrWith("2026-11-30 09:29:40 UTC::@:[3422]:"),
	"%n %c":           stderrWith("1796030980.000 6a1fe344.d5e "),
	"offset":          stderrWith("2026-11-30 12:29:40.000 +03 [3422]: "),
	"comma":           stderrWith("2026-11-30 09:29:40.000 UTC,3422,,,"),
	"empty prefix":    stderrWith(""),
	"carriage return": func(m string) string {
		return strings.ReplaceAll(stderrWith("2026-11-30 09:29:40.000 UTC [3422] ")(m), "\n", "\r\n")
	},
	"csvlog":  csvWith,
	"jsonlog": jsonWith,
	"cnpg": func(m string) string {
		return `{"level":"info","ts":"2026-11-30T09:29:41Z","logger":"postgres","record":{"log_time":"2026-11-30 09:29:40.000 UTC","process_id":"3422","error_severity":"LOG","message":` + quoted(m) + `}}` + "\n"
	},
	"docker": func(m string) string {
		return eachLine(stderrWith("2026-11-30 09:29:40.000 UTC [3422] ")(m), func(line string) string {
			return `{"log":` + quoted(line+"\n") + `,"stream":"stderr","time":"2026-11-30T09:29:40.5Z"}`
		})
	},
	"kubernetes": func(m string) string {
		return eachLine(stderrWith("2026-11-30 09:29:40.000 UTC [3422] ")(m), func(line string) string { return "2026-11-30T09:29:40.500000000Z stderr F " + line })
	},
	"compose": func(m string) string {
		return eachLine(stderrWith("2026-11-30 09:29:40.000 UTC [3422] ")(m), func(line string) string { return "db-1  | " + line })
	},
	"syslog": func(m string) string { return syslogWith("Nov 30 09:29:40 db1 postgres[3422]: [5-%d] ", m) },
	"rsyslog": func(m string) string {
		return syslogWith("<134>2026-11-30T09:29:40.000000+00:00 db1 postgres[3422]: [5-%d] ", m)
	},
	"journald": func(m string) string {
		return eachLine(stderrWith("2026-11-30 09:29:40.000 UTC [3422] ")(m), func(line string) string { return "Nov 30 09:29:40 db1 postgres[3422]: " + line })
	},
	"unknown wrapper": func(m string) string {
		return eachLine(stderrWith("2026-11-30 09:29:40.000 UTC [3422] ")(m), func(line string) string { return "host=a shipper=b msg=" + line })
	},
	"text behind": func(m string) string {
		return eachLine(stderrWith("2026-11-30 09:29:40.000 UTC [3422] ")(m), func(line string) string { return line + " host=a shipper=b" })
	},
	"logfmt": func(m string) string {
		return eachLine(stderrWith("2026-11-30 09:29:40.000 UTC [3422] ")(m), func(line string) string { return `host="a" msg=` + quoted(line) + ` shipper=b` })
	},
	"nested": func(m string) string {
		return eachLine(stderrWith("2026-11-30 09:29:40.000 UTC [3422] ")(m), func(line string) string {
			return `{"host":{"name":"a"},"payload":{"level":3,"lines":[{"msg":` + quoted(line) + `}]}}`
		})
	},
	"blanks for tabs": func(m string) string {
		return strings.ReplaceAll(stderrWith("2026-11-30 09:29:40.000 UTC [3422] ")(m), "\t", "        ")
	},
}

func stderrWith(prefix string) func(string) string {
	return func(m string) string { return prefix + "LOG:  " + strings.ReplaceAll(m, "\n", "\n\t") + "\n" }
}

func eachLine(text string, f func(string) string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		b.WriteString(f(line) + "\n")
	}
	return b.String()
}

func syslogWith(form, m string) string {
	n := 0
	return eachLine("LOG:  "+strings.ReplaceAll(m, "\n", "\n#011"), func(line string) string {
		n++
		return fmt.Sprintf(form, n) + line
	})
}

func csvWith(m string) string {
	fields := make([]string, 26)
	fields[csvTime], fields[csvPID], fields[csvSeverity], fields[csvMessage] = "2026-11-30 09:29:40.000 UTC", "3422", "LOG", m
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write(fields)
	w.Flush()
	return b.String()
}

func jsonWith(m string) string {
	return `{"timestamp":"2026-11-30 09:29:40.000 UTC","pid":3422,"error_severity":"LOG","message":` + quoted(m) + `,"backend_type":"autovacuum worker"}` + "\n"
}

func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// Every version's messages in every wrapper say the same.
func TestEveryVersionInEveryWrapper(t *testing.T) {
	for _, b := range blocks(t) {
		want, ok := blockOf(b.text, func(line string) { t.Errorf("%s: %q was not understood", b.version, line) })
		if !ok || !want.Complete || want.Name != "shop.public.orders" || want.Elapsed != 3190*time.Millisecond || want.User != 410*time.Millisecond || want.System != 50*time.Millisecond {
			t.Fatalf("%s: %+v", b.version, want)
		}
		for name, wrap := range wrappers {
			events, counts := scan(t, wrap(b.text)+wrap("checkpoint starting: time")+wrap(b.text))
			if len(events) != 2 || counts.Strange != 0 || counts.Incomplete != 0 {
				t.Errorf("%s in %s: %d events, %+v", b.version, name, len(events), counts)
				continue
			}
			for _, e := range events {
				e.At, e.PID = time.Time{}, 0
				if e != want {
					t.Errorf("%s in %s:\n got %+v\nwant %+v", b.version, name, e, want)
				}
			}
		}
	}
}

// Each wrapper that tells time and process id is asked for them.
func TestTimesAndProcesses(t *testing.T) {
	for name, wrap := range wrappers {
		events, _ := scan(t, wrap(blocks(t)[0].text))
		if len(events) != 1 {
			t.Fatalf("%s: %d events", name, len(events))
		}
		at, pid := "2026-11-30 09:29:40", 3422
		switch name {
		case "syslog": // has no year
			at = "2000-11-30 09:29:40"
		case "empty prefix":
			at, pid = "0001-01-01 00:00:00", 0
		}
		if got := events[0].At.UTC().Format(time.DateTime); got != at || events[0].PID != pid {
			t.Errorf("%s: %s, process %d; want %s, %d", name, got, events[0].PID, at, pid)
		}
	}
}

// What stands in a block of each version, by the numbers in testdata/blocks.txt.
func TestFields(t *testing.T) {
	for _, b := range blocks(t) {
		e, _ := blockOf(b.text, func(string) {})
		branch := 0.0
		fmt.Sscan(b.version, &branch)
		check := func(what string, since float64, got, want any) {
			t.Helper()
			if branch >= since && got != want {
				t.Errorf("%s %s: %s is %v, want %v", b.version, e.Kind, what, got, want)
			}
		}
		if e.Kind == Analyze {
			check("hits", 14, [3]int64{e.Hits, e.Misses, e.Dirtied}, [3]int64{10414, 400, 800})
			check("delay", 18, e.Delayed, 2700125*time.Microsecond)
			continue
		}
		check("index scans", 0, e.IndexScans, 1)
		check("pages", 0, [2]int64{e.PagesRemoved, e.PagesRemain}, [2]int64{3, 1200})
		check("pages scanned", 15, e.PagesScanned, int64(1103))
		check("rows", 0, [3]int64{e.TuplesRemoved, e.TuplesRemain, e.NotRemovable}, [3]int64{5000, 60000, 17})
		check("oldest xmin", 10, e.OldestXmin, int64(754321))
		check("its age", 15, e.CutoffAge, int64(42))
		check("relfrozenxid", 15, e.NewRelfrozenxid, int64(700000))
		check("frozen", 16, [2]int64{e.FrozenPages, e.FrozenTuples}, [2]int64{4, 200})
		check("dead items", 14, [2]int64{e.DeadPages, e.DeadItems}, [2]int64{1000, 4900})
		check("index pages", 14, [2]int64{int64(e.Indexes), e.IndexPages}, [2]int64{2, 200})
		check("buffers", 0, [3]int64{e.Hits, e.Misses, e.Dirtied}, [3]int64{10414, 400, 800})
		check("rates", 0, [2]float64{e.ReadRate, e.WriteRate}, [2]float64{0.979, 1.959})
		check("WAL", 13, [3]int64{e.WALRecords, e.WALImages, e.WALBytes}, [3]int64{2100, 700, 6000000})
		check("I/O", 14, [2]time.Duration{e.IORead, e.IOWrite}, [2]time.Duration{12500 * time.Microsecond, 250 * time.Microsecond})
		check("delay", 18, e.Delayed, 2700125*time.Microsecond)
	}
}

// The form of a block tells the version, or nearly.
func TestVersions(t *testing.T) {
	for _, b := range blocks(t) {
		e, _ := blockOf(b.text, func(string) {})
		version := 0.0
		fmt.Sscan(b.version, &version)
		if version *= 10; e.From > int(version+0.5) || e.To > 0 && e.To < int(version+0.5) {
			t.Errorf("a %s of %s: %d to %d", e.Kind, b.version, e.From, e.To)
		}
	}
}

// Heads in all their words, and names that are hard to read.
func TestHeads(t *testing.T) {
	for text, want := range map[string]Event{
		`automatic aggressive vacuum of table "d.s.t": index scans: 0`:                       {Kind: Vacuum, Aggressive: true, Name: "d.s.t"},
		`automatic vacuum to prevent wraparound of table "d.s.t": index scans: 3`:            {Kind: Vacuum, Wraparound: true, IndexScans: 3, Name: "d.s.t"},
		`automatic aggressive vacuum to prevent wraparound of table "d.s.t": index scans: 0`: {Kind: Vacuum, Aggressive: true, Wraparound: true, Name: "d.s.t"},
		`automatic vacuum of table "d.s.a.b": index scans: 0`:                                {Kind: Vacuum, Name: "d.s.a.b"},
		`automatic vacuum of table "d.s.say "x", then": index scans: 0`:                      {Kind: Vacuum, Name: `d.s.say "x", then`},
		"automatic vacuum of table \"d.s.two\nlines\": index scans: 0":                       {Kind: Vacuum, Name: "d.s.two\nlines"},
		"automatic analyze of table \"d.s.two\nlines\"":                                      {Kind: Analyze, Name: "d.s.two\nlines"},
		"automatic analyze of table \"d.s.über\"":                                            {Kind: Analyze, Name: "d.s.über"},
	} {
		events, counts := scan(t, "2026-11-30 09:29:40.000 UTC [1] LOG:  "+strings.ReplaceAll(text, "\n", "\n\t")+"\n")
		if len(events) != 1 || counts.Incomplete != 1 {
			t.Errorf("%q: %d events, %+v", text, len(events), counts)
			continue
		}
		e := events[0]
		got := Event{Kind: e.Kind, Aggressive: e.Aggressive, Wraparound: e.Wraparound, IndexScans: e.IndexScans, Name: e.Name}
		if got != want {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}

// What else the log tells of autovacuum.
func TestOtherMessages(t *testing.T) {
	const log = `2026-11-30 09:29:36.695 UTC [1] LOG:  starting PostgreSQL 18.4 (Debian 18.4-1.pgdg12+1) on x86_64-pc-linux-gnu
2026-11-30 09:29:40.000 UTC [2] ERROR:  canceling autovacuum task
2026-11-30 09:29:40.000 UTC [2] CONTEXT:  while scanning block 5 of relation "public.t"
	automatic vacuum of table "d.public.t"
2026-11-30 09:29:41.000 UTC [2] ERROR:  canceling autovacuum task
2026-11-30 09:29:41.000 UTC [2] CONTEXT:  automatic analyze of table "d.public.u"
2026-11-30 09:29:42.000 UTC [3] LOG:  skipping vacuum of "v" --- lock not available
2026-11-30 09:29:43.000 UTC [3] LOG:  skipping analyze of "w" --- lock not available
2026-11-30 09:29:44.000 UTC [3] WARNING:  bypassing nonessential maintenance of table "d.public.x" as a failsafe after 0 index scans
2026-11-30 09:29:44.000 UTC [3] DETAIL:  The table's relfrozenxid or relminmxid is too far in the past.
2026-11-30 09:29:45.000 UTC [4] WARNING:  database "d" must be vacuumed within 39985967 transactions
2026-11-30 09:29:45.000 UTC [4] HINT:  To avoid a database shutdown, execute a database-wide VACUUM in that database.
2026-11-30 09:29:46.000 UTC [1] LOG:  received SIGHUP, reloading configuration files
2026-11-30 09:29:46.000 UTC [1] LOG:  parameter "autovacuum_max_workers" changed to "6"
2026-11-30 09:29:47.000 UTC [5] FATAL:  terminating autovacuum process due to administrator command
2026-11-30 09:29:48.000 UTC [6] WARNING:  autovacuum worker took too long to start; canceled
2026-11-30 09:29:49.000 UTC [7] DEBUG:  autovacuum: processing database "d"
2026-11-30 09:29:50.000 UTC [8] ERROR:  relation "autovacuum" does not exist at character 15
2026-11-30 09:29:50.000 UTC [8] STATEMENT:  select *
	from autovacuum -- skipping vacuum of "x"
2026-11-30 09:29:51.000 UTC [9] WARNING:  skipping "t" --- only table or database owner can vacuum it
`
	var got []string
	events, counts := scan(t, log)
	for _, e := range events {
		got = append(got, fmt.Sprintf("%s %s %s %v %s", e.Kind, e.Name, e.Text, e.OfAnalyze, e.Value))
	}
	want := []string{
		"start  18.4 false ", "cancelled d.public.t  false ", "cancelled d.public.u  true ",
		"skipped v lock not available false ", "skipped w lock not available true ", "failsafe d.public.x  false ",
		`limit  database "d" must be vacuumed within 39985967 transactions false `, "setting  autovacuum_max_workers false 6",
		"killed   false ", "trouble  autovacuum worker took too long to start; canceled false ", "visit   false ",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if counts.Strange != 0 || counts.Incomplete != 0 || counts.Messages != 14 {
		t.Errorf("%+v", counts)
	}
}

// Lines that are no log are counted, and the first shown.
func TestStrangeLines(t *testing.T) {
	_, counts := scan(t, "\tpages: 0 removed\nhello\n"+stderrWith("x ")("checkpoint starting")+"what is this\n"+stderrWith("")(`automatic vacuum of table "d.s.t": index scans: 0`+"\nmoons: 2 full"))
	if counts.Strange != 4 || len(counts.Examples) != 4 || counts.Examples[1] != (Example{"test.log", 2, "hello"}) {
		t.Errorf("%+v", counts)
	}
}

// A log may end, or be cut, anywhere: what was there before stays.
func TestCutAnywhere(t *testing.T) {
	for name, wrap := range wrappers {
		for _, b := range blocks(t) {
			whole := wrap(b.text)
			text := whole + whole
			for end := len(whole); end < len(text); end += 61 {
				events, counts := scan(t, text[:end])
				if len(events) == 0 || counts.Events[Vacuum]+counts.Events[Analyze]-counts.Incomplete < 1 {
					t.Errorf("%s in %s, cut at %d of %d: %d events, %+v", b.version, name, end, len(text), len(events), counts)
				}
			}
		}
	}
}

// A file may hold logs of several forms, one after the other.
func TestMixedForms(t *testing.T) {
	var text strings.Builder
	n := 0
	for _, name := range []string{"csvlog", "%m [%p]", "jsonlog", "docker", "syslog", "csvlog", "kubernetes", "cnpg"} {
		for _, b := range blocks(t) {
			text.WriteString(wrappers[name](b.text))
			n++
		}
	}
	events, counts := scan(t, text.String())
	if len(events) != n || counts.Strange != 0 || counts.Incomplete != 0 {
		t.Errorf("%d events of %d, %+v", len(events), n, counts)
	}
}

// Lines of several processes that syslog has mixed are told apart.
func TestMixedProcesses(t *testing.T) {
	b := blocks(t)[24].text // a vacuum of 19
	one := strings.Split(syslogWith("Nov 30 09:29:40 db1 postgres[1]: [5-%d] ", b), "\n")
	two := strings.Split(syslogWith("Nov 30 09:29:41 db1 postgres[2]: [5-%d] ", strings.Replace(b, "orders", "others", 1)), "\n")
	var text strings.Builder
	for i := range one {
		text.WriteString(one[i] + "\n" + two[i] + "\n")
	}
	events, counts := scan(t, text.String())
	if len(events) != 2 || counts.Incomplete != 0 || counts.Strange != 0 || events[0].PID != 1 || events[1].Table != "others" || events[1].Hits != events[0].Hits {
		t.Errorf("%+v, %+v", events, counts)
	}
}

// Compressed, cut off and in other encodings.
func TestEncodings(t *testing.T) {
	text := stderrWith("2026-11-30 09:29:40.000 UTC [1] ")(strings.Replace(blocks(t)[0].text, "orders", "bücher", 1))
	latin := strings.ReplaceAll(text, "ü", "\xfc")
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]string{"UTF-8": text, "with a mark": "\xef\xbb\xbf" + text, "Latin-1": latin, "UTF-16": utf16, "gzip": zipped(text), "gzip twice": zipped(text[:9]) + zipped(text[9:])} {
		events, _ := scan(t, in)
		if len(events) != 1 || events[0].Table != "bücher" || !events[0].Complete {
			t.Errorf("%s: %+v", name, events)
		}
	}
	var long strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&long, "%d ", i*i)
		long.WriteString(text)
	}
	cutOff := zipped(long.String())
	var s Scanner
	err = s.Scan(strings.NewReader(cutOff[:len(cutOff)/2]), "x.gz")
	if !EndsEarly(err) || s.Counts.Events[Vacuum] < 5000 || strings.Contains(err.Error(), "\n") {
		t.Errorf("cut off: %v, %+v", err, s.Counts)
	}
	for _, text := range []string{"\x28\xb5\x2f\xfd....", "PK\x03\x04...", "\x1f\x8bxx"} {
		if err := new(Scanner).Scan(strings.NewReader(text), "x"); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

// A line of many megabytes takes no more memory than the buffer.
func TestLongLine(t *testing.T) {
	block := stderrWith("2026-11-30 09:29:40.000 UTC [1] ")(blocks(t)[0].text)
	events, counts := scan(t, block+"2026-11-30 09:29:40.000 UTC [1] LOG:  "+strings.Repeat("x", 5<<20)+"\n"+block)
	if len(events) != 2 || counts.Lines != 13 || counts.Messages != 3 {
		t.Errorf("%d events, %+v", len(events), counts)
	}
}

func TestPrefix(t *testing.T) {
	for form, line := range map[string]string{
		"%m [%p] ":                        "2026-11-30 09:29:40.060 UTC [3422] ",
		"%t:%r:%u@%d:[%p]:":               "2026-11-30 09:29:40 UTC:10.0.0.1(5432):me@shop:[3422]:",
		"%a|%p|%t|%l|":                    "psql|3422|2026-11-30 09:29:40 UTC|17|",
		"<%n %-8p %q%u>":                  "<1796030980.060 3422     ",
		"%c %m%% ":                        "6a1fe344.d5e 2026-11-30 09:29:40.060 UTC% ",
		"user=%u,db=%d,pid=%p,time=%m - ": "user=a b,db=[x],pid=3422,time=2026-11-30 09:29:40.060 UTC - ",
	} {
		p, err := ParsePrefix(form)
		if err != nil {
			t.Fatal(err)
		}
		at, pid, ok := p.read(line)
		when, timed := parseTime(at)
		if !ok || pid != 3422 || !timed || when.Unix() != 1796030980 {
			t.Errorf("%s: %q, %d, %v", form, at, pid, ok)
		}
	}
	if _, err := ParsePrefix("%y "); err == nil {
		t.Error("%y is no escape")
	}
}

func FuzzScan(f *testing.F) {
	for _, wrap := range wrappers {
		for _, b := range blocks(f)[:4] {
			f.Add([]byte(wrap(b.text)))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		events := int64(0)
		s := Scanner{Each: func(e *Event) {
			events++
			if e.Elapsed < 0 || e.Hits < 0 || e.PagesRemain < 0 {
				t.Errorf("%+v", e)
			}
		}}
		s.Scan(bytes.NewReader(text), "x")
		var counted int64
		for _, n := range s.Counts.Events {
			counted += n
		}
		if counted != events || s.Counts.Incomplete > events || s.Counts.Lines > int64(len(text)) {
			t.Errorf("%d events, %+v", events, s.Counts)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	for _, name := range []string{"%m [%p]", "csvlog", "jsonlog", "docker", "syslog"} {
		b.Run(strings.ReplaceAll(name, " ", ""), func(b *testing.B) {
			wrap := wrappers[name]
			text := strings.Repeat(wrap(blocks(b)[22].text)+strings.Repeat(wrap("connection received: host=10.0.0.1 port=40000"), 100), 100)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				new(Scanner).Scan(strings.NewReader(text), "x")
			}
		})
	}
}
