package cmd

import (
	"bytes"
	"testing"
)

// What must be so of 16 against 17 is so: the scenario's expectations hold.
func TestPG16VsPG17(t *testing.T) {
	if testing.Short() {
		t.Skip("nineteen vacuums of half a billion rows beside 128 clients take some ten seconds")
	}
	var stdout, stderr bytes.Buffer
	if code := Main([]string{"run", "pg16-vs-pg17", "--quiet", "--format", "csv"}, &stdout, &stderr); code != 0 {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
}
