package fakeeditor

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"unicode/utf8"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/fakeeditor/world"
	"godot-mcp/server/wire"
)

// Files above these sizes are not held in memory.
const (
	maxText   = 64 << 20
	maxBinary = 1 << 20
)

// folder is a real project folder. All access stays inside it, whatever links
// it holds. The .godot folder is left alone in both directions: what a real
// editor has cached there stays as it is.
type folder struct {
	root   *os.Root
	stamps map[string]stamp
}

// stamp tells cheaply whether a file changed.
type stamp struct {
	size, time int64 // bytes, nanoseconds since 1970
	link       bool
}

func openFolder(dir string) (*folder, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("project folder: %w", err)
	}
	return &folder{root: root}, nil
}

func (f *folder) close() error { return f.root.Close() }

// load reads the whole project.
func (f *folder) load() (files.Tree, error) {
	f.stamps = map[string]stamp{}
	return f.update(files.Tree{})
}

// update brings a tree up to what is in the folder.
func (f *folder) update(t files.Tree) (files.Tree, error) {
	seen := map[string]bool{}
	err := fs.WalkDir(f.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // gone since it was listed
			}
			return err
		}
		p := files.Root + name
		if d.IsDir() {
			if name == "." {
				return nil
			}
			if name == ".godot" || d.Name() == ".git" {
				return fs.SkipDir
			}
			seen[p+"/"] = true
			if !t.HasFolder(p) {
				t = t.WithFolder(p)
			}
			return nil
		}
		info, err := f.root.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return nil // a link that leads out, a socket
		}
		seen[p] = true
		now := stamp{info.Size(), info.ModTime().UnixNano(), d.Type()&fs.ModeSymlink != 0}
		if f.stamps[p] == now {
			return nil
		}
		t = f.read(t, p, now)
		f.stamps[p] = now
		return nil
	})
	if err != nil {
		return t, err
	}
	for p := range f.stamps {
		if !seen[p] {
			delete(f.stamps, p)
			t = t.Without(p)
		}
	}
	for _, p := range t.Folders() {
		if !seen[p+"/"] && !strings.HasPrefix(p, files.Root+".godot") {
			t = t.WithoutFolder(p)
		}
	}
	return t, nil
}

func (f *folder) read(t files.Tree, p string, now stamp) files.Tree {
	t, size := t.At(now.time/1e9), now.size
	if size > maxText {
		return t.WithOpaque(p, size)
	}
	data, err := f.root.ReadFile(strings.TrimPrefix(p, files.Root))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t.Without(p)
	case err != nil:
		return t.WithOpaque(p, size) // not readable for us is not readable for the editor
	case len(data) > maxBinary && (bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data)):
		return t.WithOpaque(p, size)
	}
	old, ok := t.Get(p)
	switch {
	case !ok || old.Data != string(data) || old.Opaque:
		t = t.With(p, string(data))
	case old.Link == now.link:
		return t
	}
	if now.link {
		t = t.WithLink(p, p)
	}
	return t
}

// apply writes changes of a tree into the folder.
func (f *folder) apply(changes []files.Change) error {
	for _, c := range changes {
		name := strings.TrimPrefix(c.Path, files.Root)
		if name == ".godot" || strings.HasPrefix(name, ".godot/") {
			continue
		}
		var err error
		switch {
		case strings.HasSuffix(name, "/"):
			err = f.folderChange(strings.TrimSuffix(name, "/"), c.Is)
		case !c.Is:
			delete(f.stamps, c.Path)
			if err = f.root.Remove(name); errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		case !c.New.Opaque:
			err = f.write(name, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *folder) folderChange(name string, is bool) error {
	if is {
		return f.root.MkdirAll(name, 0o755)
	}
	_ = f.root.Remove(name) // it stays when it is not empty
	return nil
}

// write replaces a file in one step, so that nobody reads half of it.
func (f *folder) write(name string, c files.Change) error {
	if dir := path.Dir(name); dir != "." {
		if err := f.root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	mode := fs.FileMode(0o644)
	if info, err := f.root.Stat(name); err == nil {
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no file", name) // engine 4.6: ERR_FILE_CANT_OPEN
		}
		mode = info.Mode().Perm()
	}
	temp := path.Join(path.Dir(name), "."+path.Base(name)+".writing")
	if err := f.root.WriteFile(temp, []byte(c.New.Data), mode); err != nil {
		_ = f.root.Remove(temp) // a full disk may have taken a part of it
		return err
	}
	if err := f.root.Rename(temp, name); err != nil {
		return errors.Join(err, f.root.Remove(temp))
	}
	info, err := f.root.Stat(name)
	if err != nil {
		return err
	}
	f.stamps[c.Path] = stamp{size: info.Size(), time: info.ModTime().UnixNano()}
	return nil
}

// persist writes what differs between two trees into the real folder, if there is one.
func (e *Editor) persist(before, after files.Tree) error {
	if e.disk == nil {
		return nil
	}
	return e.disk.apply(before.Diff(after))
}

// refresh takes up what others changed in the real folder.
func (e *Editor) refresh() error {
	before := e.state.Files.Disk()
	disk, err := e.disk.update(before)
	if err != nil {
		return err
	}
	e.state.Files = world.Files{System: e.state.Files.WithDisk(disk.At(before.Now()))}
	return nil
}

// readsDisk says whether a command looks at files: by its kind, or because a
// path stands in its parameters.
func readsDisk(in world.Input) bool {
	switch in.Command {
	case wire.CmdListFiles, wire.CmdListScenes, wire.CmdRescanFilesystem, wire.CmdGetScanState, wire.CmdSaveScene,
		wire.CmdSaveAllScenes, wire.CmdUndo, wire.CmdRedo, wire.CmdCheckScript, wire.CmdReadFile, wire.CmdWriteFile,
		wire.CmdOpenSceneFile, wire.CmdReloadScene, wire.CmdGetDependencies:
		return true
	}
	return bytes.Contains(in.Params, []byte("res:"))
}
