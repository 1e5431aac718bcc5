package cmd

import (
	"os"
	"path/filepath"
	"slices"

	"avsim/workload/host"
	"avsim/workload/scenario"
)

// namedFile is a file of the command line and what names it there.
type namedFile struct{ what, path string }

// checkFiles refuses outputs that would overwrite each other, or what the run
// is read from.
func (f *runFlags) checkFiles(sc *scenario.Run, name string) error {
	outputs := append(f.outputs(), figurePaths(f.figures)...)
	for i, o := range outputs {
		for _, other := range outputs[:i] {
			if sameFile(o.path, other.path) {
				return usagef("%s %s: is the file of %s too; accepted is a file of its own for each output", o.what, o.path, other.what)
			}
		}
		for _, in := range f.inputs(sc, name) {
			if sameFile(o.path, in.path) {
				return usagef("%s %s: is the %s, which it would overwrite; accepted is another file", o.what, o.path, in.what)
			}
		}
	}
	return nil
}

// outputs are the files that the run writes, figures apart.
func (f *runFlags) outputs() []namedFile {
	return given(namedFile{"--output", f.out.out}, namedFile{"--events", f.events}, namedFile{"--log", f.log},
		namedFile{"--workers", f.workers}, namedFile{"--foreground", f.felt}, namedFile{"--trace", f.trace},
		namedFile{"--scores", f.scores})
}

// tryOutputs finds out before the run whether its outputs can be written.
func (f *runFlags) tryOutputs() error {
	if err := tryFigures(f.figures); err != nil {
		return err
	}
	for _, file := range f.outputs() {
		if err := (&outputFlags{out: file.path}).tryOut(); err != nil {
			return err
		}
	}
	return nil
}

// inputs are the files that the run is read from; what is built in is no file.
func (f *runFlags) inputs(sc *scenario.Run, name string) []namedFile {
	var out []namedFile
	if !slices.ContainsFunc(scenario.List(), func(e scenario.Entry) bool { return e.Name == name }) {
		out = append(out, namedFile{"scenario", name})
	}
	if profile := or(f.host, sc.Host); !slices.Contains(host.Embedded(), profile) {
		out = append(out, namedFile{"host profile", profile})
	}
	return out
}

// given are those that the command line has.
func given(files ...namedFile) []namedFile {
	return slices.DeleteFunc(files, func(f namedFile) bool { return f.path == "" })
}

// sameFile tells whether two paths lead to one file, there already or not yet.
// Devices and pipes do not count: what is written to them adds up.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errX == nil && errY == nil {
		return os.SameFile(x, y) && x.Mode().IsRegular()
	}
	return errX != nil && errY != nil && wholePath(a) == wholePath(b)
}

// wholePath is the path of a file that is not there yet, from the root and
// without symbolic links in its folder.
func wholePath(path string) string {
	folder := filepath.Dir(path)
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	whole := filepath.Join(folder, filepath.Base(path))
	if absolute, err := filepath.Abs(whole); err == nil {
		return absolute
	}
	return whole
}
