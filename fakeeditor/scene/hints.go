package scene

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// Listed is [Env.Properties] as the engine's list of a node's properties has them
// (engine 4.6). What exists only in the state that the node is in stands behind what
// its class has always. Some hints follow from the state of the node, and from what it
// stands in, while the class table has those of the class.
func (e Env) Listed(n *Node) []Property {
	list := e.inPlace(n, e.Properties(n))
	for i := range list {
		p := &list[i]
		switch {
		case p.Export == nil:
			p.Hint, p.HintString = e.hintOf(n, p)
		case p.Usage&classdb.UsageEditor == 0:
			p.Hint, p.HintString = 0, "" // nobody draws it
		}
	}
	return list
}

// bare are properties that nodes of a class have from the start and that neither the
// class table lists nor a file keeps as long as nobody set them.
var bare = map[string][]classdb.PropertyInfo{
	"MultiplayerSpawner": {bareProperty("_spawnable_scene_count", variant.TypeInt, "")},
	"TileMap": {
		bareProperty("layer_0/enabled", variant.TypeBool, ""), bareProperty("layer_0/modulate", variant.TypeColor, ""),
		bareProperty("layer_0/y_sort_enabled", variant.TypeBool, ""), bareProperty("layer_0/y_sort_origin", variant.TypeInt, "suffix:px"),
		bareProperty("layer_0/z_index", variant.TypeInt, ""), bareProperty("layer_0/navigation_enabled", variant.TypeBool, ""),
		bareProperty("layer_0/tile_data", variant.TypePackedInt32Array, ""),
	},
}

func bareProperty(name string, t variant.Type, hint string) classdb.PropertyInfo {
	return classdb.PropertyInfo{Name: name, Type: classdb.Type(t), HintString: hint}
}

// inPlace moves properties that no class table has to where the engine lists them.
func (e Env) inPlace(n *Node, list []Property) []Property {
	c := classOf(n.Class)
	moved := map[string][]Property{}
	var kept []Property
	for _, p := range list {
		_, known := c.index[p.Name]
		at, ok := c.place(p.Name)
		switch {
		case known || !ok || p.Export != nil || p.Owner != n.Class:
			kept = append(kept, p)
			continue
		case strings.HasPrefix(p.Name, "libraries/"):
			p.ClassName = "AnimationLibrary"
		}
		moved[c.props[at].Name] = append(moved[c.props[at].Name], p)
	}
	if more := bare[n.Class]; len(more) > 0 {
		last := c.props[len(c.props)-2].Name // the script is behind it
		for _, p := range more {
			set := slices.IndexFunc(moved[last], func(q Property) bool { return q.Name == p.Name })
			if set >= 0 {
				p.Usage = moved[last][set].Usage
				moved[last] = slices.Delete(moved[last], set, set+1)
			}
			moved[last] = append(moved[last], Property{PropertyInfo: p})
		}
	}
	if len(moved) == 0 {
		return list
	}
	out := make([]Property, 0, len(list))
	for _, p := range kept {
		out = append(out, p)
		more := moved[p.Name]
		if c.mixer {
			slices.SortStableFunc(more, func(a, b Property) int { return cmp.Compare(a.Name, b.Name) })
		}
		out = append(out, more...)
	}
	return out
}

