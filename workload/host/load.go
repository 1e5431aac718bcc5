package host

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"avsim/workload/guc"
)

//go:embed profiles/*.yaml
var profiles embed.FS

const maxFileBytes = 1 << 20

// Embedded returns the names of the built-in profiles, sorted.
func Embedded() []string {
	entries, err := profiles.ReadDir("profiles")
	if err != nil {
		panic(err) // embedded at build time
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".yaml")
	}
	return names
}

// Load returns the built-in profile of that name or, when there is none, the
// profile in the file of that name.
func Load(nameOrFile string) (*Profile, error) {
	if data, err := profiles.ReadFile("profiles/" + nameOrFile + ".yaml"); err == nil {
		return Parse(data, nameOrFile+".yaml")
	}
	data, err := readFile(nameOrFile)
	if errors.Is(err, fs.ErrNotExist) && !looksLikeFile(nameOrFile) {
		return nil, unknownProfile(nameOrFile)
	}
	if err != nil {
		return nil, err
	}
	return Parse(data, nameOrFile)
}

func looksLikeFile(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".yaml" || ext == ".yml" || strings.ContainsRune(name, filepath.Separator)
}

func unknownProfile(name string) error {
	hint := ""
	if near := guc.Nearest(name, Embedded()); near != "" {
		hint = fmt.Sprintf(", did you mean %s?", near)
	}
	return fmt.Errorf("no host profile or file %q%s (built in: %s)", name, hint, strings.Join(Embedded(), ", "))
}

// readFile reads a regular file of at most maxFileBytes. The size is looked at
// first, and held to in case the file grows.
func readFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file but %s", name, kindOf(info.Mode()))
	}
	if info.Size() > maxFileBytes {
		return nil, tooLarge(name, info.Size())
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	if _, err := io.Copy(&b, io.LimitReader(f, maxFileBytes+1)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else"
}

func tooLarge(name string, size int64) error {
	return fmt.Errorf("%s: %d bytes, a host profile has at most %d", name, size, maxFileBytes)
}
