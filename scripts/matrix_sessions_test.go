package scripts

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"godot-mcp/server/wire"
)

// The cells that save, open, close, reload and make scenes.

// A plight is how an open scene and its files are when a call is made.
type plight struct {
	on, open string
	first    []string
	// apart says that a fresh load after a save is not what the scene shows: a save drops
	// what was done, as the answer to that has said, or does not touch what another
	// program changed.
	apart bool
	// The refusals of a save, of a save of all, of a reload and of opening it again.
	save, all, reload, again wire.Reason
}

func plights() []plight {
	const main = "main.tscn"
	return []plight{
		{on: "a scene as it is saved", open: main},
		{on: "an heir as it is saved", open: "inh2.tscn"},
		{on: "a scene of two levels as it is saved", open: "two.tscn"},
		{on: "a scene with scripts in instances", open: "holder.tscn"},
		{on: "an edited own node", open: main, first: []string{"set_node_property node_path=A property=position value=[8,8]"}},
		{on: "an edited child of an open instance", open: main, first: []string{"set_node_property node_path=Edit/Sprite property=position value=[8,8]"}},
		{on: "an edited inherited node", open: "inh.tscn", first: []string{"set_node_property node_path=Sprite property=position value=[8,8]"}},
		{on: "an edited child of a closed instance", open: main, first: []string{"set_node_property node_path=Inst/Sprite property=position value=[8,8]"}, apart: true},
		{on: "a node without owner", open: main, first: []string{"human stray . Node2D Stray"}, apart: true},
		{on: "a deleted instance", open: main, first: []string{"delete_node node_path=Edit confirm=true"}},
		{on: "an edit inside an embedded resource", open: main, first: []string{"set_node_property node_path=ColA property=shape:size value=[6,6]"}},
		{on: "an edit inside a resource file", open: main, first: []string{"set_node_property node_path=ColC property=shape:size value=[6,6]"}},
		{on: "an edit that was undone", open: main, first: []string{"set_node_property node_path=A property=position value=[8,8]", "undo"}},
		{on: "an edit of a person", open: main, first: []string{"human set A position Vector2(8,8)"}},
		{on: "a written script", open: main, first: []string{"patch_script script_path=res://HERE/hero.gd find=plain replace=simple"}},
		{on: "an edited background tab", open: "two.tscn", first: []string{"set_node_property node_path=Spot property=position value=[8,8]", "open_scene scene_path=res://HERE/main.tscn"}},
		{on: "an edited resource file and its closed scene", open: main, first: []string{"set_node_property node_path=ColC property=shape:size value=[6,6]", "open_scene scene_path=res://HERE/two.tscn", "close_scene scene_path=res://HERE/main.tscn confirm=true"}, reload: wire.ReasonSceneNotOpen},
		{on: "a scene file that another program changed", open: main, first: []string{"change main.tscn"}, save: wire.ReasonChanged},
		{on: "an edited scene whose file another program changed", open: main, first: []string{"set_node_property node_path=A property=position value=[8,8]", "change main.tscn"}, save: wire.ReasonChanged, all: wire.ReasonChanged},
		{on: "a scene file that is gone", open: main, first: []string{"gone main.tscn"}, save: wire.ReasonChanged, reload: wire.ReasonFileNotFound, again: wire.ReasonFileNotFound},
		{on: "a base scene that another program changed", open: main, first: []string{"change base.tscn"}, apart: true},
		{on: "a resource file that another program changed", open: main, first: []string{"change wide.tres"}, apart: true},
		{on: "an edited resource file that another program changed", open: main, first: []string{"set_node_property node_path=ColC property=shape:size value=[6,6]", "change wide.tres"}, save: wire.ReasonChanged, all: wire.ReasonChanged},
		{on: "a scene with nodes of an unknown class", open: "odd.tscn", save: wire.ReasonMissingNodes},
	}
}

