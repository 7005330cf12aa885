package files

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// File is one file on disk. Files too big or too foreign to hold in memory are
// opaque: their size is known and their bytes are not.
type File struct {
	Data   string
	Rev    uint64 // rises with every write of any file
	Time   int64  // of the last change, seconds since 1970, as file systems tell editors
	Opaque bool
	// Link: the name is a symbolic link; Data is what stands at its end.
	Link bool
	Size int64
}

// SHA256 is the hash of the content in hexadecimal digits.
func (f File) SHA256() string {
	h := sha256.New()
	var part [8192]byte // the whole text as bytes would be another copy of a big scene
	for rest := f.Data; rest != ""; {
		n := copy(part[:], rest)
		h.Write(part[:n])
		rest = rest[n:]
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Tree is an immutable project folder: paths (res://...) to files. Folders
// exist when they hold something or were made with [Tree.WithFolder]. Copying a
// Tree is a fork.
type Tree struct {
	files table[File] // a key that ends in a slash is an empty folder
	rev   uint64
	time  int64 // what writes are stamped with
}

// At gives a tree whose next writes happen at a time, in seconds since 1970.
func (t Tree) At(seconds int64) Tree {
	t.time = seconds
	return t
}

// Now is what writes are stamped with, in seconds since 1970.
func (t Tree) Now() int64 { return t.time }

// NewTree makes a tree of text files, an hour old when the editor starts; keys are
// res:// paths, or relative ones.
func NewTree(content map[string]string) Tree {
	const hour = 3600
	t := Tree{time: epoch - hour}
	for p, data := range content {
		if !strings.HasPrefix(p, Root) {
			p = Root + p
		}
		if clean, ok := Clean(p); ok {
			t = t.With(clean, data)
		}
	}
	return t
}

// Get reads a file.
func (t Tree) Get(p string) (File, bool) {
	if strings.HasSuffix(p, "/") {
		return File{}, false
	}
	return t.files.Get(p)
}

// Has says whether a file exists.
func (t Tree) Has(p string) bool {
	_, ok := t.Get(p)
	return ok
}

// HasFolder says whether a folder exists.
func (t Tree) HasFolder(p string) bool {
	if p == Root {
		return true
	}
	pre, found := prefix(p), false
	t.files.From(pre, func(k string, _ File) bool {
		found = strings.HasPrefix(k, pre)
		return false
	})
	return found
}

// Len counts the files.
func (t Tree) Len() int {
	n := 0
	for range t.All {
		n++
	}
	return n
}

// With writes a file; missing folders come into being.
func (t Tree) With(p, data string) Tree {
	return t.put(p, File{Data: data, Size: int64(len(data))})
}

// WithOpaque records a file whose bytes are not held.
func (t Tree) WithOpaque(p string, size int64) Tree {
	return t.put(p, File{Opaque: true, Size: size})
}

// WithLink makes a symbolic link to a file; what it leads to is read once.
func (t Tree) WithLink(p, target string) Tree {
	f, _ := t.Get(target)
	f.Link = true
	return t.put(p, f)
}

func (t Tree) put(p string, f File) Tree {
	t.rev++
	f.Rev = t.rev
	f.Time = t.time
	t.files = t.files.Set(p, f)
	return t
}

// WithFolder makes an empty folder.
func (t Tree) WithFolder(p string) Tree {
	if p != Root {
		t.rev++
		t.files = t.files.Set(prefix(p), File{Rev: t.rev})
	}
	return t
}

// Without removes a file. Its folder stays, as on a disk.
func (t Tree) Without(p string) Tree {
	if !t.Has(p) {
		return t
	}
	t.rev++
	t.files = t.files.Delete(p)
	if f := Folder(p); !t.HasFolder(f) {
		t.files = t.files.Set(prefix(f), File{Rev: t.rev})
	}
	return t
}

// WithoutFolder removes a folder and all that is below it.
func (t Tree) WithoutFolder(p string) Tree {
	var gone []string
	pre := prefix(p)
	t.files.From(pre, func(k string, _ File) bool {
		if !strings.HasPrefix(k, pre) {
			return false
		}
		gone = append(gone, k)
		return true
	})
	for _, k := range gone {
		t.files = t.files.Delete(k)
	}
	t.rev++
	return t
}

// All visits every file in path order.
func (t Tree) All(yield func(string, File) bool) { t.Below(Root)(yield) }

// Below visits the files below a folder, at any depth, in path order.
func (t Tree) Below(folder string) func(func(string, File) bool) {
	pre := prefix(folder)
	return func(yield func(string, File) bool) {
		t.files.From(pre, func(k string, f File) bool {
			if !strings.HasPrefix(k, pre) {
				return false
			}
			return strings.HasSuffix(k, "/") || yield(k, f)
		})
	}
}

// Children lists the names of files and of folders right inside a folder.
func (t Tree) Children(folder string) (names, folders []string) {
	pre := prefix(folder)
	next := pre
	for next != "" {
		start := next
		next = ""
		t.files.From(start, func(k string, _ File) bool {
			rest, in := strings.CutPrefix(k, pre)
			if !in {
				return false
			}
			if i := strings.IndexByte(rest, '/'); i >= 0 {
				folders = append(folders, rest[:i])
				next = pre + rest[:i] + "0" // the first key after everything in that folder
				return false
			}
			if rest != "" {
				names = append(names, rest)
			}
			return true
		})
	}
	return names, folders
}

// Ignored says whether the editor looks past a path: a part begins with a dot,
// or a folder above it holds a .gdignore.
func (t Tree) Ignored(p string) bool {
	if Hidden(p) {
		return true
	}
	for f := Folder(p); f != Root; f = Folder(f) {
		if t.Has(Below(f, ".gdignore")) {
			return true
		}
	}
	return false
}

// Change is one difference between two trees. Path ends in a slash for a folder.
type Change struct {
	Path     string
	Old, New File
	Was, Is  bool
}

// Diff lists what differs from t to other, in path order; it costs only what differs.
func (t Tree) Diff(other Tree) []Change {
	var out []Change
	diff(t.files.root, other.files.root, func(k string, o, n File, was, is bool) {
		if was && is && o.Data == n.Data && o.Opaque == n.Opaque && o.Size == n.Size && o.Link == n.Link {
			return
		}
		out = append(out, Change{Path: k, Old: o, New: n, Was: was, Is: is})
	})
	return out
}

// Map copies the readable files into a map keyed by res:// path.
func (t Tree) Map() map[string]string {
	out := make(map[string]string, t.files.Len())
	for p, f := range t.All {
		if !f.Opaque {
			out[p] = f.Data
		}
	}
	return out
}

// Folders lists every folder that is empty on disk or was made by itself, in
// path order.
func (t Tree) Folders() []string {
	var out []string
	t.files.From(Root, func(k string, _ File) bool {
		if strings.HasSuffix(k, "/") && k != Root {
			out = append(out, strings.TrimSuffix(k, "/"))
		}
		return true
	})
	return out
}
