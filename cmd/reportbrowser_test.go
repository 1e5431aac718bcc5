package cmd

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
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
	for _, c := range []struct{ name, scenario string }{{"run", "daily-wave"}, {"variants", "t10-more-workers"}} {
		b.run(chromedp.Navigate(reportURL(t, c.scenario)))
		for _, v := range views {
			b.view(v.width, v.height, v.scheme)
			b.shot("report-" + c.name + "-" + v.name)
		}
		if said := b.said(); len(said) > 0 {
			t.Errorf("%s: the console says %q", c.scenario, said)
		}
	}
}
