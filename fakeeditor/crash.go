package fakeeditor

import (
	"slices"
	"time"

	"godot-mcp/fakeeditor/files"
)

// Crash kills the editor and starts it again after d: unsaved scenes, histories
// and the memory of outcomes are lost, the disk stays, the session is a new one.
func (e *Editor) Crash(d time.Duration) {
	e.mu.Lock()
	conn := e.link.conn
	tree := e.state.Files.Disk()
	e.link.queue = nil
	e.link.memory = newMemory()
	e.link.gone = time.Now().Add(d)
	e.restart(tree)
	e.mu.Unlock()
	if conn != nil {
		_ = conn.CloseNow()
	}
}

// restart opens the project anew, as it is on disk, with the scenes of the last
// session: the editor restores its tabs (engine 4.6).
func (e *Editor) restart(tree files.Tree) {
	e.reopen = []string{}
	for _, t := range e.state.Tabs {
		if t.Path != "" && tree.Has(t.Path) {
			e.reopen = append(e.reopen, t.Path)
		}
	}
	if t, ok := e.state.ActiveTab(); ok && slices.Contains(e.reopen, t.Path) {
		e.reopen = append(e.reopen, t.Path)
	}
	if err := e.start(tree); err != nil {
		e.cfg.Logger.Error("editor does not start again", "error", err)
	}
}
