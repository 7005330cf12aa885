//go:build godot

package scripts

import (
	"flag"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"godot-mcp/server/godot/classdb"
)

// A class takes a second or so on a real editor, so by default a share of them is fired.
var (
	classShare  = flag.Int("class-share", 24, "one class in so many is fired; 1: all")
	classTurn   = flag.Int("class-turn", 0, "which of the shares: 0 to one below -class-share")
	classSeed   = flag.Uint64("class-seed", 1, "seed of the properties that are set")
	classSets   = flag.Int("class-sets", 3, "properties of a node that are set; 0: all")
	classesOnly = flag.String("class-only", "", "pattern of the only classes to fire")
	classSet    = flag.String("class-set", "", "pattern of the only properties that are set")
)

// classesTogether is how many classes share a project.
const classesTogether = 20

// classesLeftOut are classes that this comparison does not fire, and why.
var classesLeftOut = map[string]string{
	"BaseButton":            noDefaults,
	"BoneConstraint3D":      noDefaults,
	"GeometryInstance3D":    noDefaults,
	"Range":                 noDefaults,
	"SkeletonModifier3D":    noDefaults,
	"SpringBoneCollision3D": noDefaults,
	"VisualInstance3D":      noDefaults,
	"GraphEdit":             ownChildren,
	"HTTPRequest":           ownChildren,
	"Tree":                  ownChildren,
	"Window":                "its sizes and looks follow each other, and some are lost with a load",
	"PopupPanel":            "it lays out the controls in it",
}

const (
	noDefaults  = "a base for other classes, of which the engine knows no defaults"
	ownChildren = "it makes children that are listed as others are, and the simulated one does not"
)

// valuesLeftOut are properties that this comparison does not set, by name or with the class that
// declares them, and why.
var valuesLeftOut = map[string]string{
	"setting_count":                     listElements,
	"chain_count":                       listElements,
	"joint_count":                       "it counts what the chains hold, and is read-only",
	"_spawnable_scene_count":            listElements,
	"use_fixed_seed":                    "it shows a seed that was drawn at random",
	"joint_rotation":                    "zeros get a sign in the real editor",
	"auto_calculate_length_and_angle":   "without it a bone has a length and an angle to write, which the simulated one lacks",
	"bone2d_index":                      "a preview leaves it set in the real editor",
	"ScrollContainer.scroll_horizontal": "it follows from the layout",
	"ScrollContainer.scroll_vertical":   "it follows from the layout",
	"Control.offset_right":              "it follows from the layout",
	"Control.offset_left":               "it follows from the layout",
	"Control.offset_top":                "it follows from the layout",
	"Control.offset_bottom":             "it follows from the layout",
	"TextEdit.scroll_vertical":          "it follows from the layout",
	"TextEdit.scroll_horizontal":        "it follows from the layout",
	"CharacterBody3D.up_direction":      "a copy is made of length one once more, which may change its last digit",
	"Node3D.rotation":                   "after a preview the real editor tells -0 for an angle of 0",
	"LineEdit.caret_column":             "it is no part of a scene",
}

const listElements = "it brings properties of elements, which the simulated node lacks until they are set"

const classScene = `[gd_scene format=3]

[node name="Main" type="Node"]

[node name="Node" type="Node" parent="."]

[node name="Flat" type="Node2D" parent="."]

[node name="Ui" type="Control" parent="."]

[node name="Deep" type="Node3D" parent="."]

[node name="Other" type="Node" parent="."]

[node name="OtherFlat" type="Node2D" parent="."]

[node name="OtherUi" type="Control" parent="."]

[node name="OtherDeep" type="Node3D" parent="."]
`

// TestClasses makes a node of every class that a scene can hold on both editors, with
// children, copies it, changes it, moves it, deletes it, saves, takes all of it back, does it
// again and loads it. Answers, trees and files must agree.
func TestClasses(t *testing.T) {
	only := regexp.MustCompile(*classesOnly)
	var fired []string
	n := 0
	for _, class := range classdb.Names() {
		if !classdb.Instantiable(class) || !classdb.Inherits(class, "Node") || classesLeftOut[class] != "" || !only.MatchString(class) {
			continue
		}
		if n++; n%*classShare == *classTurn {
			fired = append(fired, class)
		}
	}
	p := newPool(godotBin(t), 1)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	for some := range slices.Chunk(fired, classesTogether) {
		files := map[string][]byte{"project.godot": []byte(plainProject)}
		for _, class := range some {
			files["c_"+class+"/main.tscn"] = []byte(classScene)
		}
		st, err := p.stage(t.Context(), files)
		require.NoError(t, err)
		for _, class := range some {
			y := yard{name: "c_" + class}
			t.Run(class, func(t *testing.T) { st.playClass(t, y, class) })
		}
		require.NoError(t, st.close())
	}
}

