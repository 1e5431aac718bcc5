package deadtid

import "math/bits"

// entry is what stands in place of a pointer at level 0 of the tree. With the
// lowest bit set, offsets: from bit 16 on, 16 bits each, 0 for none. Otherwise
// where a page's bitmap is: from bit 8 on its first word's number, below that
// twice the number of words.
type entry uint64

// bitmaps are the bitmaps of pages with more offsets than an entry holds. They
// are kept in pieces, none of which has to be copied to add another; a bitmap
// is in one piece.
type bitmaps [][]uint64

// pieceWords is the most words of a piece: 512 kB.
const pieceWords = 1 << 16

// entry puts in a page's offsets.
func (b *bitmaps) entry(offsets []uint16) entry {
	n := words(offsets)
	if n == 0 {
		e := entry(1)
		for i, offset := range offsets {
			e |= entry(offset) << (16 * (i + 1))
		}
		return e
	}
	if len(*b) == 0 || len((*b)[len(*b)-1])+n > pieceWords {
		*b = append(*b, nil)
	}
	last := len(*b) - 1
	piece := &(*b)[last]
	start := len(*piece)
	*piece = append(*piece, make([]uint64, n)...)
	for _, offset := range offsets {
		(*piece)[start+int(offset/wordBits)] |= 1 << (offset % wordBits)
	}
	return entry(last*pieceWords+start)<<8 | entry(n)<<1
}

// of is the bitmap of an entry that holds no offsets itself.
func (b bitmaps) of(e entry) []uint64 {
	place, n := int(e>>8), int(e&0xff>>1)
	return b[place/pieceWords][place%pieceWords:][:n]
}

// has tells whether an offset is in an entry.
func (b bitmaps) has(e entry, offset uint16) bool {
	if e&1 == 0 {
		bitmap, word := b.of(e), int(offset/wordBits)
		return word < len(bitmap) && bitmap[word]>>(offset%wordBits)&1 == 1
	}
	for rest := e >> 16; rest != 0; rest >>= 16 {
		if uint16(rest) == offset {
			return true
		}
	}
	return false
}

// appendTo adds an entry's offsets to a list, in order.
func (b bitmaps) appendTo(list []uint16, e entry) []uint16 {
	if e&1 == 1 {
		for rest := e >> 16; rest != 0; rest >>= 16 {
			list = append(list, uint16(rest))
		}
		return list
	}
	for i, word := range b.of(e) {
		for ; word != 0; word &= word - 1 {
			list = append(list, uint16(i*wordBits+bits.TrailingZeros64(word)))
		}
	}
	return list
}
