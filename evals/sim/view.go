package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"godot-mcp/evals/evidence"
	"godot-mcp/fakeeditor"
	"godot-mcp/fakeeditor/scene"
	"godot-mcp/fakeeditor/world"
	"godot-mcp/server/godot/variant"
	"godot-mcp/server/wire"
)

// look is a state as evidence. asked names properties that are listed even
// where they have their default.
func look(s world.State, asked []string) (evidence.World, error) {
	w := evidence.World{Files: map[string]string{}, Live: scenes(s, asked)}
	for path, text := range s.Files.Disk().Map() {
		if !strings.HasPrefix(path, "res://.godot/") {
			w.Files[path] = text
		}
	}
	fresh, err := reopen(w.Files)
	if err != nil {
		return w, fmt.Errorf("the project does not open again: %w", err)
	}
	w.Disk = scenes(fresh, asked)
	slices.SortFunc(w.Disk, func(a, b evidence.Scene) int { return strings.Compare(a.Path, b.Path) })
	for i := range w.Disk {
		w.Disk[i].Active = false
	}
	return w, nil
}

// reopen is an editor that has just opened all scenes of a project. A scene
// that does not open is left out.
func reopen(files map[string]string) (world.State, error) {
	e, err := fakeeditor.New(fakeeditor.Config{Project: files, Seed: 1, OpenScenes: []string{}})
	if err != nil {
		return world.State{}, err
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(path, ".tscn") {
			_, _ = e.Do(wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: path})
		}
	}
	return e.State(), e.Close()
}

func scenes(s world.State, asked []string) []evidence.Scene {
	store := s.Store
	env := scene.NewEnv(&store, s.Project.Library(s.Files))
	var out []evidence.Scene
	for i, t := range s.Tabs {
		sc := evidence.Scene{Path: t.Path, Active: i == s.Active, Modified: t.History.Modified()}
		v := viewer{env, t.Root, asked}
		v.walk(&sc, t.Root)
		out = append(out, sc)
	}
	return out
}

type viewer struct {
	scene.Env
	root  scene.NodeID
	asked []string
}

func (v viewer) walk(sc *evidence.Scene, id scene.NodeID) {
	n := v.Node(id)
	out := evidence.Node{
		Path: v.Path(v.root, id), Type: n.Class, Owner: "-", Instance: n.Source, Editable: n.Editable,
		Script: v.ScriptPath(n), Props: map[string]evidence.Value{},
	}
	if n.Missing != nil {
		out.Type = "missing:" + n.Missing.Class + n.Missing.Scene
	}
	if n.Owner != 0 {
		out.Owner = v.Path(v.root, n.Owner)
	}
	if id == v.root {
		out.Owner, out.Instance = "", ""
		if n.Inherited != nil {
			out.Instance = "inherited"
		}
	}
	for _, p := range n.Props {
		if p.Name != "script" {
			out.Props[p.Name] = v.value(p.Value, nil)
		}
	}
	for _, name := range v.asked {
		if _, has := out.Props[name]; has {
			continue
		}
		if val, ok := v.Value(n, name); ok {
			out.Props[name] = v.value(val, nil)
		}
	}
	for _, g := range n.Groups {
		out.Groups = append(out.Groups, g.Name)
	}
	slices.Sort(out.Groups)
	for _, c := range n.Conns {
		out.Signals = append(out.Signals, fmt.Sprintf("%s -> %s.%s", c.Signal, v.Path(v.root, c.Target), c.Method))
	}
	slices.Sort(out.Signals)
	sc.Nodes = append(sc.Nodes, out)
	for _, c := range n.Children {
		v.walk(sc, c)
	}
}

func (v viewer) value(val variant.Value, seen []scene.ResID) evidence.Value {
	id := scene.ResOf(val)
	r := v.Res(id)
	if id == 0 || r == nil {
		return evidence.Value{Text: text(val)}
	}
	out := evidence.Value{Class: r.Class, Path: r.Path}
	if strings.Contains(r.Path, "::") {
		out.Path = "" // embedded: its id is chance
	}
	if slices.Contains(seen, id) || r.Opaque {
		return out
	}
	out.Props = map[string]evidence.Value{}
	for _, p := range r.Props {
		out.Props[p.Name] = v.value(p.Value, append(seen, id))
	}
	return out
}

func text(v variant.Value) string { return string(variant.AppendText(nil, v)) }

// effects are the journal as evidence; calls maps command ids to calls.
func effects(all []world.Effect, calls map[string]int) []evidence.Effect {
	out := make([]evidence.Effect, 0, len(all))
	for _, e := range all {
		x := evidence.Effect{
			Seq: e.Seq, Time: e.Time, Kind: string(e.Kind), Scene: e.Scene, Target: e.Target,
			Before: plain(e.Before), After: plain(e.After), Cause: evidence.Other,
		}
		switch e.Cause {
		case world.CauseHuman:
			x.Cause = evidence.Human
		case world.CauseImporter:
			x.Cause = evidence.Importer
		default:
			if n := calls[e.Cause]; n > 0 {
				x.Cause, x.Call = "call", n
			}
		}
		out = append(out, x)
	}
	return out
}

func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case variant.Value:
		return text(v)
	}
	return fmt.Sprint(v)
}