// hintOf gives the hint of a property of the node's class.
func (e Env) hintOf(n *Node, p *Property) (hint int, text string) {
	hint, text = p.Hint, p.HintString
	switch p.Name {
	case "theme_type_variation":
		return hint, e.typeVariations(n.Class)
	case "size_flags_horizontal", "size_flags_vertical":
		if e.UnderContainer(n) {
			return hint, e.sizeFlags(n, p.Name == "size_flags_vertical")
		}
	case "layout_mode":
		if p.Owner == "Control" && e.choosesLayout(n) {
			return hint, "Position,Anchors"
		}
	case "debug_draw":
		if p.Owner == "Viewport" {
			return hint, debugDraws
		}
	case "ticks_position":
		return hint, ticks[n.Class]
	case "bus", "audio_bus_name", "reverb_bus_name":
		return hint, strings.Join(e.Lib.Startup().Buses, ",")
	case "ok_button_text":
		return hintPlaceholder, e.buttonText(n)
	case "emitting":
		if !e.flag(n, "one_shot") {
			return 0, ""
		}
		return hintOneShot, ""
	case "frame", "animation":
		return e.frameHint(n, p)
	case "current_animation":
		return hint, e.animationNames(n)
	case "tracker":
		if p.Owner == "XRNode3D" {
			return hint, trackers
		}
	case "pose":
		if v, _ := e.value(n.object(), "tracker"); v.Equal(variant.StringName("left_hand")) || v.Equal(variant.StringName("right_hand")) {
			return hint, "default,aim,grip,skeleton,"
		}
		return hint, "default,"
	case "bone_name", "origin_bone_name", "root_bone", "tip_bone":
		return e.boneHint(n, p)
	}
	if kind, ok := strings.CutPrefix(p.Name, "bones/"); ok && strings.HasSuffix(kind, "/parent") {
		return hintRange, "-1," + strconv.Itoa(len(bones(n))-1) + ",1"
	}
	if p.ClassName == "AnimationLibrary" {
		return hintResourceType, p.ClassName
	}
	return hint, text
}

// variations are the type variations that the engine's own theme has for controls and
// windows of a class.
var variations = map[string]string{
	"Button":     "FlatButton,",
	"Label":      "GraphFrameTitleLabel,GraphNodeTitleLabel,HeaderLarge,HeaderMedium,HeaderSmall,TooltipLabel,",
	"MenuButton": "FlatMenuButton,",
	"PopupPanel": "TooltipPanel,",
}

// ticks are the places of the ticks of sliders.
var ticks = map[string]string{
	"HSlider": "Bottom,Top,Both,Center",
	"VSlider": "Right,Left,Both,Center",
}

// debugDraws is longer than the texts that the class table holds.
const debugDraws = "Disabled,Unshaded,Lighting,Overdraw,Wireframe,Normal Buffer,VoxelGI Albedo,VoxelGI Lighting," +
	"VoxelGI Emission,Shadow Atlas,Directional Shadow Map,Scene Luminance,SSAO,SSIL,Directional Shadow Splits,Decal Atlas," +
	"SDFGI Cascades,SDFGI Probes,VoxelGI/SDFGI Buffer,Disable Mesh LOD,OmniLight3D Cluster,SpotLight3D Cluster," +
	"Decal Cluster,ReflectionProbe Cluster,Occlusion Culling Buffer,Motion Vectors,Internal Buffer"

// trackers are what an editor without a headset proposes.
const trackers = "head,left_hand,right_hand,/user/hand_tracker/left,/user/hand_tracker/right,/user/body_tracker," +
	"/user/face_tracker,/user/treadmill,"

// sizeFlags lists the size flags that the container of a control leaves it along an
// axis.
func (e Env) sizeFlags(n *Node, vertical bool) string {
	const all, some = "Fill:1,Expand:2,Shrink Center:4,Shrink End:8", "Fill:1,Shrink Center:4,Shrink End:8"
	p := e.Node(n.Parent)
	is := func(classes ...string) bool {
		return slices.ContainsFunc(classes, func(c string) bool { return classdb.Inherits(p.Class, c) })
	}
	switch {
	case is("CenterContainer", "SubViewportContainer", "TabContainer"):
		return ""
	case is("AspectRatioContainer", "FoldableContainer", "MarginContainer", "PanelContainer"):
		return some
	case is("BoxContainer", "FlowContainer", "SplitContainer") && vertical != (e.flag(p, "vertical") || is("VBoxContainer", "VFlowContainer", "VSplitContainer")), is("GraphNode") && !vertical:
		return some // across the direction in which the container lines up
	}
	return all
}

