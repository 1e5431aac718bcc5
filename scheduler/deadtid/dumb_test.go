package deadtid_test

import (
	"slices"
	"unsafe"
)

// The structures of PostgreSQL that take the memory, by the sorts of their
// fields in order, for the sizes that a compiler gives them.
type (
	pointer  = uintptr
	nodeHead = [3]uint8 // kind, fanout, count

	node4 struct {
		_ nodeHead
		_ [5]uint8
		_ [4]pointer
	}
	node16lo struct {
		_ nodeHead
		_ [32]uint8
		_ [16]pointer
	}
	node16hi struct {
		_ nodeHead
		_ [32]uint8
		_ [32]pointer
	}
	node48 struct {
		_ nodeHead
		_ [1]uint64
		_ [256]uint8
		_ [64]pointer
	}
	node256 struct {
		_ nodeHead
		_ [4]uint64
		_ [256]pointer
	}

	// MemoryContextData: type, two flags, mem_allocated; methods, parent,
	// firstchild, prevchild, nextchild, name, ident, reset_cbs.
	context struct {
		_ int32
		_ [2]bool
		_ uint64
		_ [8]pointer
	}
	// BumpContext: four sizes, a list head. BumpBlock: list node, two ends.
	bumpContext struct {
		_ context
		_ [4]uint32
		_ [2]pointer
	}
	bumpBlock struct {
		_ [2]pointer
		_ [2]pointer
	}
	// SlabBlock: slab, nfree, nunused, freehead, unused, list node.
	slabBlock struct {
		_ pointer
		_ [2]int32
		_ [2]pointer
		_ [2]pointer
	}
	chunkHead uint64

	// Of 17, the tree: context, control, five slabs, leaf and iterator contexts;
	// its control: root, max_val, num_keys, start_shift.
	tree17 struct {
		_ [2]pointer
		_ [5]pointer
		_ [2]pointer
	}
	control17 struct {
		_ pointer
		_ uint64
		_ int64
		_ int32
	}
)

var (
	fanouts   = []int{4, 16, 32, 64, 256}
	nodeBytes = []uintptr{unsafe.Sizeof(node4{}), unsafe.Sizeof(node16lo{}), unsafe.Sizeof(node16hi{}), unsafe.Sizeof(node48{}), unsafe.Sizeof(node256{})}
)

// dumb is a TidStore as PostgreSQL does it, without regard for speed: the whole
// tree, each node in a piece of a block, the blocks of a slab on lists by how
// full they are.
type dumb struct {
	is17  bool
	slabs []*dumbSlab
	bump  dumbBump
	root  *dumbNode
	shift int
	keys  int
}

type dumbNode struct {
	class    int
	children map[byte]*dumbNode
	home     *dumbBlock
}

func newDumb(is17 bool, memory int64) *dumb {
	d := &dumb{is17: is17, bump: newDumbBump(memory)}
	for _, bytes := range nodeBytes {
		d.slabs = append(d.slabs, newDumbSlab(int(bytes)))
	}
	if is17 {
		d.bump.alloc(int(unsafe.Sizeof(tree17{})))
		d.bump.alloc(int(unsafe.Sizeof(control17{})))
	}
	d.root = d.newNode()
	return d
}

func (d *dumb) newNode() *dumbNode {
	return &dumbNode{children: map[byte]*dumbNode{}, home: d.slabs[0].alloc()}
}

func (d *dumb) bytes() int64 {
	sum := d.bump.allocated
	for _, s := range d.slabs {
		sum += s.allocated
	}
	if d.is17 {
		sum += 1024
	}
	return int64(sum)
}

func (d *dumb) add(block uint32, offsets []uint16) {
	shift := 0
	for block>>shift > 255 {
		shift += 8
	}
	for shift > d.shift {
		if d.keys > 0 {
			above := d.newNode()
			above.children[0] = d.root
			d.root = above
		}
		d.shift += 8
	}
	d.keys++
	d.set(d.root, block, d.shift)
	if len(offsets) > 3 {
		d.bump.alloc(8 + 8*(int(slices.Max(offsets))/64+1))
	}
}

func (d *dumb) set(n *dumbNode, block uint32, shift int) {
	chunk := byte(block >> shift)
	if _, ok := n.children[chunk]; !ok {
		if len(n.children) == fanouts[n.class] {
			home := d.slabs[n.class+1].alloc()
			d.slabs[n.class].free(n.home)
			n.class++
			n.home = home
		}
		n.children[chunk] = nil
		if shift > 0 {
			n.children[chunk] = d.newNode()
		}
	}
	if shift > 0 {
		d.set(n.children[chunk], block, shift-8)
	}
}

type dumbBump struct {
	allocated, free, next, max int
}

func newDumbBump(memory int64) dumbBump {
	most := 8 << 20
	for int64(16*most) > memory {
		most >>= 1
	}
	used := int(unsafe.Sizeof(bumpContext{}) + unsafe.Sizeof(bumpBlock{}))
	return dumbBump{allocated: 8192, free: 8192 - used, next: 8192, max: max(most, 8192)}
}

func (b *dumbBump) alloc(bytes int) {
	if bytes > b.free {
		b.allocated += b.next
		b.free = b.next - int(unsafe.Sizeof(bumpBlock{}))
		b.next = min(b.next<<1, b.max)
	}
	b.free -= bytes
}

type dumbSlab struct {
	blockBytes, perBlock, shift int
	lists                       [3][]*dumbBlock // by free pieces: none, fewer, more
	empty                       []*dumbBlock
	allocated                   int
}

type dumbBlock struct{ free int }

func newDumbSlab(bytes int) *dumbSlab {
	s := &dumbSlab{blockBytes: 8192}
	for s.blockBytes < 32*bytes {
		s.blockBytes *= 2
	}
	s.perBlock = (s.blockBytes - int(unsafe.Sizeof(slabBlock{}))) / (int(unsafe.Sizeof(chunkHead(0))) + bytes)
	for s.perBlock>>s.shift >= 2 {
		s.shift++
	}
	return s
}

// list is which list a block with so many free pieces is on.
func (s *dumbSlab) list(free int) int { return (free + 1<<s.shift - 1) >> s.shift }

func (s *dumbSlab) remove(b *dumbBlock) {
	l := &s.lists[s.list(b.free)]
	i := slices.Index(*l, b)
	*l = slices.Delete(*l, i, i+1)
}

func (s *dumbSlab) push(b *dumbBlock) {
	l := &s.lists[s.list(b.free)]
	*l = slices.Insert(*l, 0, b)
}

func (s *dumbSlab) alloc() *dumbBlock {
	var b *dumbBlock
	switch {
	case len(s.lists[1]) > 0:
		b = s.lists[1][0]
		s.remove(b)
	case len(s.lists[2]) > 0:
		b = s.lists[2][0]
		s.remove(b)
	case len(s.empty) > 0:
		b, s.empty = s.empty[0], s.empty[1:]
	default:
		b = &dumbBlock{free: s.perBlock}
		s.allocated += s.blockBytes
	}
	b.free--
	s.push(b)
	return b
}

func (s *dumbSlab) free(b *dumbBlock) {
	s.remove(b)
	b.free++
	switch {
	case b.free < s.perBlock:
		s.push(b)
	case len(s.empty) < 10:
		s.empty = slices.Insert(s.empty, 0, b)
	default:
		s.allocated -= s.blockBytes
	}
}
