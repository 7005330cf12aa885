package world

import (
	"encoding/json"
	"fmt"
	"slices"

	"godot-mcp/server/wire"
)

// version is the scene's version: it changes with whatever others than the addon
// do to the scene.
func (s *State) version(t Tab) string {
	return fmt.Sprintf("%08x.%d.%d", s.Run, t.Loads, len(t.Others))
}

// others notes what somebody else did to the edited scene.
func (tx *Tx) others(what string) {
	if tx.prefix != "" {
		return // it was the addon
	}
	tab := tx.Tabs[tx.Active]
	tab.Others = append(tab.Others[:len(tab.Others):len(tab.Others)], what)
	tx.setTab(tx.Active, tab)
}

// expected refuses a command whose caller has read another version of the scene.
func (tx *Tx) expected(in Input) error {
	var p struct {
		ExpectedVersion string `json:"expected_version"`
		ScenePath       string `json:"scene_path"`
	}
	// What is no object the command itself complains about.
	if json.Unmarshal(in.Params, &p) != nil || p.ExpectedVersion == "" {
		return nil
	}
	tab, ok := tx.ActiveTab()
	if in.Command == wire.CmdCloseScene && p.ScenePath != "" {
		ok = false
		if i := tx.FindTab(p.ScenePath); i >= 0 {
			tab, ok = tx.Tabs[i], true
		}
	}
	if !ok || tx.version(tab) == p.ExpectedVersion {
		return nil // without a scene the command says so
	}
	changes := []string{"another scene, or loaded anew"}
	for n := range tab.Others {
		if fmt.Sprintf("%08x.%d.%d", tx.Run, tab.Loads, n) == p.ExpectedVersion {
			changes = slices.Clone(tab.Others[n:])
		}
	}
	if len(changes) > mostSections {
		changes = changes[len(changes)-mostSections:]
	}
	return wire.Fail(wire.ReasonHumanEdit, "path", tab.Path, "expected_version", p.ExpectedVersion, "version", tx.version(tab), "changes", changes)
}
