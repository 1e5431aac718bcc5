package cmd

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

var shots = flag.String("shots", "", "folder for pictures of the pages that browser tests look at")

// A browser is a page of Chromium, and what its console said.
type browser struct {
	t   *testing.T
	ctx context.Context

	mu      sync.Mutex
	console []string
}

// newBrowser starts Chromium; without one the test is skipped.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	path := os.Getenv("CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); path == "" && err == nil {
			path = found
		}
	}
	if path == "" {
		t.Skip("no chromium in PATH or $CHROMIUM")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(60*time.Second))
	allocated, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(allocated)
	t.Cleanup(end)
	b := &browser{t: t, ctx: ctx}
	messages := chromedp.Console(ctx)
	b.run(chromedp.Navigate("about:blank"))
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.IsException() || m.Type == "error" || m.Type == "warning" {
				b.mu.Lock()
				b.console = append(b.console, m.String())
				b.mu.Unlock()
			}
		}
	}()
	return b
}

// said is what went wrong on the page by its console: errors and warnings of scripts, of
// the policy, and of what could not be loaded. It is asked for once.
func (b *browser) said() []string {
	time.Sleep(100 * time.Millisecond) // messages come beside the answers
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.console
	b.console = nil
	return out
}

func (b *browser) run(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// evaluate is the value of a script on the page.
func evaluate[T any](b *browser, script string) T {
	b.t.Helper()
	x, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", script, err)
	}
	return x
}

// until waits for a script to give true.
func (b *browser) until(script string) {
	b.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !evaluate[bool](b, script); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatalf("it did not come to be that %s; the console says %q", script, b.said())
		}
	}
}

// view sets width and height of the window, in CSS pixels, and the scheme that the
// reader prefers.
func (b *browser) view(width, height int64, scheme string) {
	b.t.Helper()
	b.run(chromedp.EmulateViewport(width, height))
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, media); err != nil {
		b.t.Fatal(err)
	}
}

// shot takes a picture of the whole page, if pictures are asked for.
func (b *browser) shot(name string) {
	b.t.Helper()
	if *shots == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(*shots, name+".png"), png, 0o666)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// views are the windows that a page is looked at in.
var views = []struct {
	name          string
	width, height int64
	scheme        string
}{
	{"1280-light", 1280, 900, "light"}, {"1280-dark", 1280, 900, "dark"}, {"390-light", 390, 844, "light"}, {"390-dark", 390, 844, "dark"},
}
