package world

import (
	"slices"
	"strings"
	"unicode/utf8"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/fakeeditor/undo"
	"godot-mcp/server/wire"
)

// filePath checks a path that must name a file.
func filePath(p string) (string, error) {
	clean, ok := files.Clean(p)
	if !ok || clean == files.Root {
		return "", wire.Fail(wire.ReasonBadPath, "path", p)
	}
	return clean, nil
}

// readText reads a text file from disk.
func (tx *Tx) readText(p string) (files.File, error) {
	f, ok := tx.Files.Disk().Get(p)
	if !ok && tx.Files.Disk().HasFolder(p) {
		return f, wire.Fail(wire.ReasonIsFolder, "path", p)
	}
	if !ok {
		return f, wire.Fail(wire.ReasonFileNotFound, "path", p)
	}
	if f.Opaque || !utf8.ValidString(f.Data) || strings.IndexByte(f.Data, 0) >= 0 {
		return f, wire.Fail(wire.ReasonBinary, "path", p)
	}
	return f, nil
}

// ReadFile reads what is on disk, not what an open script editor may hold.
func (Handlers) ReadFile(tx *Tx, p wire.ReadFile) (r wire.ReadFileResult, err error) {
	path, err := filePath(p.Path)
	if err != nil {
		return r, err
	}
	f, err := tx.readText(path)
	if err != nil {
		return r, err
	}
	return wire.ReadFileResult{Path: path, Content: f.Data, Size: len(f.Data), SHA256: f.SHA256()}, nil
}

// WriteFile writes the file, then does what makes the editor see it, as far as it can
// be done now.
func (Handlers) WriteFile(tx *Tx, p wire.WriteFile) (r wire.WriteFileResult, err error) {
	path, err := filePath(p.Path)
	if err != nil {
		return r, err
	}
	disk := tx.Files.Disk()
	if disk.HasFolder(path) {
		return r, wire.Fail(wire.ReasonIsFolder, "path", path)
	}
	if !utf8.ValidString(p.Content) || strings.IndexByte(p.Content, 0) >= 0 {
		return r, wire.Fail(wire.ReasonBinary, "path", path)
	}
	for f := files.Folder(path); f != files.Root; f = files.Folder(f) {
		if disk.Has(f) { // a file stands where a folder is wanted
			return r, wire.Fail(wire.ReasonBadPath, "path", path)
		}
	}
	var before *string
	r = wire.WriteFileResult{Path: path, Created: !disk.Has(path), SHA256: files.File{Data: p.Content}.SHA256()}
	if !r.Created {
		if p.MustBeNew {
			return r, wire.Fail(wire.ReasonFileExists, "path", path)
		}
		f, err := tx.readText(path)
		if err != nil {
			return r, err
		}
		before, r.PreviousSHA256 = &f.Data, f.SHA256()
	}
	if p.ExpectedSHA256 != "" && p.ExpectedSHA256 != r.PreviousSHA256 {
		return r, wire.Fail(wire.ReasonChanged, "path", path, "expected_sha256", p.ExpectedSHA256, "sha256", r.PreviousSHA256)
	}
	start, waits := tx.State, tx.Files.Waits(path)
	r.Changed = r.Created || *before != p.Content
	if r.Changed {
		tx.setFiles(tx.Files.System.Write(path, p.Content))
	}
	tx.setFiles(tx.Files.Show(path))
	r.RescanPending = waits || tx.Files.Stale(path)
	if r.Changed {
		after := p.Content
		reread := tx.reread(path, start.Files, nil)
		tx.CommitGlobal(undo.Action{
			Name: "Write " + path, Files: []undo.FileChange{{Path: path, Before: before, After: &after}},
			Values: reread.lost, Held: reread.held, Users: reread.users,
		})
		r.Undoable = true
		tx.Record(Effect{Kind: EffectWriteFile, Target: path, Before: hashOf(before), After: r.SHA256})
	}
	if p.DryRun {
		tx.State = start
		tx.setFiles(start.Files.System)
	}
	return r, nil
}

// setFiles puts another file system into the state; what package scene has read
// of the old one in this Tx is forgotten.
func (tx *Tx) setFiles(s files.System) {
	tx.Files = Files{s}
	tx.envs = nil
}

func hashOf(text *string) any {
	if text == nil {
		return nil
	}
	return files.File{Data: *text}.SHA256()
}

// ListFiles walks the disk.
func (Handlers) ListFiles(tx *Tx, p wire.ListFiles) (r wire.ListFilesResult, err error) {
	dir, ok := files.Clean(p.Directory)
	if !ok {
		return r, wire.Fail(wire.ReasonBadPath, "path", p.Directory)
	}
	if p.Offset < 0 || p.Limit < 1 {
		return r, wire.Fail(wire.ReasonBadParams, "message", "offset must not be negative and limit must be at least 1")
	}
	if !tx.Files.DirExists(dir) {
		return r, wire.Fail(wire.ReasonFolderMissing, "path", dir)
	}
	r.Files = []string{}
	for _, path := range tx.Files.Paths(dir) {
		if len(p.Extensions) > 0 && !slices.Contains(p.Extensions, files.Ext(path)) {
			continue
		}
		if r.Total >= p.Offset && len(r.Files) < p.Limit {
			r.Files = append(r.Files, path)
		}
		r.Total++
	}
	return r, nil
}

// RescanFilesystem starts or queues a scan.
func (Handlers) RescanFilesystem(tx *Tx, _ wire.RescanFilesystem) (wire.ScanState, error) {
	tx.setFiles(tx.Files.Scan())
	tx.Record(Effect{Kind: EffectScan, Target: files.Root})
	return tx.scanState(), nil
}

// GetScanState reads where the scan is.
func (Handlers) GetScanState(tx *Tx, _ wire.GetScanState) (wire.ScanState, error) {
	return tx.scanState(), nil
}

func (tx *Tx) scanState() wire.ScanState {
	return wire.ScanState{
		Scanning:   tx.Files.Scanning(),
		Generation: tx.Files.Generation(),
		Importing:  append([]string{}, tx.Files.Importing()...),
		Reimported: append([]string{}, tx.Files.Reimported()...),
	}
}

// ListScenes lists scene files on disk, known to the editor or not.
func (Handlers) ListScenes(tx *Tx, _ wire.ListScenes) (wire.ListScenesResult, error) {
	active, open := tx.ActiveTab()
	r := wire.ListScenesResult{Scenes: []wire.SceneFile{}, MainScene: tx.mainScene()}
	for _, path := range tx.Files.Paths(files.Root) {
		if ext := files.Ext(path); ext != "tscn" && ext != "scn" {
			continue
		}
		r.Scenes = append(r.Scenes, wire.SceneFile{
			Path: path, IsMain: path == r.MainScene, IsOpen: tx.FindTab(path) >= 0, IsActive: open && active.Path == path,
		})
	}
	return r, nil
}
