package cmd

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// reportURL writes a report and returns its URL.
func reportURL(t *testing.T, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "report.html")
	var stderr bytes.Buffer
	if code := Main(append([]string{"report", "-o", path, "--quiet"}, args...), &bytes.Buffer{}, &stderr); code != 0 {
		t.Fatalf("report %v: exit code %d: %s", args, code, stderr.String())
	}
	return "file://" + path
}

func TestBrowserReport(t *testing.T) {
	b := newBrowser(t)
	sweep := t.TempDir()
	var stderr bytes.Buffer
	if code := Main([]string{"sweep", "--tables", "100,1000,10000", "--workers", "1,10", "--replications", "2", "-o", sweep, "--quiet"}, &bytes.Buffer{}, &stderr); code != 0 {
		t.Fatal(stderr.String())
	}
	for _, c := range []struct{ name, of string }{{"sweep", sweep}, {"variants", "t10-more-workers"}, {"application", "onap-cps"}, {"run", "daily-wave"}} {
		b.run(chromedp.Navigate(reportURL(t, c.of)))
		b.looked("report-"+c.name, func() {})
	}
	b.view(1280, 900, "light")
	column := func(n int) []string {
		return evaluate[[]string](b, strings.Replace(`Array.from(document.querySelectorAll("#tables tbody tr"), r => r.cells[N].dataset.key || r.cells[N].textContent)`, "N", string(rune('0'+n)), 2))
	}
	t.Run("sorting", func(t *testing.T) {
		b.run(chromedp.Focus(chromedp.CSS("#tables thead th:nth-child(2) button")), chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.Enter))
		first := column(1)
		if !slices.IsSortedFunc(first, byNumber) {
			t.Errorf("sorted upwards, the vacuums are %q", first[:10])
		}
		b.run(chromedp.KeyEvent(kb.Enter))
		last := column(1)
		slices.Reverse(last)
		if !slices.IsSortedFunc(last, byNumber) {
			t.Errorf("sorted downwards, the vacuums are %q", last[:10])
		}
		if sort := evaluate[string](b, `document.querySelector("#tables thead th:nth-child(2)").getAttribute("aria-sort")`); sort != "descending" {
			t.Errorf("aria-sort is %q", sort)
		}
		b.run(chromedp.Click(chromedp.CSS("#tables thead th:nth-child(1) button")))
		if names := column(0); names[0] != "shop.table_1" || slices.Index(names, "shop.table_9") > slices.Index(names, "shop.table_10") {
			t.Errorf("sorted by name: %q", names[:12])
		}
	})
	t.Run("printed", func(t *testing.T) {
		pdf, err := chromedp.Run(b.ctx, chromedp.PrintToPDF())
		if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF")) {
			t.Fatalf("it cannot be printed: %v", err)
		}
		if closed := evaluate[int](b, `document.querySelectorAll("details:not([open])").length`); closed != 0 {
			t.Errorf("%d parts are folded away on paper", closed)
		}
	})
	b.silent("report")
}

func byNumber(a, b string) int {
	x, y := len(a), len(b)
	if x != y {
		return x - y // whole numbers
	}
	return strings.Compare(a, b)
}
