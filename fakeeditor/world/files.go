package world

// Files is what the scene commands ask of the project's files. Values are
// immutable: Write and Remove give a new one. Paths are res:// paths without
// "." and ".." parts. Package fakeeditor/files implements it with the folder
// tree, scanner, importer, class cache and uid cache.
type Files interface {
	// Read gives the bytes of a file as they are on disk.
	Read(path string) (string, bool)
	// DirExists reports whether a folder exists; "res://" always does.
	DirExists(path string) bool
	// Paths lists all files below a folder, sorted, .godot left out.
	Paths(dir string) []string
	// Write stores a file that the editor itself saves, so that the editor knows
	// it at once (class and uid caches as after update_file).
	Write(path, text string) Files
	// Remove deletes a file; the editor is told as well.
	Remove(path string) Files

	// UID gives the uid:// of a file that the editor knows one for, and PathOf
	// the file of a uid; "" if unknown.
	UID(path string) string
	PathOf(uid string) string
	// GlobalClass finds a registered class_name script.
	GlobalClass(name string) (GlobalClass, bool)
	// GlobalClasses lists the registered ones by name.
	GlobalClasses() []GlobalClass
	// ImportedType gives the resource class of an imported file ("CompressedTexture2D"
	// for a PNG); "" when the file is not imported (yet) or needs no import.
	ImportedType(path string) string
	// NeedsImport reports whether files of this kind are used through an import.
	NeedsImport(path string) bool
}

// GlobalClass is one entry of the class cache.
type GlobalClass struct {
	Name string
	Base string // the engine class or class_name that it extends
	Path string
}
