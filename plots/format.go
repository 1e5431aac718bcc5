package plots

import (
	"bytes"
	"io"
	"slices"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	xfont "golang.org/x/image/font"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// pngDPI is twice the resolution at which the page is laid out (72 points per
// inch), so that a figure is sharp when it is shown at half its size.
const pngDPI = 144

// encoders holds, by name, the formats that a figure can be written in.
var encoders = map[string]func(io.Writer, *page) error{
	"png": encodePNG,
	"svg": encodeSVG,
	"pdf": encodePDF,
}

// Formats returns the names of the formats that a figure can be written in.
func Formats() []string {
	names := make([]string, 0, len(encoders))
	for name := range encoders {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func encodePNG(w io.Writer, p *page) error {
	canvas := vgimg.NewWith(vgimg.UseWH(p.size()), vgimg.UseDPI(pngDPI))
	p.draw(draw.New(canvas))
	_, err := vgimg.PngCanvas{Canvas: canvas}.WriteTo(w)
	return err
}

// The library names the one font; where that is not installed, the others have
// the same widths. Embedding it would make a file twenty times as large.
const (
	svgFont  = "font-family:Liberation Sans;"
	svgFonts = "font-family:Liberation Sans,Arial,Helvetica,sans-serif;"
)

func encodeSVG(w io.Writer, p *page) error {
	canvas := vgsvg.New(p.size())
	p.draw(draw.New(canvas))
	var svg bytes.Buffer
	if _, err := canvas.WriteTo(&svg); err != nil {
		return err
	}
	_, err := w.Write(bytes.ReplaceAll(svg.Bytes(), []byte(svgFont), []byte(svgFonts)))
	return err
}

// timelessPDF makes the PDF library stamp a fixed date instead of the present
// one and order what it keeps in maps, so that equal figures are equal files.
// The library has these settings per process only.
var timelessPDF = sync.OnceFunc(func() {
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultCatalogSort(true)
})

func encodePDF(w io.Writer, p *page) error {
	timelessPDF()
	canvas := vgpdf.New(p.size())
	width, height := p.size()
	p.draw(draw.NewCanvas(pdfCanvas{canvas}, width, height))
	_, err := canvas.WriteTo(w)
	return err
}

// pdfCanvas hands strings to the PDF library in Windows-1252, the one encoding
// its embedded fonts are addressed in. A character beyond it is replaced.
//
// A bold font goes by a name of its own: the library registers every font as a
// regular one and would not find it as a bold one.
type pdfCanvas struct{ *vgpdf.Canvas }

func (c pdfCanvas) FillString(face font.Face, at vg.Point, text string) {
	encoded, err := encoding.ReplaceUnsupported(charmap.Windows1252.NewEncoder()).String(text)
	if err != nil {
		encoded = text
	}
	if face.Font.Weight == xfont.WeightBold {
		face.Font.Weight = xfont.WeightNormal
		face.Font.Variant += "Bold"
	}
	c.Canvas.FillString(face, at, encoded)
}
