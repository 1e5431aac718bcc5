package plots

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"avsim/sim/experiment"
)

// variantMeasures are the columns that variants are put side by side by.
var variantMeasures = []struct {
	column, head string
	write        func(float64) string
}{
	{"index_scans", "index passes", number},
	{"dead_tid_peak_bytes", "dead TIDs, peak", func(x float64) string { return number(math.Round(x/(1<<20))) + " MB" }},
	{"vacuum_loaded_seconds", "duration", span},
	{"pages_read", "pages read", about},
	{"throughput_drop_share", "throughput lost", func(x float64) string { return fmt.Sprintf("%.2f %%", 100*x) }},
	{"latency_p99_vacuum_seconds", "p99 with vacuum", func(x float64) string { return fmt.Sprintf("%.3g ms", 1000*x) }},
}

// Sizes of the bars of variants, in points.
const (
	variantPitch     vg.Length = 19
	variantBar       vg.Length = 11
	variantNameWidth vg.Length = 138
	variantGap       vg.Length = 10
	variantText      vg.Length = 54 // beside the longest bar
)

// Variants draws the variants of a scenario side by side: a row each, a bar for each
// measure. Bars have the colour of the version of PostgreSQL.
//
// It takes the columns variant, pg, index_scans, dead_tid_peak_bytes,
// vacuum_loaded_seconds, pages_read, throughput_drop_share and
// latency_p99_vacuum_seconds; with a column throughput_drop_half_width what is lost by
// chance alone is told as none.
func Variants(table *experiment.Table) (*Figure, error) {
	columns := []string{"variant", "pg"}
	for _, m := range variantMeasures {
		columns = append(columns, m.column)
	}
	if err := needRows(table, "variants", "there are no variants", columns...); err != nil {
		return nil, err
	}
	v := &variantChart{table: table, colors: map[string]color.NRGBA{}}
	palette := []color.NRGBA{vermillion, blue, bluishGreen, orange, reddishPurple, skyBlue}
	var key []string
	for row := range table.Rows {
		major, _, _ := strings.Cut(cell(table, row, "pg"), ".")
		if _, known := v.colors[major]; !known {
			v.colors[major] = palette[len(v.colors)%len(palette)]
			key = append(key, "PostgreSQL "+major)
		}
	}
	return &Figure{
		page: page{
			title:      variantsTitle(table),
			subtitle:   strings.Join(distinctSorted(table, allRows(table), "scenario"), ", ") + " · " + strings.Join(key, " and ") + ", told apart by colour and name",
			footer:     []string{"Duration: with the application beside the vacuum. Throughput lost and p99: over the time of the vacuum; none: no more than by chance.", provenance(table, allRows(table), "")},
			bodyHeight: panelHeadHeight + variantPitch*vg.Length(len(table.Rows)),
			body:       v.draw,
		},
		data: copyRows("variants", table, allRows(table), append(append(columns, "throughput_drop_half_width"), provenanceColumns...)),
	}, nil
}

type variantChart struct {
	table  *experiment.Table
	colors map[string]color.NRGBA // by major version
}

func (v *variantChart) draw(c draw.Canvas) {
	names := textStyle(tickSize, textColor)
	width := (c.Max.X - c.Min.X - variantNameWidth) / vg.Length(len(variantMeasures))
	for row := range v.table.Rows {
		name := cell(v.table, row, "variant")
		c.FillText(names, vg.Point{X: c.Min.X, Y: v.top(c, row) - 2}, elide(names, name, variantNameWidth-6))
	}
	for i := range variantMeasures {
		area := c
		area.Min.X = c.Min.X + variantNameWidth + width*vg.Length(i)
		area.Max.X = area.Min.X + width - variantGap
		v.column(area, i)
	}
}

func (v *variantChart) top(c draw.Canvas, row int) vg.Length {
	return c.Max.Y - panelHeadHeight - variantPitch*vg.Length(row)
}

// column draws a measure of all variants.
func (v *variantChart) column(c draw.Canvas, measure int) {
	m := variantMeasures[measure]
	head := bold(textStyle(tickSize, textColor))
	c.FillText(head, vg.Point{X: c.Min.X, Y: c.Max.Y}, elide(head, m.head, c.Max.X-c.Min.X))
	most := 0.0
	for row := range v.table.Rows {
		if x := value(v.table, row, m.column); x > most {
			most = x
		}
	}
	text := textStyle(barTextSize, mutedText)
	for row := range v.table.Rows {
		x := value(v.table, row, m.column)
		if math.IsNaN(x) {
			continue
		}
		major, _, _ := strings.Cut(cell(v.table, row, "pg"), ".")
		top, length := v.top(c, row)-3, vg.Length(0)
		if most > 0 {
			length = max(c.Max.X-c.Min.X-variantText, 0) * vg.Length(max(x, 0)/most)
		}
		c.SetColor(v.colors[major])
		c.Fill(vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: top - variantBar}, Max: vg.Point{X: c.Min.X + max(length, 0.8), Y: top}}.Path())
		written := m.write(x)
		if m.column == "throughput_drop_share" && math.Abs(x) <= value(v.table, row, "throughput_drop_half_width") {
			written = "none"
		}
		c.FillText(text, vg.Point{X: c.Min.X + length + 3, Y: top + 0.5}, written)
	}
}

// variantsTitle sets the first variant against the second.
func variantsTitle(table *experiment.Table) string {
	if len(table.Rows) < 2 {
		return "One variant"
	}
	a, b := value(table, 0, "vacuum_loaded_seconds"), value(table, 1, "vacuum_loaded_seconds")
	return fmt.Sprintf("%s takes %s where %s takes %s, with %s passes over the indexes instead of %s",
		cell(table, 1, "variant"), span(b), cell(table, 0, "variant"), span(a),
		number(value(table, 1, "index_scans")), number(value(table, 0, "index_scans")))
}
