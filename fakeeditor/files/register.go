package files

import (
	"fmt"
	"slices"
	"strings"

	"godot-mcp/server/godot/ids"
)

// isScript says whether a file is read for what it declares.
func isScript(p string) bool {
	switch Ext(p) {
	case "gd", "cs", "gdshader", "gdshaderinc":
		return true
	}
	return false
}

// hasUIDFile says whether a file gets a .uid file beside it: scripts of the engine's own
// language and the resources whose files have no room for one (engine 4.6 experiment).
// C# is a language of other builds.
func hasUIDFile(p string) bool {
	switch Ext(p) {
	case "gd", "gdc", "gdshader", "gdshaderinc", "gdextension", "dds", "ktx", "ktx2", "ogv", "image", "ccube", "ctex", "ctex3d", "ctexarray":
		return true
	}
	return false
}

// UpdateFile is EditorFileSystem.update_file. For a file in a known folder it
// takes effect at once: class, .uid and uid cache follow the disk; a file that is
// gone leaves with its class, its .uid and its import. Sources are listed and not
// imported. It does nothing for a folder that the editor does not know, for a
// vanished file that a scan has dropped already, and while a walk is under way
// (all engine 4.6 experiments).
func (s System) UpdateFile(p string) System {
	if s.EngineScanning() || s.disk.Ignored(p) || !tracked(p) {
		return s
	}
	f, exists := s.disk.Get(p)
	e, known := s.known.Get(p)
	if !exists {
		if !known {
			return s
		}
		old := s.classes
		s = s.forget(p)
		if isScript(p) {
			s = s.flushWalk().classesUpdated(old)
		}
		return s.changed()
	}
	if !s.KnowsFolder(Folder(p)) {
		return s
	}
	same := known && e.taken.is(contentOf(f)) && e.note == settled
	e.taken, e.time = contentOf(f), f.Time
	if !known {
		s.order++
		e.order = s.order
	}
	switch {
	case isScript(p): // registered below, even when nothing changed
	case Importable(p):
		if !same {
			e.note = unimported
		}
	default:
		s, e.uid = s.noteUID(p, e.uid)
		e.note = settled
	}
	s.known = s.known.Set(p, e)
	if isScript(p) {
		old := s.classes
		s = s.flushWalk().registerScript(p).classesUpdated(old)
	}
	return s.changed()
}

// flushWalk registers what a walk has read, before its frame has come: update_file
// registers all that waits (engine 4.6, _process_update_pending).
func (s System) flushWalk() System {
	if s.job == nil || s.job.phase != registering {
		return s
	}
	j := *s.job
	s.job = &j
	for _, p := range j.scripts {
		f, _ := j.found.Get(p)
		s = s.declare(p, f.class)
	}
	j.scripts = nil
	return s
}

// changed notes that the frame ends with filesystem_changed, once however many files
// were updated in it.
func (s System) changed() System {
	s.notify = true
	return s
}

// classesUpdated gives script_classes_updated, which comes with every script that is
// read, whether the list of classes is another one or not (engine 4.6 experiment).
func (s System) classesUpdated(old table[Class]) System {
	if old.root == s.classes.root {
		return s.emit(EventClasses)
	}
	s = s.writeClassCache().emit(EventClasses)
	s.events[len(s.events)-1].Moved = true
	return s
}

// ReimportFiles is EditorFileSystem.reimport_files: it imports at once. Files that the
// editor does not know are not imported (update_file must come first); the signals
// name them all the same (engine 4.6 experiment).
func (s System) ReimportFiles(paths ...string) (System, error) {
	var failed error
	s = s.emit(EventReimporting, paths...)
	for _, p := range paths {
		if s.known.Has(p) {
			s = s.importFile(p)
		} else if failed == nil {
			failed = fmt.Errorf("can't find file %q during file reimport", p)
		}
	}
	return s.saveCache().emit(EventChanged).emit(EventReimported, paths...), failed
}

// WriteKnown writes a file and tells the editor, as its own saves do.
func (s System) WriteKnown(p, data string) System {
	s.disk = s.disk.With(p, data)
	return s.UpdateFile(p)
}

// RemoveKnown removes a file, with its .uid, and tells the editor.
func (s System) RemoveKnown(p string) System {
	s.disk = s.disk.Without(p).Without(p + ".uid")
	return s.UpdateFile(p)
}

