package host

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Marshal writes a profile as YAML that Parse reads back to the same profile.
func (p *Profile) Marshal() []byte {
	var b strings.Builder
	for _, line := range [][2]string{{"name", p.Name}, {"description", p.Description}, {"source", p.Source}} {
		if line[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", line[0], strconv.Quote(line[1]))
		}
	}
	b.WriteString(p.costs())
	return []byte(b.String())
}

// Hash identifies what a profile makes of a simulation: 16 hexadecimal digits
// over everything but name, description and source.
func (p *Profile) Hash() string {
	sum := sha256.Sum256([]byte(p.costs()))
	return hex.EncodeToString(sum[:8])
}

func (p *Profile) costs() string {
	var b strings.Builder
	put := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	put("cores: %d", p.Cores)
	s := p.Scheduler
	put("scheduler:")
	put("  base_slice: %s", duration(s.BaseSlice))
	put("  tick: %s", duration(s.Tick))
	put("  wake_on_waker_share: %s", number(s.WakeOnWakerShare))
	put("wake_latency: {p50: %s, p90: %s}", duration(p.WakeLatency.P50), duration(p.WakeLatency.P90))
	put("wake_call: {p50: %s, p90: %s}", duration(p.WakeCall.P50), duration(p.WakeCall.P90))
	put("sleep_slack: %s", slack(p.SleepSlack))
	put("cold_after: %s", duration(p.ColdAfter))
	put("cache_bytes: %s", number(p.CacheBytes))
	put("variation: %s", number(p.Variation))
	t := p.Statistics
	put("statistics:")
	put("  write: %s", curve(t.Write))
	put("  read:")
	put("    hot: %s", curve(t.Read.Hot))
	put("    cold: %s", curve(t.Read.Cold))
	put("  file_bytes: {base: %s, per_entry: %s}", number(t.FileBytes.Base), number(t.FileBytes.PerEntry))
	put("  timestamp_check: %s", duration(t.TimestampCheck))
	put("  message: %s", duration(t.Message))
	w := p.Worker
	put("worker:")
	put("  start: %s", curve(w.Start))
	put("  cleanup: %s", curve(w.Cleanup))
	put("  first_read: %s", curve(w.FirstRead))
	put("  scan_tables: %s", curve(w.ScanTables))
	put("  scan_toast: %s", curve(w.ScanTOAST))
	put("  sort: %s", curve(w.Sort))
	put("  lock_hold: {hot: %s, cold: %s}", duration(w.LockHold.Hot), duration(w.LockHold.Cold))
	put("  vacuum:")
	put("    hot: %s", curve(w.Vacuum.Hot))
	put("    cold: %s", curve(w.Vacuum.Cold))
	put("memory_bytes: %s", number(p.MemoryBytes))
	put("vacuum:")
	put("  throttled: %s", pageTimes(p.Vacuum.Throttled))
	put("  free: %s", pageTimes(p.Vacuum.Free))
	v := p.Device
	put("device: {latency: %s, read_bytes_per_s: %s, write_bytes_per_s: %s, depth: %d, read_ahead_bytes: %s}",
		duration(v.Latency), number(v.ReadPerSecond), number(v.WritePerSecond), v.Depth, number(v.ReadAhead))
	return b.String()
}

func pageTimes(t PageTimes) string {
	return fmt.Sprintf("{least: %s, fixed: %s, heap: %s, index: %s, read: %s, image: %s}", duration(t.Least),
		duration(t.Fixed), duration(t.Heap), duration(t.Index), duration(t.Read), duration(t.Image))
}

func curve(c Curve) string {
	if len(c.Points) == 0 {
		return fmt.Sprintf("{base: %s, per_entry: %sns}", duration(c.Base), number(c.PerEntry))
	}
	items := make([]string, len(c.Points))
	for i, p := range c.Points {
		items[i] = fmt.Sprintf("%d: %s", p.N, duration(p.Cost))
	}
	return "{points: {" + strings.Join(items, ", ") + "}}"
}

func slack(s Slack) string {
	items := make([]string, len(s))
	for i, p := range s {
		items[i] = fmt.Sprintf("%s: %s", duration(p.Sleep), duration(p.Over))
	}
	return "{" + strings.Join(items, ", ") + "}"
}

// duration writes a time in ASCII, in one unit.
func duration(d time.Duration) string {
	for _, u := range units[:3] {
		if d >= u.ns {
			return number(float64(d)/float64(u.ns)) + u.name
		}
	}
	return strconv.FormatInt(int64(d), 10) + "ns"
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
