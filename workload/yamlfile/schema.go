package yamlfile

import (
	"bytes"
	"encoding/json"
	"maps"
)

// JSONSchema writes the schema (draft 2020-12) of files that the value reads.
func JSONSchema(title string, root Value) []byte {
	schema := maps.Clone(root.Schema)
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["title"] = title
	if len(root.definitions) > 0 {
		schema["$defs"] = root.definitions
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(schema); err != nil {
		panic(err) // maps, lists, texts and numbers only
	}
	return b.Bytes()
}
