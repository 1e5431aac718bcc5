package cmd

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"avsim/scheduler"
	"avsim/scheduler/study"
	"avsim/sim/experiment"
)

func newMerge() *cobra.Command {
	var o outputFlags
	c := &cobra.Command{
		Use:   "merge -o DIR SHARD...",
		Short: "The shards of one sweep into one result",
		Long: `merge makes, of what 'avsim sweep --shard i/n' wrote, the files that the whole
sweep would have written, to the byte. A SHARD is a journal, such as
sweep.3-of-8.journal, or a folder that holds some.

All shards have to be of the same sweep and model version, whole, and there once
each.`,
		Example: `  avsim merge -o out shards
  avsim merge -o out --format parquet node1/sweep.1-of-2.journal node2/sweep.2-of-2.journal`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("merge takes the shards of a sweep, files or folders (see 'avsim merge --help')")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return merge(c, &o, args) },
	}
	o.registerFormats(c.Flags(), "folder to write sweep.csv and the figures to (required)")
	return c
}

func merge(c *cobra.Command, o *outputFlags, args []string) error {
	if err := notEmpty(c.Flags()); err != nil {
		return err
	}
	if err := o.checkRows(c.Flags()); err != nil {
		return err
	}
	if o.out == "" {
		return usagef("merge needs a folder for the result: -o DIR")
	}
	files, err := shardFiles(args)
	if err != nil {
		return inputError{err}
	}
	shards, err := openShards(files)
	defer closeAll(shards)
	if err != nil {
		return inputError{err}
	}
	records, err := mergeable(shards)
	if err != nil {
		return inputError{err}
	}
	if err := experiment.CheckDir(o.out); err != nil {
		return err
	}
	w := newWarnings(study.Study{})
	if err := writeSweep(c, o, shards[0].Header().Columns, func() iter.Seq2[experiment.Record, error] { return records }, w); err != nil {
		return err
	}
	w.say(c.ErrOrStderr(), o.quiet, nil)
	return nil
}

// mergeable goes through the points of shards that belong together, once to see
// that all are there.
func mergeable(shards []*experiment.Journal) (iter.Seq2[experiment.Record, error], error) {
	if h := shards[0].Header(); h.Model != scheduler.ModelVersion {
		return nil, fmt.Errorf("%s: of model version %s, this is %s", shards[0].Path(), h.Model, scheduler.ModelVersion)
	}
	records, err := experiment.Merge(shards)
	if err != nil {
		return nil, err
	}
	for _, err := range records {
		if err != nil {
			return nil, err
		}
	}
	return records, nil
}

// shardFiles are the journals that the arguments name.
func shardFiles(args []string) ([]string, error) {
	var out []string
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, err
		}
		files := []string{arg}
		if info.IsDir() {
			if files, err = filepath.Glob(filepath.Join(escaped(arg), "sweep.*-of-*.journal")); err != nil || len(files) == 0 {
				return nil, fmt.Errorf("%s: no shard in this folder: accepted are files such as sweep.3-of-8.journal", arg)
			}
		}
		for _, f := range files {
			if !slices.ContainsFunc(out, func(o string) bool { return sameFile(o, f) }) {
				out = append(out, f)
			}
		}
	}
	return out, nil
}

// escaped is a path that Glob takes as it stands.
func escaped(path string) string {
	var out []rune
	for _, r := range path {
		if slices.Contains([]rune(`*?[\`), r) {
			out = append(out, '\\')
		}
		out = append(out, r)
	}
	return string(out)
}

func openShards(files []string) ([]*experiment.Journal, error) {
	var out []*experiment.Journal
	for _, f := range files {
		j, err := experiment.ReadJournal(f)
		if err != nil {
			return out, err
		}
		out = append(out, j)
	}
	return out, nil
}

func closeAll(journals []*experiment.Journal) {
	for _, j := range journals {
		j.Close()
	}
}
