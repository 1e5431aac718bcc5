package experiment

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// WriteFile writes a file so that, whatever happens, either the whole new
// content or the old stands at path: it writes a temporary file in the same
// folder and renames it. If write or anything else fails the temporary file is
// removed and the error names the path.
//
// A file that exists keeps its permissions; a new one has 0644. A symbolic link
// is followed. What is no regular file, such as a pipe, is written to directly,
// and so is all below /dev and /proc: /dev/stdout may stand for a file that
// others write to as well, and is appended to.
func WriteFile(path string, write func(io.Writer) error) error {
	if err := writeFile(path, write); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

func writeFile(path string, write func(io.Writer) error) error {
	mode := fs.FileMode(0o644)
	switch info, err := os.Stat(path); {
	case err == nil && isSpecial(path):
		return writeDirectly(path, write)
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return writeDirectly(path, write)
	default:
		mode = info.Mode().Perm()
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	return writeBeside(path, mode, write)
}

// isSpecial tells whether a path leads to what a process has open.
func isSpecial(path string) bool {
	clean := filepath.Clean(path)
	return strings.HasPrefix(clean, "/dev/") || strings.HasPrefix(clean, "/proc/")
}

// temporary is what writeBeside calls a file until it is whole.
var temporary = regexp.MustCompile(`^\..+\.(csv|jsonl|parquet|txt|png|svg)\.\d+$`)

// ClearTemporary removes what writers that were killed have left of files in a folder. It
// is for who knows that nobody else is writing there.
func ClearTemporary(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Type().IsRegular() && temporary.MatchString(e.Name()) {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeBeside writes a temporary file and renames it to path.
func writeBeside(path string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	renamed := false
	defer func() { // also if write panics
		if !renamed {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	if err := buffered(file, write); err != nil {
		return err
	}
	if err := file.Chmod(mode); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return err
	}
	renamed = true
	return nil
}

// writeDirectly writes to what cannot be replaced.
func writeDirectly(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	return errors.Join(buffered(file, write), file.Close())
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	buffer := bufio.NewWriter(w)
	if err := write(buffer); err != nil {
		return err
	}
	return buffer.Flush()
}

// CheckDir makes sure that files can be written in a folder, and creates it,
// with its parents, if it does not exist. A long run calls it before it starts,
// so as not to fail at its end.
func CheckDir(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("no folder for the output: %w", err)
	}
	probe, err := os.CreateTemp(dir, ".writable.*")
	if err != nil {
		return fmt.Errorf("the folder %s cannot be written in: %w", dir, err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}
