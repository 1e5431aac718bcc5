package page

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"
)

//go:embed page.html page.css page.js
var assets embed.FS

// A Question is asked with the values of the controls. Its context ends when nobody waits
// for the answer any more, or too long.
type Question func(ctx context.Context, values url.Values) (answer any, err error)

// Refused is an error for who asked: a value that is not accepted, too large a question.
type Refused struct{ Reason string }

func (r Refused) Error() string { return r.Reason }

// Unfinished is an error of a question that was begun: Command asks the same on the
// command line, where time has no limit.
type Unfinished struct {
	Command string
	Err     error
}

func (u Unfinished) Error() string { return u.Err.Error() }

func (u Unfinished) Unwrap() error { return u.Err }

// A Server answers questions from a page.
type Server struct {
	Controls  any                 // what the page is to show, as JSON
	CSS       string              // before that of the page
	Questions map[string]Question // by their names in /api/
	Hosts     []string            // further names by which the machine may be called
	AnyIP     bool                // whether it may be called by any IP address
	Slots     int                 // questions that are worked on at a time
	Waiting   int                 // those that wait at most
	Patience  time.Duration       // how long one waits
	Limit     time.Duration       // how long one is worked on
	Advice    string              // what helps against too long a question

	queue   chan struct{}
	waiting atomic.Int64
	working atomic.Int64
	idle    *time.Timer
	ends    context.Context // the server's own
}

// What a request may have, in bytes: all that a page sends is a line and few headers.
const (
	mostHeaders = 16 << 10
	mostBody    = 1 << 10
	mostQuery   = 4 << 10
)

// idleAfter is when memory that nobody uses is given back.
const idleAfter = 3 * time.Second

// Handler is what answers requests.
func (s *Server) Handler() http.Handler {
	s.queue = make(chan struct{}, s.Slots)
	s.idle = time.AfterFunc(time.Hour, debug.FreeOSMemory)
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", s.asset("page.html", "text/html; charset=utf-8", ""))
	mux.HandleFunc("/page.css", s.asset("page.css", "text/css; charset=utf-8", s.CSS))
	mux.HandleFunc("/page.js", s.asset("page.js", "text/javascript; charset=utf-8", ""))
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/api/controls", func(w http.ResponseWriter, _ *http.Request) { send(w, http.StatusOK, s.Controls) })
	for name, q := range s.Questions {
		mux.HandleFunc("/api/"+name, func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, q) })
	}
	return s.guarded(http.MaxBytesHandler(mux, mostBody))
}

// HTTP is a server of the page, with its bounds of time and size.
func (s *Server) HTTP(ctx context.Context) *http.Server {
	s.ends = ctx
	return &http.Server{
		Handler:           s.Handler(),
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      s.Patience + s.Limit + 10*time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    mostHeaders,
	}
}

// Waits is how many questions are worked on and wait.
func (s *Server) Waits() (working, waiting int) {
	return int(s.working.Load()), int(s.waiting.Load())
}

func (s *Server) asset(name, kind, before string) http.HandlerFunc {
	text, err := assets.ReadFile(name)
	if err != nil {
		panic(err) // embedded at build time
	}
	text = append([]byte(before), text...)
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.Write(text)
	}
}

// answer works on a question when its turn has come.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, q Question) {
	leave, err := s.enter(r.Context())
	if err != nil {
		s.fail(w, r, err)
		return
	}
	defer leave()
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		s.fail(w, r, Refused{"not the values of controls: " + err.Error()})
		return
	}
	ctx, end := context.WithTimeout(r.Context(), s.Limit)
	defer end()
	answer, err := q(ctx, values)
	if err != nil {
		s.fail(w, r, errors.Join(err, ctx.Err()))
		return
	}
	send(w, http.StatusOK, answer)
}

var errBusy = errors.New("too many questions at once: try again in a moment")

// enter waits for a turn. One whose asker has gone, or for which there is no room, gets
// none.
func (s *Server) enter(ctx context.Context) (leave func(), err error) {
	select {
	case s.queue <- struct{}{}:
		return s.entered(), nil
	default:
	}
	defer s.waiting.Add(-1)
	if int(s.waiting.Add(1)) > s.Waiting {
		return nil, errBusy
	}
	late := time.NewTimer(s.Patience)
	defer late.Stop()
	select {
	case s.queue <- struct{}{}:
		return s.entered(), nil
	case <-late.C:
		return nil, errBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// entered notes that a question has its turn.
func (s *Server) entered() (leave func()) {
	s.working.Add(1)
	return func() {
		<-s.queue
		if s.working.Add(-1) == 0 {
			s.idle.Reset(idleAfter)
		}
	}
}

// fail tells what is wrong, and what the command line would be asked, if anybody still
// listens.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	told := map[string]string{}
	var refused Refused
	status, text := http.StatusInternalServerError, err.Error()
	switch {
	case s.ends != nil && s.ends.Err() != nil:
		status, text = http.StatusServiceUnavailable, "avsim serve was stopped before it had the answer"
		w.Header().Set("Connection", "close")
	case r.Context().Err() != nil:
		return // gone
	case errors.As(err, &refused):
		status, text = http.StatusBadRequest, refused.Reason
	case errors.Is(err, errBusy):
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "1")
	case errors.Is(err, context.DeadlineExceeded):
		status, text = http.StatusGatewayTimeout, fmt.Sprintf("stopped after %v: %s", s.Limit, s.Advice)
		var asked Unfinished
		if errors.As(err, &asked) {
			told["command"] = asked.Command
		}
	}
	told["error"] = text
	send(w, status, told)
}

func send(w http.ResponseWriter, status int, answer any) {
	text, err := json.Marshal(answer)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	w.Write(text)
}
