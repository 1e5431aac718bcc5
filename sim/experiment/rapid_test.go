package experiment

import "flag"

// Property tests draw the same cases every time, and others by -rapid.seed.
func init() {
	for name, value := range map[string]string{"rapid.seed": "1", "rapid.nofailfile": "true"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
}
