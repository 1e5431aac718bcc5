package cmd

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// checkCommands holds each command of avsim in a text, a line each, against the parser: the
// command is there, its flags are, and it takes so many arguments. What stands two blanks
// or more after it is what it tells.
func checkCommands(t *testing.T, where, text string) {
	t.Helper()
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", "")) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
		line = strings.Replace(line, "go run ./cmd/avsim", "avsim", 1)
		if !strings.HasPrefix(line, "avsim ") {
			continue
		}
		line, _, _ = strings.Cut(line, "  ")
		if err := parses(shellWords(line)[1:]); err != nil {
			t.Errorf("%s: %s: %v", where, line, err)
		}
	}
}

// parses tells whether a command line is one, without running it.
func parses(args []string) error {
	c, rest, err := newRoot().Find(args)
	if err != nil {
		return err
	}
	c.InitDefaultHelpFlag()
	if err := c.ParseFlags(rest); err != nil {
		return err
	}
	if help, _ := c.Flags().GetBool("help"); help || c.HasSubCommands() && c.Flags().NArg() == 0 {
		return nil
	}
	return c.ValidateArgs(c.Flags().Args())
}

// shellWords are the words of a line up to a pipe, a redirection, another command or a
// comment, as a shell takes them.
func shellWords(line string) (words []string) {
	word, quote, in := "", rune(0), false
	end := func() {
		if in {
			words, word, in = append(words, word), "", false
		}
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case r == '\'' || r == '"':
			quote, in = r, true
		case r == ' ':
			end()
		case strings.ContainsRune("|><;&", r), r == '#' && !in:
			end()
			return words
		default:
			word, in = word+string(r), true
		}
	}
	end()
	return words
}

// documents are README and the files of docs.
func documents(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d documents, %v", len(files), err)
	}
	examples, _ := filepath.Glob("../examples/*/README.md")
	out := map[string]string{}
	for _, f := range append(append(files, examples...), "../README.md", "../CONTRIBUTING.md") {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[f] = string(text)
	}
	return out
}

var (
	inlineCode   = regexp.MustCompile("`(avsim [^`]*)`")
	fencedBlock  = regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```")
	codeBlock    = regexp.MustCompile("(?ms)^```[a-z]*\n(.*?)^```|^    (.*?)$")
	aboutNothing = regexp.MustCompile(`^avsim ([a-z]+(?: [a-z]+)?)(?: --([\w-]+)(?: N)?)?$`)
	mdLink       = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// TestDocsCommands: each command of avsim in README and docs is one that the parser takes.
// One within a sentence may leave out what it is about, and the value of its flag.
func TestDocsCommands(t *testing.T) {
	blocks := 0
	for file, text := range documents(t) {
		for _, m := range codeBlock.FindAllStringSubmatch(text, -1) {
			checkCommands(t, file, m[1]+m[2])
			blocks++
		}
		for _, m := range inlineCode.FindAllStringSubmatch(fencedBlock.ReplaceAllString(text, ""), -1) {
			command := strings.Join(strings.Fields(m[1]), " ")
			switch part := aboutNothing.FindStringSubmatch(command); {
			case strings.Contains(command, "…"):
			case part == nil:
				checkCommands(t, file, command)
			default:
				c, rest, err := newRoot().Find(strings.Fields(part[1]))
				if err != nil || len(rest) > 0 || part[2] != "" && c.Flags().Lookup(part[2]) == nil {
					t.Errorf("%s: %s: no such command or flag (%v)", file, command, err)
				}
			}
		}
	}
	if blocks == 0 {
		t.Error("no document has a block of code")
	}
}

// TestDocsLinks: what README and docs link to within the repository is there, headings too.
func TestDocsLinks(t *testing.T) {
	for file, text := range documents(t) {
		for _, m := range mdLink.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			path, heading, _ := strings.Cut(m[1], "#")
			target := file
			if path != "" {
				target = filepath.Join(filepath.Dir(file), path)
			}
			content, err := os.ReadFile(target)
			if info, statErr := os.Stat(target); statErr != nil || err != nil && !info.IsDir() {
				t.Errorf("%s links to %s: there is none", file, m[1])
				continue
			}
			if heading != "" && !hasHeading(string(content), heading) {
				t.Errorf("%s links to %s: no such heading", file, m[1])
			}
		}
	}
}

// hasHeading tells whether a heading of a document has that anchor.
func hasHeading(text, anchor string) bool {
	for line := range strings.Lines(text) {
		title, ok := strings.CutPrefix(line, "#")
		if !ok {
			continue
		}
		title = strings.ToLower(strings.TrimSpace(strings.TrimLeft(title, "#")))
		title = regexp.MustCompile(`[^\pL\pN _-]`).ReplaceAllString(title, "")
		if strings.ReplaceAll(title, " ", "-") == anchor {
			return true
		}
	}
	return false
}

// TestDocsShellWords: words as a shell takes them.
func TestDocsShellWords(t *testing.T) {
	for line, want := range map[string]string{
		`avsim run x.yaml --set a=1s`:            "avsim|run|x.yaml|--set|a=1s",
		`avsim plot --where 'a > 1 and b' # why`: "avsim|plot|--where|a > 1 and b",
		`avsim scenarios show x > my.yaml`:       "avsim|scenarios|show|x",
		`avsim x --name "" y | less`:             "avsim|x|--name||y",
	} {
		if got := strings.Join(shellWords(line), "|"); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}
