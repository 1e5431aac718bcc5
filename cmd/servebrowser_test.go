package cmd

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// settled waits until the page has all answers.
func (b *browser) settled() {
	b.t.Helper()
	b.until(`!!document.querySelector("figure:not([hidden])") && !document.querySelector('[aria-busy="true"]')`)
}

func TestBrowserPage(t *testing.T) {
	b := newBrowser(t)
	_, address := pageOf(t, "", nil)
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
