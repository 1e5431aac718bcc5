// Package yamlfile reads YAML files strictly. What a file may hold is a tree of
// Values; the same tree reads the file and writes its JSON schema.
//
//	var name string
//	var sizes []float64
//	root := yamlfile.Object(
//		yamlfile.Field{Name: "name", Doc: "what it is called", Required: true, Value: yamlfile.String(&name)},
//		yamlfile.Field{Name: "sizes", Doc: "bytes", Value: yamlfile.List(&sizes, 1, func(x *float64) yamlfile.Value {
//			return yamlfile.Number(x, 0, 1e9)
//		})},
//	)
//	d := yamlfile.Decoder{File: "a.yaml", Noun: "size list", MostKeys: 100, MostNested: 8}
//	err := d.Read(text, root)
//
// An error is one line that names file, line, column and field, what was found
// and what is accepted:
//
//	a.yaml:2:9: sizes[0]: found "-1"; accepted is a number from 0 to 1e+09
//
// A key that does not exist is an error that suggests the nearest, and so are a
// key given twice, an anchor or alias, and a second document.
package yamlfile
