// Package ids reproduces the ids that Godot 4.6 writes into text scenes and
// resources: they are deterministic, drawn from a generator that is seeded with
// the path of the file (measured on 4.6.3; only the digits of unique_id are random).
package ids

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strings"
)

// Hash is String.hash(): djb2 over code points in 32 bits.
func Hash(s string) uint32 {
	h := uint32(5381)
	for _, c := range s {
		h = h*33 + uint32(c)
	}
	return h
}

// Hash64 is String.hash64(): the same in 64 bits.
func Hash64(s string) uint64 {
	h := uint64(5381)
	for _, c := range s {
		h = h*33 + uint64(c)
	}
	return h
}

// PCG is Godot's RandomPCG: PCG32 with the engine's default increment. It is a
// plain value; a copy goes on from the same place.
type PCG struct{ state, inc uint64 }

const increment = 1442695040888963407

// NewPCG seeds a generator as pcg32_srandom does.
func NewPCG(seed uint64) PCG {
	g := PCG{inc: increment<<1 | 1}
	g.Next()
	g.state += seed
	g.Next()
	return g
}

// Next draws 32 bits.
func (g *PCG) Next() uint32 {
	old := g.state
	g.state = old*6364136223846793005 + g.inc
	x := uint32((old>>18 ^ old) >> 27)
	rot := uint32(old >> 59)
	return x>>rot | x<<(-rot&31)
}

// Suffix draws the five characters at the end of a resource id.
func (g *PCG) Suffix() string {
	n := g.Next()
	var out [5]byte
	for i := range out {
		out[i] = digit(n % 34)
		n /= 34
	}
	return string(out[:])
}

// digit is one of a..y, 0..8.
func digit(d uint32) byte {
	if d < 25 {
		return 'a' + byte(d)
	}
	return '0' + byte(d-25)
}

// A FileIDs hands out the ids of one save of one file.
type FileIDs struct {
	pcg  PCG
	used map[string]bool
}

// ForFile starts the ids of a save to path ("res://main.tscn"). Used lists ids
// that the file has already; a draw that hits one is drawn again.
func ForFile(path string, used ...string) *FileIDs {
	f := &FileIDs{pcg: NewPCG(uint64(Hash(path))), used: map[string]bool{}}
	for _, id := range used {
		f.used[id] = true
	}
	return f
}

// Skip makes one draw whose result the engine does not use.
func (f *FileIDs) Skip() { f.pcg.Next() }

// Ext draws the id of an external resource; n is its number in finding order, from 1.
func (f *FileIDs) Ext(n int) string {
	return f.draw(func(s string) string { return fmt.Sprintf("%d_%s", n, s) })
}

// Sub draws the id of a sub-resource of a class.
func (f *FileIDs) Sub(class string) string {
	return f.draw(func(s string) string { return class + "_" + s })
}

func (f *FileIDs) draw(name func(string) string) string {
	for {
		if id := name(f.pcg.Suffix()); !f.used[id] {
			f.used[id] = true
			return id
		}
	}
}

// UID is a ResourceUID: 63 bits; the zero value is none.
type UID uint64

// String is the text form, uid:// and base 34 digits; "" for none.
func (u UID) String() string {
	if u == 0 {
		return ""
	}
	var rev []byte
	for n := uint64(u); n > 0; n /= 34 {
		rev = append(rev, digit(uint32(n%34)))
	}
	for i, j := 0, len(rev)-1; i < j; i, j = i+1, j-1 {
		rev[i], rev[j] = rev[j], rev[i]
	}
	return "uid://" + string(rev)
}

// ParseUID reads the text form; ok is false for anything else, and for
// uid://<invalid>.
func ParseUID(s string) (u UID, ok bool) {
	digits, found := strings.CutPrefix(s, "uid://")
	if !found || digits == "" {
		return 0, false
	}
	n := uint64(0)
	for _, c := range []byte(digits) {
		switch {
		case c >= 'a' && c <= 'z': // z and 9 are no digits that the engine writes, and it reads them
			n = n*34 + uint64(c-'a')
		case c >= '0' && c <= '9':
			n = n*34 + uint64(c-'0') + 25
		default:
			return 0, false
		}
	}
	// The engine keeps 63 bits and lets longer texts wrap.
	return UID(n & (1<<63 - 1)), true
}

// ForPath is the uid that the engine gives to a new file: it depends on the
// project's name, the path in lower case and the file's content at that time (nil: there is
// no file yet). Taken reports uids that are in use; a hit is drawn again.
func ForPath(project, path string, content []byte, taken func(UID) bool) UID {
	sum := ""
	if content != nil {
		m := md5.Sum(content)
		sum = hex.EncodeToString(m[:])
	}
	g := NewPCG(Hash64(project) * Hash64(strings.ToLower(path)) * Hash64(sum))
	for {
		low := uint64(g.Next())
		u := UID((low | uint64(g.Next())<<32) & (1<<63 - 1))
		if u != 0 && (taken == nil || !taken(u)) {
			return u
		}
	}
}
