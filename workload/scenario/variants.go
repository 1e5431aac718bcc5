package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"avsim/workload/guc"
	"avsim/workload/yamlfile"
)

// mostVariants is how many variants a file may have, and mostVariantTables how many
// tables all of them together.
const (
	mostVariants      = 100
	mostVariantTables = 5 * mostTables
)

// variant is the same scenario with another version, other settings, or other values
// elsewhere.
type variant struct {
	name     string
	version  *guc.Version // nil for the file's
	host     string       // "" for the file's
	settings []assignment
	set      []yamlfile.Named[string] // values by their place in the file
	nameNode ast.Node
}

func variantValue(x *variant) yamlfile.Value {
	var pg string
	version := func(d *yamlfile.Decoder, path string, n ast.Node) error {
		v, err := guc.ParseVersion(pg)
		if err != nil {
			return d.Refuse(n, path, err.Error())
		}
		x.version = &v
		return nil
	}
	return yamlfile.Object(
		yamlfile.Field{Name: "name", Doc: "one word, by which results and expectations call it", Required: true, Value: yamlfile.String(&x.name).Kept(&x.nameNode)},
		yamlfile.Field{Name: "pg", Doc: "version of PostgreSQL; the scenario's unless given",
			Value: yamlfile.Scalar(&pg, "a version of PostgreSQL, such as 9.5.12 or 16").Then(version)},
		yamlfile.Field{Name: "host", Doc: "host profile; the scenario's unless given", Value: yamlfile.String(&x.host).Then(profileCheck(&x.host))},
		yamlfile.Field{Name: "settings", Doc: "settings beside, or instead of, the scenario's", Value: settingsValue(&x.settings)},
		yamlfile.Field{Name: "set", Doc: "values in other places of the file, by their path: {\"databases[0].tables[0].rows\": 5000}", Value: yamlfile.Map(&x.set, yamlfile.Raw)},
	)
}

// Variant is a scenario under the name of one of its variants.
type Variant struct {
	Name string
	*Run
	OwnPG bool // whether it names a version of its own
}

// Variants are the scenario's variants in the file's order; none where it has none.
func (r *Run) Variants() []Variant { return r.variants }

// checkVariants reads the file again as each variant has it.
func (f *runFile) checkVariants(r *Run) error {
	seen := map[string]bool{}
	for i := range f.variants {
		v := &f.variants[i]
		path := fmt.Sprintf("variants[%d]", i)
		switch {
		case i == mostVariants:
			return f.d.Fail(v.nameNode, path, fmt.Sprintf("found %d variants", len(f.variants)), fmt.Sprintf("%d at most", mostVariants))
		case (i+1)*f.tables > mostVariantTables:
			return f.d.Fail(v.nameNode, path, fmt.Sprintf("found %d tables in all variants so far", (i+1)*f.tables), fmt.Sprintf("%d at most", mostVariantTables))
		case !oneWord(v.name):
			return f.d.Fail(v.nameNode, path+".name", "found "+yamlfile.Quote(v.name), "letters, digits, dots, hyphens and underscores")
		case seen[v.name]:
			return f.d.Fail(v.nameNode, path+".name", "found "+yamlfile.Quote(v.name)+" a second time", "a name of its own for each variant")
		}
		seen[v.name] = true
		for _, x := range v.set {
			if root, _, _ := strings.Cut(x.Name, "."); slices.Contains(notOfVariants, root) {
				return f.d.Fail(x.Key, path+".set", "found "+yamlfile.Quote(x.Name), "what is simulated; name, title, expect, claims, answer and variants are of the whole file, pg, host and settings have keys of their own")
			}
		}
		version := v.version
		if version == nil {
			version = r.instead.pg
		}
		run, err := parseRun(r.Text, r.Filename, overrides{pg: version, host: v.host, settings: v.settings, variant: true, changes: v.changes(path)})
		if err != nil {
			return fmt.Errorf("%w (variant %s)", err, v.name)
		}
		r.variants = append(r.variants, Variant{v.name, run, v.version != nil})
	}
	return nil
}

// notOfVariants are keys that a variant's set may not change.
var notOfVariants = []string{"name", "title", "description", "expect", "claims", "answer", "variants", "pg", "host", "settings"}

// changes are the values that a variant has in other places of the file.
func (v *variant) changes(path string) (out []yamlfile.Change) {
	for _, x := range v.set {
		out = append(out, yamlfile.Change{Path: x.Name, Value: x.Value, What: path + ".set." + x.Name})
	}
	return out
}

func oneWord(name string) bool {
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_') {
			return false
		}
	}
	return name != ""
}

// overrides are what holds instead of what a file says.
type overrides struct {
	pg       *guc.Version
	host     string
	settings []assignment
	variant  bool // the file's own variants are none of its business
	changes  []yamlfile.Change
}

// apply puts the overrides in.
func (o overrides) apply(f *runFile) {
	if o.pg != nil {
		f.version = *o.pg
	}
	if o.host != "" {
		f.host = o.host
	}
	if o.variant {
		f.variants = nil
	}
	for _, a := range o.settings {
		replaced := false
		for i := range f.settings {
			if f.settings[i].Name == a.Name {
				f.settings[i], replaced = a, true
			}
		}
		if !replaced {
			f.settings = append(f.settings, a)
		}
	}
}

// Claim is what somebody says of the scenario.
type Claim struct {
	Says    string // in words
	Expects string // as an expectation
}

func claimValue(c *Claim) yamlfile.Value {
	return yamlfile.Object(
		yamlfile.Field{Name: "says", Doc: "what is said, in words", Required: true, Value: yamlfile.String(&c.Says)},
		yamlfile.Field{Name: "expects", Doc: "the same as an expectation", Required: true, Value: yamlfile.String(&c.Expects)},
	)
}
