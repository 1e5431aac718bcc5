package page

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// started serves questions: "quick" answers at once, "slow" when released or when its
// context ends, "bad" never, "broken" with an error.
func started(t *testing.T, s *Server) (address string, released chan struct{}) {
	t.Helper()
	released = make(chan struct{})
	s.Controls, s.Advice = map[string]string{"title": "t"}, "ask for less"
	s.Questions = map[string]Question{
		"quick": func(context.Context, url.Values) (any, error) { return map[string]int{"x": 1}, nil },
		"slow": func(ctx context.Context, _ url.Values) (any, error) {
			select {
			case <-released:
				return map[string]int{"x": 2}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		},
		"bad":    func(context.Context, url.Values) (any, error) { return nil, Refused{"tables=-1: no"} },
		"broken": func(context.Context, url.Values) (any, error) { return nil, errors.New("a fault") },
	}
	server := httptest.NewUnstartedServer(nil)
	server.Config = s.HTTP(t.Context())
	server.Start()
	t.Cleanup(server.Close)
	return server.URL, released
}

func usual() *Server {
	return &Server{Slots: 2, Waiting: 3, Patience: 5 * time.Second, Limit: 5 * time.Second}
}

type answer struct {
	status int
	header http.Header
	body   string
}

// request asks as a browser would, with what a test changes of it.
func request(t *testing.T, method, address string, change func(*http.Request)) answer {
	t.Helper()
	r, err := http.NewRequest(method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(body)}
}

// Who may ask: names of this machine, and the page itself.
func TestWhoMayAsk(t *testing.T) {
	s := usual()
	s.Hosts = []string{"lab.example"}
	address, _ := started(t, s)
	for _, c := range []struct {
		name   string
		change func(*http.Request)
		path   string
		status int
	}{
		{"as it is", nil, "/api/quick", 200},
		{"localhost", func(r *http.Request) { r.Host = "localhost:9999" }, "/api/quick", 200},
		{"IPv6 loopback", func(r *http.Request) { r.Host = "[::1]:80" }, "/api/quick", 200},
		{"an allowed name", func(r *http.Request) { r.Host = "LAB.example" }, "/api/quick", 200},
		{"DNS rebinding", func(r *http.Request) { r.Host = "evil.example" }, "/api/quick", 403},
		{"DNS rebinding of the page", func(r *http.Request) { r.Host = "evil.example:8432" }, "/", 403},
		{"a name that begins as one of this machine", func(r *http.Request) { r.Host = "localhost.evil.example" }, "/", 403},
		{"a name that looks like an address", func(r *http.Request) { r.Host = "127.0.0.1.evil.example" }, "/", 403},
		{"another address", func(r *http.Request) { r.Host = "192.0.2.1" }, "/", 403},
		{"another origin", func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, "/api/quick", 403},
		{"another port of this machine", func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") }, "/api/quick", 403},
		{"no origin's own", func(r *http.Request) { r.Header.Set("Origin", "null") }, "/api/quick", 403},
		{"its own origin", func(r *http.Request) { r.Header.Set("Origin", "http://"+r.URL.Host) }, "/api/quick", 200},
		{"a picture on another page", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "no-cors")
		}, "/api/quick", 403},
		{"a link to the answers on another page", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
		}, "/api/quick", 403},
		{"a link to the page on another page", func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
		}, "/", 200},
	} {
		if got := request(t, "GET", address+c.path, c.change); got.status != c.status {
			t.Errorf("%s: %d %s, want %d", c.name, got.status, got.body, c.status)
		}
	}
}

// What may be asked for: a fixed list of paths, by GET and HEAD.
func TestWhatMayBeAsked(t *testing.T) {
	address, _ := started(t, usual())
	for _, path := range []string{"/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/page.go", "/server.go", "/api/", "/api/nothing", "/api/quick/", "/page.html", "/..%2fpage.css", "/.git/config", "/page.css/../server.go", `/..\..\etc\passwd`} {
		r, err := http.NewRequest("GET", address, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.URL.Opaque = path // as it stands
		response, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			continue // no request at all
		}
		response.Body.Close()
		if response.StatusCode == 200 {
			t.Errorf("%s is answered", path)
		}
	}
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"} {
		if got := request(t, method, address+"/api/quick", nil); got.status != 405 {
			t.Errorf("%s: %d", method, got.status)
		}
	}
	for _, path := range []string{"/", "/page.css", "/page.js", "/api/controls", "/api/quick"} {
		got := request(t, "GET", address+path, nil)
		if got.status != 200 || got.header.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(got.header.Get("Content-Security-Policy"), "default-src 'none'") ||
			got.header.Get("Access-Control-Allow-Origin") != "" || got.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", path, got.status, got.header)
		}
	}
}

// What is too large is refused before it is looked at.
func TestTooLarge(t *testing.T) {
	address, _ := started(t, usual())
	if got := request(t, "GET", address+"/api/quick?x="+strings.Repeat("a", mostQuery), nil); got.status != 414 {
		t.Errorf("a long question: %d", got.status)
	}
	if got := request(t, "GET", address+"/", func(r *http.Request) { r.Header.Set("X", strings.Repeat("a", 64<<10)) }); got.status != 431 {
		t.Errorf("long headers: %d", got.status)
	}
	if got := request(t, "GET", address+"/api/quick", func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(strings.Repeat("a", 1<<20))) }); got.status != 200 {
		t.Errorf("a body that nobody reads: %d", got.status)
	}
}

