package plots

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"avsim/sim/experiment"
)

// A Figure is a drawing together with the data it shows.
type Figure struct {
	page page
	data *experiment.Table
}

// Title returns the title: what the figure finds.
func (f *Figure) Title() string { return f.page.title }

// Data returns what was drawn, a row per mark, in the order of drawing.
// Its first column, "figure", holds the figure's name; cells taken from the
// result table stand as they stood there.
func (f *Figure) Data() *experiment.Table { return f.data }

// Encode writes the figure in one of the [Formats].
func (f *Figure) Encode(w io.Writer, format string) error {
	encode, ok := encoders[format]
	if !ok {
		return fmt.Errorf("plots: format %q: accepted are %s", format, strings.Join(Formats(), ", "))
	}
	return encode(w, &f.page)
}

// WriteTo writes the figure as PNG. It implements [io.WriterTo].
func (f *Figure) WriteTo(w io.Writer) (int64, error) {
	var png bytes.Buffer
	if err := f.Encode(&png, "png"); err != nil {
		return 0, err
	}
	return png.WriteTo(w)
}

// Save writes the figure to path, in the format that the path's ending names,
// and its data beside it, with the ending .csv.
//
// A CSV file of that name which is not a figure's data is never overwritten:
// saving over the name of the result table itself is an error.
func (f *Figure) Save(path string) error {
	if err := CheckSave(path); err != nil {
		return err
	}
	if err := experiment.WriteFile(path, func(w io.Writer) error { return f.Encode(w, formatOf(path)) }); err != nil {
		return err
	}
	return experiment.WriteFile(beside(path), f.data.WriteCSV)
}

// CheckSave tells whether [Figure.Save] would refuse to save a figure to path. A
// long run calls it before it starts.
func CheckSave(path string) error {
	if _, ok := encoders[formatOf(path)]; !ok {
		return fmt.Errorf("%s: the ending of a figure's file is one of .%s", path, strings.Join(Formats(), ", ."))
	}
	return checkOverwrite(beside(path))
}

func formatOf(path string) string {
	return strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
}

// beside is where the data of a figure stands.
func beside(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ".csv" }

// figureColumn is the first column of every figure's data, and of no other table.
const figureColumn = "figure"

// checkOverwrite returns an error if path holds something else than a figure's data.
func checkOverwrite(path string) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	header, err := csv.NewReader(file).Read()
	if errors.Is(err, io.EOF) || err == nil && header[0] == figureColumn {
		return nil
	}
	return fmt.Errorf("%s: not a figure's data (its first column is not %q) and not overwritten: give the figure another name", path, figureColumn)
}
