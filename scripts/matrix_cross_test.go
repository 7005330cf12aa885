package scripts

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"godot-mcp/server/wire"
)

// The cells that set a property in closed scene files.

// closedScenes are the scenes of the matrix; their nodes are of every kind.
var closedScenes = []string{"main.tscn", "base.tscn", "mid.tscn", "two.tscn", "inh.tscn", "inh2.tscn", "armed.tscn", "holder.tscn", "armed_heir.tscn"}

func crossFilings() (out []filing) {
	type row struct {
		what, class, property string
		value                 any
		refused               map[string]wire.Reason // by scene, or "" for all
	}
	all := func(r wire.Reason) map[string]wire.Reason { return map[string]wire.Reason{"": r} }
	armed := map[string]wire.Reason{"armed.tscn": wire.ReasonNotSaved, "holder.tscn": wire.ReasonNotSaved, "armed_heir.tscn": wire.ReasonNotSaved}
	rows := []row{
		{"a stored property", "Node", "editor_description", "note", nil},
		{"metadata", "Node", "metadata/k", args{"a": 1}, nil},
		{"a property to its default", "Node", "process_mode", 0, nil},
		{"what hides", "CanvasItem", "visible", false, nil},
		{"a position", "Node2D", "position", []any{9, 9}, nil},
		{"a part of a value", "Node2D", "position:x", 9, nil},
		{"the value that the base has", "Sprite2D", "position", []any{1, 2}, nil},
		{"a computed property", "Node2D", "global_position", []any{50, 60}, nil},
		{"a derived property", "Node2D", "rotation_degrees", 45, nil},
		{"a wait", "Timer", "wait_time", 3, nil},
		{"a size", "Control", "size", []any{30, 20}, nil},
		{"the part of a shape", "CollisionShape2D", "shape:size", []any{6, 6}, map[string]wire.Reason{"main.tscn": wire.ReasonNotSaved, "inh.tscn": wire.ReasonNotSaved}},
		{"a new shape", "CollisionShape2D", "shape", args{"new": "CircleShape2D", "properties": args{"radius": 3}}, nil},
		{"a shape of another file", "CollisionShape2D", "shape", args{"resource": "res://HERE/wide.tres"}, nil},
		{"no shape", "CollisionShape2D", "shape", nil, nil},
		{"a part of a theme", "Panel", "theme:default_font_size", 30, map[string]wire.Reason{"main.tscn": wire.ReasonNotSaved}},
		{"an exported variable", "Gear_HERE", "hp", 9, nil},
		{"an exported variable to its default", "Gear_HERE", "hp", 3, nil},
		{"a plain variable", "Gear_HERE", "plain", 9, armed},
		{"a number of many digits", "Gear_HERE", "power", 1.3779649082328497e+187, armed},
		{"an unknown property", "Node2D", "nope", 1, all(wire.ReasonNoProperty)},
		{"a fixed property", "Node2D", "owner", nil, all(wire.ReasonReadOnlyProp)},
		{"a bad value", "Node2D", "position", "far", all(wire.ReasonBadValue)},
		{"a property of an unknown class", "Nope", "position", []any{1, 2}, all(wire.ReasonUnknownClass)},
	}
	cell := func(r row, on, open string, first []string, scenes ...any) filing {
		return filing{
			"set " + r.what + " × " + on, on, open, first, "cross_scene_set_property",
			args{"scenes": scenes, "node_type": r.class, "property": r.property, "value": r.value, "confirm": true},
			r.refused[""], judgeCross,
		}
	}
	for _, r := range rows {
		for _, scene := range closedScenes {
			f := cell(r, "closed "+scene, "", nil, "res://HERE/"+scene)
			if reason, ok := r.refused[scene]; ok {
				f.refused = reason
			}
			out = append(out, f)
		}
	}
	situations := []struct {
		on, open string
		first    []string
		refused  wire.Reason
		scenes   []any
	}{
		{"a closed scene that the open one instances", "main.tscn", nil, "", []any{"res://HERE/base.tscn"}},
		{"a closed scene that an open one inherits", "inh.tscn", nil, "", []any{"res://HERE/base.tscn"}},
		{"a closed scene beside an edited one", "main.tscn", []string{"set_node_property node_path=A property=position value=[8,8]"}, "", []any{"res://HERE/two.tscn"}},
		{"a closed scene that was edited and closed", "two.tscn", []string{"set_node_property node_path=Spot property=position value=[8,8]", "close_scene confirm=true"}, "", []any{"res://HERE/two.tscn"}},
		{"a base and its users", "", nil, "", []any{"res://HERE/base.tscn", "res://HERE/mid.tscn", "res://HERE/inh2.tscn", "res://HERE/main.tscn"}},
		{"one scene twice", "", nil, "", []any{"res://HERE/base.tscn", "res://HERE/base.tscn"}},
		{"the open scene", "main.tscn", nil, wire.ReasonOtherScene, []any{"res://HERE/main.tscn"}},
		{"a scene in a background tab", "two.tscn", []string{"open_scene scene_path=res://HERE/main.tscn"}, wire.ReasonOtherScene, []any{"res://HERE/two.tscn"}},
		{"no file", "", nil, wire.ReasonFileNotFound, []any{"res://HERE/none.tscn"}},
		{"a resource file", "", nil, wire.ReasonNotAScene, []any{"res://HERE/wide.tres"}},
		{"a scene whose resource file is gone", "", []string{"gone wide.tres"}, wire.ReasonMissingDep, []any{"res://HERE/main.tscn"}},
		{"a scene whose base is gone", "", []string{"gone base.tscn"}, wire.ReasonMissingDep, []any{"res://HERE/inh.tscn"}},
	}
	for _, s := range situations {
		for _, r := range rows[:2] {
			f := cell(r, s.on, s.open, s.first, s.scenes...)
			f.refused = s.refused
			out = append(out, f)
		}
	}
	for _, path := range []string{"res://addons/godot_mcp/x.tscn", "res://../x.tscn", "/tmp/x.tscn"} {
		f := cell(rows[0], "the place "+path, "", nil, path)
		f.refused = outsideReasons[path]
		out = append(out, f)
	}
	return out
}

