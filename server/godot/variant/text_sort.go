package variant

import (
	"math/bits"
	"strings"
)

// sortedEntries gives the entries in the order in which the engine writes them. Its order is no strict weak order
// (strings and StringNames are compared as text although other types lie between them; many types have no order at
// all), so the result depends on the sorting algorithm, which is therefore the engine's.
func sortedEntries(entries []Entry) []Entry {
	sorted := true
	for i := 1; i < len(entries) && sorted; i++ {
		sorted = !keyLess(entries[i].Key, entries[i-1].Key)
	}
	// Insertion sort, used up to 16 entries, keeps a sequence whose neighbours are in order.
	if sorted && len(entries) <= insertionLimit {
		return entries
	}
	e := append([]Entry(nil), entries...)
	sortEntries(e)
	return e
}

const insertionLimit = 16

func sortEntries(e []Entry) {
	if len(e) < 2 {
		return
	}
	introsort(e, 0, len(e), 2*(bits.Len(uint(len(e)))-1))
	if len(e) <= insertionLimit {
		insertionSort(e, 0, len(e))
		return
	}
	insertionSort(e, 0, insertionLimit)
	for i := insertionLimit; i < len(e); i++ {
		insertUnguarded(e, i, e[i])
	}
}

func introsort(e []Entry, first, last, depth int) {
	for last-first > insertionLimit {
		if depth == 0 {
			heapSort(e[first:last])
			return
		}
		depth--
		cut := partition(e, first, last, medianOfThree(e[first], e[first+(last-first)/2], e[last-1]))
		introsort(e, cut, last, depth)
		last = cut
	}
}

func medianOfThree(a, b, c Entry) Entry {
	if keyLess(a.Key, b.Key) {
		if keyLess(b.Key, c.Key) {
			return b
		} else if keyLess(a.Key, c.Key) {
			return c
		}
		return a
	}
	if keyLess(a.Key, c.Key) {
		return a
	} else if keyLess(b.Key, c.Key) {
		return c
	}
	return b
}

func partition(e []Entry, first, last int, pivot Entry) int {
	low, high := first, last
	for {
		for first < high-1 && keyLess(e[first].Key, pivot.Key) {
			first++
		}
		last--
		for last > low && keyLess(pivot.Key, e[last].Key) {
			last--
		}
		if first >= last {
			return first
		}
		e[first], e[last] = e[last], e[first]
		first++
	}
}

func insertionSort(e []Entry, first, last int) {
	for i := first + 1; i < last; i++ {
		val := e[i]
		if keyLess(val.Key, e[first].Key) {
			copy(e[first+1:i+1], e[first:i])
			e[first] = val
		} else {
			insertUnguarded(e, i, val)
		}
	}
}

// insertUnguarded relies on a smaller entry in front. Where the order is broken and there is none, the engine stops
// one place short of the front.
func insertUnguarded(e []Entry, i int, val Entry) {
	for i > 1 && keyLess(val.Key, e[i-1].Key) {
		e[i] = e[i-1]
		i--
	}
	e[i] = val
}

func heapSort(e []Entry) {
	for parent := (len(e) - 2) / 2; parent >= 0; parent-- {
		adjustHeap(e, parent, len(e), e[parent])
	}
	for last := len(e) - 1; last > 0; last-- {
		val := e[last]
		e[last] = e[0]
		adjustHeap(e, 0, last, val)
	}
}

func adjustHeap(e []Entry, hole, n int, val Entry) {
	top := hole
	second := 2*hole + 2
	for second < n {
		if keyLess(e[second].Key, e[second-1].Key) {
			second--
		}
		e[hole] = e[second]
		hole = second
		second = 2 * (second + 1)
	}
	if second == n {
		e[hole] = e[second-1]
		hole = second - 1
	}
	for parent := (hole - 1) / 2; hole > top && keyLess(e[parent].Key, val.Key); parent = (hole - 1) / 2 {
		e[hole] = e[parent]
		hole = parent
	}
	e[hole] = val
}

// keyLess compares strings and StringNames as text, other keys by type and then by value.
func keyLess(a, b Value) bool {
	if a.typ.IsStringLike() && b.typ.IsStringLike() {
		return a.ref.(string) < b.ref.(string)
	}
	if a.typ != b.typ {
		return a.typ < b.typ
	}
	switch a.typ {
	case TypeBool, TypeRID:
		return a.num < b.num
	case TypeInt:
		return int64(a.num) < int64(b.num)
	case TypeFloat:
		x, _ := a.Float()
		y, _ := b.Float()
		return x < y
	case TypeVector2, TypeVector3, TypeVector4:
		var x, y [4]float32
		return lessComponents(appendFloats(x[:0], a), appendFloats(y[:0], b))
	case TypeVector2i, TypeVector3i, TypeVector4i:
		var x, y [4]int32
		return lessComponents(appendInts(x[:0], a), appendInts(y[:0], b))
	case TypeArray:
		return lessArray(a.ref.(*Array).items, b.ref.(*Array).items)
	}
	return false
}

func lessComponents[T int32 | float32](a, b []T) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

func lessArray(a, b []Value) bool {
	for i := range min(len(a), len(b)) {
		if a[i].Equal(b[i]) {
			continue
		}
		if a[i].typ.IsNumber() && b[i].typ.IsNumber() {
			x, _ := a[i].Number()
			y, _ := b[i].Number()
			return x < y
		}
		return keyLess(a[i], b[i])
	}
	return len(a) < len(b)
}

// NaturalLess is the order of ids in a file ("2_a" before "10_b"): runs of digits compare as numbers, the rest by
// character without regard to case.
func NaturalLess(a, b string) bool {
	for a != "" && b != "" {
		if isDigit(a[0]) && isDigit(b[0]) {
			x, y := digitRun(a), digitRun(b)
			a, b = a[len(x):], b[len(y):]
			x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
			if len(x) != len(y) {
				return len(x) < len(y)
			}
			if x != y {
				return x < y
			}
			continue
		}
		if x, y := upper(a[0]), upper(b[0]); x != y {
			return x < y
		}
		a, b = a[1:], b[1:]
	}
	return a == "" && b != ""
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

func digitRun(s string) string {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return s[:i]
}
