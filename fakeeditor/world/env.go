package world

import (
	"strings"

	"godot-mcp/fakeeditor/scene"
	"godot-mcp/server/godot/config"
	"godot-mcp/server/wire"
)

// library shows the project's files to package scene.
type library struct {
	Files
	startup  *scene.Startup
	settings *config.File
}

// Library shows files of the project to package scene.
func (p Project) Library(f Files) scene.Library { return library{f, &p.Startup, p.Settings} }

// Startup is what the editor read when it started.
func (l library) Startup() *scene.Startup { return l.startup }

// Autoload reports whether the settings have an autoload of a name, which scripts see.
func (l library) Autoload(name string) bool {
	return l.settings != nil && strings.HasPrefix(l.settings.GetText("autoload", name), "*")
}

// ClassPath gives the script of a registered class_name.
func (l library) ClassPath(name string) string {
	c, _ := l.GlobalClass(name)
	return c.Path
}

// env joins the store and the project for one piece of work.
func (tx *Tx) env() scene.Env {
	if tx.envs == nil {
		e := scene.NewEnv(&tx.Store, tx.Project.Library(tx.Files))
		tx.envs = &e
	}
	return *tx.envs
}

// active gives the tab that is edited, with its environment.
func (tx *Tx) active() (scene.Env, Tab, error) {
	tab, ok := tx.ActiveTab()
	if !ok {
		return scene.Env{}, Tab{}, wire.Fail(wire.ReasonNoScene)
	}
	return tx.env(), tab, nil
}

// find resolves a node path of a command in the edited scene.
func (tx *Tx) find(path string) (scene.Env, Tab, *scene.Node, error) {
	e, tab, err := tx.active()
	if err != nil {
		return e, tab, nil, err
	}
	id, err := tx.resolve(e, tab, path)
	if err != nil {
		return e, tab, nil, err
	}
	return e, tab, e.Node(id), nil
}

// resolve finds the node of a path relative to the edited root. A path that could
// leave the scene is refused, whatever it would lead to.
func (tx *Tx) resolve(e scene.Env, tab Tab, path string) (scene.NodeID, error) {
	start, rest := tab.Root, path
	if ref, ok := strings.CutPrefix(path, ":"); ok {
		ref, rest, _ = strings.Cut(ref, "/")
		if start, ok = tx.refs[ref]; !ok || e.Node(start) == nil {
			return 0, wire.Fail(wire.ReasonUnknownRef, "path", path)
		}
		if rest == "" {
			return start, nil
		}
	}
	if !relativePath(rest) {
		return 0, wire.Fail(wire.ReasonNodePath, "path", path)
	}
	id := start
	for part := range strings.SplitSeq(rest, "/") {
		switch {
		case part == "" || part == ".":
			continue
		case part[0] == '%':
			id = e.Unique(id, part[1:])
		default:
			if n := e.Namesakes(id, part); n > 1 {
				return 0, wire.Fail(wire.ReasonAmbiguousPath, "path", path, "count", n)
			}
			id = e.Child(id, part)
		}
		if id == 0 {
			return 0, wire.Fail(wire.ReasonNodeNotFound, "path", path, "near", nearPaths(e, tab.Root, path))
		}
	}
	return id, nil
}

// relativePath reports whether a path can only lead down from where it starts.
func relativePath(path string) bool {
	if path == "" || path[0] == '/' || strings.Contains(path, ":") {
		return false
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == ".." || part == "%" {
			return false
		}
	}
	return true
}

// nearPaths proposes paths of the scene that resemble one that leads nowhere.
func nearPaths(e scene.Env, root scene.NodeID, path string) []string {
	all := []string{"."}
	var walk func(id scene.NodeID, prefix string)
	walk = func(id scene.NodeID, prefix string) {
		for _, c := range e.Node(id).Children {
			if len(all) >= mostCandidates {
				return
			}
			p := prefix + e.Node(c).Name
			all = append(all, p)
			walk(c, p+"/")
		}
	}
	walk(root, "")
	return near(path, all)
}
