package plots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"avsim/sim/experiment"
)

// timeShare is TimeShare without a choice of table counts.
func timeShare(table *experiment.Table) (*Figure, error) { return TimeShare(table) }

// figures are the three of a sweep.
var figures = []struct {
	name string
	draw func(*experiment.Table) (*Figure, error)
}{
	{"throughput", Throughput},
	{"workers", Workers},
	{"time", timeShare},
}

// TestGolden compares the example's figures with those in testdata, at half
// their size; -regen rewrites these. Look at them before you commit them.
func TestGolden(t *testing.T) {
	for _, f := range figures {
		figure, err := f.draw(sweepTable())
		if err != nil {
			t.Fatal(err)
		}
		checkGolden(t, f.name, figure)
	}
}

// checkGolden compares a figure with the one in testdata.
func checkGolden(t *testing.T, name string, figure *Figure) {
	t.Helper()
	var drawn bytes.Buffer
	if _, err := figure.WriteTo(&drawn); err != nil {
		t.Fatal(err)
	}
	got := halved(decode(t, &drawn))
	path := filepath.Join("testdata", name+"_golden.png")
	if *regenerate {
		if err := experiment.WriteFile(path, func(w io.Writer) error { return png.Encode(w, got) }); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer golden.Close()
	const tolerated = 0.002 // of black and white, in the mean: rounding, not a moved label
	if d := difference(got, decode(t, golden)); d > tolerated {
		t.Errorf("%s: %.4f away from %s: look at both, then -regen", name, d, path)
	}
}

func decode(t *testing.T, r io.Reader) image.Image {
	t.Helper()
	picture, err := png.Decode(r)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// halved averages squares of four pixels.
func halved(src image.Image) image.Image {
	b := src.Bounds()
	dst := image.NewRGBA(image.Rect(0, 0, b.Dx()/2, b.Dy()/2))
	for y := range b.Dy() / 2 {
		for x := range b.Dx() / 2 {
			var sum [3]uint32
			for i := range 4 {
				r, g, b, _ := src.At(b.Min.X+2*x+i%2, b.Min.Y+2*y+i/2).RGBA()
				sum[0], sum[1], sum[2] = sum[0]+r>>8, sum[1]+g>>8, sum[2]+b>>8
			}
			dst.SetRGBA(x, y, color.RGBA{uint8(sum[0] / 4), uint8(sum[1] / 4), uint8(sum[2] / 4), 0xFF})
		}
	}
	return dst
}

// difference returns the mean difference of two pictures' channels, in 0..1.
func difference(a, b image.Image) float64 {
	if a.Bounds() != b.Bounds() {
		return 1
	}
	sum, n := 0.0, 0
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			r1, g1, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			for _, d := range []float64{float64(r1) - float64(r2), float64(g1) - float64(g2), float64(b1) - float64(b2)} {
				sum += math.Abs(d) / math.MaxUint16
				n++
			}
		}
	}
	return sum / float64(n)
}

// TestSameBytes draws each format twice.
func TestSameBytes(t *testing.T) {
	for _, format := range Formats() {
		var files [2]bytes.Buffer
		for i := range files {
			figure, err := TimeShare(sweepTable())
			if err != nil {
				t.Fatal(err)
			}
			if err := figure.Encode(&files[i], format); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
			t.Errorf("two %s files of one table differ", format)
		}
		if format == "pdf" && !bytes.Contains(files[0].Bytes(), []byte("(D:19700101000000)")) {
			t.Error("the PDF's date is not the fixed one: it changes from run to run")
		}
	}
}

// A textProbe is a canvas that notes where upright text goes.
type textProbe struct {
	*vgsvg.Canvas
	rotated bool
	texts   []placedText
}

type placedText struct {
	text string
	box  vg.Rectangle
}

func (p *textProbe) Rotate(angle float64) { p.rotated = true; p.Canvas.Rotate(angle) }
func (p *textProbe) Pop()                 { p.rotated = false; p.Canvas.Pop() }

func (p *textProbe) FillString(face font.Face, at vg.Point, s string) {
	if !p.rotated {
		size := face.Font.Size
		p.texts = append(p.texts, placedText{s, vg.Rectangle{
			Min: vg.Point{X: at.X, Y: at.Y - 0.1*size},
			Max: vg.Point{X: at.X + face.Width(s), Y: at.Y + 0.7*size},
		}})
	}
	p.Canvas.FillString(face, at, s)
}

// probed draws a figure and returns the texts on it.
func probed(figure *Figure) *textProbe {
	width, height := figure.page.size()
	probe := &textProbe{Canvas: vgsvg.New(width, height)}
	figure.page.draw(draw.NewCanvas(probe, width, height))
	return probe
}

func textsOf(figure *Figure) []string {
	var texts []string
	for _, placed := range probed(figure).texts {
		texts = append(texts, placed.text)
	}
	return texts
}

// checkTexts draws a figure and reports texts that overlap or leave the page.
func checkTexts(t *testing.T, name string, figure *Figure) {
	t.Helper()
	width, height := figure.page.size()
	probe := probed(figure)
	for i, a := range probe.texts {
		if a.box.Min.X < 0 || a.box.Min.Y < 0 || a.box.Max.X > width || a.box.Max.Y > height {
			t.Errorf("%s: %q leaves the page of %v x %v: %v", name, a.text, width, height, a.box)
		}
		for _, b := range probe.texts[:i] {
			if a.box.Min.X < b.box.Max.X && b.box.Min.X < a.box.Max.X && a.box.Min.Y < b.box.Max.Y && b.box.Min.Y < a.box.Max.Y {
				t.Errorf("%s: %q and %q overlap", name, a.text, b.text)
			}
		}
	}
	var svg bytes.Buffer
	if _, err := probe.WriteTo(&svg); err != nil {
		t.Fatal(err)
	}
	checkXML(t, name, &svg)
}

