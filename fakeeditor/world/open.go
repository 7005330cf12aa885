package world

import (
	"fmt"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/server/godot/config"
)

// Open gives the state of an editor that has just opened a project folder: the
// first scan and its imports are over, and no scene is open yet.
func Open(tree files.Tree, p Project, delays files.Delays, seed uint64) (State, error) {
	text, _ := tree.Get(files.Root + "project.godot")
	settings, err := config.Parse([]byte(text.Data))
	if err != nil {
		return State{}, fmt.Errorf("project.godot: %w", err)
	}
	p.Settings = settings
	f := NewFiles(tree, files.Options{ProjectName: settings.GetText("application", "config/name"), Seed: seed, Delays: delays})
	return New(p, f, seed), nil
}

// MainScene is the path of the project's main scene, or "".
func MainScene(s State) string {
	tx := Tx{State: s}
	return tx.mainScene()
}
