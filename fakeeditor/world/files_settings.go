package world

import (
	"slices"
	"strings"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/server/wire"
)

// GetProjectInfo answers from the settings that the editor read when it started:
// an outside edit of project.godot is not seen (engine 4.6 experiment).
func (Handlers) GetProjectInfo(tx *Tx, _ wire.GetProjectInfo) (wire.GetProjectInfoResult, error) {
	r := wire.GetProjectInfoResult{
		Name: tx.Files.ProjectName(), ProjectPath: tx.Project.Path, GodotVersion: tx.Project.GodotVersion,
		MainScene: tx.mainScene(), Autoloads: tx.autoloads(), InputActions: []string{},
	}
	for _, key := range tx.Project.Settings.Keys("input") {
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
	p := tx.Project.Settings.Text("application", "run/main_scene")
	if strings.HasPrefix(p, "uid://") {
		return tx.Files.PathOf(p)
	}
	return p
}

func (tx *Tx) autoloads() []wire.Autoload {
	out := []wire.Autoload{}
	for _, name := range tx.Project.Settings.Keys("autoload") {
		path, singleton := strings.CutPrefix(tx.Project.Settings.Text("autoload", name), "*")
		if strings.HasPrefix(path, "uid://") {
			path = tx.Files.PathOf(path)
		}
		out = append(out, wire.Autoload{Name: name, Path: path, Singleton: singleton})
	}
	slices.SortFunc(out, func(a, b wire.Autoload) int { return strings.Compare(a.Name, b.Name) })
	return out
}
