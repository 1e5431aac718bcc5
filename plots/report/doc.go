// Package report writes a result as one HTML file that needs nothing else: what was
// found in words, figures as SVG with their data, tables that can be sorted, the inputs,
// and how each figure is made again.
//
//	page := report.Page{Title: "…", Verdict: "…", Sections: …}
//	err := page.Write(file)
//
// The file asks for nothing from a network, and says so to the browser (a content
// security policy that allows its own script by its hash, and nothing else). It follows
// the reader's colour scheme, is drawn again for a phone's width, and prints in light
// colours with all that is folded away opened. Equal pages are equal bytes.
package report
