package cmd

import (
	"context"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"avsim/cmd/page"
)

// pageOf serves a page as the command does, and returns it with its address.
func pageOf(t *testing.T, name string, flags ...string) (*page.Server, string) {
	t.Helper()
	c := newServe()
	if err := c.ParseFlags(flags); err != nil {
		t.Fatal(err)
	}
	f := serveFlags{mostTables: 20_000, limit: time.Minute, slots: 2}
	f.runFor, _ = c.Flags().GetString("for")
	if limit, _ := c.Flags().GetDuration("time-limit"); c.Flags().Changed("time-limit") {
		f.limit = limit
	}
	p, err := f.server(name)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(nil)
	s.Config = p.HTTP(t.Context())
	s.Start()
	t.Cleanup(s.Close)
	return p, "http://" + s.Listener.Addr().String()
}

// settled waits until the page has all answers.
func (b *browser) settled() {
	b.t.Helper()
	b.until(`!!document.querySelector("figure:not([hidden])") && !document.querySelector('[aria-busy="true"]')`)
}

func TestBrowserPage(t *testing.T) {
	b := newBrowser(t)
	_, address := pageOf(t, "")
	b.view(1280, 900, "light")
	b.run(chromedp.Navigate(address))
	b.settled()
	for _, v := range views {
		b.view(v.width, v.height, v.scheme)
		b.settled()
		time.Sleep(300 * time.Millisecond)
		b.settled()
		b.shot("page-" + v.name)
		if over := evaluate[float64](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%s: the page is %.0f pixels wider than the window", v.name, over)
		}
	}
	if said := b.said(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}

var (
	_ = context.Background
	_ = net.Listen
	_ = strings.Cut
)