// forget drops what a vanished file had registered and what stood beside it.
// Another file that declares the same class is not registered in its place
// (engine 4.6 experiment).
func (s System) forget(p string) System {
	if e, ok := s.known.Get(p); ok && e.uid != "" {
		if at, _ := s.uids.Get(e.uid); at == p {
			s.uids = s.uids.Delete(e.uid)
		}
	}
	if c, ok := s.ClassAt(p); ok {
		s.classes = s.classes.Delete(c.Name)
	}
	if f, ok := s.disk.Get(p + ".import"); ok {
		info, _ := ReadImport(f.Data)
		for _, d := range info.Dest {
			s.disk = s.disk.Without(d)
			s.known = s.known.Delete(d)
		}
		s.disk = s.disk.Without(p + ".import").Without(stemOf(p) + ".md5")
	}
	s.disk = s.disk.Without(p + ".uid")
	s.known = s.known.Delete(p)
	return s
}

// registerScript reads the head of a script as it is on disk now: its class
// enters the list of global classes, and a .uid file comes into being.
func (s System) registerScript(p string) System {
	f, _ := s.disk.Get(p)
	e, ok := s.known.Get(p)
	if !ok {
		return s
	}
	s, e.uid = s.noteUID(p, e.uid)
	head := s.scanScript(p, f.Data)
	if head.Name != e.class.Name && e.class.Name != "" {
		s = s.withdraw(p, head.Name).inherit(e.class.Name, p)
	}
	s = s.declare(p, head)
	e.class, e.taken, e.note = head, contentOf(f), settled
	s.known = s.known.Set(p, e)
	return s
}

// declare puts the class of a script, if it has one, into the list of global classes.
// Of two files with one class the one that comes last has it (engine 4.6 experiment).
func (s System) declare(p string, head Class) System {
	s = s.withdraw(p, head.Name)
	if old, _ := s.classes.Get(head.Name); head.Name != "" && old != head {
		s.classes = s.classes.Set(head.Name, head)
	}
	return s
}

// withdraw takes the class of a script off the list, unless it is still the same.
func (s System) withdraw(p, name string) System {
	if c, ok := s.ClassAt(p); ok && c.Name != name {
		s.classes = s.classes.Delete(c.Name)
	}
	return s
}

// inherit gives a class that a script no longer declares to another known script
// that declared it when it was read: the first in the order of the last scan, files
// that came since behind them, whoever had the class. It happens in update_file and
// not in a scan (engine 4.6 experiment).
func (s System) inherit(class, from string) System {
	var heir entry
	s.known.From("", func(p string, e entry) bool {
		if e.class.Name == class && p != from && (heir.order == 0 || e.order < heir.order) {
			heir = e
		}
		return true
	})
	if heir.order > 0 {
		s.classes = s.classes.Set(class, heir.class)
	}
	return s
}

// noteUID brings the uid cache up to the file's own uid; scripts without a .uid
// file get one. Of two files with one uid the last one noted has it (engine 4.6
// experiment).
func (s System) noteUID(p, old string) (System, string) {
	uid := s.uidOnDisk(p)
	if hasUIDFile(p) && !s.disk.Has(p+".uid") && !strings.HasPrefix(p, Root+".godot/") {
		uid = s.newUID(p)
		s.disk = s.disk.With(p+".uid", uid+"\n")
	}
	if old != "" && old != uid {
		if at, _ := s.uids.Get(old); at == p {
			s.uids = s.uids.Delete(old)
		}
	}
	if uid == "" {
		return s, ""
	}
	if at, ok := s.uids.Get(uid); !ok || at != p {
		s.uids = s.uids.Set(uid, p)
	}
	return s, uid
}

// uidOnDisk reads the uid that belongs to a file: in its .uid, in its .import,
// or in its own head.
func (s System) uidOnDisk(p string) string {
	if hasUIDFile(p) {
		f, _ := s.disk.Get(p + ".uid")
		line, _, _ := strings.Cut(f.Data, "\n")
		return canonicalUID(strings.TrimSuffix(line, "\r"))
	}
	if Importable(p) {
		f, _ := s.disk.Get(p + ".import")
		info, _ := ReadImport(f.Data)
		return canonicalUID(info.UID)
	}
	switch Ext(p) {
	case "tscn", "tres":
		f, _ := s.disk.Get(p)
		head, _, _ := strings.Cut(f.Data, "]")
		for _, blank := range []string{" ", "\t", "\n", "\r"} {
			if _, after, ok := strings.Cut(head, blank+`uid="`); ok {
				uid, _, _ := strings.Cut(after, `"`)
				return canonicalUID(uid)
			}
		}
	}
	return ""
}

// canonicalUID is a uid as the engine writes it, whatever digits it was written with;
// "" for what is none.
func canonicalUID(text string) string {
	uid, _ := ids.ParseUID(text)
	return uid.String()
}

