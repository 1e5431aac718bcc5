package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress is a progress bar on a terminal, and nothing in a pipe.
func (o *outputFlags) progress(ctx context.Context, stderr io.Writer) func(done, total int) {
	bar := o.bar(ctx, stderr, "simulating", progressbar.OptionShowCount())
	if bar == nil {
		return nil
	}
	return func(done, total int) { bar(int64(done), int64(total)) }
}

// costProgress is a progress bar by what is done of an estimated cost or of simulated
// time, so that the time that is left is not that of the cheap points at the start.
func (o *outputFlags) costProgress(ctx context.Context, stderr io.Writer) func(done, total time.Duration) {
	bar := o.bar(ctx, stderr, "simulating")
	if bar == nil {
		return nil
	}
	return func(done, total time.Duration) { bar(int64(done), int64(total)) }
}

// fileProgress is a progress bar by the bytes read of files, and what ends it; none where
// how many there are is not known, as of a pipe.
func (o *outputFlags) fileProgress(ctx context.Context, stderr io.Writer, files []string) (read func(bytes int), end func()) {
	none := func(int) {}
	var done, total int64
	for _, name := range files {
		info, err := os.Stat(name)
		switch {
		case err == nil && info.Mode().IsRegular():
			total += info.Size()
		case err == nil || name == "-":
			return none, func() {}
		}
	}
	bar := o.bar(ctx, stderr, "reading", progressbar.OptionShowBytes(true))
	if bar == nil || total == 0 {
		return none, func() {}
	}
	return func(bytes int) {
		done = min(done+int64(bytes), total)
		bar(done, total)
	}, func() { bar(total, total) }
}

// bar draws a progress bar with the time that is left, if there is a terminal. It has
// neither colour nor escape codes; where a terminal cannot go back in its line either
// (TERM=dumb), progress is lines of its own.
func (o *outputFlags) bar(ctx context.Context, stderr io.Writer, what string, options ...progressbar.Option) func(done, total int64) {
	f, ok := stderr.(*os.File)
	if o.quiet || !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	if os.Getenv("TERM") == "dumb" {
		return progressLines(ctx, f, what, time.Now)
	}
	var bar *progressbar.ProgressBar
	return func(done, total int64) {
		if ctx.Err() != nil { // the last word is that of the interrupt
			if bar != nil {
				bar.Clear()
			}
			return
		}
		if bar == nil {
			bar = progressbar.NewOptions64(total, append(options,
				progressbar.OptionSetWriter(f),
				progressbar.OptionSetDescription(what),
				progressbar.OptionSetWidth(30),
				progressbar.OptionThrottle(100*time.Millisecond),
				progressbar.OptionSetPredictTime(true),
				progressbar.OptionClearOnFinish())...)
		}
		bar.Set64(done)
	}
}

// lineEvery is how far apart the lines are that tell of progress.
const lineEvery = 5 * time.Second

// progressLines tells of progress by a line now and then.
func progressLines(ctx context.Context, w io.Writer, what string, now func() time.Time) func(done, total int64) {
	start := now()
	next := start.Add(lineEvery)
	return func(done, total int64) {
		at := now()
		if ctx.Err() != nil || done <= 0 || done >= total || at.Before(next) {
			return
		}
		next = at.Add(lineEvery)
		share := float64(done) / float64(total)
		left := time.Duration(float64(at.Sub(start)) * (1 - share) / share)
		fmt.Fprintf(w, "%s: %.0f %%, %v left\n", what, 100*share, left.Round(time.Second))
	}
}
