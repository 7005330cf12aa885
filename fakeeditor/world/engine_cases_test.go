package world

import "godot-mcp/server/wire"

// engineCase is one edit, told to both editors: as steps for the simulator, and as
// GDScript for the engine. The texts that engine 4.6.3 saved are in testdata/engine.
type engineCase struct {
	name, scene string
	gd          string // with root, the edited root, and dir, the case's folder
	steps       []wire.StepParam
}

func st(command string, params any) wire.StepParam {
	return wire.StepParam{Command: command, Params: raw(params)}
}

func set(node, property, value string) wire.StepParam {
	return st(wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: node, Property: property, Value: []byte(value)})
}

func create(parent, class, name string) wire.StepParam {
	return st(wire.CmdCreateNode, wire.CreateNode{ParentPath: parent, Type: class, Name: name})
}

func at0(i int) *int { return &i }

func link(from, signal, to, method string, flags, unbinds int, binds ...string) wire.StepParam {
	p := wire.ConnectSignal{SourcePath: from, Signal: signal, TargetPath: to, Method: method, Flags: flags, Unbinds: unbinds}
	for _, b := range binds {
		p.Binds = append(p.Binds, []byte(b))
	}
	return st(wire.CmdConnectSignal, p)
}

const addNew = "var n = Node2D.new()\nn.name = \"New\"\n"

