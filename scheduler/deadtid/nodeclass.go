package deadtid

import "math/bits"

// A key of the tree is a block number of 32 bits; each level takes 8 of them,
// level 0 at the bottom the lowest. A tree has as many levels as its largest
// key needs; a path with one child a level is not shortened otherwise.
const (
	bitsPerLevel = 8
	maxLevels    = 4
)

// levelOf is the level of a key's highest byte that is not zero.
func levelOf(key uint32) int { return max(bits.Len32(key)-1, 0) / bitsPerLevel }

// chunkOf is the byte of a key that a level takes.
func chunkOf(key uint32, level int) byte { return byte(key >> (bitsPerLevel * level)) }

// class is a size class of nodes. A node starts in class 0 and, when it has no
// room for another child, is replaced by one of the next.
type class uint8

// classes are the size classes of radixtree.h, where they are called 4, 16lo,
// 16hi, 48 and 256. A node is a header of 3 bytes (kind, room, children), a
// part that finds a child by its byte, and 8 bytes for each child:
//   - 4: 5 bytes, of which 4 are for the children's;
//   - 16: 32 bytes for the children's, rounded up with the header to 40;
//   - 48: header as 8, 8 of a bitmap of slots, 256 of slots by byte;
//   - 256: header as 8, 32 of a bitmap of slots.
var classes = [...]struct {
	room  int   // children
	bytes int64 // of the node
}{
	{4, 8 + 4*8},
	{16, 40 + 16*8},
	{32, 40 + 32*8},
	{64, 8 + 8 + 256 + 64*8},
	{256, 8 + 32 + 256*8},
}
