package world

import (
	"fmt"
	"strings"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/fakeeditor/scene"
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
	p.Startup = scene.ReadStartup(startupFile(f, settings, "audio", "buses/default_bus_layout", files.Root+"default_bus_layout.tres"), startupFile(f, settings, "gui", "theme/custom", ""), settings)
	return New(p, f, seed), nil
}

// startupFile reads the file that a setting names; "" if there is none.
func startupFile(f Files, settings *config.File, section, key, usual string) string {
	path := usual
	if named := settings.GetText(section, key); named != "" {
		path = named
	}
	if strings.HasPrefix(path, "uid://") {
		path = f.PathOf(path)
	}
	text, _ := f.Read(path)
	return text
}

// MainScene is the path of the project's main scene, or "".
func MainScene(s State) string {
	tx := Tx{State: s}
	return tx.mainScene()
}
