package scene

import (
	"strconv"

	"godot-mcp/server/godot/classdb"
)

// restBone puts a physical bone where its bone is, when it comes into the tree below a
// skeleton or what simulates one. Its joint begins where the bone does (engine 4.6).
func (e Env) restBone(id NodeID) {
	n := e.Node(id)
	parent := e.Node(n.Parent)
	if parent == nil || !classdb.Inherits(n.Class, "PhysicalBone3D") {
		return
	}
	skeleton := parent
	if classdb.Inherits(parent.Class, "PhysicalBoneSimulator3D") {
		skeleton = e.Node(parent.Parent)
	}
	if skeleton == nil || !classdb.Inherits(skeleton.Class, "Skeleton3D") {
		return
	}
	body := e.transform(n.object(), "body_offset")
	if joint := e.transform(n.object(), "joint_offset"); joint.Origin != inverse3(body).Origin {
		joint.Origin = inverse3(body).Origin
		e.put(id, "joint_offset", joint.Value())
	}
	at := e.global3(skeleton)
	name, _ := e.value(n.object(), "bone_name")
	text, _ := name.Text()
	for i, bone := range bones(skeleton) {
		if bone == text && text != "" {
			at = mul3(at, e.bonePose(skeleton, i, 0))
			break
		}
	}
	at = mul3(at, body)
	at.Basis = orthonormal(at.Basis)
	e.setComputed3D(e.Node(id), "global_transform", at.Value())
}

func (e Env) transform(o object, name string) xf3 {
	v, _ := e.value(o, name)
	t, ok := v.Transform3D()
	if !ok {
		return identity3
	}
	return t
}

// bonePose gives the place of a bone in its skeleton. A chain of parents that has no end
// is followed once around.
func (e Env) bonePose(skeleton *Node, bone, depth int) xf3 {
	o := skeleton.object()
	prefix := "bones/" + strconv.Itoa(bone) + "/"
	on, _ := o.props.Get(prefix + "enabled")
	t := e.transform(o, prefix+"rest")
	if enabled, _ := on.Bool(); enabled && !e.flag(skeleton, "show_rest_only") {
		rotation, _ := o.props.Get(prefix + "rotation")
		scale, _ := o.props.Get(prefix + "scale")
		place, _ := o.props.Get(prefix + "position")
		q, _ := rotation.Quaternion()
		s, _ := scale.Vector3()
		t.Basis = scaledLocal(quatToBasis(q), s)
		t.Origin, _ = place.Vector3()
	}
	up, _ := o.props.Get(prefix + "parent")
	if parent := asInt(up); parent >= 0 && depth <= len(bones(skeleton)) {
		return mul3(e.bonePose(skeleton, parent, depth+1), t)
	}
	return t
}
