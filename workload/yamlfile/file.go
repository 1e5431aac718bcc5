package yamlfile

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ReadFile reads a regular file of at most MaxBytes. The size is looked at
// first, and held to in case the file grows. The noun says what the file is.
func ReadFile(name, noun string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file but %s", name, kindOf(info.Mode()))
	}
	if info.Size() > MaxBytes {
		return nil, tooLarge(name, noun, info.Size())
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	if _, err := io.Copy(&b, io.LimitReader(f, MaxBytes+1)); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// LooksLikeFile tells the name of a file from that of something built in.
func LooksLikeFile(name string) bool {
	ext := filepath.Ext(name)
	return ext == ".yaml" || ext == ".yml" || strings.ContainsRune(name, filepath.Separator)
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

func tooLarge(name, noun string, size int64) error {
	return fmt.Errorf("%s: %d bytes, a %s has at most %d", name, size, noun, MaxBytes)
}
