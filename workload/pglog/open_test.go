package pglog

import (
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOnRead: the bytes told are those of the file as it lies there, whatever it is
// compressed with, and an error ends the scan.
func TestOnRead(t *testing.T) {
	text := strings.Repeat("2026-01-01 00:00:00 UTC [12] LOG:  checkpoint starting: time\n", 50_000)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(text))
	z.Close()
	for name, content := range map[string][]byte{"plain.log": []byte(text), "packed.log.gz": packed.Bytes(), "empty.log": nil} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		read := 0
		s := Scanner{Each: func(*Event) {}, OnRead: func(n int) error { read += n; return nil }}
		if err := s.ScanFile(path); err != nil || read != len(content) {
			t.Errorf("%s: %d bytes were told of %d, error %v", name, read, len(content), err)
		}
		stop := errors.New("enough")
		s = Scanner{Each: func(*Event) {}, OnRead: func(int) error { return stop }}
		if err := s.ScanFile(path); !errors.Is(err, stop) || name == "plain.log" && s.Counts.Lines > 25_000 {
			t.Errorf("%s: %d lines were read, error %v", name, s.Counts.Lines, err)
		}
	}
}
