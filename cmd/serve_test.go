package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"avsim/cmd/page"
	"avsim/plots"
	"avsim/workload/scenario"
)

// pageOf serves a page as the command does, and returns it with its address.
func pageOf(t *testing.T, name string, change func(*serveFlags)) (*page.Server, string) {
	t.Helper()
	f := serveFlags{mostTables: 20_000, limit: time.Minute, slots: 2}
	if change != nil {
		change(&f)
	}
	p, err := f.server(name)
	if err != nil {
		t.Fatal(err)
	}
	p.Patience = 5 * time.Minute // of 10 s: a test may share its processors with others
	s := httptest.NewUnstartedServer(nil)
	s.Config = p.HTTP(t.Context())
	s.Start()
	t.Cleanup(s.Close)
	return p, s.URL
}

func get(t *testing.T, address string) (int, http.Header, []byte) {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header, body
}

func answerOfPage(t *testing.T, address string) liveAnswer {
	t.Helper()
	status, _, body := get(t, address)
	var a liveAnswer
	if err := json.Unmarshal(body, &a); err != nil || status != 200 {
		t.Fatalf("%s: %d %.200s", address, status, body)
	}
	return a
}

// The command line that the page tells gives the same: for a run inputs, verdict and
// figures, for the curve inputs and the very picture.
func TestPageIsTheCommand(t *testing.T) {
	_, address := pageOf(t, "", nil)
	for _, query := range []string{"", "?mix=tiny&tables=300&workers=7", "?mix=giants&tables=30&pg=13&naptime=15s", "?workers=20&cost_limit=1000&strategy=leapfrog&host=epyc-2core", "?tables=50&pg=19&scale_factor=0.02"} {
		a := answerOfPage(t, address+"/api/run"+query)
		args := shellWords(strings.TrimSuffix(a.Command, " --figures out"))[1:]
		var stdout, stderr bytes.Buffer
		if code := Main(append(args, "--format", "json"), &stdout, &stderr); code != 0 {
			t.Fatalf("%s: exit code %d: %s", a.Command, code, stderr.String())
		}
		var out runOutput
		if err := json.Unmarshal(stdout.Bytes(), &out); err != nil {
			t.Fatal(err)
		}
		if out.Run.InputHash != a.Inputs || out.Verdict != a.Result {
			t.Errorf("%s: the command has inputs %s and verdict %v, the page %s and %v", query, out.Run.InputHash, out.Verdict, a.Inputs, a.Result)
		}
		if a.Facts[0].Value != thousands(out.Summary.Vacuums) || a.Facts[2].Value != thousands(out.Summary.Analyzes) {
			t.Errorf("%s: the page tells %v, the command %+v", query, a.Facts, out.Summary)
		}
	}
	a := answerOfPage(t, address+"/api/throughput?workers=5&tables=700")
	dir := t.TempDir()
	args := append(shellWords(strings.TrimSuffix(a.Command, " -o out"))[1:], "-o", dir, "--quiet")
	var stderr bytes.Buffer
	if code := Main(args, io.Discard, &stderr); code != 0 {
		t.Fatalf("%s: %s", a.Command, stderr.String())
	}
	table, err := readTable(t.Context(), filepath.Join(dir, "sweep.csv"))
	if err != nil {
		t.Fatal(err)
	}
	figure, err := plots.Throughput(table)
	if err != nil {
		t.Fatal(err)
	}
	if figure.Inline(plots.WideInline) != a.Figures[0].SVG || table.Text(0, "input_hash") != a.Inputs {
		t.Errorf("%s: the command draws another picture than the page", a.Command)
	}
}

// A scenario's page changes its settings, and each of its variants has its own inputs.
func TestPageOfScenario(t *testing.T) {
	_, address := pageOf(t, "t10-more-workers", nil)
	three, ten := answerOfPage(t, address+"/api/run"), answerOfPage(t, address+"/api/run?variant=ten")
	if three.Inputs == ten.Inputs || !strings.Contains(ten.Command, "--variant ten") {
		t.Errorf("variants: %s %s, %s", three.Inputs, ten.Inputs, ten.Command)
	}
	more := answerOfPage(t, address+"/api/run?cost_limit=2000")
	if more.Inputs == three.Inputs || !strings.Contains(more.Command, "autovacuum_vacuum_cost_limit=2000") {
		t.Errorf("a slider changes nothing: %s", more.Command)
	}
	text, err := scenario.Text("load-mixed")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	hostile := strings.Replace(string(text), "name: app", `name: "<img src=x onerror=alert(1)>"`, 1)
	if err := os.WriteFile("my own.yaml", []byte(hostile), 0o600); err != nil {
		t.Fatal(err)
	}
	_, address = pageOf(t, "my own.yaml", nil)
	a := answerOfPage(t, address+"/api/run?workers=7")
	if a.Command != "avsim run 'my own.yaml' --set autovacuum_max_workers=7 --figures out" {
		t.Errorf("the command is %s", a.Command)
	}
	for _, f := range a.Figures {
		if strings.Contains(f.SVG, "<img") {
			t.Errorf("%s: a name became HTML", f.Name)
		}
	}
}

