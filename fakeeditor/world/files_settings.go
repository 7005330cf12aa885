package world

import (
	"slices"
	"strings"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/server/godot/config"
	"godot-mcp/server/wire"
)

// GetProjectInfo answers from the settings that the editor read when it started:
// an outside edit of project.godot is not seen (engine 4.6 experiment).
func (Handlers) GetProjectInfo(tx *Tx, _ wire.GetProjectInfo) (wire.GetProjectInfoResult, error) {
	r := wire.GetProjectInfoResult{
		Name: tx.Files.ProjectName(), ProjectPath: tx.Project.Path, GodotVersion: tx.Project.GodotVersion,
		MainScene: tx.mainScene(), Autoloads: tx.autoloads(), InputActions: []string{},
	}
	for _, key := range tx.settings().Keys("input") {
		if !strings.HasPrefix(key, "ui_") {
			r.InputActions = append(r.InputActions, key)
		}
	}
	slices.Sort(r.InputActions)
	names, _ := tx.Files.Disk().Children(files.Root)
	r.CSharpFiles = slices.ContainsFunc(names, func(n string) bool { return files.Ext(n) == "csproj" })
	return r, nil
}

// mainScene is the path of the project's main scene; settings may hold its uid.
func (tx *Tx) mainScene() string {
	p := tx.settings().GetText("application", "run/main_scene")
	if strings.HasPrefix(p, "uid://") {
		return tx.Files.PathOf(p)
	}
	return p
}

func (tx *Tx) autoloads() []wire.Autoload {
	out := []wire.Autoload{}
	for _, name := range tx.settings().Keys("autoload") {
		path, singleton := strings.CutPrefix(tx.settings().GetText("autoload", name), "*")
		if strings.HasPrefix(path, "uid://") {
			path = tx.Files.PathOf(path)
		}
		out = append(out, wire.Autoload{Name: name, Path: path, Singleton: singleton})
	}
	slices.SortFunc(out, func(a, b wire.Autoload) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// settings are the project's, or empty ones for a state that was not opened
// from a project.
func (tx *Tx) settings() *config.File {
	if tx.Project.Settings == nil {
		return config.New()
	}
	return tx.Project.Settings
}