// Each error has its status and says what it is in JSON.
func TestErrors(t *testing.T) {
	s := usual()
	s.Limit = 50 * time.Millisecond
	address, _ := started(t, s)
	for _, c := range []struct {
		question string
		status   int
		text     string
	}{{"bad", 400, "tables=-1: no"}, {"broken", 500, "a fault"}, {"slow", 504, "stopped after 50ms: ask for less"}} {
		got := request(t, "GET", address+"/api/"+c.question, nil)
		var body struct{ Error string }
		if err := json.Unmarshal([]byte(got.body), &body); err != nil || got.status != c.status || body.Error != c.text {
			t.Errorf("%s: %d %s", c.question, got.status, got.body)
		}
	}
}

// The queue holds what it says: so many are worked on, so many wait, the others are told
// to come again.
func TestQueue(t *testing.T) {
	s := usual()
	address, released := started(t, s)
	answers := make(chan answer, 50)
	ask := func() { answers <- request(t, "GET", address+"/api/slow", nil) }
	for range s.Slots + s.Waiting {
		go ask()
	}
	eventually(t, "the queue is full", func() bool {
		working, waiting := s.Waits()
		return working == s.Slots && waiting == s.Waiting
	})
	for range 10 {
		if got := request(t, "GET", address+"/api/slow", nil); got.status != 503 || got.header.Get("Retry-After") != "1" {
			t.Fatalf("one too many: %d %v", got.status, got.header)
		}
	}
	close(released)
	for range s.Slots + s.Waiting {
		if got := <-answers; got.status != 200 {
			t.Errorf("one that waited: %d %s", got.status, got.body)
		}
	}
}

// One who waits too long is told so.
func TestPatience(t *testing.T) {
	s := usual()
	s.Slots, s.Patience = 1, 50*time.Millisecond
	address, released := started(t, s)
	defer close(released)
	go http.Get(address + "/api/slow")
	eventually(t, "one is worked on", func() bool { working, _ := s.Waits(); return working == 1 })
	if got := request(t, "GET", address+"/api/quick", nil); got.status != 503 {
		t.Errorf("%d %s", got.status, got.body)
	}
}

// A question that nobody waits for any more is stopped, whether it is worked on or waits,
// and leaves nothing behind.
func TestGone(t *testing.T) {
	s := usual()
	s.Limit, s.Patience = time.Hour, time.Hour
	address, _ := started(t, s)
	before := runtime.NumGoroutine()
	ctx, leave := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range s.Slots + s.Waiting {
		all.Go(func() {
			r, _ := http.NewRequestWithContext(ctx, "GET", address+"/api/slow", nil)
			if response, err := http.DefaultClient.Do(r); err == nil {
				response.Body.Close()
				t.Error("an answer to nobody")
			}
		})
	}
	eventually(t, "the queue is full", func() bool { _, waiting := s.Waits(); return waiting == s.Waiting })
	leave()
	all.Wait()
	eventually(t, "all is left", func() bool { working, waiting := s.Waits(); return working+waiting == 0 })
	http.DefaultClient.CloseIdleConnections()
	eventually(t, "its goroutines end", func() bool { return runtime.NumGoroutine() <= before })
}

// A client that sends nothing does not hold a connection for long.
func TestSilentClient(t *testing.T) {
	s := usual()
	server := httptest.NewUnstartedServer(nil)
	server.Config = s.HTTP(t.Context())
	server.Config.ReadHeaderTimeout = 100 * time.Millisecond // of 5 s
	server.Start()
	defer server.Close()
	c, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.Write([]byte("GET / HTTP/1.1\r\nHost: local"))
	c.SetReadDeadline(time.Now().Add(5 * time.Second))
	if _, err := io.ReadAll(c); err != nil {
		t.Errorf("the connection is held: %v", err)
	}
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it did not come to be that %s", what)
		}
	}
}

// A question that the end of the server stops is told so, not answered with nothing.
func TestEnded(t *testing.T) {
	s := usual()
	s.Slots, s.Patience = 1, time.Hour
	started(t, s)
	ctx, end := context.WithCancel(t.Context())
	defer end()
	server := httptest.NewUnstartedServer(nil)
	server.Config = s.HTTP(ctx)
	server.Start()
	defer server.Close()
	answers := make(chan answer, 2)
	for range 2 { // one is worked on, one waits
		go func() { answers <- request(t, "GET", server.URL+"/api/slow", nil) }()
	}
	eventually(t, "one waits", func() bool { working, waiting := s.Waits(); return working == 1 && waiting == 1 })
	end()
	for range 2 {
		if got := <-answers; got.status != 503 || got.body != `{"error":"avsim serve was stopped before it had the answer"}` {
			t.Errorf("%d %q", got.status, got.body)
		}
	}
}
