package scene

import (
	"slices"
	"strconv"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// dynamic is a class with properties that it makes up itself: bones, items, joints and
// caches, of which no class table knows. An object that has one part of such a thing has
// them all, and a file holds each with any value, so that files of older engines get what
// those did not write.
type dynamic struct {
	// owns reports whether a property is one of these, or one that brings them.
	owns func(name string) bool
	// set gives the properties of an object after one was set, in the engine's order;
	// what the class does not take is left out.
	set func(e Env, have Props, name string, v variant.Value) Props
	// describe gives what a property list says of one that is there; ok is false for those
	// that are declared by the class.
	describe func(have Props, name string) (p classdb.PropertyInfo, ok bool)
}

// dynamics are these classes.
func dynamics() map[string]*dynamic {
	return map[string]*dynamic{
		"Skeleton3D":     {owns: under("bones/"), set: Env.setBone, describe: describeBone},
		"PhysicalBone3D": {owns: ofJoint, set: Env.setJoint, describe: describeJoint},
		"MeshLibrary":    {owns: under("item/"), set: Env.setMeshItem, describe: describeMeshItem},
		"FontFile":       {owns: ofFont, set: Env.setFont, describe: describeFont},
	}
}

func under(prefix string) func(string) bool {
	return func(name string) bool { return strings.HasPrefix(name, prefix) }
}

// dynamicOf gives what a class makes up, nil if that is nothing.
func dynamicOf(class string) *dynamic {
	for owner, d := range dynamics() {
		if classdb.Inherits(class, owner) {
			return d
		}
	}
	return nil
}

// piece is one property of a thing that a class makes up, with what it starts with.
type piece struct {
	name       string
	typ        variant.Type
	start      variant.Value
	class      string
	hint       int
	hintString string
	// angle says that degrees are kept in radians.
	angle bool
}

func (p *piece) info(name string, usage int) classdb.PropertyInfo {
	return classdb.PropertyInfo{
		Name: name, Type: classdb.Type(p.typ), ClassName: p.class, Hint: p.hint, HintString: p.hintString, Usage: usage, Dynamic: true,
	}
}

// take gives what a part keeps of a value.
func (p *piece) take(v variant.Value) variant.Value {
	v = castTo(p.typ, v)
	if p.angle {
		return radToDeg(degToRad(v))
	}
	if f, ok := v.Float(); ok {
		return variant.Float(float64(float32(f)))
	}
	return v
}

func pieceOf(parts []piece, name string) *piece {
	if i := slices.IndexFunc(parts, func(p piece) bool { return p.name == name }); i >= 0 {
		return &parts[i]
	}
	return nil
}

// slice gives a part of a name between slashes.
func slice(name string, i int) string {
	parts := strings.Split(name, "/")
	if i < len(parts) {
		return parts[i]
	}
	return ""
}

// numberIn gives a part of a name as a number, as the engine reads it.
func numberIn(name string, i int) int { return asInt(variant.String(slice(name, i))) }

// begun gives the parts of a new thing.
func begun(prefix string, parts []piece) Props {
	out := make(Props, len(parts))
	for i, p := range parts {
		out[i] = Prop{prefix + p.name, p.start}
	}
	return out
}

// countOf tells how many things with numbers there are.
func countOf(have Props, folder, first string) (n int) {
	for {
		if _, ok := have.Get(folder + strconv.Itoa(n) + "/" + first); !ok {
			return n
		}
		n++
	}
}

// behind puts properties behind the last with a prefix; at the end if there is none.
func behind(have Props, prefix string, more ...Prop) Props {
	at := len(have)
	for i, p := range have {
		if strings.HasPrefix(p.Name, prefix) {
			at = i + 1
		}
	}
	return slices.Insert(slices.Clone(have), at, more...)
}