// What cannot be asked is refused in a sentence that names it, and nothing is run.
func TestPageRefuses(t *testing.T) {
	_, address := pageOf(t, "", nil)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("secret.yaml", []byte("name: secret-of-the-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ query, want string }{
		{"run?tables=1000000000", "tables=1000000000: accepted is a whole number from 10 to 20,000"},
		{"throughput?tables=1000000000", "tables=1000000000: accepted is a whole number from 10 to 20,000"},
		{"run?tables=-1", "tables=-1: accepted"},
		{"run?tables=1e3", "tables=1e3: accepted"},
		{"run?workers=0", "workers=0: accepted is a whole number from 1 to 200"},
		{"throughput?workers=99999999999999999999", "workers=99999999999999999999: accepted"},
		{"run?pg=7", "pg=7: accepted are 9.3, 9.4"},
		{"run?strategy=leapfrag", "strategy=leapfrag: accepted are"},
		{"run?host=secret.yaml", "host=secret.yaml: accepted are epyc"},
		{"throughput?host=./secret.yaml", "host=./secret.yaml: accepted are epyc"},
		{"run?mix=../../etc/passwd", "mix=../../etc/passwd: accepted are mixed, tiny, giants"},
		{"run?naptime=never", `"autovacuum_naptime": "never"`},
		{"run?naptime=1s&naptime=2s", "naptime: accepted is one value"},
		{"run?naptime=" + strings.Repeat("1", 50), "naptime: accepted is one value of 40 characters"},
		{"run?scale_factor=1;autovacuum=off", "not the values of controls"},
		{"run?tabels=5", `"tabels" is no control, did you mean tables?`},
		{"run?set=log_min_duration_statement=1", `"set" is no control`},
	} {
		status, _, body := get(t, address+"/api/"+c.query)
		var e struct{ Error string }
		json.Unmarshal(body, &e)
		if status != 400 || !strings.Contains(e.Error, c.want) || strings.Contains(string(body), "secret-of-the-file") {
			t.Errorf("%s: %d %.200s, want %q", c.query, status, body, c.want)
		}
	}
}

// inUse is the memory that is held once what can be given back is.
func inUse() uint64 {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Fifty questions at once: each is answered or told to come again, and afterwards memory
// and goroutines are what they were.
func TestFiftyAtOnce(t *testing.T) {
	p, address := pageOf(t, "", nil)
	answerOfPage(t, address+"/api/run") // whatever is made once
	answerOfPage(t, address+"/api/throughput")
	http.DefaultClient.CloseIdleConnections()
	memory, goroutines := inUse(), runtime.NumGoroutine()
	for range 3 {
		var all sync.WaitGroup
		var mu sync.Mutex
		counts := map[int]int{}
		for i := range 50 {
			all.Go(func() {
				question := []string{"run", "throughput"}[i%2]
				status, header, body := get(t, fmt.Sprintf("%s/api/%s?workers=%d", address, question, 1+i%10))
				if status != 200 && (status != 503 || header.Get("Retry-After") == "") {
					t.Errorf("%d %.100s", status, body)
				}
				mu.Lock()
				counts[status]++
				mu.Unlock()
			})
		}
		all.Wait()
		if counts[200] < p.Slots+mostQuestions { // worked on at once, and those that wait
			t.Errorf("of 50 questions at once few are answered: %v", counts)
		}
	}
	afterwards(t, p, memory, goroutines)
}

// afterwards holds what is left of a page's work to what was there before.
func afterwards(t *testing.T, p *page.Server, memory uint64, goroutines int) {
	t.Helper()
	soon(t, "nothing is worked on", func() bool { working, waiting := p.Waits(); return working+waiting == 0 })
	http.DefaultClient.CloseIdleConnections()
	soon(t, "the goroutines have ended", func() bool { return runtime.NumGoroutine() <= goroutines+2 })
	const most = 8 << 20
	if now := inUse(); now > memory+most {
		t.Errorf("memory grew from %d to %d MB", memory>>20, now>>20)
	}
}

func soon(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it did not come to be that %s", what)
		}
	}
}

