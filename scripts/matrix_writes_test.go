package scripts

import (
	"context"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"godot-mcp/server/wire"
)

// The cells that write script files.

// outsideReasons are the refusals of places that are no project file, or the addon's.
var outsideReasons = map[string]wire.Reason{
	"res://addons/godot_mcp/x.tscn": ownAddon, "res://../x.tscn": noPath, "/tmp/x.tscn": noPath,
	"res://addons/godot_mcp/x.gd": ownAddon, "res://../x.gd": noPath, "/tmp/x.gd": noPath, "user://x.gd": noPath,
	"res://HERE/.hidden/a.gd": noPath, "res://HERE/hero.gd/x.gd": wire.ReasonBadPath,
	"res://HERE/look.gdshader": wire.ReasonBadExtension, "res://HERE/main.tscn": wire.ReasonBadExtension, "res://HERE/wide.tres": wire.ReasonBadExtension,
	"res://project.godot": wire.ReasonBadExtension,
}

// Reasons of the server's own.
const (
	ownAddon = wire.Reason("own_addon")
	noPath   = wire.Reason("bad_res_path")
)

// A rewriting is what a cell makes of the text of a script.
type rewriting struct {
	what string
	text func(string) string
}

var hpLine = regexp.MustCompile(`(?m)^@export var hp: int = 3\n`)

// rewritings are what is written; what nodes that use a script make of one that does not
// parse depends on whether anything has asked the engine for its variables since.
func rewritings(used bool) []rewriting {
	set := func(text string) func(string) string { return func(string) string { return text } }
	hp := func(line string) func(string) string {
		return func(old string) string { return hpLine.ReplaceAllString(old, line) }
	}
	list := []rewriting{
		{"write a variable of another type", hp("@export var hp: String = \"x\"\n")},
		{"write a variable more", func(old string) string { return old + "\n@export var extra: int = 4\n" }},
		{"write a variable less", hp("")},
		{"write a variable with another default", hp("@export var hp: int = 7\n")},
		{"write a variable that is not exported", hp("var hp: int = 3\n")},
		{"write another base class", func(old string) string { return strings.Replace(old, "extends Node2D", "extends CanvasItem", 1) }},
		{"write the same", func(old string) string { return old }},
		{"write nothing", set("")},
		{"write other line ends", func(old string) string { return strings.ReplaceAll(old, "\n", "\r\n") }},
	}
	if !used {
		list = append(list, rewriting{"write what does not parse", func(old string) string { return old + "\nfunc (\n" }})
	}
	return list
}

// unlikeInMemory are texts after which the nodes of a tool script in an instance have other
// values in memory than after a load: the engine leaves them what they had, and a save
// holds neither what is the instance's nor what is exported no more.
var unlikeInMemory = []string{"write a variable with another default", "write a variable that is not exported"}

// unlikeType reports whether nodes of a tool script keep what a variable does not take
// any more: a save writes it, and a load begins with what the variable does.
func (r rewriting) unlikeType(file string) bool {
	return r.what == "write a variable of another type" && strings.Contains(file, "tool")
}

func writeFilings() (out []filing) {
	hero := string(scriptOf("hero.gd"))
	targets := []struct {
		on, file, open string
		first          []string
	}{
		{"a new file", "new.gd", "", nil},
		{"a new file in a new folder", "deep/er/new.gd", "", nil},
		{"a new file beside an edited scene", "new.gd", "two.tscn", []string{"set_node_property node_path=Spot property=position value=[8,8]"}},
		{"a script that nobody uses", "lone.gd", "", nil},
		{"a script of closed scenes", "hero.gd", "two.tscn", nil},
		{"a script of a node with a value", "hero.gd", "main.tscn", nil},
		{"a script of a node with a value that is not saved", "hero.gd", "main.tscn", []string{"set_node_property node_path=Hero property=hp value=9"}},
		{"a script of a node with the default", "tool.gd", "main.tscn", nil},
		{"a script of a node that got it now", "lone.gd", "main.tscn", []string{"attach_script node_path=Mover script_path=res://HERE/lone.gd"}},
		{"a script of nodes in instances", "gear_tool.gd", "holder.tscn", nil},
		{"a script of inherited nodes", "gear_tool.gd", "armed_heir.tscn", nil},
		{"a script in a background tab", "hero.gd", "main.tscn", []string{"open_scene scene_path=res://HERE/two.tscn"}},
	}
	for _, x := range targets {
		old := string(scriptOf(x.file))
		if old == "" {
			old = strings.Replace(hero, "class_name Hero_HERE\n", "", 1)
		}
		for _, r := range rewritings(len(scriptOf(x.file)) > 0 && x.file != "lone.gd" || x.first != nil) {
			judge := judgeWrite
			if x.file == "gear_tool.gd" && x.open == "holder.tscn" && slices.Contains(unlikeInMemory, r.what) || r.unlikeType(x.file) {
				judge = judgeWritten
			}
			out = append(out, filing{
				r.what + " × " + x.on, x.on, x.open, x.first, "write_script",
				args{"script_path": "res://HERE/" + x.file, "content": r.text(old)}, "", judge,
			})
		}
	}
	return slices.Concat(out, guardFilings(), patchFilings())
}

