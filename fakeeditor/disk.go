package fakeeditor

import (
	"fmt"
	"strings"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/fakeeditor/world"
)

// projectPath takes a res:// path, or one relative to the project.
func projectPath(p string) (string, error) {
	if !strings.HasPrefix(p, files.Root) {
		p = files.Root + p
	}
	clean, ok := files.Clean(p)
	if !ok || clean == files.Root {
		return "", fmt.Errorf("%q is not a path of the project", p)
	}
	return clean, nil
}

// DiskWrite writes a file of the project from outside the editor, which does
// not notice (engine 4.6 experiment: not without focus or a scan).
func (e *Editor) DiskWrite(path, content string) error {
	return e.outside(path, func(t files.Tree, p string) files.Tree { return t.With(p, content) })
}

// DiskWriteAt is DiskWrite at a time, in seconds since 1970: editors tell a change by
// it.
func (e *Editor) DiskWriteAt(path, content string, seconds int64) error {
	return e.outside(path, func(t files.Tree, p string) files.Tree { return t.At(seconds).With(p, content).At(t.Now()) })
}

// DiskRemove removes a file from outside the editor.
func (e *Editor) DiskRemove(path string) error {
	return e.outside(path, func(t files.Tree, p string) files.Tree { return t.Without(p) })
}

// DiskFolder makes a folder from outside the editor.
func (e *Editor) DiskFolder(path string) error {
	return e.outside(path, func(t files.Tree, p string) files.Tree { return t.WithFolder(p) })
}

func (e *Editor) outside(path string, change func(files.Tree, string) files.Tree) error {
	p, err := projectPath(path)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.disk != nil {
		if err := e.refresh(); err != nil {
			return err
		}
	}
	before := e.state.Files.Disk()
	after := change(before, p)
	if err := e.persist(before, after); err != nil {
		return err
	}
	e.state.Files = world.Files{System: e.state.Files.WithDisk(after)}
	return nil
}

// DiskRead reads a file of the project as it is on disk.
func (e *Editor) DiskRead(path string) (content string, ok bool) {
	p, err := projectPath(path)
	if err != nil {
		return "", false
	}
	f, ok := e.Disk().Get(p)
	return f.Data, ok && !f.Opaque
}

// Disk is the project folder as it is on disk now.
func (e *Editor) Disk() files.Tree {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.disk != nil {
		if err := e.refresh(); err != nil {
			e.cfg.Logger.Error("project folder not read", "error", err)
		}
	}
	return e.state.Files.Disk()
}