// Questions that are worked on at the same time share nothing: each has the answer that it
// has alone, byte for byte. The race detector looks at it too.
func TestTogether(t *testing.T) {
	_, address := pageOf(t, "", func(f *serveFlags) { f.slots = 4 })
	questions := []string{"run?tables=10&scale_factor=0.4", "run?tables=20&mix=tiny&pg=13", "run?tables=10&workers=2", "throughput?workers=1&strategy=original"}
	alone := map[string]string{}
	for _, q := range questions {
		_, _, body := get(t, address+"/api/"+q)
		alone[q] = string(body)
	}
	var all sync.WaitGroup
	for range 2 {
		for _, q := range questions {
			all.Go(func() {
				if status, _, body := get(t, address+"/api/"+q); status != 200 || string(body) != alone[q] {
					t.Errorf("%s: %d, another answer than alone", q, status)
				}
			})
		}
	}
	all.Wait()
}

// A tab that is closed: the run that it waited for is stopped long before its end, whatever
// it is doing.
func TestClosedTab(t *testing.T) {
	p, address := pageOf(t, "daily-wave", func(f *serveFlags) { f.runFor, f.limit = "365d", time.Hour }) // minutes of work
	random := rand.New(rand.NewPCG(1, 1))
	goroutines := runtime.NumGoroutine()
	for range 5 {
		ctx, close := context.WithTimeout(t.Context(), time.Duration(50+random.IntN(300))*time.Millisecond)
		r, _ := http.NewRequestWithContext(ctx, "GET", address+"/api/run", nil)
		if _, err := http.DefaultClient.Do(r); err == nil {
			t.Fatal("a year was simulated at once")
		}
		close()
		begin := time.Now()
		soon(t, "the run is stopped", func() bool { working, _ := p.Waits(); return working == 0 })
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("the run went on for %v", took)
		}
	}
	afterwards(t, p, inUse(), goroutines)
}

// A run that takes too long is stopped, and says what would help.
func TestPageTimeLimit(t *testing.T) {
	_, address := pageOf(t, "daily-wave", func(f *serveFlags) { f.runFor, f.limit = "365d", 300*time.Millisecond })
	status, _, body := get(t, address+"/api/run")
	if status != 504 || !strings.Contains(string(body), "stopped after 300ms: a shorter run") {
		t.Errorf("%d %s", status, body)
	}
	var told struct{ Command string }
	if err := json.Unmarshal(body, &told); err != nil || told.Command != "avsim run daily-wave --for 365d --figures out" {
		t.Errorf("the command line that takes any time is not told: %s", body)
	}
}

// The command tells its address, answers, and ends when it is interrupted.
func TestServeCommand(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	told, stdout := io.Pipe()
	done := make(chan int, 1)
	var stderr bytes.Buffer
	go func() { done <- run(ctx, []string{"serve", "--listen", "127.0.0.1:0"}, stdout, &stderr) }()
	line := make([]byte, 100)
	n, err := told.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSpace(string(line[:n]))
	u, err := url.Parse(address)
	if err != nil || u.Hostname() != "127.0.0.1" {
		t.Fatalf("it says %q", address)
	}
	if port, _ := strconv.Atoi(u.Port()); port == 0 {
		t.Errorf("it says %q", address)
	}
	if status, _, body := get(t, address); status != 200 || !bytes.Contains(body, []byte("Will autovacuum keep up?")) {
		t.Errorf("%d %.100s", status, body)
	}
	interrupt()
	select {
	case code := <-done:
		if code != 0 {
			t.Errorf("exit code %d: %s", code, stderr.String())
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it does not end")
	}
}

// BenchmarkPage is what an answer costs, at usual sizes; user time counts, as a page asks
// both questions at once.
func BenchmarkPage(b *testing.B) {
	f := serveFlags{mostTables: 20_000, limit: time.Minute, slots: 1}
	p, err := f.server("")
	if err != nil {
		b.Fatal(err)
	}
	for _, query := range []string{"run", "run?mix=tiny&tables=1000", "run?mix=giants", "run?mix=mixed&tables=1000&workers=10", "throughput", "throughput?workers=10", "throughput?workers=30"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				name, values, _ := strings.Cut(query, "?")
				q, _ := url.ParseQuery(values)
				if _, err := p.Questions[name](b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
