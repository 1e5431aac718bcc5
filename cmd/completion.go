package cmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"avsim/scheduler"
	"avsim/workload/guc"
	"avsim/workload/host"
	"avsim/workload/scenario"
)

// shells are those that a completion script can be written for.
var shells = []string{"bash", "zsh", "fish", "powershell"}

func newCompletion() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Completion of commands, flags and their values by a shell",
		Long: `completion prints a script for bash, zsh, fish or powershell. The script asks
avsim itself for what may follow, so it need not be made anew with a new version.
That of bash needs the package bash-completion.`,
		Example: `  avsim completion bash > ~/.local/share/bash-completion/completions/avsim
  avsim completion zsh > ~/.zsh/completions/_avsim    # a folder of $fpath
  avsim completion fish > ~/.config/fish/completions/avsim.fish
  source <(avsim completion bash)    # in this shell alone`,
		ValidArgs: shells,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("completion takes a shell: accepted are %s", strings.Join(shells, ", "))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			root, out := c.Root(), c.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			}
			return usagef("completion %s: accepted are %s", args[0], strings.Join(shells, ", "))
		},
	}
}

// valuesOf are what flags of these names take, in whatever command.
var valuesOf = map[string]func(c *cobra.Command) []string{
	"pg":       func(*cobra.Command) []string { return versionNames() },
	"strategy": func(*cobra.Command) []string { return strategyNames() },
	"starve":   func(*cobra.Command) []string { return strategyNames() },
	"host":     func(*cobra.Command) []string { return host.Embedded() },
	"set":      func(*cobra.Command) []string { return settingNames() },
	"scenario": func(c *cobra.Command) []string {
		switch c.Name() {
		case "lab":
			return scenarioNames(scenario.KindRun)
		case "sweep":
			return scenarioNames(scenario.KindMeasure, scenario.KindRun)
		}
		return scenarioNames(scenario.KindMeasure)
	},
	"start":   func(*cobra.Command) []string { return []string{"gated", "natural"} },
	"format":  formatsOf,
	"without": func(*cobra.Command) []string { return mechanismNames() },
}

// completeValues tells the shell what the flags of a command and those below it take.
func completeValues(c *cobra.Command) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		values, ok := valuesOf[f.Name]
		if !ok {
			return
		}
		directive := cobra.ShellCompDirectiveNoFileComp
		switch f.Name {
		case "host": // or a file
			directive = cobra.ShellCompDirectiveDefault
		case "set": // goes on with the value
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		err := c.RegisterFlagCompletionFunc(f.Name, func(c *cobra.Command, _ []string, given string) ([]string, cobra.ShellCompDirective) {
			return afterComma(f, given, values(c)), directive
		})
		if err != nil {
			panic(err) // two functions for one flag
		}
	})
	for _, sub := range c.Commands() {
		completeValues(sub)
	}
}

// afterComma puts what a list has already in front of what may come next.
func afterComma(f *pflag.Flag, given string, values []string) []string {
	i := strings.LastIndexByte(given, ',')
	if i < 0 || f.Value.Type() != "stringSlice" {
		return values
	}
	out := make([]string, len(values))
	for j, v := range values {
		out[j] = given[:i+1] + v
	}
	return out
}

func formatsOf(c *cobra.Command) []string {
	switch c.Name() {
	case "sweep", "merge":
		return formatNames()
	case "advise":
		return []string{"text", "json"}
	case "explain":
		return []string{"table", "json"}
	}
	return []string{"table", "csv", "json"}
}

func versionNames() (out []string) {
	for _, v := range guc.Branches() {
		out = append(out, v.String())
	}
	return out
}

func strategyNames() (out []string) {
	for _, s := range scheduler.Strategies() {
		out = append(out, s.Name)
	}
	return out
}

func settingNames() (out []string) {
	versions := guc.Branches()
	for _, name := range guc.Names(versions[len(versions)-1]) {
		out = append(out, name+"=")
	}
	return out
}

// scenarioNames are those of the built-in scenarios of some kinds.
func scenarioNames(kinds ...scenario.Kind) (out []string) {
	for _, e := range scenario.List() {
		if slices.Contains(kinds, e.Kind) {
			out = append(out, e.Name)
		}
	}
	return out
}
