package cmd

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"avsim/sim/experiment"
)

// keep runs a sweep into a folder: a journal first, then, of a whole sweep, its
// files.
func (j *job) keep(c *cobra.Command, f *sweepFlags, o *outputFlags) error {
	if err := experiment.CheckDir(o.out); err != nil {
		return err
	}
	log, err := j.journal(c.Context(), c.ErrOrStderr(), f, o)
	if err != nil {
		return err
	}
	defer log.Close()
	before := log.Count()
	err = j.run(c, o, log.Has, false, log.Append)
	if err != nil {
		return j.ended(o, log, err)
	}
	if j.shard.of > 1 {
		fmt.Fprintf(c.OutOrStdout(), "%s: shard %d/%d, %s of %s%s\n", log.Path(), j.shard.number, j.shard.of,
			thousands(log.Count()), plural(j.survey.Points, "point"), foundBefore(before))
		return nil
	}
	w := warningsOf(j.study)
	if err := writeSweep(c, o, log.Header().Columns, log.Records, w); err != nil {
		return fmt.Errorf("%w; all points are in %s: --resume goes on", err, log.Path())
	}
	w.say(c.ErrOrStderr(), o.quiet, f.idle())
	return log.Remove()
}

func foundBefore(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %s found finished", thousands(n))
}

// journal begins the journal or, with --resume, goes on with the one that is
// there. One that would be lost is set aside.
func (j *job) journal(ctx context.Context, stderr io.Writer, f *sweepFlags, o *outputFlags) (*experiment.Journal, error) {
	path := filepath.Join(o.out, j.shard.file())
	log, err := experiment.OpenJournal(ctx, path)
	if errors.Is(err, experiment.ErrBusy) || errors.Is(err, context.Canceled) {
		return nil, err
	}
	if !f.resume {
		if err == nil {
			log.Close()
		}
		if err := setAside(stderr, o, path); err != nil {
			return nil, err
		}
		return experiment.CreateJournal(path, j.header)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, experiment.ErrNoHeader):
		o.note(stderr, "no point to go on from in %s: the sweep begins anew", path)
		return experiment.CreateJournal(path, j.header)
	case err != nil:
		return nil, inputError{err}
	}
	if err := log.Matches(j.header); err != nil {
		log.Close()
		return nil, inputError{err}
	}
	return log, experiment.ClearTemporary(o.out) // the journal's lock is this process's
}

// setAside renames the journal of an interrupted sweep, if there is one.
func setAside(stderr io.Writer, o *outputFlags, path string) error {
	if _, err := os.Stat(path); err != nil {
		return nil // there is none
	}
	o.note(stderr, "%s of an interrupted sweep is now %s: --resume would have gone on with it", path, path+".old")
	return os.Rename(path, path+".old")
}

// ended tells what is kept of a sweep that was ended early: the journal, and its
// points as a table.
func (j *job) ended(o *outputFlags, log *experiment.Journal, err error) error {
	kept, total := "--resume goes on", j.cost.Points
	switch {
	case log.Count() == 0:
		kept = "nothing was written"
		log.Remove()
	case j.shard.of == 1:
		path := filepath.Join(o.out, "sweep.csv")
		if !isPartOf(path, j.header) { // a finished result is not given up for a part of another
			path = filepath.Join(o.out, "sweep.partial.csv")
		}
		columns := log.Header().Columns
		if werr := experiment.WriteFile(path, func(w io.Writer) error { return writeRows(w, "csv", columns, paired(log.Records())) }); werr != nil {
			return fmt.Errorf("%w; %s of %s are in %s: --resume goes on", err, thousands(log.Count()), plural(total, "point"), log.Path())
		}
		kept = "kept in " + path + "; --resume goes on"
	}
	if !errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w; %s of %s finished, %s", err, thousands(log.Count()), plural(total, "point"), kept)
	}
	return interrupted(err, log.Count(), total, kept)
}

// isPartOf tells whether there is nothing at a path, or only rows of the same
// sweep.
func isPartOf(path string, h experiment.JournalHeader) bool {
	file, err := os.Open(path)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer file.Close()
	rows := csv.NewReader(file)
	columns, err := rows.Read()
	at := slices.Index(columns, "input_hash")
	if err != nil || at < 0 {
		return false
	}
	first, err := rows.Read()
	return err == nil && first[at] == h.Inputs
}
