package scripts

import (
	"path"
	"slices"

	"godot-mcp/server/wire"
)

// A target is one kind of node that a call can be aimed at, with what is known of
// it from how it came to be. The scenes are those of testdata/matrix.txt.
type target struct {
	what  string // in words
	scene string
	path  string
	// first is what happens before, a line each: a call as in scenarios, "human …",
	// or "gone FILE" for a file that another program removes.
	first []string
	// loss is why a save drops what is changed on the node, "" if it keeps it; beside
	// is the same for a node that is added next to it.
	loss, beside wire.LossReason
	is           trait
}

// A trait is what tools ask of a node besides.
type trait int

const (
	supplied trait = 1 << iota // a base or instanced scene makes it
	root                       // of the edited scene
	instance                   // it stands for another scene
	fixed                      // what the base supplies below it keeps its place
	behind                     // below it, and not supplied itself, one is last
	unowned
	missing // not there (any more)
)

const (
	closed = wire.LossInstanceChild
	nobody = wire.LossNotOwned
)

// added is a target that a call adds below another one.
func added(x target) target {
	is := trait(0)
	if x.is&fixed != 0 {
		is = behind
	}
	return target{
		"added under " + x.what, x.scene, path.Join(x.path, "New"), []string{"create_node parent_path=" + x.path + " node_type=Node2D node_name=New"},
		x.loss, x.loss, is,
	}
}

