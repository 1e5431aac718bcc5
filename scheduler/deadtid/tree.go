package deadtid

import (
	"iter"
	"slices"

	"avsim/workload/guc"
)

// tree is a TidStore with its radix tree.
type tree struct {
	tidStore
	top     int // level of the root
	root    *node
	bitmaps bitmaps
}

// node is a node of any class: its children in the order of their bytes. How a
// class finds a child makes no difference to the bytes that it takes, so here
// all search.
type node struct {
	class   class
	chunks  []byte
	nodes   []*node // above level 0
	entries []entry // in level 0
}

func newTree(v guc.Version, memory int64) *tree {
	return &tree{tidStore: newTidStore(v, memory), root: new(node)}
}

// Add puts in a page's dead rows.
func (t *tree) Add(block uint32, offsets []uint16) {
	empty := t.count == 0
	t.take(block, offsets)
	if empty { // the root is there already, and becomes what the block needs
		t.top = levelOf(block)
	}
	t.raise(levelOf(block))
	n := t.root
	for level := t.top; level > 0; level-- {
		n = t.child(n, chunkOf(block, level))
	}
	i, _ := t.open(n, chunkOf(block, 0))
	t.enter(words(offsets))
	n.entries = slices.Insert(n.entries, i, t.bitmaps.entry(offsets))
}

// raise puts new roots above the root until the tree is as high as a level.
func (t *tree) raise(level int) {
	for t.top < level {
		t.top++
		t.allocate(0)
		t.root = &node{chunks: []byte{0}, nodes: []*node{t.root}}
	}
}

// child is the node below n for a byte, made if need be.
func (t *tree) child(n *node, chunk byte) *node {
	i, opened := t.open(n, chunk)
	if opened {
		t.allocate(0)
		n.nodes = slices.Insert(n.nodes, i, new(node))
	}
	return n.nodes[i]
}

// open finds the place of a child for a byte; if there is none it makes one,
// which the caller fills, in a larger node if need be.
func (t *tree) open(n *node, chunk byte) (i int, opened bool) {
	i, found := slices.BinarySearch(n.chunks, chunk)
	if found {
		return i, false
	}
	if len(n.chunks) == classes[n.class].room {
		n.class = t.grow(n.class)
	}
	n.chunks = slices.Insert(n.chunks, i, chunk)
	return i, true
}

// Lookup descends the tree.
func (t *tree) Lookup(block uint32, offset uint16) bool {
	if levelOf(block) > t.top {
		return false
	}
	n := t.root
	for level := t.top; ; level-- {
		i, found := slices.BinarySearch(n.chunks, chunkOf(block, level))
		if !found {
			return false
		}
		if level == 0 {
			return t.bitmaps.has(n.entries[i], offset)
		}
		n = n.nodes[i]
	}
}

// Blocks goes through the tree from left to right.
func (t *tree) Blocks() iter.Seq2[uint32, []uint16] {
	return func(yield func(uint32, []uint16) bool) {
		var offsets []uint16
		t.root.walk(t.top, 0, func(block uint32, e entry) bool {
			offsets = t.bitmaps.appendTo(offsets[:0], e)
			return yield(block, offsets)
		})
	}
}

// walk visits the entries of a node at a level, whose blocks begin with a
// prefix, until one is told to be the last.
func (n *node) walk(level int, prefix uint32, visit func(uint32, entry) bool) bool {
	for i, chunk := range n.chunks {
		key := prefix<<bitsPerLevel | uint32(chunk)
		if level > 0 && !n.nodes[i].walk(level-1, key, visit) {
			return false
		}
		if level == 0 && !visit(key, n.entries[i]) {
			return false
		}
	}
	return true
}

// Reset makes the store anew.
func (t *tree) Reset() { *t = *newTree(t.version, t.limit) }
