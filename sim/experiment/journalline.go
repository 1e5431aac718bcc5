package experiment

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
)

// A line of a journal is a JSON object whose first member is the checksum
// (CRC-32C) of the object without it:
//
//	{"crc32c":"1f2e3d4c","item":7,…}
const (
	sumBefore = `{"crc32c":"`
	sumAfter  = `",`
	sumDigits = 8
	sumLength = len(sumBefore) + sumDigits + len(sumAfter)
)

// Longest lines: a header, and a record of a point with 10,000 replications.
const (
	mostHeader = 1 << 20
	mostLine   = 64 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sealed is a value as a line with its checksum, which goes on from that of the journal's
// header, 0 for the header itself: a line of another journal is damaged here.
func sealed(value any, header uint32) ([]byte, error) {
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(value); err != nil {
		return nil, err
	}
	object := text.Bytes() // ends in a line feed
	sum := crc32.Update(header, castagnoli, object[:len(object)-1])
	return fmt.Appendf(nil, "%s%08x%s%s", sumBefore, sum, sumAfter, object[1:]), nil
}

// unsealed is the object of a line, without checksum and line feed.
func unsealed(line []byte, header uint32) ([]byte, error) {
	line = bytes.TrimSuffix(line, []byte("\n"))
	if len(line) < sumLength || !bytes.HasPrefix(line, []byte(sumBefore)) || string(line[sumLength-len(sumAfter):sumLength]) != sumAfter {
		return nil, errors.New("it does not begin with its checksum")
	}
	object := append([]byte{'{'}, line[sumLength:]...)
	told, is := string(line[len(sumBefore):len(sumBefore)+sumDigits]), fmt.Sprintf("%08x", crc32.Update(header, castagnoli, object))
	if told != is {
		return nil, fmt.Errorf("its checksum is %s and should be %s, in this journal", is, told)
	}
	return object, nil
}

// errLong is that of a line that no journal has.
var errLong = errors.New("longer than any line of a journal")

// readLine reads a line with its line feed, of so many bytes at most. It is valid
// until the next is read. What has no line feed is io.EOF.
func readLine(r *bufio.Reader, most int) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	long := bytes.Clone(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		if len(long) > most {
			return nil, errLong
		}
		line, err = r.ReadSlice('\n')
		long = append(long, line...)
	}
	return long, err
}

// checkRegular refuses what is no regular file, before it is opened: a pipe would
// wait for a writer, a device may have no end.
func checkRegular(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s: a folder; accepted is a journal, such as sweep.journal", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: no regular file; accepted is a journal, such as sweep.journal", path)
	}
	return nil
}

// Samples are a figure's values, one of each replication; NaN where there is none,
// which is null in JSON.
type Samples []float64

// MarshalJSON writes an array of numbers and nulls.
func (s Samples) MarshalJSON() ([]byte, error) {
	out := make([]*float64, len(s))
	for i := range s {
		if !math.IsNaN(s[i]) {
			out[i] = &s[i]
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Samples) UnmarshalJSON(text []byte) error {
	var in []*float64
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*s = make(Samples, len(in))
	for i, x := range in {
		if (*s)[i] = math.NaN(); x != nil {
			(*s)[i] = *x
		}
	}
	return nil
}

// skipLine goes to the next line.
func skipLine(r *bufio.Reader) error {
	_, err := readLine(r, mostLine)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
