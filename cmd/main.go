package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitDone        = 0
	exitFailed      = 1 // an output that cannot be written, a full disk
	exitUsage       = 2 // flags
	exitInput       = 4 // a file with nothing usable
	exitInterrupted = 130
)

// usageError is a mistake on the command line.
type usageError struct{ error }

// inputError is a file that cannot be used.
type inputError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Main runs the command and returns its exit code. Data goes to stdout,
// messages to stderr. An interrupt ends what is under way; what is finished is
// kept.
func Main(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, args, stdout, stderr)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err != nil {
		fmt.Fprintln(stderr, "avsim: "+message(err))
	}
	return exitCode(err)
}

func exitCode(err error) int {
	var usage usageError
	var input inputError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &input):
		return exitInput
	}
	return exitFailed
}

// message is an error as one line, without a panic's stack.
func message(err error) string {
	text := err.Error()
	if errors.Is(err, context.Canceled) {
		return strings.TrimSuffix(strings.TrimSuffix(text, "context canceled"), ": ")
	}
	return text
}

// newRoot builds the command tree anew, so that runs do not share flags.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "avsim",
		Short: "Simulate PostgreSQL's autovacuum scheduler",
		Long: `avsim simulates PostgreSQL's autovacuum: launcher, workers, schedule lock,
statistics, processors. It answers in milliseconds how fast workers get
through tables, what they wait for, and what a strategy or a setting changes.

Data goes to stdout, messages to stderr. Exit codes: 0 done, 1 failed (an
output that cannot be written), 2 usage, 4 bad input, 130 interrupted.`,
		Example: `  avsim compare --tables 100000 --workers 30
  avsim sweep -o out
  avsim sweep --tables 1000..100000/log10x3 --workers 1,10 --strategy leapfrog`,
		SilenceErrors:              true,
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		RunE: func(c *cobra.Command, args []string) error {
			return c.Help()
		},
		Args: noArgs,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%v (see '%s --help')", flagSuggestion(c, err), c.CommandPath())
	})
	root.AddCommand(newCompare(), newSweep(), newValidate(), newCalibrate(), newPlot(), newScenarios(), newVersion(), newMan())
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	return root
}

// noArgs refuses what is left over, with the nearest command where the word may
// be meant as one.
func noArgs(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if !c.HasSubCommands() {
		return usagef("%s takes no argument, got %q (see '%s --help')", c.CommandPath(), args[0], c.CommandPath())
	}
	hint := ""
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf(", did you mean %q?", near[0])
	}
	return usagef("unknown command %q for %s%s (see '%s --help')", args[0], c.CommandPath(), hint, c.CommandPath())
}
