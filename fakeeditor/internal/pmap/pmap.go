// Package pmap holds a persistent hash map: a copy costs nothing, a write to one
// copy leaves the others as they were, and bulk writes by one owner happen in place.
//
// The simulated editor keeps whole worlds this way: a fork shares everything with
// its origin, and a property write in a scene of 10,000 nodes copies three small
// trie nodes. Unlike a copied B-tree, copying does not write to the origin, so
// frozen maps can be read and forked by many goroutines at once.
package pmap

import "math/bits"

const (
	shift = 5
	mask  = 1<<shift - 1
)

// Owner is the token of one writer. Trie nodes made under a token may be changed
// in place by writers that hold the same token; a new token starts copying again.
type Owner struct{ _ byte }

// Key is what a map can be keyed with.
type Key interface {
	comparable
	// Hash spreads keys; equal keys have equal hashes.
	Hash() uint32
}

// Map is a persistent map. The zero Map is empty and ready to use.
type Map[K Key, V any] struct {
	root *branch[K, V]
	size int
}

// branch is a trie node: a bitmap of the used places, and for each used place a
// branch, or a leaf, or a list of leaves whose whole hash is the same.
type branch[K Key, V any] struct {
	bitmap uint32
	slots  []slot[K, V]
	owner  *Owner
}

type slot[K Key, V any] struct {
	child *branch[K, V]
	leaf  *leaf[K, V]
}

type leaf[K Key, V any] struct {
	key  K
	val  V
	next *leaf[K, V] // same hash, other key
}

// Len gives the number of entries.
func (m Map[K, V]) Len() int { return m.size }

// Get finds the value of a key.
func (m Map[K, V]) Get(key K) (V, bool) {
	h := key.Hash()
	for b := m.root; b != nil; h >>= shift {
		bit := uint32(1) << (h & mask)
		if b.bitmap&bit == 0 {
			break
		}
		s := &b.slots[bits.OnesCount32(b.bitmap&(bit-1))]
		if s.leaf != nil {
			for l := s.leaf; l != nil; l = l.next {
				if l.key == key {
					return l.val, true
				}
			}
			break
		}
		b = s.child
	}
	var zero V
	return zero, false
}

// Set puts an entry into m; earlier copies of m are not changed. A nil owner
// always copies.
func (m *Map[K, V]) Set(key K, val V, owner *Owner) {
	h := key.Hash()
	if m.root == nil {
		m.root = &branch[K, V]{owner: owner}
	}
	var added bool
	m.root, added = m.root.set(h, 0, &leaf[K, V]{key: key, val: val}, owner)
	if added {
		m.size++
	}
}

// Delete removes an entry from m; earlier copies are not changed.
func (m *Map[K, V]) Delete(key K, owner *Owner) {
	if _, ok := m.Get(key); !ok {
		return
	}
	m.root = m.root.remove(key.Hash(), key, owner)
	m.size--
}

// Each calls f for every entry, in an order that depends on the hashes only, until
// f returns false.
func (m Map[K, V]) Each(f func(K, V) bool) {
	if m.root != nil {
		m.root.each(f)
	}
}

func (b *branch[K, V]) each(f func(K, V) bool) bool {
	for i := range b.slots {
		s := &b.slots[i]
		if s.child != nil {
			if !s.child.each(f) {
				return false
			}
			continue
		}
		for l := s.leaf; l != nil; l = l.next {
			if !f(l.key, l.val) {
				return false
			}
		}
	}
	return true
}

// editable gives b itself when the owner may change it, else a copy.
func (b *branch[K, V]) editable(owner *Owner, grow int) *branch[K, V] {
	if owner != nil && b.owner == owner {
		return b
	}
	slots := make([]slot[K, V], len(b.slots), len(b.slots)+grow)
	copy(slots, b.slots)
	return &branch[K, V]{bitmap: b.bitmap, slots: slots, owner: owner}
}

func (b *branch[K, V]) set(h uint32, depth uint, l *leaf[K, V], owner *Owner) (*branch[K, V], bool) {
	bit := uint32(1) << (h & mask)
	at := bits.OnesCount32(b.bitmap & (bit - 1))
	if b.bitmap&bit == 0 {
		n := b.editable(owner, 1)
		n.bitmap |= bit
		n.slots = append(n.slots, slot[K, V]{})
		copy(n.slots[at+1:], n.slots[at:])
		n.slots[at] = slot[K, V]{leaf: l}
		return n, true
	}
	n := b.editable(owner, 0)
	s := &n.slots[at]
	if s.child != nil {
		child, added := s.child.set(h>>shift, depth+shift, l, owner)
		s.child = child
		return n, added
	}
	old := s.leaf
	oldHash := old.key.Hash() >> depth
	if oldHash == h {
		chain, replaced := old.with(l)
		s.leaf = chain
		return n, !replaced
	}
	*s = slot[K, V]{child: split(old, oldHash>>shift, l, h>>shift, owner)}
	return n, true
}

// split makes the branches that tell two leaves with different hashes apart.
func split[K Key, V any](a *leaf[K, V], ha uint32, b *leaf[K, V], hb uint32, owner *Owner) *branch[K, V] {
	n := &branch[K, V]{owner: owner}
	ia, ib := ha&mask, hb&mask
	if ia == ib {
		n.bitmap = 1 << ia
		n.slots = []slot[K, V]{{child: split(a, ha>>shift, b, hb>>shift, owner)}}
		return n
	}
	n.bitmap = 1<<ia | 1<<ib
	if ia < ib {
		n.slots = []slot[K, V]{{leaf: a}, {leaf: b}}
	} else {
		n.slots = []slot[K, V]{{leaf: b}, {leaf: a}}
	}
	return n
}

// with gives the list with l added, or in the place of the leaf with the same key.
func (l *leaf[K, V]) with(add *leaf[K, V]) (*leaf[K, V], bool) {
	if l == nil {
		return add, false
	}
	if l.key == add.key {
		add.next = l.next
		return add, true
	}
	rest, replaced := l.next.with(add)
	return &leaf[K, V]{key: l.key, val: l.val, next: rest}, replaced
}

func (b *branch[K, V]) remove(h uint32, key K, owner *Owner) *branch[K, V] {
	bit := uint32(1) << (h & mask)
	at := bits.OnesCount32(b.bitmap & (bit - 1))
	n := b.editable(owner, 0)
	s := &n.slots[at]
	if s.child != nil {
		s.child = s.child.remove(h>>shift, key, owner)
		if s.child != nil {
			return n
		}
	} else {
		s.leaf = s.leaf.without(key)
		if s.leaf != nil {
			return n
		}
	}
	n.slots = append(n.slots[:at], n.slots[at+1:]...)
	n.bitmap &^= bit
	if len(n.slots) == 0 {
		return nil
	}
	return n
}

func (l *leaf[K, V]) without(key K) *leaf[K, V] {
	switch {
	case l == nil:
		return nil
	case l.key == key:
		return l.next
	}
	return &leaf[K, V]{key: l.key, val: l.val, next: l.next.without(key)}
}
