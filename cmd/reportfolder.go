package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"avsim/plots/report"
	"avsim/sim/experiment"
)

// folderPage is the report of what a folder holds: a sweep, or else the JSON of a run, or
// of compare, and the figures of a run as their data has them.
func (f *reportFlags) folderPage(c *cobra.Command, dir string) (*report.Page, error) {
	for _, x := range rowFormats {
		path := filepath.Join(dir, "sweep."+x.ending)
		if x.ending == "" || x.name == "benchfmt" || !isFile(path) {
			continue
		}
		for _, other := range []string{"timeline.csv", "backlog.csv", "ages.csv"} { // those that no sweep has
			if isFile(filepath.Join(dir, other)) {
				return nil, inputError{fmt.Errorf("%s: holds a sweep and a run's figures, %s and %s: name the file of the sweep, or give each a folder of its own", dir, filepath.Base(path), other)}
			}
		}
		return f.filePage(c, path)
	}
	page, err := firstJSON(dir)
	if err != nil {
		return nil, err
	}
	pictures, err := f.figuresIn(c, dir)
	switch {
	case err != nil:
		return nil, err
	case page == nil && len(pictures.Figures) == 0:
		return nil, inputError{fmt.Errorf("%s: there is no result in it; %s", dir, reportFormats)}
	case page == nil:
		page = &report.Page{Title: "Figures of a run", Kicker: "avsim report · " + dir, Verdict: pictures.Figures[0].Title() + ".", Source: sourceOf(pictures.Figures[0].Data()),
			Sections: []report.Section{notModelledSection(), againSection(commandLine("avsim", "report", dir, "-o", "report.html"))}}
	}
	if len(pictures.Figures) > 0 {
		page.Sections = slices.Insert(page.Sections, 0, pictures)
	}
	return page, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// firstJSON is the report of the only result of run or compare in a folder; nil for none.
func firstJSON(dir string) (*report.Page, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, inputError{err}
	}
	var page *report.Page
	first := ""
	for _, name := range files {
		p, err := jsonPage(name)
		switch {
		case err != nil:
			return nil, err
		case p != nil && page != nil:
			return nil, inputError{fmt.Errorf("%s: holds several results, %s and %s: name one of them", dir, filepath.Base(first), filepath.Base(name))}
		case p != nil:
			page, first = p, name
		}
	}
	return page, nil
}

// figuresIn draws the figures of a run again by their data beside them.
func (f *reportFlags) figuresIn(c *cobra.Command, dir string) (report.Section, error) {
	s := report.Section{ID: "figures", Heading: "What happens"}
	for _, x := range runFigureSet {
		path := filepath.Join(dir, x.file+".csv")
		if !isFile(path) {
			continue
		}
		t, err := readResult(c.Context(), path)
		if err != nil {
			return s, inputError{err}
		}
		if _, ok := t.Column("figure"); !ok {
			continue
		}
		figure, err := x.draw(t)
		if err := drawn(&s, x.file, commandLine("avsim", "report", dir, "-o", "report.html"), figure, err); err != nil {
			return s, inputError{fmt.Errorf("%s: %w", path, err)}
		}
	}
	return s, nil
}

func sourceOf(t *experiment.Table) []report.Fact {
	return source(strings.Join(t.Distinct("model_version"), ", "), strings.Join(t.Distinct("input_hash"), ", "), t.Distinct("seed")...)
}
