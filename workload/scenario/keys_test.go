package scenario

import (
	"encoding/json"
	"maps"
	"slices"
)

// keysOfSchema are all keys that a file may have.
func keysOfSchema() []string {
	var schema any
	if err := json.Unmarshal(Schema(), &schema); err != nil {
		panic(err)
	}
	keys := make(map[string]bool)
	var walk func(any)
	walk = func(x any) {
		switch x := x.(type) {
		case map[string]any:
			if properties, ok := x["properties"].(map[string]any); ok {
				for k := range properties {
					keys[k] = true
				}
			}
			for _, v := range x {
				walk(v)
			}
		case []any:
			for _, v := range x {
				walk(v)
			}
		}
	}
	walk(schema)
	return slices.Sorted(maps.Keys(keys))
}
