package cmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// mostPage is the size of the largest page of a column that is read.
const mostPage = 16 << 20

// checkPages holds what a Parquet file says of its size to the size that it has, page by
// page, before the library believes it and asks for the memory.
func checkPages(file io.ReaderAt, size int64, f *parquet.File) error {
	rows := f.NumRows()
	if rows < 0 {
		return errors.New("fewer rows than none")
	}
	var sum int64
	for _, group := range f.Metadata().RowGroups {
		if sum += group.NumRows; group.NumRows < 0 || sum > rows || len(group.Columns) != len(f.Schema().Columns()) {
			return errors.New("its row groups are not those of its head")
		}
		for i := range group.Columns {
			if err := checkChunk(file, size, &group.Columns[i].MetaData, group.NumRows); err != nil {
				return fmt.Errorf("column %d: %w", i+1, err)
			}
		}
	}
	if sum != rows {
		return errors.New("its row groups have other rows than its head")
	}
	return nil
}

// checkChunk goes through the heads of a column's pages.
func checkChunk(file io.ReaderAt, size int64, c *format.ColumnMetaData, rows int64) error {
	if c.Codec != format.Uncompressed && c.Codec != format.Snappy && c.Codec != format.Zstd {
		return fmt.Errorf("packed by %v; accepted are snappy, zstd and nothing", c.Codec)
	}
	at := c.DataPageOffset
	if d := c.DictionaryPageOffset; d > 0 && d < at {
		at = d
	}
	end := at + c.TotalCompressedSize
	if at < 4 || c.TotalCompressedSize < 0 || end > size || end < at || c.NumValues != rows {
		return errors.New("it is said to be where the file is not")
	}
	seen, first := int64(0), true
	for at < end {
		head, length, err := pageHead(io.NewSectionReader(file, at, end-at))
		if err != nil {
			return err
		}
		if head.CompressedPageSize < 0 || head.UncompressedPageSize < 0 || head.UncompressedPageSize > mostPage || int64(head.CompressedPageSize) > end-at-length {
			return fmt.Errorf("a page of %d bytes, %d when packed", head.UncompressedPageSize, head.CompressedPageSize)
		}
		values := int64(0)
		switch {
		case head.Type == format.DataPage && head.DataPageHeader.Valid:
			values = int64(head.DataPageHeader.V.NumValues)
		case head.Type == format.DataPageV2 && head.DataPageHeaderV2.Valid:
			values = int64(head.DataPageHeaderV2.V.NumValues)
		case head.Type == format.DictionaryPage && head.DictionaryPageHeader.Valid && first:
			if n := int64(head.DictionaryPageHeader.V.NumValues); n < 0 || n > rows {
				return errors.New("a dictionary of more values than rows")
			}
			first = false
			at += length + int64(head.CompressedPageSize)
			continue
		default:
			return errors.New("a page of no known kind")
		}
		first = false
		if seen += values; values < 1 || seen > rows {
			return fmt.Errorf("a page of %d values of %d rows", values, rows)
		}
		at += length + int64(head.CompressedPageSize)
	}
	if seen != rows {
		return errors.New("fewer values than rows")
	}
	return nil
}

// pageHead reads the head of a page, and returns its length.
func pageHead(r *io.SectionReader) (head format.PageHeader, length int64, err error) {
	buffered := bufio.NewReader(r)
	var protocol thrift.CompactProtocol
	if err := thrift.NewDecoder(protocol.NewReader(buffered)).Decode(&head); err != nil {
		return head, 0, fmt.Errorf("the head of a page: %w", err)
	}
	read, err := r.Seek(0, io.SeekCurrent)
	return head, read - int64(buffered.Buffered()), err
}
