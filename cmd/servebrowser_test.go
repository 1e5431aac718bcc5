package cmd

import (
	"fmt"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// settled waits until the page has all answers.
func (b *browser) settled() {
	b.t.Helper()
	b.until(`!!document.querySelector("figure:not([hidden])") && !document.querySelector('[aria-busy="true"]')`)
}

// silent fails the test if the console was told of anything.
func (b *browser) silent(what string) {
	b.t.Helper()
	if said := b.said(); len(said) > 0 {
		b.t.Errorf("%s: the console says %q", what, said)
	}
}

// faint are texts on the page whose contrast is below that of WCAG 2 (1.4.3): 4.5, or 3
// where they are large. Texts on bars and cells of figures stand on what is drawn below,
// which plots looks after.
const faint = `(() => {
  const parse = c => (c.match(/[0-9.]+/g) || []).map(Number);
  const luminance = c => { const f = c.slice(0, 3).map(v => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]; };
  const ground = e => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] === 1) return c; } return [255, 255, 255]; };
  const out = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim(), e = walker.currentNode.parentElement;
    if (!text || ["SCRIPT", "STYLE", "NOSCRIPT"].includes(e.tagName) || !e.getClientRects().length) continue;
    const style = getComputedStyle(e), svg = e.tagName === "text";
    if (style.visibility === "hidden") continue;
    const ink = parse(svg ? style.fill : style.color);
    if (svg && ["254,254,254", "26,26,27"].includes(ink.slice(0, 3).join(","))) continue;
    const a = luminance(ink), b = luminance(ground(e));
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
    if (contrast < (large ? 3 : 4.5)) out.push(text.slice(0, 40) + " " + contrast.toFixed(2));
  }
  return out;
})()`

// nameless are what can be operated or seen on the page without a name for those who do
// not see it, and ids that are there twice.
const nameless = `(() => {
  const out = [];
  document.querySelectorAll("input, select").forEach(e => { if (!e.labels.length) out.push("no label: " + e.id); });
  document.querySelectorAll("button, a, summary").forEach(e => { if (!e.textContent.trim()) out.push("no text: " + e.outerHTML.slice(0, 60)); });
  document.querySelectorAll('[role="img"]').forEach(e => { for (const a of ["aria-labelledby", "aria-describedby"]) { const of = document.getElementById(e.getAttribute(a)); if (!of || !e.closest("figure").hidden && !of.textContent.trim()) out.push("no " + a + ": " + e.outerHTML.slice(0, 60)); } });
  document.querySelectorAll('[role="region"]').forEach(e => { if (!e.getAttribute("aria-label")) out.push("no label: " + e.className); });
  const seen = new Set();
  document.querySelectorAll("[id]").forEach(e => { if (seen.has(e.id)) out.push("twice: " + e.id); seen.add(e.id); });
  if (!document.documentElement.lang || !document.title) out.push("no language or title");
  return out;
})()`

// tooWide are elements that make the page wider than the window.
const tooWide = `(() => {
  if (document.documentElement.scrollWidth <= innerWidth) return [];
  return Array.from(document.querySelectorAll("body *")).filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest("pre code, .table table, .drawing svg, .words")).map(e => e.tagName + "." + e.className + " " + e.textContent.slice(0, 40)).slice(0, 5);
})()`

// looked looks at a page in each window: nothing wider than it, everything legible and
// named; and takes its pictures.
func (b *browser) looked(name string, settle func()) {
	b.t.Helper()
	for _, v := range views {
		b.view(v.width, v.height, v.scheme)
		time.Sleep(300 * time.Millisecond)
		settle()
		if wide := evaluate[[]string](b, tooWide); len(wide) > 0 {
			b.t.Errorf("%s %s: wider than the window: %q", name, v.name, wide)
		}
		if texts := evaluate[[]string](b, faint); len(texts) > 0 {
			b.t.Errorf("%s %s: too faint: %q", name, v.name, texts)
		}
		if bad := evaluate[[]string](b, nameless); len(bad) > 0 {
			b.t.Errorf("%s %s: %q", name, v.name, bad)
		}
		b.shot(name + "-" + v.name)
		b.run(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach(d => d.open = true)`))
		if wide := evaluate[[]string](b, tooWide); len(wide) > 0 {
			b.t.Errorf("%s %s: with all unfolded, wider than the window: %q", name, v.name, wide)
		}
		b.run(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach(d => d.open = false)`))
	}
	b.silent(name)
}