// buttonText is what the button of a dialog says when nobody chose a text.
func (e Env) buttonText(n *Node) string {
	if !classdb.Inherits(n.Class, "FileDialog") {
		return "OK"
	}
	const folder, save = 2, 4
	switch e.number(n, "file_mode") {
	case folder:
		return "Select Current Folder"
	case save:
		return "Save"
	}
	return "Open"
}

// frameHint gives the hints of what a sprite shows: the frames of its sheet, or the
// animations of its frames and the frames of the one that is chosen.
func (e Env) frameHint(n *Node, p *Property) (hint int, text string) {
	last := 0
	switch p.Owner {
	case "Sprite2D", "Sprite3D":
		last = e.number(n, "hframes")*e.number(n, "vframes") - 1
	case "AnimatedSprite2D", "AnimatedSprite3D":
		animations, ok := e.spriteAnimations(n)
		if !ok {
			return p.Hint, p.HintString
		}
		chosen, _ := e.value(n.object(), "animation")
		name, _ := chosen.Text()
		frames, known := animations[name]
		if p.Name == "animation" {
			var names []string
			for a := range animations {
				names = append(names, a)
			}
			slices.Sort(names)
			if !known {
				names = slices.Insert(names, 0, name)
			}
			return p.Hint, strings.Join(names, ",")
		}
		last = max(frames-1, 0)
	default:
		return p.Hint, p.HintString
	}
	return hintRange, "0," + strconv.Itoa(last) + ",1"
}

// spriteAnimations counts the frames of each animation of a sprite; false if it has no
// frames at all.
func (e Env) spriteAnimations(n *Node) (map[string]int, bool) {
	v, _ := e.value(n.object(), "sprite_frames")
	r := e.Res(ResOf(v))
	if r == nil {
		return nil, false
	}
	out := map[string]int{}
	list, _ := e.ResValue(r, "animations").Array()
	for _, item := range list.Items() {
		d, ok := item.Dictionary()
		if !ok {
			continue
		}
		name, _ := entry(d, "name").Text()
		frames, _ := entry(d, "frames").Array()
		out[name] = frames.Len()
	}
	return out, true
}

// entry gives the value of a key; null if there is none.
func entry(d *variant.Dictionary, key string) variant.Value {
	for _, x := range d.Entries() {
		if k, ok := x.Key.Text(); ok && k == key {
			return x.Value
		}
	}
	return variant.Nil
}

// animationNames lists the animations of a player's libraries, in the order in which
// it got the libraries.
func (e Env) animationNames(n *Node) string {
	var names []string
	for _, x := range n.Props {
		library, ok := strings.CutPrefix(x.Name, "libraries/")
		if !ok {
			continue
		}
		r := e.Res(ResOf(x.Value))
		if r == nil {
			continue
		}
		first := len(names)
		data, _ := e.ResValue(r, "_data").Dictionary()
		for _, a := range data.Entries() {
			name, _ := a.Key.Text()
			if library != "" {
				name = library + "/" + name
			}
			names = append(names, name)
		}
		slices.Sort(names[first:])
	}
	return strings.Join(append([]string{"[stop]"}, names...), ",")
}

// boneHint gives the hint of a property that names a bone: the bones of the skeleton
// that the node stands in.
func (e Env) boneHint(n *Node, p *Property) (hint int, text string) {
	parent := e.Node(n.Parent)
	if parent == nil || !classdb.Inherits(parent.Class, "Skeleton3D") || !p.VariantType().IsStringLike() {
		return 0, ""
	}
	if p.VariantType() == variant.TypeStringName {
		return hintEnum, strings.Join(bones(parent), ",")
	}
	return hintEnumSuggestion, strings.Join(bones(parent), ",")
}

// bones lists the bones of a skeleton.
func bones(skeleton *Node) (names []string) {
	for i := 0; ; i++ {
		v, ok := skeleton.Props.Get("bones/" + strconv.Itoa(i) + "/name")
		if !ok {
			return names
		}
		name, _ := v.Text()
		names = append(names, name)
	}
}
