package cmd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"avsim/cmd/page"
	"avsim/plots/report"
)

type serveFlags struct {
	runFlags
	listen     string
	hostNames  []string
	mostTables int
	limit      time.Duration
	slots      int
}

func newServe() *cobra.Command {
	var f serveFlags
	c := &cobra.Command{
		Use:   "serve [SCENARIO]",
		Short: "A local page with sliders",
		Long: `serve answers a browser with a page on which sliders change what is simulated:
number and sizes of tables, workers, version or strategy, naptime, cost limit. The
verdict, what the workers do over time, and the throughput over numbers of tables follow
at once. With a scenario, built in or a file such as 'avsim import' makes, they change its
settings. The page's address holds all of its state, and the page tells the command lines
that give the same figures.

It listens on 127.0.0.1 alone, unless --listen says otherwise, and answers only to
requests that name this machine and do not come from other pages. So many questions are
worked on at a time (--jobs), each for so long (--time-limit); one that nobody waits for
any more is stopped. Ctrl-C ends it.`,
		Example: `  avsim serve
  avsim serve shop.yaml
  avsim serve daily-wave --for 1d
  avsim serve --listen 127.0.0.1:0 --time-limit 30s`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("serve takes one scenario at most, got %d (see 'avsim serve --help')", len(args))
			}
			return nil
		},
		ValidArgsFunction: runScenarioNames,
		RunE: func(c *cobra.Command, args []string) error {
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			return f.serve(c, name)
		},
	}
	f.register(c.Flags())
	return c
}

func (f *serveFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&f.listen, "listen", "127.0.0.1:8432", "address and port to listen on, port 0 for any that is free")
	fs.StringArrayVar(&f.hostNames, "host-name", nil, "a further name by which browsers may call this machine (repeatable)")
	fs.IntVar(&f.mostTables, "most-tables", 20_000, "the most tables that a page without a scenario may ask for")
	fs.DurationVar(&f.limit, "time-limit", 10*time.Second, "how long a question may be worked on")
	fs.IntVar(&f.slots, "jobs", 0, "questions at a time, 0 for one per processor")
	fs.StringArrayVar(&f.set, "set", nil, "of the scenario, a setting by PostgreSQL's name and unit, or a place in its file (repeatable)")
	fs.StringVar(&f.variant, "variant", "", "one of the scenario's variants")
	fs.StringVar(&f.runFor, "for", "", "how long the scenario is run, simulated, such as 90m or 7d (default: the scenario's)")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of all random numbers (default: the scenario's)")
	fs.BoolVar(&f.out.quiet, "quiet", false, "no warnings")
}

// What the queue of questions holds, and how long one waits in it.
const (
	mostQuestions = 32
	patience      = 10 * time.Second
)

var hostName = regexp.MustCompile(`^[A-Za-z0-9._:\[\]-]+$`)

func (f *serveFlags) check(c *cobra.Command, name string) error {
	f.seedGiven = c.Flags().Changed("seed")
	for _, name := range f.hostNames {
		if !hostName.MatchString(name) {
			return usagef("--host-name %q: accepted is a name or an address as it stands in a browser, without a port", name)
		}
	}
	switch {
	case f.limit < 100*time.Millisecond || f.limit > time.Hour:
		return usagef("--time-limit %v: accepted is 100ms to 1h", f.limit)
	case f.slots < 0 || f.slots > 1024:
		return usagef("--jobs %d: accepted is 0 to 1024", f.slots)
	case f.mostTables < 10 || f.mostTables > 1_000_000:
		return usagef("--most-tables %d: accepted is 10 to 1000000", f.mostTables)
	case name != "":
		return notEmpty(c.Flags())
	}
	for _, flag := range []string{"set", "variant", "for", "seed"} {
		if c.Flags().Changed(flag) {
			return usagef("--%s is for a scenario, and none is given", flag)
		}
	}
	return notEmpty(c.Flags())
}

func (f *serveFlags) serve(c *cobra.Command, name string) error {
	if err := f.check(c, name); err != nil {
		return err
	}
	server, err := f.server(name)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", f.listen)
	if err != nil {
		return usagef("--listen %s: %v; accepted is ADDRESS:PORT, such as 127.0.0.1:8080, and 127.0.0.1:0 takes a port that is free", f.listen, err)
	}
	if ip := listener.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() {
		server.AnyIP = true
		f.out.note(c.ErrOrStderr(), "whoever can reach %s can have this machine simulate", listener.Addr())
	}
	fmt.Fprintf(c.OutOrStdout(), "http://%s/\n", listener.Addr())
	return untilInterrupted(c.Context(), server, listener)
}

// untilInterrupted serves until the context ends; questions under way are stopped then.
func untilInterrupted(ctx context.Context, p *page.Server, listener net.Listener) error {
	server := p.HTTP(ctx)
	stopped := make(chan error, 1)
	context.AfterFunc(ctx, func() {
		late, end := context.WithTimeout(context.Background(), 3*time.Second)
		defer end()
		stopped <- server.Shutdown(late)
	})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	if err := <-stopped; err != nil {
		return server.Close()
	}
	return nil
}

// server is the page, of a scenario if there is a name.
func (f *serveFlags) server(name string) (*page.Server, error) {
	slots := f.slots
	if slots == 0 {
		slots = runtime.GOMAXPROCS(0)
	}
	s := &page.Server{CSS: report.BaseCSS(), Hosts: f.hostNames, Slots: slots, Waiting: mostQuestions, Patience: patience, Limit: f.limit}
	if name != "" {
		return s, f.ofScenario(s, name)
	}
	f.ofLoads(s)
	return s, nil
}
