package deadtid

import (
	"math/bits"

	"avsim/workload/guc"
)

// Sizes in bytes of what PostgreSQL's allocators put before what they give, on
// a 64-bit machine without assertions (bump.c, slab.c).
const (
	bumpContextHeader = 112
	bumpBlockHeader   = 32
	slabBlockHeader   = 48
	slabChunkHeader   = 8
)

// Blocks in bytes (memutils.h): ALLOCSET_DEFAULT_INITSIZE and _MAXSIZE,
// SLAB_DEFAULT_BLOCK_SIZE.
const (
	firstBlock = 8 << 10
	maxBlock   = 8 << 20
	slabBlock  = 8 << 10
)

// contexts are the memory contexts of a TidStore: a bump context of entries
// and a slab of nodes for each size class. Nothing is stored in them; they
// tell what is allocated.
type contexts struct {
	allocated int64 // bytes, as MemoryContextMemAllocated counts them
	entries   bump
	nodes     [len(classes)]slab
}

// newContexts are those of a tree without a key, which has a root already.
func newContexts(v guc.Version, memory int64) contexts {
	var c contexts
	c.entries = newBump(memory)
	c.allocated = firstBlock
	for i := range c.nodes {
		c.nodes[i] = newSlab(classes[i].bytes)
	}
	if !v.AtLeast(guc.MustVersion("18")) {
		// In 17 the tree's own two structures are among the entries, and there is
		// one more context, an allocation set for iterators with a block of 1 kB.
		const tree, control, iterators = 72, 32, 1 << 10
		c.entries.allocate(tree + control)
		c.allocated += iterators
	}
	c.allocate(0)
	return c
}

// allocate makes room for a node.
func (c *contexts) allocate(k class) { c.allocated += c.nodes[k].allocate() }

// grow replaces a node by one of the next class, and returns that.
func (c *contexts) grow(k class) class {
	c.allocate(k + 1)
	c.nodes[k].live--
	return k + 1
}

// enter makes room for a page's entry of so many bitmap words; an entry of none
// sits in the node. It has a header of 8 bytes.
func (c *contexts) enter(words int) {
	if words > 0 {
		c.allocated += c.entries.allocate(8 + 8*int64(words))
	}
}

// bump is a bump context: it carves blocks up from the front and gives nothing
// back. What is left at the end of a block is lost.
type bump struct {
	left      int64 // bytes in the current block
	next, max int64 // sizes of the next block and of any
}

// newBump is one with its first block, which its own header is in. Blocks get
// no larger than a sixteenth of memory, if that is as large as the first.
func newBump(memory int64) bump {
	most := int64(maxBlock)
	for 16*most > memory && most > firstBlock {
		most /= 2
	}
	return bump{left: firstBlock - bumpContextHeader - bumpBlockHeader, next: firstBlock, max: most}
}

// allocate returns the bytes of the block that had to be taken, if any.
func (b *bump) allocate(bytes int64) (taken int64) {
	if b.left < bytes {
		taken = b.next
		b.left = taken - bumpBlockHeader
		b.next = min(2*taken, b.max)
	}
	b.left -= bytes
	return taken
}

// slab is a slab context, of pieces of one size. PostgreSQL takes a new block
// when no piece of any block is free, and keeps up to ten that are empty. More
// than one never is: a block is taken when all others are full, and of a full
// one only the nodes that a key is being added below, at most one a level, are
// ever given back. So no block is, before the end.
type slab struct {
	block, perBlock int64 // bytes; pieces
	live, room      int64 // pieces
}

func newSlab(bytes int64) slab {
	// At least 32 pieces a block (RT_SLAB_BLOCK_SIZE).
	block := max(slabBlock, int64(1)<<bits.Len64(uint64(32*bytes-1)))
	return slab{block: block, perBlock: (block - slabBlockHeader) / (slabChunkHeader + bytes)}
}

// allocate returns the bytes of the block that had to be taken, if any.
func (s *slab) allocate() (taken int64) {
	s.live++
	if s.live > s.room {
		s.room += s.perBlock
		return s.block
	}
	return 0
}
