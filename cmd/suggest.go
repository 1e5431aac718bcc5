package cmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"avsim/workload/guc"
)

// flagSuggestion adds the nearest flag to pflag's error about an unknown one.
func flagSuggestion(c *cobra.Command, err error) string {
	text := err.Error()
	_, name, ok := strings.Cut(text, "unknown flag: --")
	if !ok {
		return text
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := guc.Nearest(name, names); near != "" {
		return fmt.Sprintf("%s, did you mean --%s?", text, near)
	}
	return text
}
