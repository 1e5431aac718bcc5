package deadtid

import "avsim/workload/guc"

// account is a TidStore that remembers of its tree the path to the last block.
// That is enough: blocks ascend, so only nodes on that path change.
type account struct {
	tidStore
	top  int // level of the root
	path [maxLevels]pathNode
}

// pathNode is the node of the path at a level.
type pathNode struct {
	class    class
	children int
}

func newAccount(v guc.Version, memory int64) *account {
	return &account{tidStore: newTidStore(v, memory)}
}

// Add puts in a page's dead rows.
func (a *account) Add(block uint32, offsets []uint16) {
	before, empty := uint32(a.next-1), a.count == 0
	a.take(block, offsets)
	a.place(block, before, empty)
	a.enter(words(offsets))
}

// place makes the nodes of a block that comes after another; in an empty tree
// there is none before. The nodes down to where the block leaves the path stay;
// the last of them gets a child, and below it all are new.
func (a *account) place(block, before uint32, empty bool) {
	level := levelOf(block)
	if empty { // the root is there already, and becomes what the block needs
		a.top = level
	} else {
		a.raise(level)
		level = levelOf(block ^ before)
	}
	a.addChild(level)
	for level > 0 {
		level--
		a.start(level)
	}
}

// raise puts new roots above the root until the tree is as high as a level.
func (a *account) raise(level int) {
	for a.top < level {
		a.top++
		a.start(a.top)
	}
}

// start makes a node with one child.
func (a *account) start(level int) {
	a.allocate(0)
	a.path[level] = pathNode{children: 1}
}

// addChild gives the path's node at a level another child.
func (a *account) addChild(level int) {
	n := &a.path[level]
	if n.children == classes[n.class].room {
		n.class = a.grow(n.class)
	}
	n.children++
}

// Reset makes the store anew.
func (a *account) Reset() { *a = *newAccount(a.version, a.limit) }
