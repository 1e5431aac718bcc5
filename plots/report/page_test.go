package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"avsim/plots"
	"avsim/sim/experiment"
)

// hostile is a name as an imported database may have one.
const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'&`

func samplePage(t *testing.T) *Page {
	t.Helper()
	table := &experiment.Table{Columns: strings.Fields("time_seconds tables_due dead_rows scenario")}
	for i := range 50 {
		table.AppendRow(fmt.Sprint(60*i), fmt.Sprint(i%7), fmt.Sprint(1000*i), hostile)
	}
	figure, err := plots.Backlog(table)
	if err != nil {
		t.Fatal(err)
	}
	return &Page{Kicker: hostile, Title: hostile, Verdict: hostile, Lead: []string{hostile}, Facts: []Fact{{hostile, hostile}},
		Sections: []Section{{ID: "x", Heading: hostile, Text: []string{hostile}, List: []string{hostile}, Figures: []Figure{{Figure: figure, Name: "backlog", Command: hostile}},
			Tables: []Table{{Caption: hostile, Columns: []Column{{Name: hostile}, {Name: "n", Number: true}}, Rows: [][]Cell{{{Text: hostile}, {Text: "1", Key: "1"}}}, Note: hostile}},
			Code:   []Code{{Caption: hostile, Text: hostile, Folded: true}, {Text: hostile}}}},
		Source: []Fact{{"model", hostile}}}
}

func written(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A report needs nothing else: nothing in it is loaded, and its policy allows its own
// style and script by their hash alone.
func TestSelfContained(t *testing.T) {
	html := written(t, samplePage(t))
	for _, bad := range []string{"<link", "src=", "@import", "url(", " style="} {
		if i := strings.Index(strings.ReplaceAll(html, "src=x", ""), bad); i >= 0 {
			t.Errorf("it has %q: %.80q", bad, html[i:])
		}
	}
	for _, u := range regexp.MustCompile(`https?://[^"' ]+`).FindAllString(html, -1) {
		if u != "http://www.w3.org/2000/svg" {
			t.Errorf("it names %s", u)
		}
	}
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(html)[1]
	policy = strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(policy)
	for _, tag := range []string{"style", "script"} {
		text := regexp.MustCompile(`(?s)<` + tag + `>(.*?)</` + tag + `>`).FindStringSubmatch(html)[1]
		sum := sha256.Sum256([]byte(text))
		if hash := tag + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, hash) {
			t.Errorf("the policy %q does not allow its %s by its hash", policy, tag)
		}
	}
	if !strings.HasPrefix(policy, "default-src 'none';") {
		t.Errorf("the policy is %q", policy)
	}
}

// Names are texts, whatever they hold.
func TestHostileNames(t *testing.T) {
	html := written(t, samplePage(t))
	if n := strings.Count(html, "<script>"); n != 1 {
		t.Errorf("there are %d scripts", n)
	}
	if strings.Contains(html, "<img") || strings.Contains(html, "alert(1)</script>") {
		t.Error("a name became HTML")
	}
}

// Equal pages are equal bytes.
func TestSameBytes(t *testing.T) {
	if one, two := written(t, samplePage(t)), written(t, samplePage(t)); one != two {
		t.Error("two reports of one result differ")
	}
}

// A row that does not fit its table is a fault, not a crooked table.
func TestCrookedTable(t *testing.T) {
	p := &Page{Sections: []Section{{ID: "x", Tables: []Table{{Caption: "t", Columns: []Column{{Name: "a"}}, Rows: [][]Cell{{{Text: "1"}, {Text: "2"}}}}}}}}
	if err := p.Write(&bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), `table "t": row 1 has 2 cells`) {
		t.Errorf("error %v", err)
	}
}