// picture is what a figure of the page shows.
func (b *browser) picture(name string) string {
	b.t.Helper()
	return evaluate[string](b, fmt.Sprintf(`document.querySelector("#figure-%s .drawing").innerHTML`, name))
}

func TestBrowserPage(t *testing.T) {
	b := newBrowser(t)
	_, address := pageOf(t, "", nil)
	b.view(1280, 900, "light")
	b.run(chromedp.Navigate(address))
	b.settled()
	b.looked("page", b.settled)
	b.view(1280, 900, "light")
	b.settled()

	t.Run("slider by keyboard", func(t *testing.T) {
		before, curve := b.picture("timeline"), b.picture("throughput")
		b.run(chromedp.Focus(chromedp.CSS("#control-workers")), chromedp.KeyEvent(kb.ArrowRight+kb.ArrowRight))
		b.until(`new URLSearchParams(location.search).get("workers") === "5"`)
		b.settled()
		if shown := evaluate[string](b, `document.querySelector('output[for="control-workers"]').textContent + " " + document.getElementById("control-workers").getAttribute("aria-valuetext")`); shown != "5 5" {
			t.Errorf("the slider shows %q", shown)
		}
		if b.picture("timeline") == before || b.picture("throughput") == curve {
			t.Error("the figures stay as they were")
		}
		if commands := evaluate[string](b, `document.getElementById("commands").textContent`); !strings.Contains(commands, "--set autovacuum_max_workers=5") || !strings.Contains(commands, "--workers 5") {
			t.Errorf("the commands are %q", commands)
		}
	})
	t.Run("all by keyboard", func(t *testing.T) {
		want := evaluate[[]string](b, `Array.from(document.querySelectorAll("#controls input, #controls select, #controls button"), e => e.id)`)
		link := evaluate[string](b, `location.href`)
		b.run(chromedp.Navigate("about:blank"), chromedp.Navigate(link))
		b.settled()
		b.run(chromedp.KeyEvent(kb.Tab))
		if first := evaluate[string](b, `document.activeElement.className`); first != "skip" {
			t.Errorf("the first stop is %q, not the link past the controls", first)
		}
		var got []string
		for range want {
			b.run(chromedp.KeyEvent(kb.Tab))
			got = append(got, evaluate[string](b, `document.activeElement.id`))
			if ring := evaluate[string](b, `getComputedStyle(document.activeElement).outlineStyle`); ring == "none" {
				t.Errorf("no ring around %s", got[len(got)-1])
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("Tab goes to %q, the controls are %q", got, want)
		}
	})
	t.Run("permalink", func(t *testing.T) {
		link := evaluate[string](b, `location.href`)
		timeline, curve := b.picture("timeline"), b.picture("throughput")
		b.run(chromedp.Navigate("about:blank"), chromedp.Navigate(link))
		b.settled()
		if b.picture("timeline") != timeline || b.picture("throughput") != curve {
			t.Error("the link shows other figures")
		}
		b.run(chromedp.Navigate(address + "/?tables=777&workers=13&naptime=7s&pg=14&strategy=leapfrog&mix=tiny"))
		b.settled()
		for id, shown := range map[string]string{"tables": "777", "workers": "13", "naptime": "7s"} {
			if got := evaluate[string](b, fmt.Sprintf(`document.querySelector('output[for="control-%s"]').textContent`, id)); got != shown {
				t.Errorf("%s shows %q", id, got)
			}
		}
		for id, value := range map[string]string{"pg": "14", "strategy": "leapfrog", "mix": "tiny"} {
			if got := evaluate[string](b, fmt.Sprintf(`document.getElementById("control-%s").value`, id)); got != value {
				t.Errorf("%s is %q", id, got)
			}
		}
	})
	b.silent("sliders and links")

	t.Run("errors", func(t *testing.T) {
		b.run(chromedp.Navigate(address + "/?tables=1000000000"))
		b.until(`!document.getElementById("error").hidden`)
		if text := evaluate[string](b, `document.getElementById("error").textContent`); !strings.HasPrefix(text, "tables=1000000000: accepted is a whole number from 10 to 20,000") {
			t.Errorf("it says %q", text)
		}
		if n := evaluate[int](b, `document.querySelectorAll("figure:not([hidden])").length`); n != 0 {
			t.Errorf("%d figures are shown of what was refused", n)
		}
		b.shot("page-error")
		b.run(chromedp.Click(chromedp.CSS("#reset")))
		b.settled()
		b.until(`document.getElementById("error").hidden && location.search === ""`)
		for _, said := range b.said() { // the browser notes each answer of 400, and nothing else is wrong
			if !strings.Contains(said, "400") {
				t.Errorf("the console says %q", said)
			}
		}
	})
}

// A slider moved 200 times in ten seconds: in the end the page shows the last place, few
// questions were asked that nobody waited for, and nothing is left behind.
func TestBrowserDragged(t *testing.T) {
	b := newBrowser(t)
	p, address := pageOf(t, "", nil)
	b.view(1280, 900, "light")
	b.run(chromedp.Navigate(address + "/?workers=100"))
	b.settled()
	memory, goroutines := inUse(), runtime.NumGoroutine()
	moved := evaluate[float64](b, `new Promise(done => {
  const slider = document.getElementById("control-tables"), most = Number(slider.max), begin = performance.now();
  let n = 0;
  const timer = setInterval(() => {
    slider.value = String(n % (most + 1));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    if (++n === 200) { clearInterval(timer); slider.value = "3"; slider.dispatchEvent(new Event("input", { bubbles: true })); done(performance.now() - begin); }
  }, 50);
})`)
	begin := time.Now()
	b.settled()
	t.Logf("200 moves in %.1f s, the figures are there %.1f s after the last, %s answers were shown meanwhile", moved/1000, time.Since(begin).Seconds(), evaluate[string](b, `document.body.dataset.answers`))
	link := evaluate[string](b, `location.href`)
	timeline, curve := b.picture("timeline"), b.picture("throughput")
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	if tables := u.Query().Get("tables"); tables != "100" {
		t.Errorf("the address says %q tables", tables)
	}
	b.run(chromedp.Navigate("about:blank"))
	afterwards(t, p, memory, goroutines)
	b.run(chromedp.Navigate(link))
	b.settled()
	if b.picture("timeline") != timeline || b.picture("throughput") != curve {
		t.Error("the page does not show the last place of the slider")
	}
	b.silent("a slider moved 200 times")
}

// A tab that is closed while it waits stops what it waits for.
func TestBrowserClosed(t *testing.T) {
	b := newBrowser(t)
	p, address := pageOf(t, "daily-wave", func(f *serveFlags) { f.runFor, f.limit = "365d", time.Hour })
	b.run(chromedp.Navigate(address))
	soon(t, "the run is worked on", func() bool { working, _ := p.Waits(); return working == 1 })
	b.run(chromedp.Navigate("about:blank"))
	soon(t, "the run is stopped", func() bool { working, _ := p.Waits(); return working == 0 })
}

func TestBrowserScenario(t *testing.T) {
	b := newBrowser(t)
	_, address := pageOf(t, "t10-more-workers", nil)
	b.run(chromedp.Navigate(address + "/?variant=ten-and-limit"))
	b.settled()
	b.looked("scenario", b.settled)
	for _, c := range []struct{ variant, workers, limit string }{{"ten-and-limit", "10", "667"}, {"three", "3", "200"}} {
		b.run(chromedp.SetValue(chromedp.CSS("#control-variant"), c.variant), chromedp.Evaluate[chromedp.Void](`document.getElementById("control-variant").dispatchEvent(new Event("change", { bubbles: true }))`))
		b.until(fmt.Sprintf(`document.querySelector('output[for="control-workers"]').textContent === %q && document.querySelector('output[for="control-cost_limit"]').textContent === %q`, c.workers, c.limit))
	}
}
