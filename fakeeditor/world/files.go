package world

import (
	"godot-mcp/fakeeditor/files"
	"godot-mcp/fakeeditor/scene"
)

// Files is the project's disk with what the editor knows of it, as the scene
// commands see it; an immutable value. Paths are res:// paths without "." and
// ".." parts. The embedded [files.System] has the rest: scans, imports and
// what happens behind the editor's back.
type Files struct{ files.System }

// NewFiles is the file system of an editor that has just opened a project.
func NewFiles(disk files.Tree, opts files.Options) Files { return Files{files.New(disk, opts)} }

// Read gives the bytes of a file as they are on disk.
func (f Files) Read(path string) (string, bool) {
	file, ok := f.Disk().Get(path)
	return file.Data, ok && !file.Opaque
}

// Modified is when a file was written last, in seconds since 1970.
func (f Files) Modified(path string) int64 {
	file, _ := f.Disk().Get(path)
	return file.Time
}

// Exists reports whether there is a file on disk, readable or not.
func (f Files) Exists(path string) bool { return f.Disk().Has(path) }

// Origin is a file as it is now.
func (f Files) Origin(path string) scene.Origin {
	file, _ := f.Disk().Get(path)
	return scene.Origin{Text: file.Data, Time: file.Time, Link: file.Link}
}

// HasFolder reports whether there is a folder for a file.
func (f Files) HasFolder(file string) bool { return f.DirExists(files.Folder(file)) }

// DirExists reports whether a folder exists; "res://" always does.
func (f Files) DirExists(path string) bool {
	clean, ok := files.Clean(path)
	return ok && f.Disk().HasFolder(clean)
}

// Paths lists all files below a folder, sorted, without hidden files and folders
// with a .gdignore.
func (f Files) Paths(dir string) []string {
	clean, ok := files.Clean(dir)
	if !ok {
		return nil
	}
	var out []string
	for p := range f.Disk().Below(clean) {
		if !f.Disk().Ignored(p) {
			out = append(out, p)
		}
	}
	return out
}

// Write stores a file that the editor itself saves, so that the editor knows it
// at once (class and uid caches as after update_file).
func (f Files) Write(path, text string) Files { return Files{f.WriteKnown(path, text)} }

// Remove deletes a file and its .uid; the editor is told as well.
func (f Files) Remove(path string) Files { return Files{f.RemoveKnown(path)} }

// PathOf gives the file of a uid; "" if unknown.
func (f Files) PathOf(uid string) string {
	p, _ := f.ByUID(uid)
	return p
}

// GlobalClass finds a registered class_name script.
func (f Files) GlobalClass(name string) (GlobalClass, bool) {
	c, ok := f.Class(name)
	return GlobalClass{Name: c.Name, Base: c.Base, Path: c.Path}, ok
}

// GlobalClasses lists the registered ones by name.
func (f Files) GlobalClasses() []GlobalClass {
	var out []GlobalClass
	for c := range f.Classes {
		out = append(out, GlobalClass{Name: c.Name, Base: c.Base, Path: c.Path})
	}
	return out
}

// ImportedType gives the resource class of an imported file ("CompressedTexture2D"
// for a PNG); "" when the file is not imported (yet) or needs no import.
func (f Files) ImportedType(path string) string {
	class, state := f.ImportState(path)
	if state != files.Imported {
		return ""
	}
	return class
}

// MayBeImported reports whether waiting may bring the import of a source: it runs, or a
// scan does that may find it.
func (f Files) MayBeImported(path string) bool {
	_, state := f.ImportState(path)
	return state == files.ImportRunning || f.Scanning()
}

// NeedsImport reports whether files of this kind are used through an import.
func (f Files) NeedsImport(path string) bool { return files.Importable(path) }

// GlobalClass is one entry of the class cache.
type GlobalClass struct {
	Name string
	Base string // the engine class or class_name that it extends
	Path string
}