// playClass plays the steps of a class and then takes them back.
func (st *stage) playClass(t *testing.T, y yard, class string) {
	var done []deed
	step := func(d deed) bool {
		if st.avoids(d, nil) {
			return true
		}
		done = append(done, d)
		if err := st.step(t.Context(), y, len(done)-1, d, true); err != nil {
			t.Errorf("%v\nafter\n%s", err, lines(done))
			return false
		}
		return true
	}
	call := func(tool string, list map[string]any) bool { return step(deed{Tool: tool, Args: list}) }
	start := st.simulated().Tabs
	require.Empty(t, start)
	defer func() {
		closing := deed{Tool: "close_scene", Args: args{"confirm": true}}
		for st.opened() > 0 {
			require.NoError(t, st.do(t.Context(), len(done), closing))
		}
	}()
	for _, d := range classSteps("res://"+y.name+"/main.tscn", class) {
		if !step(d) {
			return
		}
	}
	n := 0
	for _, d := range done {
		if d.Args["dry_run"] == nil && !slices.Contains([]string{"open_scene", "save_scene", "get_node_properties"}, d.Tool) {
			n++
		}
	}
	_ = call("undo", args{"count": n}) && call("save_scene", args{}) && call("redo", args{"count": n}) && call("save_scene", args{}) &&
		call("close_scene", args{"confirm": true}) && call("open_scene", args{"scene_path": "res://" + y.name + "/main.tscn"}) &&
		call("save_scene", args{}) && call("get_node_properties", args{"node_path": done[len(done)-5].Args["node_path"]})
}

// classSteps are the steps that can be taken back, after the opening.
func classSteps(scene, class string) []deed {
	parent := "Node"
	for base, kind := range map[string]string{"Control": "Ui", "Node2D": "Flat", "Node3D": "Deep"} {
		if classdb.Inherits(class, base) {
			parent = kind
		}
	}
	other := "Other" + strings.TrimPrefix(parent, "Node")
	it := parent + "/It"
	out := []deed{{Tool: "open_scene", Args: args{"scene_path": scene}}}
	call := func(tool string, list map[string]any) { out = append(out, deed{Tool: tool, Args: list}) }
	twice := func(tool string, list map[string]any) {
		preview := args{"dry_run": true}
		for k, v := range list {
			preview[k] = v
		}
		call(tool, preview)
		call(tool, list)
	}
	twice("create_node", args{"parent_path": parent, "node_type": class, "node_name": "It"})
	for _, child := range []string{"Node2D", "Control", "Node3D", "Timer"} {
		twice("create_node", args{"parent_path": it, "node_type": child, "node_name": "C" + child})
	}
	call("get_node_properties", args{"node_path": it})
	call("save_scene", args{})
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(class))
	rng := rand.New(rand.NewPCG(*classSeed, sum.Sum64()))
	for _, s := range drawSets(rng, class) {
		twice("set_node_property", args{"node_path": it, "property": s.property, "value": s.value})
	}
	call("save_scene", args{})
	twice("duplicate_node", args{"node_path": it, "node_name": "Copy"})
	twice("move_node", args{"node_path": it, "new_parent_path": other, "index": 0})
	call("save_scene", args{})
	twice("delete_node", args{"node_path": parent + "/Copy", "confirm": true})
	call("get_node_properties", args{"node_path": other + "/It"})
	call("save_scene", args{})
	return out
}

type drawnSet struct {
	property string
	value    any
}

// drawSets draws properties of a class and values for them: mostly what the class declares
// itself.
func drawSets(rng *rand.Rand, class string) []drawnSet {
	var own, inherited []drawnSet
	only := regexp.MustCompile(*classSet)
	for _, p := range classdb.Properties(class, true) {
		if p.Usage&classdb.UsageEditor == 0 || p.Usage&classdb.UsageReadOnly != 0 || valuesLeftOut[p.Name] != "" || valuesLeftOut[p.Owner+"."+p.Name] != "" || !only.MatchString(p.Name) {
			continue
		}
		value := drawOrdinary(rng, p)
		if value == nil {
			continue
		}
		if p.Owner == class {
			own = append(own, drawnSet{p.Name, value})
		} else {
			inherited = append(inherited, drawnSet{p.Name, value})
		}
	}
	rng.Shuffle(len(own), func(i, j int) { own[i], own[j] = own[j], own[i] })
	rng.Shuffle(len(inherited), func(i, j int) { inherited[i], inherited[j] = inherited[j], inherited[i] })
	all := append(own, inherited...)
	if *classSets == 0 {
		return all
	}
	return all[:min(*classSets, len(all))]
}

// drawOrdinary draws a value for a property of a plain type; nil for others.
func drawOrdinary(rng *rand.Rand, p classdb.PropertyInfo) any {
	number := func() float64 { return []float64{0, 0.5, 1, 3, -2, 17.25}[rng.IntN(6)] }
	switch p.Type.String() {
	case "bool":
		return p.Default != "true"
	case "int":
		if p.Hint == 2 {
			return enumValue(rng, p.HintString)
		}
		return []int{0, 1, 3, 7, -2}[rng.IntN(5)]
	case "float":
		return number()
	case "String", "StringName":
		if p.Hint != 0 {
			return nil
		}
		return []string{"", "hi", "a\nb"}[rng.IntN(3)]
	case "Vector2", "Vector2i", "Vector3", "Vector3i":
		out := []any{}
		for range int(p.Type.String()[6] - '0') {
			if strings.HasSuffix(p.Type.String(), "i") {
				out = append(out, rng.IntN(9))
			} else {
				out = append(out, number())
			}
		}
		return out
	case "Color":
		return []string{"#ff8800", "#00ff0080"}[rng.IntN(2)]
	case "NodePath":
		return []string{"..", "CTimer", ""}[rng.IntN(3)]
	}
	return nil
}

// enumValue draws one of the values of a hint.
func enumValue(rng *rand.Rand, hint string) any {
	names := strings.Split(hint, ",")
	i := rng.IntN(len(names))
	if _, n, ok := strings.Cut(names[i], ":"); ok {
		if v, err := strconv.Atoi(strings.TrimSpace(n)); err == nil {
			return v
		}
	}
	return i
}