func sessionFilings() (out []filing) {
	for _, p := range plights() {
		add := func(what, tool string, list args, refused wire.Reason, judge func(context.Context, *filed) error) {
			out = append(out, filing{what + " × " + p.on, p.on, p.open, p.first, tool, list, refused, judge})
		}
		over := p.save
		if p.save == wire.ReasonChanged || p.save == wire.ReasonMissingNodes {
			over = ""
		}
		saved := judgeSave(p)
		add("save", "save_scene", args{}, p.save, saved)
		add("save over all", "save_scene", args{"overwrite_external": true, "confirm": true}, over, saved)
		add("save all", "save_all_scenes", args{}, p.all, judgeSaveAll)
		add("save all over", "save_all_scenes", args{"overwrite_external": true, "confirm": true}, "", judgeSaveAll)
		add("reload", "reload_scene", args{"scene_path": "res://HERE/" + p.open, "confirm": true}, p.reload, judgeReload)
		add("close", "close_scene", args{"confirm": true}, "", judgeClose)
		add("open another", "open_scene", args{"scene_path": "res://HERE/armed_heir.tscn"}, "", judgeOpen)
		add("open it again", "open_scene", args{"scene_path": "res://HERE/" + p.open}, p.again, judgeOpen)
		add("make a scene", "create_scene", args{"scene_path": "res://HERE/made.tscn", "root_type": "Node2D"}, "", judgeCreate)
	}
	return slices.Concat(out, namedFilings(), createFilings())
}

// namedFilings name what others leave out, and save what they extract from.
func namedFilings() (out []filing) {
	const on, main = "a scene as it is saved", "main.tscn"
	background := []string{"set_node_property node_path=Spot property=position value=[8,8]", "open_scene scene_path=res://HERE/main.tscn"}
	edited := []string{"set_node_property node_path=A property=position value=[8,8]"}
	cut := func(replace bool) args {
		return args{"node_path": "A", "scene_path": "res://HERE/cut.tscn", "save_current": true, "replace_with_instance": replace}
	}
	for _, f := range []filing{
		{"save by name", on, main, nil, "save_scene", args{"scene_path": "res://HERE/main.tscn"}, "", judgeSave(plight{})},
		{"save by another name", on, main, nil, "save_scene", args{"scene_path": "res://HERE/other.tscn"}, wire.ReasonOtherScene, nil},
		{"close by name", on, main, nil, "close_scene", args{"scene_path": "res://HERE/main.tscn", "confirm": true}, "", judgeClose},
		{"close by name", "an edited background tab", "two.tscn", background, "close_scene", args{"scene_path": "res://HERE/two.tscn", "confirm": true}, "", judgeClose},
		{"extract and save", on, main, nil, "extract_scene", cut(false), "", judgeExtract},
		{"extract, replace and save", "an edited own node", main, edited, "extract_scene", cut(true), "", judgeExtract},
		{"extract and save", "a scene file that another program changed", main, []string{"change main.tscn"}, "extract_scene", cut(false), wire.ReasonChanged, nil},
	} {
		f.what += " × " + f.target
		out = append(out, f)
	}
	return out
}

// judgeExtract: the new scene and the saved one are all that is written, and a fresh load
// gives what is shown.
func judgeExtract(_ context.Context, d *filed) error {
	for _, n := range d.before.unlike(d.after) {
		if n != "+ "+d.folder+"/cut.tscn" && n != d.folder+"/"+d.filing.open {
			return broken("no other file is written", "%s", n)
		}
	}
	if text := d.after.fresh[d.filing.open]; text != d.after.Live || d.after.fresh["cut.tscn"] == "" {
		return broken("what is saved is what is shown", "shown and loaded:\n%s", lineDiff(d.after.Live, text))
	}
	return nil
}

func createFilings() (out []filing) {
	add := func(what, path, class string, refused wire.Reason, more args) {
		list := args{"scene_path": path, "root_type": class}
		for k, v := range more {
			list[k] = v
		}
		out = append(out, filing{"make a scene × " + what, what, "", nil, "create_scene", list, refused, judgeCreate})
	}
	add("a new file", "res://HERE/made.tscn", "Node2D", "", nil)
	add("a new file with a named control", "res://HERE/made.tscn", "Control", "", args{"root_name": "Top"})
	add("a binary scene", "res://HERE/made.scn", "Node", wire.ReasonBadExtension, nil)
	add("a taken file", "res://HERE/main.tscn", "Node2D", wire.ReasonFileExists, nil)
	add("a missing folder", "res://HERE/none/made.tscn", "Node2D", wire.ReasonFolderMissing, nil)
	add("an unknown class", "res://HERE/made.tscn", "Nope", wire.ReasonUnknownClass, nil)
	add("a script class", "res://HERE/made.tscn", "Gear_HERE", wire.ReasonScriptClass, nil)
	add("an abstract class", "res://HERE/made.tscn", "CanvasItem", wire.ReasonAbstractClass, nil)
	for _, path := range []string{"res://addons/godot_mcp/x.tscn", "res://../x.tscn", "/tmp/x.tscn"} {
		add("the place "+path, path, "Node2D", outsideReasons[path], nil)
	}
	return out
}