var engineCases = []engineCase{
	{"untouched", "main.tscn", "", nil},
	{"untouched_inherited", "inh.tscn", "", nil},
	{"untouched_base", "base.tscn", "", nil},
	{"untouched_two", "two.tscn", "", nil},
	{"add_own", "main.tscn", addNew + "root.get_node('A').add_child(n)\nn.owner = root", []wire.StepParam{create("A", "Node2D", "New")}},
	{"add_under_instance", "main.tscn", addNew + "root.get_node('Inst').add_child(n)\nn.owner = root", []wire.StepParam{create("Inst", "Node2D", "New")}},
	{"add_in_closed_instance", "main.tscn", addNew + "root.get_node('Inst/Inner').add_child(n)\nn.owner = root", []wire.StepParam{create("Inst/Inner", "Node2D", "New")}},
	{"add_in_editable", "main.tscn", addNew + "root.get_node('Edit/Inner').add_child(n)\nn.owner = root", []wire.StepParam{create("Edit/Inner", "Node2D", "New")}},
	{"add_deep_in_editable", "main.tscn", addNew + "root.get_node('Edit/Inner/Deep').add_child(n)\nn.owner = root", []wire.StepParam{create("Edit/Inner/Deep", "Node2D", "New")}},
	{"add_in_inherited", "inh.tscn", addNew + "root.get_node('Inner').add_child(n)\nn.owner = root", []wire.StepParam{create("Inner", "Node2D", "New")}},
	{"add_to_inherited_root", "inh.tscn", addNew + "root.add_child(n)\nn.owner = root", []wire.StepParam{create(".", "Node2D", "New")}},
	{"add_first", "main.tscn", addNew + "root.add_child(n)\nroot.move_child(n, 0)\nn.owner = root", []wire.StepParam{st(wire.CmdCreateNode, wire.CreateNode{ParentPath: ".", Type: "Node2D", Name: "New", Index: at0(0)})}},
	{"two_levels", "two.tscn", addNew + "root.get_node('M/Edit/Inner').add_child(n)\nn.owner = root\nroot.get_node('M/Edit/Sprite').position = Vector2(5, 6)\nroot.get_node('M/A').position = Vector2(7, 8)", []wire.StepParam{create("M/Edit/Inner", "Node2D", "New"), set("M/Edit/Sprite", "position", "[5,6]"), set("M/A", "position", "[7,8]")}},
	{"property_own", "main.tscn", "root.get_node('A').position = Vector2(0.1, -2)\nroot.get_node('A').rotation = 0.1\nroot.get_node('A').modulate = Color(1, 0.5, 0, 0.25)", []wire.StepParam{set("A", "position", "[0.1,-2]"), set("A", "rotation", "0.1"), set("A", "modulate", "[1,0.5,0,0.25]")}},
	{"property_instance_root", "main.tscn", "root.get_node('Inst').position = Vector2(5, 6)", []wire.StepParam{set("Inst", "position", "[5,6]")}},
	{"property_closed_child", "main.tscn", "root.get_node('Inst/Sprite').position = Vector2(5, 6)", []wire.StepParam{set("Inst/Sprite", "position", "[5,6]")}},
	{"property_editable_child", "main.tscn", "root.get_node('Edit/Sprite').position = Vector2(5, 6)", []wire.StepParam{set("Edit/Sprite", "position", "[5,6]")}},
	{"property_deep_child", "main.tscn", "root.get_node('Edit/Inner/Deep').position = Vector2(5, 6)", []wire.StepParam{set("Edit/Inner/Deep", "position", "[5,6]")}},
	{"property_inherited_child", "inh.tscn", "root.get_node('Sprite').position = Vector2(5, 6)", []wire.StepParam{set("Sprite", "position", "[5,6]")}},
	{"property_inherited_deep", "inh.tscn", "root.get_node('Inner/Deep').position = Vector2(5, 6)", []wire.StepParam{set("Inner/Deep", "position", "[5,6]")}},
	{"property_back", "main.tscn", "root.get_node('Inst').position = Vector2(5, 6)\nroot.get_node('Inst').position = Vector2(0, 0)", []wire.StepParam{set("Inst", "position", "[5,6]"), set("Inst", "position", "[0,0]")}},
	{"property_base_has", "main.tscn", "root.get_node('Edit/T').wait_time = 1.0", []wire.StepParam{set("Edit/T", "wait_time", "1")}},
	{"make_editable", "main.tscn", "root.set_editable_instance(root.get_node('Inst'), true)\nroot.get_node('Inst/Sprite').position = Vector2(5, 6)", []wire.StepParam{st(wire.CmdSetEditableChildren, wire.SetEditableChildren{NodePath: "Inst", Editable: true}), set("Inst/Sprite", "position", "[5,6]")}},
	{"unmake_editable", "main.tscn", "root.get_node('Edit/Sprite').position = Vector2(5, 6)\nroot.set_editable_instance(root.get_node('Edit'), false)", []wire.StepParam{set("Edit/Sprite", "position", "[5,6]"), st(wire.CmdSetEditableChildren, wire.SetEditableChildren{NodePath: "Edit", Force: true})}},
	{"groups", "main.tscn", "root.get_node('A').add_to_group('zz', true)\nroot.get_node('A').add_to_group('aa', true)\nroot.get_node('Inst').add_to_group('g', true)\nroot.get_node('Edit/Sprite').add_to_group('g', true)\nroot.get_node('Inst/Sprite').add_to_group('g', true)\nroot.get_node('Edit/Sprite').remove_from_group('base_group')", []wire.StepParam{
		st(wire.CmdAddToGroup, wire.AddToGroup{NodePath: "A", Group: "zz"}), st(wire.CmdAddToGroup, wire.AddToGroup{NodePath: "A", Group: "aa"}),
		st(wire.CmdAddToGroup, wire.AddToGroup{NodePath: "Inst", Group: "g"}), st(wire.CmdAddToGroup, wire.AddToGroup{NodePath: "Edit/Sprite", Group: "g"}),
		st(wire.CmdAddToGroup, wire.AddToGroup{NodePath: "Inst/Sprite", Group: "g"}), st(wire.CmdRemoveFromGroup, wire.RemoveFromGroup{NodePath: "Edit/Sprite", Group: "base_group"}),
	}},
	{"connections", "main.tscn", "var A = root.get_node('A')\nvar L = root.get_node('Lab')\nA.visibility_changed.connect(Callable(L, 'set_text').bind('hi', 3), CONNECT_PERSIST | CONNECT_DEFERRED | CONNECT_ONE_SHOT)\nA.renamed.connect(Callable(L, 'queue_redraw').unbind(1), CONNECT_PERSIST)\nA.draw.connect(Callable(root, 'queue_redraw'), CONNECT_PERSIST)\nA.draw.connect(Callable(L, 'queue_redraw'), CONNECT_PERSIST)\nroot.get_node('Inst').visibility_changed.connect(Callable(root, 'queue_redraw'), CONNECT_PERSIST)\nA.hidden.connect(Callable(root.get_node('Inst/Sprite'), 'queue_redraw'), CONNECT_PERSIST)\nroot.get_node('Edit/T').timeout.connect(Callable(root, 'queue_redraw'), CONNECT_PERSIST)\nroot.get_node('Inst/T').timeout.connect(Callable(root, 'queue_redraw'), CONNECT_PERSIST)", []wire.StepParam{
		link("A", "visibility_changed", "Lab", "set_text", 5, 0, `"hi"`, "3"), link("A", "renamed", "Lab", "queue_redraw", 0, 1),
		link("A", "draw", ".", "queue_redraw", 0, 0), link("A", "draw", "Lab", "queue_redraw", 0, 0),
		link("Inst", "visibility_changed", ".", "queue_redraw", 0, 0), link("A", "hidden", "Inst/Sprite", "queue_redraw", 0, 0),
		link("Edit/T", "timeout", ".", "queue_redraw", 0, 0), link("Inst/T", "timeout", ".", "queue_redraw", 0, 0),
	}},
	{"disconnect_base", "main.tscn", "root.get_node('Edit/T').timeout.disconnect(Callable(root.get_node('Edit'), 'queue_redraw'))", []wire.StepParam{st(wire.CmdDisconnectSignal, wire.DisconnectSignal{SourcePath: "Edit/T", Signal: "timeout", TargetPath: "Edit", Method: "queue_redraw"})}},
	{"delete_own", "main.tscn", "root.get_node('A').free()", []wire.StepParam{st(wire.CmdDeleteNode, wire.DeleteNode{NodePath: "A"})}},
	{"rename_instance", "main.tscn", "root.get_node('Edit/Sprite').position = Vector2(1, 2)\nroot.get_node('Edit').name = 'Edit9'", []wire.StepParam{set("Edit/Sprite", "position", "[1,2]"), st(wire.CmdRenameNode, wire.RenameNode{NodePath: "Edit", NewName: "Edit9"})}},
	{"rename_root", "inh.tscn", "root.name = 'Boss'", []wire.StepParam{st(wire.CmdRenameNode, wire.RenameNode{NodePath: ".", NewName: "Boss"})}},
	{"move_own", "main.tscn", "root.get_node('A/B').reparent(root)\nroot.move_child(root.get_node('Col2'), 0)", []wire.StepParam{st(wire.CmdMoveNode, wire.MoveNode{NodePath: "A/B", NewParentPath: ".", Index: -1}), st(wire.CmdMoveNode, wire.MoveNode{NodePath: "Col2", NewParentPath: ".", Index: 0})}},
	{"metadata", "main.tscn", "root.get_node('A').set_meta('z', 1)\nroot.get_node('A').set_meta('k', {'x': [1, 2.5, 's', Vector2(1, 2)]})\nroot.get_node('Inst').set_meta('k', 1)", []wire.StepParam{set("A", "metadata/z", "1"), set("A", "metadata/k", `{"x":[1,2.5,"s",{"type":"Vector2","x":1,"y":2}]}`), set("Inst", "metadata/k", "1")}},
	{"scripts", "main.tscn", "root.get_node('A').set_script(load(dir + 's.gd'))\nroot.get_node('Inst').set_script(load(dir + 's.gd'))\nroot.get_node('Edit/Inner').set_script(load(dir + 's.gd'))", []wire.StepParam{
		st(wire.CmdAttachScript, wire.AttachScript{NodePath: "A", ScriptPath: "@s.gd"}), st(wire.CmdAttachScript, wire.AttachScript{NodePath: "Inst", ScriptPath: "@s.gd"}), st(wire.CmdAttachScript, wire.AttachScript{NodePath: "Edit/Inner", ScriptPath: "@s.gd"}),
	}},
	{"script_values", "main.tscn", "var A = root.get_node('A')\nA.set_script(load(dir + 'vars.gd'))\nA.set('hp', 5)\nA.set('tgt', root.get_node('Lab'))\nA.set('nums', [1, 2] as Array[int])\nA.set('map', {'b': 2, 'a': 1} as Dictionary[String, int])\nvar c = CircleShape2D.new()\nc.radius = 3.0\nA.set('res', c)\nA.set('path', NodePath('../Lab'))", []wire.StepParam{
		st(wire.CmdAttachScript, wire.AttachScript{NodePath: "A", ScriptPath: "@vars.gd"}), set("A", "hp", "5"), set("A", "tgt", `"../Lab"`),
		set("A", "nums", "[1,2]"), set("A", "map", `{"b":2,"a":1}`), set("A", "res", `{"new":"CircleShape2D","properties":{"radius":3}}`), set("A", "path", `"../Lab"`),
	}},
	{"shape_edit", "main.tscn", "root.get_node('Col').shape.size = Vector2(33, 34)", []wire.StepParam{set("Col", "shape:size", "[33,34]")}},
	{"shape_new", "main.tscn", "var s = CircleShape2D.new()\ns.radius = 3.25\nroot.get_node('Col').shape = s", []wire.StepParam{set("Col", "shape", `{"new":"CircleShape2D","properties":{"radius":3.25}}`)}},
	{"shape_external", "main.tscn", "root.get_node('Col').shape = load(dir + 'x.tres')\nroot.get_node('Col2').shape = load(dir + 'x.tres')", []wire.StepParam{set("Col", "shape", `"@x.tres"`), set("Col2", "shape", `"@x.tres"`)}},
	{"shape_of_instance", "main.tscn", "root.get_node('Edit/Shape').shape.size = Vector2(77, 77)", []wire.StepParam{set("Edit/Shape", "shape:size", "[77,77]")}},
	{"shape_replace_in_editable", "main.tscn", "var s = RectangleShape2D.new()\ns.size = Vector2(77, 77)\nroot.get_node('Edit/Shape').shape = s", []wire.StepParam{set("Edit/Shape", "shape", `{"new":"RectangleShape2D","properties":{"size":[77,77]}}`)}},
	{"external_edit", "main.tscn", "root.get_node('Lab').label_settings.font_size = 44", []wire.StepParam{set("Lab", "label_settings:font_size", "44")}},
	{"unique_name", "main.tscn", "root.get_node('A/B').unique_name_in_owner = true", []wire.StepParam{set("A/B", "unique_name_in_owner", "true")}},
	{"instances", "main.tscn", "var d = load(dir + 'base.tscn').instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE)\nd.name = 'I3'\nroot.add_child(d)\nd.owner = root\nd.position = Vector2(3, 3)\nvar e = load(dir + 'other.tscn').instantiate(PackedScene.GEN_EDIT_STATE_INSTANCE)\nroot.get_node('A').add_child(e)\ne.owner = root", []wire.StepParam{
		st(wire.CmdInstanceScene, wire.InstanceScene{ParentPath: ".", ScenePath: "@base.tscn", Name: "I3"}), set("I3", "position", "[3,3]"),
		st(wire.CmdInstanceScene, wire.InstanceScene{ParentPath: "A", ScenePath: "@other.tscn"}),
	}},
	{"controls", "ui.tscn", "var b = Button.new()\nb.name = 'B'\nroot.add_child(b)\nb.owner = root\nb.text = 'x'\nvar c = Control.new()\nc.name = 'C'\nroot.get_node('Box').add_child(c)\nc.owner = root\nvar l = Label.new()\nl.name = 'L'\nroot.add_child(l)\nl.owner = root\nl.position = Vector2(20, 30)\nl.size = Vector2(200, 100)\nvar f = Control.new()\nf.name = 'F'\nroot.add_child(f)\nf.owner = root\nf.set('layout_mode', 1)\nf.set('anchors_preset', 15)\nvar o = ColorRect.new()\no.name = 'O'\nroot.get_node('World').add_child(o)\no.owner = root\no.color = Color(1, 0, 0)", []wire.StepParam{
		create(".", "Button", "B"), set("B", "text", `"x"`), create("Box", "Control", "C"), create(".", "Label", "L"), set("L", "position", "[20,30]"), set("L", "size", "[200,100]"),
		create(".", "Control", "F"), set("F", "layout_mode", "1"), set("F", "anchors_preset", "15"), create("World", "ColorRect", "O"), set("World/O", "color", "[1,0,0,1]"),
	}},
	{"range", "ui.tscn", "var s = HSlider.new()\ns.name = 'S'\nroot.add_child(s)\ns.owner = root\ns.max_value = 10\ns.step = 0.3\ns.value = 4.1\nvar p = ProgressBar.new()\np.name = 'P'\nroot.add_child(p)\np.owner = root\np.value = 250", []wire.StepParam{
		create(".", "HSlider", "S"), set("S", "max_value", "10"), set("S", "step", "0.3"), set("S", "value", "4.1"), create(".", "ProgressBar", "P"), set("P", "value", "250"),
	}},
	{"node3d", "space.tscn", "var n = MeshInstance3D.new()\nn.name = 'M'\nroot.add_child(n)\nn.owner = root\nn.position = Vector3(1, 2, 3)\nn.rotation_degrees = Vector3(30, 45, 0)\nn.scale = Vector3(2, 2, 2)\nvar m = BoxMesh.new()\nm.size = Vector3(1, 2, 1)\nn.mesh = m\nvar k = Node3D.new()\nk.name = 'K'\nn.add_child(k)\nk.owner = root\nk.global_position = Vector3(5, 5, 5)", []wire.StepParam{
		create(".", "MeshInstance3D", "M"), set("M", "position", "[1,2,3]"), set("M", "rotation_degrees", "[30,45,0]"), set("M", "scale", "[2,2,2]"),
		set("M", "mesh", `{"new":"BoxMesh","properties":{"size":[1,2,1]}}`), create("M", "Node3D", "K"), set("M/K", "global_position", "[5,5,5]"),
	}},
	{"node2d_global", "main.tscn", "root.get_node('A').position = Vector2(10, 20)\nroot.get_node('A').rotation_degrees = 90\nroot.get_node('A').scale = Vector2(2, 3)\nroot.get_node('A/B').global_position = Vector2(1, 2)\nroot.get_node('A/B').global_rotation = 0.5\nroot.get_node('A/B').skew = 0.2", []wire.StepParam{
		set("A", "position", "[10,20]"), set("A", "rotation_degrees", "90"), set("A", "scale", "[2,3]"), set("A/B", "global_position", "[1,2]"), set("A/B", "global_rotation", "0.5"), set("A/B", "skew", "0.2"),
	}},
	{"theme_overrides", "ui.tscn", "var b = Button.new()\nb.name = 'B'\nroot.add_child(b)\nb.owner = root\nb.add_theme_font_size_override('font_size', 20)\nb.add_theme_color_override('font_color', Color(1, 0, 0))\nvar s = StyleBoxFlat.new()\nb.add_theme_stylebox_override('normal', s)\nb.add_theme_constant_override('h_separation', 3)", []wire.StepParam{
		create(".", "Button", "B"), set("B", "theme_override_font_sizes/font_size", "20"), set("B", "theme_override_colors/font_color", "[1,0,0,1]"),
		set("B", "theme_override_styles/normal", `{"new":"StyleBoxFlat"}`), set("B", "theme_override_constants/h_separation", "3"),
	}},
	{"values", "main.tscn", "var A = root.get_node('A')\nA.set_meta('a', 1e20)\nA.set_meta('b', -0.0)\nA.set_meta('c', \"q\\\"\\\\\\n\\t\")\nA.set_meta('d', &'nm')\nA.set_meta('e', PackedByteArray([1, 2]))\nA.set_meta('f', PackedVector2Array([Vector2(1, 2)]))\nA.set_meta('g', INF)\nA.set_meta('h', 1000000000000000)\nA.set_meta('i', 0.1 + 0.2)\nA.set_meta('j', {1: 'x', &'b': null, 'a': [], 2.5: {}})", []wire.StepParam{
		set("A", "metadata/a", `{"type":"float","value":1e20}`), set("A", "metadata/b", `{"type":"float","value":"-0"}`), set("A", "metadata/c", `"q\"\\\n\t"`), set("A", "metadata/d", `{"type":"StringName","value":"nm"}`),
		set("A", "metadata/e", `{"type":"PackedByteArray","base64":"AQI="}`), set("A", "metadata/f", `{"type":"PackedVector2Array","value":[[1,2]]}`), set("A", "metadata/g", `{"type":"float","value":"inf"}`),
		set("A", "metadata/h", "1000000000000000"), set("A", "metadata/i", "0.30000000000000004"), set("A", "metadata/j", `{"type":"Dictionary","entries":[[1,"x"],[{"type":"StringName","value":"b"},null],["a",[]],[2.5,{}]]}`),
	}},
	{"reset_on_save", "anim.tscn", "root.get_node('S').position = Vector2(50, 60)\nroot.get_node('S').rotation = 1.0", []wire.StepParam{set("S", "position", "[50,60]"), set("S", "rotation", "1")}},
	{"local_resources", "local.tscn", "root.get_node('Own').shape.size = Vector2(3, 3)", []wire.StepParam{set("Own", "shape:size", "[3,3]")}},
	{"duplicate", "main.tscn", "var d = root.get_node('A').duplicate()\nroot.get_node('A').add_sibling(d, true)\nd.owner = root\nfor k in d.find_children('*', '', true, false): k.owner = root", []wire.StepParam{st(wire.CmdDuplicateNode, wire.DuplicateNode{NodePath: "A"})}},
	{"missing_class", "odd.tscn", "root.get_node('Own').position = Vector2(1, 1)", []wire.StepParam{set("Own", "position", "[1,1]")}},
	{"placeholder", "lazy.tscn", "root.get_node('Own').position = Vector2(1, 1)", []wire.StepParam{set("Own", "position", "[1,1]")}},
	{"broken_names", "names.tscn", "root.get_node('Own').position = Vector2(1, 1)", []wire.StepParam{set("Own", "position", "[1,1]")}},
}
