package scene

import (
	"slices"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

const jointPrefix = "joint_constraints/"

func flagPart(name string, on bool) piece {
	return piece{name: name, typ: variant.TypeBool, start: variant.Bool(on)}
}

func realPart(name string, start float32, span string) piece {
	p := piece{name: name, typ: variant.TypeFloat, start: float32Value(start), hintString: span}
	if span != "" {
		p.hint = hintRange
	}
	return p
}

func anglePart(name string, start float32, span string) piece {
	p := realPart(name, start, span)
	p.angle = true
	return p
}

const (
	fraction = "0.01,0.99,0.01"
	sixteen  = "0.01,16,0.01"
	sixteens = "0.01,16.0,0.01"
	turn     = "-180,180,0.01"
)

// jointParts are the constraints of each type of joint of a physical bone (engine 4.6
// experiment).
var jointParts = [][]piece{
	nil,
	{realPart("bias", 0.3, fraction), realPart("damping", 1, "0.01,8.0,0.01"), realPart("impulse_clamp", 0, "0.0,64.0,0.01")},
	{
		anglePart("swing_span", 45, turn), anglePart("twist_span", 180, "-40000,40000,0.1,or_less,or_greater"),
		realPart("bias", 0.3, sixteens), realPart("softness", 0.8, sixteens), realPart("relaxation", 1, sixteens),
	},
	{
		flagPart("angular_limit_enabled", false), anglePart("angular_limit_upper", 90, turn), anglePart("angular_limit_lower", -90, turn),
		realPart("angular_limit_bias", 0.3, fraction), realPart("angular_limit_softness", 0.9, sixteen), realPart("angular_limit_relaxation", 1, sixteen),
	},
	{
		realPart("linear_limit_upper", 1, ""), realPart("linear_limit_lower", -1, ""), realPart("linear_limit_softness", 1, sixteens),
		realPart("linear_limit_restitution", 0.7, sixteens), realPart("linear_limit_damping", 1, "0,16.0,0.01"),
		anglePart("angular_limit_upper", 0, turn), anglePart("angular_limit_lower", 0, turn), realPart("angular_limit_softness", 1, sixteens),
		realPart("angular_limit_restitution", 0.7, sixteens), realPart("angular_limit_damping", 1, "0,16.0,0.01"),
	},
	slices.Concat(axisParts("x/"), axisParts("y/"), axisParts("z/")),
}

func axisParts(axis string) []piece {
	parts := []piece{
		flagPart("linear_limit_enabled", true), realPart("linear_limit_upper", 0, ""), realPart("linear_limit_lower", 0, ""),
		realPart("linear_limit_softness", 0.7, sixteen), flagPart("linear_spring_enabled", false), realPart("linear_spring_stiffness", 0, ""),
		realPart("linear_spring_damping", 0, ""), realPart("linear_equilibrium_point", 0, ""), realPart("linear_restitution", 0.5, sixteen),
		realPart("linear_damping", 1, sixteen), flagPart("angular_limit_enabled", true), anglePart("angular_limit_upper", 0, turn),
		anglePart("angular_limit_lower", 0, turn), realPart("angular_limit_softness", 0.5, sixteen), realPart("angular_restitution", 0, sixteen),
		realPart("angular_damping", 1, sixteen), realPart("erp", 0.5, ""), flagPart("angular_spring_enabled", false),
		realPart("angular_spring_stiffness", 0, ""), realPart("angular_spring_damping", 0, ""), realPart("angular_equilibrium_point", 0, ""),
	}
	for i := range parts {
		parts[i].name = axis + parts[i].name
	}
	return parts
}

func ofJoint(name string) bool {
	return strings.HasPrefix(name, jointPrefix) || name == "joint_type" || name == "joint_offset" || name == "joint_rotation"
}

func describeJoint(have Props, name string) (classdb.PropertyInfo, bool) {
	p := jointPiece(have, name)
	if p == nil {
		return classdb.PropertyInfo{}, false
	}
	return p.info(name, classdb.UsageStorage|classdb.UsageEditor), true
}

// setJoint sets a part of the joint of a physical bone. Another type has constraints of
// its own, which start anew. Offset and rotation are one and follow each other.
func (e Env) setJoint(have Props, name string, v variant.Value) Props {
	o := object{"PhysicalBone3D", have}
	switch name {
	case "joint_type":
		now, _ := have.Get(name)
		to := asInt(v)
		if to < 0 || to >= len(jointParts) {
			to = 0
		}
		if asInt(now) == to {
			return have
		}
		have = slices.DeleteFunc(slices.Clone(have), func(p Prop) bool { return strings.HasPrefix(p.Name, jointPrefix) })
		if to == 0 {
			return have.Without(name)
		}
		return append(have.With(name, variant.Int(int64(to))), begun(jointPrefix, jointParts[to])...)
	case "joint_offset":
		t, _ := v.Transform3D()
		return keep(o, keep(o, have, name, v), "joint_rotation", toEuler(t.Basis, defaultOrder).Value())
	case "joint_rotation":
		offset, _ := e.value(o, "joint_offset")
		t, _ := offset.Transform3D()
		angles, _ := v.Vector3()
		t.Basis = scaledLocal(fromEuler(angles, defaultOrder), scaleOf(t.Basis))
		return keep(o, keep(o, have, "joint_offset", t.Value()), name, toEuler(t.Basis, defaultOrder).Value())
	}
	if p := jointPiece(have, name); p != nil {
		return have.With(name, p.take(v))
	}
	return have
}

// jointPiece finds a constraint of the joint that a bone has.
func jointPiece(have Props, name string) *piece {
	now, _ := have.Get("joint_type")
	what, ok := strings.CutPrefix(name, jointPrefix)
	if i := asInt(now); ok && i >= 0 && i < len(jointParts) {
		return pieceOf(jointParts[i], what)
	}
	return nil
}

// keep gives the values with one that is kept unless an object starts with it.
func keep(o object, have Props, name string, v variant.Value) Props {
	if classOf(o.class).fresh(name).Equal(v) {
		return have.Without(name)
	}
	return have.With(name, v)
}
