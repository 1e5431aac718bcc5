package cmd

import (
	"strings"
	"testing"
)

// The answer begins with a word of the rule, by the figures that the page shows beside it.
func TestPageAnswers(t *testing.T) {
	_, address := pageOf(t, "", nil)
	for _, c := range []struct{ query, answer, means string }{
		{"?tables=10", "Yes: ", "Workers have time to spare"},
		{"?tables=200", "Barely: ", "On the whole workers have time to spare"},
		{"?mix=giants&pg=9.5&workers=1", "No: at the end 185 tables have been due", "Workers sleep for the cost limit"},
	} {
		a := answerOfPage(t, address+"/api/run"+c.query)
		if !strings.HasPrefix(a.Verdict, c.answer) || !strings.HasPrefix(a.Means, c.means) || strings.Contains(a.Means, "off") {
			t.Errorf("%s: %s %s; want %s %s", c.query, a.Verdict, a.Means, c.answer, c.means)
		}
	}
	_, address = pageOf(t, "onap-cps", func(f *serveFlags) { f.set = []string{"autovacuum=off"} })
	if a := answerOfPage(t, address+"/api/run"); a.Verdict != "No: autovacuum is off." || !strings.HasPrefix(a.Means, "Workers are started") {
		t.Errorf("off: %s %s", a.Verdict, a.Means)
	}
}
