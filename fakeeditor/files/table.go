package files

import "strings"

// table is an immutable sorted map from text to V. It is a treap whose
// priorities are hashes of the keys, so that its shape depends on its keys
// alone: two tables that share history share nodes, and a difference costs
// only what differs. The zero table is empty.
type table[V any] struct{ root *item[V] }

type item[V any] struct {
	key         string
	value       V
	rank        uint64
	size        int
	left, right *item[V]
}

// rankOf is FNV-1a with a final mix; ties are broken by the key.
func rankOf(key string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(key) {
		h = (h ^ uint64(key[i])) * 1099511628211
	}
	return mix(h)
}

func mix(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

func (i *item[V]) above(o *item[V]) bool {
	return i.rank > o.rank || i.rank == o.rank && i.key < o.key
}

func count[V any](i *item[V]) int {
	if i == nil {
		return 0
	}
	return i.size
}

func (i *item[V]) with(left, right *item[V]) *item[V] {
	n := *i
	n.left, n.right, n.size = left, right, 1+count(left)+count(right)
	return &n
}

func (t table[V]) Len() int { return count(t.root) }

func (t table[V]) Get(key string) (V, bool) {
	for i := t.root; i != nil; {
		switch c := strings.Compare(key, i.key); {
		case c == 0:
			return i.value, true
		case c < 0:
			i = i.left
		default:
			i = i.right
		}
	}
	var zero V
	return zero, false
}

func (t table[V]) Has(key string) bool {
	_, ok := t.Get(key)
	return ok
}

func (t table[V]) Set(key string, value V) table[V] {
	return table[V]{set(t.root, &item[V]{key: key, value: value, rank: rankOf(key), size: 1})}
}

func set[V any](i, n *item[V]) *item[V] {
	if i == nil {
		return n
	}
	if i.key == n.key {
		return n.with(i.left, i.right)
	}
	if n.above(i) {
		l, r := split(i, n.key)
		return n.with(l, r)
	}
	if n.key < i.key {
		return i.with(set(i.left, n), i.right)
	}
	return i.with(i.left, set(i.right, n))
}

// split parts the keys below key from those above it; key itself is dropped.
func split[V any](i *item[V], key string) (l, r *item[V]) {
	switch {
	case i == nil:
		return nil, nil
	case key == i.key:
		return i.left, i.right
	case key < i.key:
		l, r = split(i.left, key)
		return l, i.with(r, i.right)
	default:
		l, r = split(i.right, key)
		return i.with(i.left, l), r
	}
}

func (t table[V]) Delete(key string) table[V] {
	if !t.Has(key) {
		return t
	}
	return table[V]{remove(t.root, key)}
}

func remove[V any](i *item[V], key string) *item[V] {
	switch {
	case key < i.key:
		return i.with(remove(i.left, key), i.right)
	case key > i.key:
		return i.with(i.left, remove(i.right, key))
	}
	return join(i.left, i.right)
}

func join[V any](l, r *item[V]) *item[V] {
	switch {
	case l == nil:
		return r
	case r == nil:
		return l
	case l.above(r):
		return l.with(l.left, join(l.right, r))
	}
	return r.with(join(l, r.left), r.right)
}

// From visits the keys that are not below start, in order, until f says false.
func (t table[V]) From(start string, f func(string, V) bool) { from(t.root, start, f) }

func from[V any](i *item[V], start string, f func(string, V) bool) bool {
	if i == nil {
		return true
	}
	if i.key >= start {
		return from(i.left, start, f) && f(i.key, i.value) && from(i.right, start, f)
	}
	return from(i.right, start, f)
}

// diff reports each key whose value differs: was and is say on which side it
// is present. Shared nodes are skipped.
func diff[V comparable](a, b *item[V], f func(key string, old, new V, was, is bool)) {
	var zero V
	switch {
	case a == b:
	case a != nil && b != nil && a.key == b.key:
		diff(a.left, b.left, f)
		if a.value != b.value {
			f(a.key, a.value, b.value, true, true)
		}
		diff(a.right, b.right, f)
	case b == nil || a != nil && a.above(b):
		l, r := split(b, a.key)
		diff(a.left, l, f)
		f(a.key, a.value, zero, true, false)
		diff(a.right, r, f)
	default:
		l, r := split(a, b.key)
		diff(l, b.left, f)
		f(b.key, zero, b.value, false, true)
		diff(r, b.right, f)
	}
}