func checkXML(t *testing.T, name string, svg io.Reader) {
	t.Helper()
	decoder := xml.NewDecoder(svg)
	for {
		if _, err := decoder.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Errorf("%s: not well-formed: %v", name, err)
			return
		}
	}
}

// crowdedTable has many strategies with long names and many worker counts.
func crowdedTable(strategies, workers int) *experiment.Table {
	table := &experiment.Table{Columns: sweepColumns}
	like := []string{"original", "claim-release", "leapfrog"}
	for i := range strategies {
		name := fmt.Sprintf("a-strategy-with-quite-a-long-name-of-its-own-%d", i)
		if i < len(knownStyles) {
			name = knownStyles[i].strategy
		}
		for _, tables := range []float64{1000, 30000, 1000000} {
			for w := range workers {
				table.Rows = append(table.Rows, with(sweepRow(like[i%3], tables, float64(w+1)), "strategy", name))
			}
		}
	}
	return table
}

// with returns the row with other cells, given as column and text in turn.
func with(row []string, cells ...string) []string {
	row = append([]string{}, row...)
	table := experiment.Table{Columns: sweepColumns}
	for i := 0; i < len(cells); i += 2 {
		column, ok := table.Column(cells[i])
		if !ok {
			panic("no column " + cells[i])
		}
		row[column] = cells[i+1]
	}
	return row
}

func tableOf(rows ...[]string) *experiment.Table {
	return &experiment.Table{Columns: sweepColumns, Rows: rows}
}

// twoSettings is the example on two kinds of machine.
func twoSettings() *experiment.Table {
	table := sweepTable()
	for _, row := range sweepTable().Rows {
		table.Rows = append(table.Rows, with(row, "cpus", "64", "settings", "autovacuum_naptime=5s"))
	}
	return table
}

// fourAxes varies workers, processors, a setting and the due share.
func fourAxes() *experiment.Table {
	table := &experiment.Table{Columns: sweepColumns}
	for _, cpus := range []string{"1", "2", "4", "8"} {
		for _, settings := range []string{"autovacuum_vacuum_cost_delay=0", "autovacuum_vacuum_cost_delay=20ms"} {
			for _, due := range []string{"0.1", "1"} {
				for _, workers := range []float64{1, 3} {
					for _, strategy := range []string{"original", "claim-release", "leapfrog"} {
						table.Rows = append(table.Rows, with(sweepRow(strategy, 1000, workers), "cpus", cpus, "settings", settings, "due_share", due))
					}
				}
			}
		}
	}
	return table
}

// TestNoTextOverlaps draws what is crowded, nearly empty or odd.
func TestNoTextOverlaps(t *testing.T) {
	row := sweepRow("original", 1000, 3)
	tables := map[string]*experiment.Table{
		"example":        sweepTable(),
		"one row":        tableOf(row),
		"one panel":      sweepTable().Where("workers", "10"),
		"20 strategies":  crowdedTable(20, 4),
		"40 workers":     crowdedTable(3, 40),
		"50 strategies":  crowdedTable(50, 1),
		"two settings":   twoSettings(),
		"markup in name": tableOf(with(row, "strategy", `<b>"R&D"</b>`+"\x00\n")),
		"long name":      tableOf(with(row, "strategy", strings.Repeat("w", 500), "host", strings.Repeat("m ", 500))),
		"not Latin":      tableOf(with(row, "strategy", "スケジューラ 🐘")),
		"no name":        tableOf(with(row, "strategy", "")),
		"no intervals":   tableOf(with(row, "throughput_per_s_lo", "", "throughput_per_s_hi", "")),
		"tiny rates":     tableOf(with(row, "throughput_per_s", "1e-90"), with(row, "throughput_per_s", "1e90", "tables", "2")),
		"close rates":    tableOf(with(row, "throughput_per_s", "1000"), with(row, "throughput_per_s", "1000.0000001", "tables", "1001")),
		"odd panels":     tableOf(with(row, "workers", "three"), with(row, "workers", "")),
		"zero rates":     tableOf(row, with(row, "throughput_per_s", "0", "throughput_per_s_lo", "0", "throughput_per_s_hi", "3"), with(row, "tables", "10", "throughput_per_s", "0")),
		"the same twice": tableOf(row, with(row, "strategy", "leapfrog"), with(row, "strategy", "claim-release")),
		"four axes":      fourAxes(),
		"odd shares":     tableOf(with(row, "io_share", "NaN", "vacuum_share", "-1", "idle_share", "7")),
	}
	for name, table := range tables {
		for _, f := range figures {
			figure, err := f.draw(table)
			if err != nil {
				if f.name != "workers" || !errors.Is(err, ErrNothingToDraw) {
					t.Errorf("%s of %s: %v", f.name, name, err)
				}
				continue
			}
			checkTexts(t, f.name+" of "+name, figure)
		}
		figure, err := Lines(table, Spec{X: "tables", Y: "vacuums", Series: "workers", Panel: "strategy"})
		if err != nil {
			t.Errorf("lines of %s: %v", name, err)
			continue
		}
		checkTexts(t, "lines of "+name, figure)
	}
}

// TestEveryFormatOfOddNames: the PDF library has an encoding of its own.
func TestEveryFormatOfOddNames(t *testing.T) {
	figure, err := Throughput(tableOf(with(sweepRow("original", 1000, 3), "strategy", "<é> スケ 🐘 & …")))
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range Formats() {
		var file bytes.Buffer
		if err := figure.Encode(&file, format); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		if format == "svg" {
			checkXML(t, "svg", &file)
		}
	}
}