// guardFilings are writes with conditions, and those to places where none is due.
func guardFilings() (out []filing) {
	write := func(what, on string, refused wire.Reason, more args) filing {
		list := args{"script_path": "res://HERE/hero.gd", "content": "extends Node2D\n"}
		for k, v := range more {
			list[k] = v
		}
		return filing{what + " × " + on, on, "", nil, "write_script", list, refused, judgeWrite}
	}
	out = append(out,
		write("write if new", "a script of closed scenes", wire.ReasonFileExists, args{"must_be_new": true}),
		write("write if new", "a new file", "", args{"must_be_new": true, "script_path": "res://HERE/new.gd"}),
		write("write if unchanged", "a script of closed scenes", wire.ReasonChanged, args{"expected_sha256": strings.Repeat("0", 64)}),
		write("write if unchanged", "a script that nobody uses", "", args{"script_path": "res://HERE/lone.gd", "expected_sha256": fmt.Sprintf("%x", sha256.Sum256(scriptOf("lone.gd")))}),
		write("write if unchanged", "a new file", wire.ReasonChanged, args{"expected_sha256": strings.Repeat("0", 64), "script_path": "res://HERE/new.gd"}),
		write("write", "a new C# script", "", args{"script_path": "res://HERE/New.cs", "content": "public class New {}\n"}),
	)
	for _, place := range []string{
		"res://HERE/look.gdshader", "res://HERE/main.tscn", "res://HERE/wide.tres", "res://project.godot", "res://HERE/.hidden/a.gd",
		"res://addons/godot_mcp/x.gd", "res://../x.gd", "/tmp/x.gd", "user://x.gd", "res://HERE/hero.gd/x.gd",
	} {
		out = append(out, write("write", "the place "+place, outsideReasons[place], args{"script_path": place}))
	}
	return out
}

func patchFilings() (out []filing) {
	patch := func(what, on, open string, refused wire.Reason, list args) {
		if list["script_path"] == nil {
			list["script_path"] = "res://HERE/hero.gd"
		}
		out = append(out, filing{what + " × " + on, on, open, nil, "patch_script", list, refused, judgeWrite})
	}
	for on, open := range map[string]string{"a script of closed scenes": "", "a script of a node with a value": "main.tscn"} {
		patch("patch a value", on, open, "", args{"find": "hp: int = 3", "replace": "hp: int = 7"})
		patch("patch a variable away", on, open, "", args{"find": "@export var hp: int = 3\n", "replace": ""})
		patch("patch every place", on, open, "", args{"find": "@export ", "replace": "@export  ", "replace_all": true})
		patch("patch one of several places", on, open, wire.ReasonTextAmbiguous, args{"find": "@export", "replace": "@onready"})
		patch("patch what is not there", on, open, wire.ReasonTextNotFound, args{"find": "nope", "replace": "x"})
	}
	patch("patch", "no file", "", wire.ReasonFileNotFound, args{"script_path": "res://HERE/new.gd", "find": "a", "replace": "b"})
	patch("patch", "a scene", "", wire.ReasonBadExtension, args{"script_path": "res://HERE/main.tscn", "find": "a", "replace": "b"})
	slices.SortStableFunc(out, func(a, b filing) int { return strings.Compare(a.what, b.what) })
	return out
}

// judgeWrite is judgeWritten; and what the open scene shows is what a save and a fresh
// load give.
func judgeWrite(ctx context.Context, d *filed) error {
	if err := judgeWritten(ctx, d); err != nil {
		return err
	}
	return d.savedAsShown(ctx)
}

// judgeWritten: the file has the text, no other has another; an undo takes it back with
// all that nodes had, and a redo repeats it.
func judgeWritten(ctx context.Context, d *filed) error {
	list := d.here(d.filing.args).(map[string]any)
	path := strings.TrimPrefix(list["script_path"].(string), "res://")
	text, given := list["content"].(string)
	if !given {
		n := 1
		if list["replace_all"] == true {
			n = -1
		}
		text = strings.Replace(d.before.files[path], list["find"].(string), list["replace"].(string), n)
	}
	if d.after.files[path] != text {
		return broken("a written file has the text", "%s:\n%s", path, lineDiff(text, d.after.files[path]))
	}
	old, had := d.before.files[path]
	want := []string{path}
	switch {
	case !had:
		want = []string{"+ " + path}
	case old == text:
		want = nil
	}
	if other := d.before.unlike(d.after); !slices.Equal(other, want) {
		return broken("no other file is written", "%v", other)
	}
	if (d.answer["changed"] == true) != (want != nil) || d.answer["undoable"] != d.answer["changed"] {
		return broken("changed and undoable say so", "%s", pretty(d.answer))
	}
	if want != nil {
		return d.backAndForth(ctx)
	}
	return nil
}

// backAndForth undoes and redoes what the call did.
func (d *filed) backAndForth(ctx context.Context) error {
	for _, move := range []struct {
		tool string
		want scenery
	}{{"undo", d.before}, {"redo", d.after}} {
		if _, err := d.mustSucceed(ctx, d.column.tool(move.tool), args{}); err != nil {
			return err
		}
		now, err := d.scenery(ctx)
		if err != nil {
			return err
		}
		now.Steps, now.Last = move.want.Steps, move.want.Last
		if err := move.want.untouched("one "+move.tool+" of a written file", now); err != nil {
			return err
		}
	}
	return nil
}

// savedAsShown saves the open scene and holds a fresh load against what it shows.
func (d *filed) savedAsShown(ctx context.Context) error {
	if d.filing.open == "" {
		return nil
	}
	shown, err := d.glance(ctx)
	if err != nil {
		return err
	}
	answer, err := d.mustSucceed(ctx, d.column.tool("save_scene"), args{})
	if err != nil {
		return err
	}
	text, err := d.backend.Load(ctx, answer["path"].(string))
	if err != nil {
		return err
	}
	if text = home.ReplaceAllString(text, "$1"); text != shown.Live {
		return broken("what a scene shows is what a save keeps", "shown and loaded:\n%s", lineDiff(shown.Live, text))
	}
	return nil
}