// matrixTargets are the columns of the matrix.
func matrixTargets() []target {
	const own, two, heir, heir2, arms, armed, broken, breaks = "main.tscn", "two.tscn", "inh.tscn", "inh2.tscn", "holder.tscn", "armed_heir.tscn", "broken.tscn", "breaks.tscn"
	list := []target{
		{"the root", own, ".", nil, "", "", root},
		{"an own node", own, "A", nil, "", "", 0},
		{"an own child of an own node", own, "A/B", nil, "", "", 0},
		{"a node with a script", own, "Hero", nil, "", "", 0},
		{"a node with a tool script", own, "Tool", nil, "", "", 0},
		{"the user of an embedded resource", own, "ColA", nil, "", "", 0},
		{"the user of an external resource", own, "ColC", nil, "", "", 0},
		{"a control with a theme", own, "UI", nil, "", "", 0},

		{"the root of a closed instance", own, "Inst", nil, "", "", instance | fixed},
		{"a child of a closed instance", own, "Inst/Sprite", nil, closed, "", supplied | behind},
		{"a deep child of a closed instance", own, "Inst/Inner/Deep", nil, closed, closed, supplied},
		{"a resource user in a closed instance", own, "Inst/Shape", nil, closed, "", supplied | behind},
		{"a signal source in a closed instance", own, "Inst/T", nil, closed, "", supplied | behind},

		{"the root of an open instance", own, "Edit", nil, "", "", instance | fixed},
		{"a child of an open instance", own, "Edit/Sprite", nil, "", "", supplied | behind},
		{"a deep child of an open instance", own, "Edit/Inner/Deep", nil, "", "", supplied},
		{"a resource user in an open instance", own, "Edit/Shape", nil, "", "", supplied | behind},
		{"a signal source in an open instance", own, "Edit/T", nil, "", "", supplied | behind},
		{"an own node in an open instance", own, "Edit/Inner/Under", nil, "", "", 0},

		{"the root of a closed two-level instance", two, "Two", nil, "", "", instance | fixed},
		{"the closed instance in a closed one", two, "Two/P", nil, closed, "", supplied | instance | behind},
		{"a child of the closed instance in a closed one", two, "Two/P/Sprite", nil, closed, closed, supplied},
		{"the open instance in a closed one", two, "Two/E", nil, closed, "", supplied | instance | behind},
		{"a child of the open instance in a closed one", two, "Two/E/Sprite", nil, closed, closed, supplied},
		{"what the middle scene added in a closed one", two, "Two/E/Inner/Extra", nil, closed, closed, supplied},

		{"the root of an open two-level instance", two, "TwoE", nil, "", "", instance | fixed},
		{"the closed instance in an open one", two, "TwoE/P", nil, "", "", supplied | instance | behind},
		{"a child of the closed instance in an open one", two, "TwoE/P/Sprite", nil, closed, "", supplied},
		{"the open instance in an open one", two, "TwoE/E", nil, "", "", supplied | instance | behind},
		{"a child of the open instance in an open one", two, "TwoE/E/Sprite", nil, "", "", supplied},
		{"a signal source of the open instance in an open one", two, "TwoE/E/T", nil, "", "", supplied},
		{"what the middle scene added in an open one", two, "TwoE/E/Inner/Extra", nil, "", "", supplied},

		{"the root of an heir", heir, ".", nil, "", "", root},
		{"an inherited node with an override", heir, "Sprite", nil, "", "", supplied},
		{"an inherited resource user", heir, "Shape", nil, "", "", supplied},
		{"an inherited signal source", heir, "T", nil, "", "", supplied},
		{"a deep inherited node", heir, "Inner/Deep", nil, "", "", supplied},
		{"an own node of an heir", heir, "Spot", nil, "", "", 0},
		{"an own node under an inherited one", heir, "Inner/Under", nil, "", "", 0},

		{"the root of an heir of the middle scene", heir2, ".", nil, "", "", root},
		{"an inherited closed instance", heir2, "P", nil, "", "", supplied | instance},
		{"a child of an inherited closed instance", heir2, "P/Sprite", nil, closed, "", supplied},
		{"an inherited open instance", heir2, "E", nil, "", "", supplied | instance},
		{"a child of an inherited open instance", heir2, "E/Sprite", nil, "", "", supplied},
		{"what the middle scene added, inherited", heir2, "E/Inner/Extra", nil, "", "", supplied},

		{"the user of a resource that no other shares", arms, "Col", nil, "", "", 0},
		{"the root of a closed instance with a script of its scene", arms, "Arm", nil, "", "", instance | fixed},
		{"a child with a script in a closed instance", arms, "Arm/Gun", nil, closed, "", supplied | behind},
		{"the root of an open instance with a script of its scene", arms, "ArmE", nil, "", "", instance | fixed},
		{"a child with a script in an open instance", arms, "ArmE/Gun", nil, "", "", supplied | behind},
		{"the root of an heir with an inherited script", armed, ".", nil, "", "", root},
		{"an inherited node with a script", armed, "Gun", nil, "", "", supplied},

		{"the root with a script that does not compile", broken, ".", nil, "", "", root},
		{"a node with a script that cannot be parsed", broken, "Torn", nil, "", "", 0},
		{"the root of a closed instance with a script that does not compile", breaks, "Shut", nil, "", "", instance | fixed},
		{"a child with a script that cannot be parsed in a closed instance", breaks, "Shut/Torn", nil, closed, "", supplied | behind},
		{"the root of an open instance with a script that does not compile", breaks, "Ajar", nil, "", "", instance | fixed},
		{"a child with a script that cannot be parsed in an open instance", breaks, "Ajar/Torn", nil, "", "", supplied | behind},
	}
	for _, x := range slices.Clone(list) {
		list = append(list, added(x))
	}
	return append(list, []target{

		{"a node without owner", own, "Stray", []string{"human stray . Node2D Stray"}, nobody, "", unowned},
		{"a node below one without owner", own, "Stray/Kid", []string{"human stray . Node2D Stray", "create_node parent_path=Stray node_type=Node2D node_name=Kid"}, nobody, nobody, 0},
		{"a node without owner in an open instance", own, "Edit/Inner/Stray", []string{"human stray Edit/Inner Node2D Stray"}, nobody, "", unowned},

		{"a renamed own node", own, "A9", []string{"rename_node node_path=A new_name=A9"}, "", "", 0},
		{"a renamed closed instance", own, "Inst9", []string{"rename_node node_path=Inst new_name=Inst9"}, "", "", instance | fixed},
		{"a child of a renamed open instance", own, "Edit9/Sprite", []string{"rename_node node_path=Edit new_name=Edit9"}, "", "", supplied | behind},
		{"a moved own node", own, "Spot/B", []string{"move_node node_path=A/B new_parent_path=Spot"}, "", "", 0},
		{"a node moved into an open instance", own, "Edit/Inner/B", []string{"move_node node_path=A/B new_parent_path=Edit/Inner"}, "", "", 0},
		{"a node moved into a closed instance", own, "Inst/Inner/B", []string{"move_node node_path=A/B new_parent_path=Inst/Inner"}, closed, closed, 0},
		{"a moved closed instance", own, "Spot/Inst", []string{"move_node node_path=Inst new_parent_path=Spot"}, "", "", instance | fixed},
		{"a child of a moved closed instance", own, "Spot/Inst/Sprite", []string{"move_node node_path=Inst new_parent_path=Spot"}, closed, "", supplied | behind},
		{"a child of a moved open instance", own, "Spot/Edit/Sprite", []string{"move_node node_path=Edit new_parent_path=Spot"}, "", "", supplied | behind},
		{"a reordered closed instance", own, "Inst", []string{"move_node node_path=Inst new_parent_path=. index=0"}, "", "", instance | fixed},
		{"a child of a reordered open instance", own, "Edit/Sprite", []string{"move_node node_path=Edit new_parent_path=. index=0"}, "", "", supplied | behind},
		{"a renamed node without owner", own, "Other9", []string{"human stray . Node2D Stray", "rename_node node_path=Stray new_name=Other9"}, nobody, "", unowned},
		{"a child of a deleted open instance", own, "Edit/Sprite", []string{"delete_node node_path=Edit confirm=true"}, "", "", missing},
		{"the user of a resource of another scene", own, "ColA", []string{`set_node_property node_path=ColA property=shape value={"resource":"res://HERE/holder.tscn::RectangleShape2D_hold1"}`}, "", "", 0},
		{"the user of a resource inside a file", own, "UI", []string{"set_node_property node_path=UI property=theme value=null", `set_node_property node_path=UI property=theme_override_styles/panel value={"resource":"res://HERE/box.tres::StyleBoxFlat_1a2b3"}`}, "", "", 0},
		{"a node in a group and with a connection made now", own, "Inst", []string{"add_to_group node_path=Inst group=g2", "connect_signal source_path=Inst signal_name=renamed target_path=A method_name=queue_redraw"}, "", "", instance | fixed},
		{"a reordered own node", own, "Spot", []string{"move_node node_path=Spot new_parent_path=. index=0"}, "", "", 0},
		{"a copy of an own node", own, "A2", []string{"duplicate_node node_path=A"}, "", "", 0},
		{"a copy of an open instance", own, "Edit2", []string{"duplicate_node node_path=Edit"}, "", "", instance | fixed},
		{"a child of a copy of an open instance", own, "Edit2/Sprite", []string{"duplicate_node node_path=Edit"}, "", "", supplied | behind},
		{"a new instance", own, "New", []string{"instance_scene parent_path=. scene_path=res://HERE/mid.tscn name=New"}, "", "", instance | fixed},
		{"a child of a new instance", own, "New/E/Sprite", []string{"instance_scene parent_path=. scene_path=res://HERE/mid.tscn name=New"}, closed, closed, supplied},
		{"a child of an instance opened now", own, "Inst/Sprite", []string{"set_editable_children node_path=Inst editable=true"}, "", "", supplied | behind},
		{"a child of an instance closed now", own, "Edit/Sprite", []string{"set_editable_children node_path=Edit editable=false confirm=true"}, closed, "", supplied | behind},
		{"an own node in an instance closed now", own, "Edit/Inner/Under", []string{"set_editable_children node_path=Edit editable=false confirm=true"}, closed, closed, 0},
		{"a child of the inner instance opened now", two, "TwoE/P/Sprite", []string{"set_editable_children node_path=TwoE/P editable=true"}, "", "", supplied},
		{"a deleted node", own, "A", []string{"delete_node node_path=A confirm=true"}, "", "", missing},
		{"a deleted and restored node", own, "A", []string{"delete_node node_path=A confirm=true", "undo"}, "", "", 0},
		{"a deleted and restored open instance", own, "Edit/Sprite", []string{"delete_node node_path=Edit confirm=true", "undo"}, "", "", supplied | behind},
		{"a node taken back", own, "New", []string{"create_node parent_path=. node_type=Node2D node_name=New", "undo"}, "", "", missing},
		{"a node added and saved", own, "New", []string{"create_node parent_path=. node_type=Node2D node_name=New", "save_scene"}, "", "", 0},
		{"an override made now", own, "Edit/Sprite", []string{`set_node_property node_path=Edit/Sprite property=position value=[8,8]`}, "", "", supplied | behind},
		{"a node that got a script", own, "A", []string{"attach_script node_path=A script_path=res://HERE/hero.gd"}, "", "", 0},
		{"a child of an open instance that got a script", own, "Edit/Inner", []string{"attach_script node_path=Edit/Inner script_path=res://HERE/hero.gd"}, "", "", supplied | behind},
		{"the user of a resource whose file is gone", own, "ColC", []string{"gone wide.tres"}, "", "", 0},
		{"an open instance's child with a shape of its own", own, "Edit/Shape", []string{`set_node_property node_path=Edit/Shape property=shape value={"new":"CircleShape2D"}`}, "", "", supplied | behind},
		{"a node that left the base's group", own, "Edit/Sprite", []string{"remove_from_group node_path=Edit/Sprite group=base_group"}, "", "", supplied | behind},
		{"a node whose base connection is broken", own, "Edit/T", []string{"disconnect_signal source_path=Edit/T signal_name=timeout target_path=Edit method_name=queue_redraw confirm=true"}, "", "", supplied | behind},
	}...)
}
