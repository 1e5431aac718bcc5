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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	return run(ctx, args, stdout, stderr)
}

// tracked remembers the first error of an output, since not all that prints
// returns it.
type tracked struct {
	io.Writer
	err error
}

func (t *tracked) Write(p []byte) (int, error) {
	n, err := t.Writer.Write(p)
	if t.err == nil {
		t.err = err
	}
	return n, err
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	out := &tracked{Writer: stdout}
	root.SetOut(out)
	root.SetErr(stderr)
	c, err := root.ExecuteContextC(ctx)
	if err == nil && out.err != nil {
		err = fmt.Errorf("standard output: %w", out.err)
	}
	if err != nil {
		fmt.Fprintln(stderr, "avsim: "+message(err))
	}
	if code := exitCode(err); code == exitDone || code == exitUnmet {
		suggestNext(c, stderr)
	}
	return exitCode(err)
}

func exitCode(err error) int {
	var usage usageError
	var input inputError
	var unmet unmetError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &input):
		return exitInput
	case errors.As(err, &unmet):
		return exitUnmet
	}
	return exitFailed
}

// message is an error as one line, without a panic's stack. Of several errors
// it is the first, with their number.
func message(err error) string {
	var several interface{ Unwrap() []error }
	more := ""
	if errors.As(err, &several) && len(several.Unwrap()) > 1 {
		more = fmt.Sprintf(" (and %d more)", len(several.Unwrap())-1)
	}
	text, stack, cut := strings.Cut(err.Error(), "\n")
	if cut && strings.Contains(stack, "goroutine ") {
		more += " (this is a fault of avsim: please report it with the command line)"
	}
	if errors.Is(err, context.Canceled) {
		text = or(strings.TrimSuffix(strings.TrimSuffix(text, "context canceled"), ": "), "interrupted")
	}
	return text + more
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
output that cannot be written), 2 usage, 3 an expectation was not met, 4 bad
input, 130 interrupted.`,
		Example: `  avsim compare --tables 100000 --workers 30    how fast, and what binds
  avsim sweep -o out                            over tables and workers, with figures
  avsim run daily-wave                          days in the life of a database
  avsim import csv . -o shop.yaml               a database of yours
  avsim scenarios list                          what is there to start from`,
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
	root.AddCommand(newCompare(), newSweep(), newMerge(), newRun(), newAdvise(), newExplain(), newLab(), newImport(), newValidate(), newCalibrate(), newPlot(), newReport(), newServe(), newScenarios(), newVersion(), newCompletion(), newMan())
	root.InitDefaultHelpCmd()
	root.SetHelpFunc(printHelp)
	groupCommands(root)
	completeValues(root)
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args = knownCommand
		}
	}
	return root
}

// knownCommand refuses help for what is no command.
func knownCommand(c *cobra.Command, args []string) error {
	if found, rest, err := c.Root().Find(args); err != nil || found == nil || len(rest) > 0 {
		return usagef("help: no command %q (see 'avsim --help')", strings.Join(args, " "))
	}
	return nil
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
