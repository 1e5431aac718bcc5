package pglog

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Forms of files that are told from a log by their first bytes.
var (
	magicGzip = []byte{0x1f, 0x8b}
	magicBzip = []byte("BZh")
	foreign   = []struct {
		magic []byte
		what  string
	}{
		{[]byte("\x28\xb5\x2f\xfd"), "compressed by zstd; unpack it first: zstd -dc FILE | avsim import log -"},
		{[]byte("\xfd7zXZ\x00"), "compressed by xz; unpack it first: xz -dc FILE | avsim import log -"},
		{[]byte("PK\x03\x04"), "a zip archive; unpack it first: unzip -p FILE | avsim import log -"},
		{[]byte("PGDMP"), "a dump of pg_dump, not a log"},
		{[]byte("\x7fELF"), "a program, not a log"},
	}
)

// errEndsEarly is a compressed file of which the end is missing.
var errEndsEarly = errors.New("ends early, as if cut off")

// ScanFile reads a file; "-" is standard input. What could be read of a file that
// ends early is kept, and the error says so: EndsEarly tells it from others.
func (s *Scanner) ScanFile(name string) error {
	if name == "-" {
		return s.Scan(os.Stdin, "standard input")
	}
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		return fmt.Errorf("%s: a folder; accepted are log files", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return s.Scan(f, name)
}

// EndsEarly tells whether an error of Scan is that of a compressed file that is cut
// off or damaged: all before was read.
func EndsEarly(err error) bool { return errors.Is(err, errEndsEarly) }

// plain undoes compression and UTF-16.
func plain(r io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(r, bufferSize)
	head, _ := b.Peek(6)
	switch {
	case bytes.HasPrefix(head, magicGzip):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, errEndsEarly
		}
		return plain(z)
	case bytes.HasPrefix(head, magicBzip) && len(head) > 3 && '1' <= head[3] && head[3] <= '9':
		return plain(bzip2.NewReader(b))
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		return transform.NewReader(b, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder()), nil
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		b.Discard(3)
	}
	for _, f := range foreign {
		if bytes.HasPrefix(head, f.magic) {
			return nil, errors.New(f.what)
		}
	}
	return b, nil
}

// damaged tells an error of decompression from one of reading.
func damaged(err error) bool {
	var structural bzip2.StructuralError
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) ||
		errors.As(err, &structural) || isFlate(err)
}
