package files

import (
	"path"
	"strings"
)

// Root is the project folder as Godot names it.
const Root = "res://"

// Clean gives the normal form of a project path, or false when it is not one:
// it must begin with res://, stay inside, and hold no backslash, NUL or drive.
func Clean(p string) (string, bool) {
	rest, ok := strings.CutPrefix(p, Root)
	if !ok || strings.ContainsAny(rest, "\\\x00:") {
		return "", false
	}
	for part := range strings.SplitSeq(rest, "/") {
		if part == ".." {
			return "", false
		}
	}
	rest = strings.TrimPrefix(path.Clean("/"+rest), "/")
	return Root + rest, true
}

// Folder is the folder of a file or folder, without a slash at the end except
// for [Root]; the folder of Root is Root.
func Folder(p string) string {
	rest := strings.TrimPrefix(p, Root)
	i := strings.LastIndexByte(rest, '/')
	if i < 0 {
		return Root
	}
	return Root + rest[:i]
}

// Base is the last part of a path.
func Base(p string) string {
	rest := strings.TrimPrefix(p, Root)
	return rest[strings.LastIndexByte(rest, '/')+1:]
}

// Ext is the extension in lower case, without the dot.
func Ext(p string) string {
	b := Base(p)
	i := strings.LastIndexByte(b, '.')
	if i < 0 {
		return ""
	}
	return strings.ToLower(b[i+1:])
}

// Below joins a folder and a name.
func Below(folder, name string) string {
	if folder == Root {
		return Root + name
	}
	return folder + "/" + name
}

// prefix is what the paths below a folder begin with.
func prefix(folder string) string {
	if folder == Root {
		return Root
	}
	return folder + "/"
}

// Hidden says whether the editor looks past a path for its name alone: some
// part of it begins with a dot (engine 4.6 experiment).
func Hidden(p string) bool {
	for part := range strings.SplitSeq(strings.TrimPrefix(p, Root), "/") {
		if strings.HasPrefix(part, ".") {
			return true
		}
	}
	return false
}