// judgeSave: a fresh load gives what the scene shows, unless the edit was said to be
// lost; changed and also name the files that are others; and a save anew has nothing to do.
func judgeSave(p plight) func(context.Context, *filed) error {
	return func(ctx context.Context, d *filed) error {
		path := strings.TrimPrefix(d.answer["path"].(string), "res://")
		name := strings.TrimPrefix(path, d.folder+"/")
		if text := d.after.fresh[name]; !p.apart && text != d.after.Live {
			return broken("a save keeps what a scene shows", "shown and loaded:\n%s", lineDiff(d.after.Live, text))
		}
		var want []string
		if d.answer["changed"] == true {
			want = append(want, path)
		}
		also, _ := d.answer["also"].([]any)
		for _, x := range also {
			want = append(want, strings.TrimPrefix(x.(string), "res://"))
		}
		slices.Sort(want)
		if other := d.before.unlike(d.after); !slices.Equal(bare(other), want) {
			return broken("the files that a save names are those that are others", "%v, where %v are named", other, want)
		}
		again, err := d.mustSucceed(ctx, d.column.tool("save_scene"), args{"confirm": true})
		if err != nil {
			return err
		}
		if again["changed"] == true {
			return broken("a save anew has nothing to do", "%s", pretty(again))
		}
		return nil
	}
}

// bare drops the marks of new and of gone files.
func bare(names []string) (out []string) {
	for _, n := range names {
		out = append(out, strings.TrimLeft(n, "+- "))
	}
	slices.Sort(out)
	return out
}

// judgeSaveAll: only scenes that are named, and resource files, are others; each named
// one is there.
func judgeSaveAll(_ context.Context, d *filed) error {
	saved, _ := d.answer["saved"].([]any)
	for _, n := range bare(d.before.unlike(d.after)) {
		if strings.HasSuffix(n, ".tscn") && !slices.Contains(saved, any("res://"+n)) || len(saved) == 0 {
			return broken("no other scene is written", "%s:\n%s", n, pretty(d.answer))
		}
	}
	return nil
}

// judgeReload: the scene is what a fresh load gives, with no history, and no file is another.
func judgeReload(_ context.Context, d *filed) error {
	path := strings.TrimPrefix(d.answer["scene_path"].(string), "res://"+d.folder+"/")
	if other := d.before.unlike(d.after); len(other) > 0 {
		return broken("a reload writes nothing", "%v", other)
	}
	if text := d.after.fresh[path]; d.after.shows(d.answer) && text != d.after.Live {
		return broken("a reload shows what is in the file", "loaded and shown:\n%s", lineDiff(text, d.after.Live))
	}
	return nil
}

func judgeClose(_ context.Context, d *filed) error {
	if other := d.before.unlike(d.after); len(other) > 0 {
		return broken("closing writes nothing", "%v", other)
	}
	if path := d.answer["scene_path"].(string); strings.Contains(d.after.Session, path+" ") {
		return fmt.Errorf("%s is open still:\n%s", path, d.after.Session)
	}
	return nil
}

// judgeOpen: a scene that is opened is what a fresh load gives, one that is open stays as
// it is, and no file is another.
func judgeOpen(ctx context.Context, d *filed) error {
	if d.answer["already_open"] != true {
		return judgeReload(ctx, d)
	}
	if !d.before.shows(d.answer) {
		d.before.Look = d.after.Look // another tab was active
	}
	return d.before.untouched("opening what is open changes nothing", d.after)
}

// shows reports whether the scene of an answer is the active one.
func (s scenery) shows(answer map[string]any) bool {
	path := answer["scene_path"].(string)
	return strings.Contains(s.Session, "tab "+path+" active=true") || strings.Contains(s.Session, "active "+path)
}

// judgeCreate: the new file is the only one that is another, and what is shown is in it.
func judgeCreate(_ context.Context, d *filed) error {
	path := strings.TrimPrefix(d.answer["scene_path"].(string), "res://")
	if other := d.before.unlike(d.after); !slices.Equal(other, []string{"+ " + path}) {
		return broken("only the new file is written", "%v", other)
	}
	if text, loaded := d.after.fresh[strings.TrimPrefix(path, d.folder+"/")]; loaded && text != d.after.Live {
		return broken("a new scene shows what is in its file", "loaded and shown:\n%s", lineDiff(text, d.after.Live))
	}
	return nil
}

// matrixFilings are the cells with files of their own.
func matrixFilings() []filing {
	return slices.Concat(crossFilings(), writeFilings(), sessionFilings())
}