// judgeCross: the nodes that are named are those that a fresh load shows otherwise, no
// other file is written, and the same call once more has nothing to do.
func judgeCross(ctx context.Context, d *filed) error {
	var files []string
	for _, row := range d.answer["results"].([]any) {
		r := row.(map[string]any)
		if _, failed := r["error"]; failed {
			return fmt.Errorf("a later file failed:\n%s", pretty(d.answer))
		}
		path := strings.TrimPrefix(r["scene"].(string), "res://")
		name := strings.TrimPrefix(path, d.folder+"/")
		named, _ := r["nodes"].([]any)
		if len(named) == 0 {
			continue
		}
		if !slices.Contains(files, path) {
			files = append(files, path)
		}
		var changed []string
		if d.before.fresh[name] != d.after.fresh[name] {
			changed = nodesOf(lineDiff(d.before.fresh[name], d.after.fresh[name]))
		}
		inside := strings.Contains(d.filing.args["property"].(string), ":") // others may share it
		for _, n := range changed {
			if !inside && len(d.filing.args["scenes"].([]any)) == 1 && !slices.Contains(named, any(n)) {
				return broken("no other node is set", "%s in %s:\n%s", n, name, lineDiff(d.before.fresh[name], d.after.fresh[name]))
			}
		}
		for _, n := range named {
			if !slices.Contains(changed, n.(string)) {
				return broken("what is said to be set is there in a fresh load", "%s in %s:\n%s", n, name, lineDiff(d.before.fresh[name], d.after.fresh[name]))
			}
		}
	}
	slices.Sort(files)
	if other := d.before.unlike(d.after); !slices.Equal(other, files) {
		return broken("no other file is written", "%v, where %v are named", other, files)
	}
	if value, _ := d.filing.args["value"].(args); value["new"] != nil {
		return nil // it is another one each time
	}
	again, ok, err := d.answered(ctx, d.column.tool(d.filing.tool), with(d.here(d.filing.args).(map[string]any), "dry_run", true))
	if err != nil {
		return err
	}
	if !ok || again["total_modified"] != 0.0 {
		return broken("what is set is set", "the same call would set it again:\n%s", pretty(again))
	}
	return nil
}

// nodesOf are the nodes whose lines a difference shows.
func nodesOf(diff string) (out []string) {
	for line := range strings.SplitSeq(diff, "\n") {
		if len(line) < 2 {
			continue
		}
		node, _, _ := strings.Cut(strings.TrimSpace(line[2:]), " ")
		out = append(out, node)
	}
	return out
}