// importMissing says whether a file that the .import of a source names is gone.
func (s System) importMissing(p string) bool {
	f, _ := s.disk.Get(p + ".import")
	info, _ := ReadImport(f.Data)
	return slices.ContainsFunc(info.Dest, func(d string) bool { return !s.disk.Has(d) })
}

// mustImport says whether a scan that finds other times than in its cache imports a
// source: the .import is not the one that the last import wrote, what it names is
// gone, or the source has other bytes. A failed import is not tried again, whatever
// has become of the source (engine 4.6 experiment).
func (s System) mustImport(p, importMD5 string) bool {
	f, ok := s.disk.Get(p + ".import")
	info, read := ReadImport(f.Data)
	if importMD5 == "" && read && !info.Valid {
		return false
	}
	if !ok || importMD5 == "" || md5Hex(f.Data) != importMD5 {
		return true
	}
	switch {
	case !read:
		return true
	case !info.Valid || info.Importer == "keep" || info.Importer == "skip":
		return false
	case info.UID == "" || s.importMissing(p):
		return true
	}
	source, _ := s.disk.Get(p)
	sums, ok := s.disk.Get(stemOf(p) + ".md5")
	return !ok || !strings.Contains(sums.Data, sourceMD5(source.Data))
}

func sourceMD5(data string) string { return "source_md5=\"" + md5Hex(data) + "\"\n" }

// ImportState is how far the import of a source is.
type ImportState int

// Import states.
const (
	NotImportable ImportState = iota // loaded as it is
	NotImported
	ImportRunning
	ImportFailed
	Imported
)

// ImportState says whether a file can be loaded as a resource now, and as which
// class. While its import waits, loading it would fail or give what was before.
func (s System) ImportState(p string) (class string, state ImportState) {
	if !Importable(p) {
		return "", NotImportable
	}
	for _, q := range s.Importing() {
		if q == p {
			return "", ImportRunning
		}
	}
	f, ok := s.disk.Get(p + ".import")
	if !ok {
		return "", NotImported
	}
	info, ok := ReadImport(f.Data)
	if !ok {
		return "", NotImported
	}
	if info.Importer == "keep" || info.Importer == "skip" {
		return "", NotImportable
	}
	if !info.Valid {
		return "", ImportFailed
	}
	for _, d := range info.Dest {
		if !s.disk.Has(d) {
			return info.Type, NotImported
		}
	}
	return info.Type, Imported
}

// importFile imports one source as it is on disk now. A source that its importer
// cannot read gets a .import that says valid=false, as the engine's does.
func (s System) importFile(p string) System {
	f, ok := s.disk.Get(p)
	e, known := s.known.Get(p)
	if !ok || !known {
		return s
	}
	e.taken, e.time, e.note = contentOf(f), f.Time, settled
	old, _ := s.disk.Get(p + ".import")
	given := readGiven(old.Data)
	if given.asks() {
		return s.imported(p, e)
	}
	uid := given.uid
	if uid == "" {
		uid = s.newUID(p)
	}
	text, dest := given.importerFor(p).imported(p, f, uid, given, s.wantsMobileTextures())
	s.disk = s.disk.With(p+".import", text)
	for _, d := range dest {
		if Ext(p) == "wav" && !f.Opaque && !makesSample(f.Data) {
			continue
		}
		s = s.putArtefact(d, f)
		if !Hidden(d) {
			g, _ := s.disk.Get(d)
			s.known = s.known.Set(d, entry{taken: contentOf(g), time: g.Time})
		}
	}
	sums := sourceMD5(f.Data)
	if len(dest) > 0 {
		sums += "dest_md5=\"" + md5Hex(f.Data) + "\"\n\n"
	}
	s.disk = s.disk.With(stemOf(p)+".md5", sums)
	return s.imported(p, e)
}

// imported notes a source with its .import as it is now.
func (s System) imported(p string, e entry) System {
	in, _ := s.disk.Get(p + ".import")
	e.importTime, e.importMD5 = in.Time, md5Hex(in.Data)
	s, e.uid = s.noteUID(p, e.uid)
	s.known = s.known.Set(p, e)
	return s
}

// putArtefact writes an imported file. The simulator does not convert: its
// imported files hold the bytes of their source.
func (s System) putArtefact(dest string, source File) System {
	if source.Opaque {
		s.disk = s.disk.WithOpaque(dest, source.Size)
	} else {
		s.disk = s.disk.With(dest, source.Data)
	}
	return s
}

// wantsMobileTextures reads the project's settings.
func (s System) wantsMobileTextures() bool {
	f, _ := s.disk.Get(Root + "project.godot")
	return strings.Contains(f.Data, "\ntextures/vram_compression/import_etc2_astc=true\n")
}
