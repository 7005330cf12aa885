package scene

import (
	"math"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// Property describes one property of a live node or resource.
type Property struct {
	classdb.PropertyInfo
	// Export is set for the variable of a script.
	Export *Export
}

// VariantType gives the declared type.
func (p Property) VariantType() variant.Type { return variant.Type(p.Type) }

// object is what nodes and resources have in common.
type object struct {
	class string
	props Props
}

func (n *Node) object() object     { return object{n.Class, n.Props} }
func (r *Resource) object() object { return object{r.Class, r.Props} }

// ScriptOf describes the script of a node; nil if it has none that can be read.
func (e Env) ScriptOf(n *Node) *Script { return e.scriptOf(n.object()) }

func (e Env) scriptOf(o object) *Script {
	v, ok := o.props.Get("script")
	if !ok {
		return nil
	}
	r := e.Res(ResOf(v))
	if r == nil {
		return nil
	}
	return e.scriptIn(r)
}

// scriptIn describes the script that a resource is.
func (e Env) scriptIn(r *Resource) *Script {
	if source, ok := r.Props.Get("script/source"); ok {
		text, _ := source.Text()
		return e.script(r.Path, text, 0)
	}
	return e.ScriptAt(r.Path)
}

// ScriptPath gives the file of a node's script, "built-in" for one inside the
// scene file, "" for none.
func (e Env) ScriptPath(n *Node) string {
	v, ok := n.Props.Get("script")
	if !ok {
		return ""
	}
	r := e.Res(ResOf(v))
	if r == nil {
		return ""
	}
	if r.Path == "" || strings.Contains(r.Path, "::") {
		return "built-in"
	}
	return r.Path
}

// Property finds a property of a node by name, without colons.
func (e Env) Property(n *Node, name string) (Property, bool) { return e.property(n.object(), name) }

// ResProperty is [Env.Property] for resources.
func (e Env) ResProperty(r *Resource, name string) (Property, bool) {
	return e.property(r.object(), name)
}

func (e Env) property(o object, name string) (Property, bool) {
	c := classOf(o.class)
	if p, ok := c.property(name); ok {
		return Property{PropertyInfo: p}, true
	}
	if x := e.scriptOf(o).Export(name); x != nil {
		return exported(x), true
	}
	if strings.HasPrefix(name, MetaPrefix) {
		_, ok := o.props.Get(name)
		p, _ := c.synthetic(name)
		return Property{PropertyInfo: p}, ok
	}
	if p, ok := c.synthetic(name); ok {
		return Property{PropertyInfo: p}, true
	}
	if name == overrideOfFirst.Name && e.onePiece(o) {
		return Property{PropertyInfo: overrideOfFirst}, true
	}
	if l := c.elements; l != nil {
		if p, ok := l.property(o, name); ok {
			return p, true
		}
	}
	// A property that the class table does not know, but a file has.
	if v, ok := o.props.Get(name); ok {
		if c.dynamic != nil && c.dynamic.owns(name) {
			if p, made := c.dynamic.describe(o.props, name); made {
				p.Owner = o.class
				if p.Type == classdb.Type(variant.TypeNil) {
					p.Type = classdb.Type(v.Type())
				}
				return Property{PropertyInfo: p}, true
			}
		}
		return Property{PropertyInfo: classdb.PropertyInfo{
			Name: name, Type: classdb.Type(v.Type()), Usage: classdb.UsageStorage | classdb.UsageEditor, Owner: o.class, Dynamic: true,
		}}, true
	}
	return Property{}, false
}

func exported(x *Export) Property {
	return Property{Export: x, PropertyInfo: classdb.PropertyInfo{
		Name: x.Name, Type: classdb.Type(x.Type), ClassName: x.Class, Hint: x.Hint, HintString: x.HintString, Usage: x.Usage,
		HasDefault: x.HasDefault,
	}}
}

// Properties lists all properties of a node in the engine's order: the class, the
// script property, script variables, metadata.
func (e Env) Properties(n *Node) []Property { return e.properties(n.object()) }

func (e Env) properties(o object) []Property {
	c := classOf(o.class)
	out := make([]Property, 0, len(c.props)+8)
	seen := make(map[string]bool, len(c.props))
	untold := e.untoldOf(o)
	for i, p := range c.props {
		if contains(untold, p.Name) {
			continue
		}
		if p.Name == "scale" && p.Owner == "Control" {
			p.Hint = hintLink // in the editor only (engine 4.6), so the class table lacks it
		}
		out = append(out, Property{PropertyInfo: p})
		seen[p.Name] = true
		if p.Name == "skeleton" && p.Owner == "MeshInstance3D" && e.onePiece(o) {
			out = append(out, Property{PropertyInfo: overrideOfFirst})
			seen[overrideOfFirst.Name] = true
		}
		if i == c.elementsEnd {
			for _, name := range c.elements.names(o) {
				p, _ := c.elements.property(o, name)
				out = append(out, p)
				seen[name] = true
			}
		}
		if i == c.controlEnd {
			for _, x := range c.theme {
				p := x.info
				if _, set := o.props.Get(x.name); set {
					p.Usage |= classdb.UsageStorage
				}
				out = append(out, Property{PropertyInfo: p})
				seen[x.name] = true
			}
		}
	}
	if s := e.scriptOf(o); s != nil {
		for i := range s.Exports {
			out = append(out, exported(&s.Exports[i]))
			seen[s.Exports[i].Name] = true
		}
	}
	for _, x := range o.props {
		if !seen[x.Name] && !contains(untold, x.Name) {
			if p, ok := e.property(o, x.Name); ok {
				if strings.HasPrefix(x.Name, MetaPrefix) {
					p.Type = classdb.Type(x.Value.Type()) // metadata takes any value, lists tell the present one
				}
				out = append(out, p)
			}
		}
	}
	return out
}

// overrideOfFirst is the property that a mesh instance has for the material of the
// first surface of its mesh.
var overrideOfFirst = classdb.PropertyInfo{
	Name: "surface_material_override/0", Type: classdb.Type(variant.TypeObject), ClassName: "BaseMaterial3D,ShaderMaterial",
	Hint: hintResourceType, HintString: "BaseMaterial3D,ShaderMaterial", Usage: classdb.UsageStorage | classdb.UsageEditor,
	Owner: "MeshInstance3D", Default: "null", HasDefault: true,
}

// onePiece reports whether a mesh instance shows a mesh that the engine makes, which
// has one surface.
func (e Env) onePiece(o object) bool {
	if !classdb.Inherits(o.class, "MeshInstance3D") {
		return false
	}
	v, _ := o.props.Get("mesh")
	r := e.Res(ResOf(v))
	return r != nil && classdb.Inherits(r.Class, "PrimitiveMesh")
}

// defaultOf gives the value of a property that nobody set, with the variables of a
// script; ok is false when the engine knows none.
func (e Env) defaultOf(o object, script *Script, name string) (variant.Value, bool) {
	c := classOf(o.class)
	if v, ok := c.classDefault(name); ok {
		return v, true
	}
	if x := script.Export(name); x != nil {
		return x.Default, x.HasDefault
	}
	return variant.Nil, false
}

// value gives the value that is stored for a property, or the one it starts with.
func (e Env) value(o object, name string) (variant.Value, bool) {
	if v, ok := o.props.Get(name); ok {
		return v, true
	}
	c := classOf(o.class)
	if _, ok := c.index[name]; ok {
		return c.fresh(name), true
	}
	if x := e.scriptOf(o).Export(name); x != nil {
		return x.Default, true
	}
	if element, at, ok := c.elements.part(name); ok && element < c.elements.size(o) {
		return c.elements.begins(element, at), true
	}
	if p, ok := c.synthetic(name); ok && !strings.HasPrefix(name, MetaPrefix) {
		if strings.HasPrefix(name, "theme_override_") {
			return variant.Nil, true
		}
		return zero(variant.Type(p.Type)), true
	}
	return variant.Nil, false
}

// scriptsByPath gives a list or dictionary with the scripts of its elements as the types
// of variables name them.
func (e Env) scriptsByPath(v variant.Value) variant.Value {
	named := func(c variant.ContainerType) variant.ContainerType {
		if r := e.Res(ResOf(c.Script)); r != nil {
			c.Script = variant.Resource(r.Path)
			if c.Class == "" {
				c.Class = e.nativeOf(r.Path) // files name the script alone
			}
		}
		return c
	}
	if a, ok := v.Array(); ok && !a.Elem.Script.IsNil() {
		return variant.NewTypedArray(named(a.Elem), a.Items()...)
	}
	if d, ok := v.Dictionary(); ok && !(d.Key.Script.IsNil() && d.Val.Script.IsNil()) {
		return variant.NewTypedDictionary(named(d.Key), named(d.Val), d.Entries()...)
	}
	return v
}

// with gives the values with one changed. A value that the property starts with is
// not kept, since it says nothing; metadata that is there can
// be null, and null makes none (engine 4.6).
func (e Env) with(o object, name string, v variant.Value) Props {
	if strings.HasPrefix(name, MetaPrefix) {
		if _, there := o.props.Get(name); v.IsNil() && !there {
			return o.props
		}
		return o.props.With(name, v)
	}
	if o.class == "Curve" && (name == curveLimits || contains(limitNames, name)) {
		return e.withLimits(o, name, v)
	}
	c := classOf(o.class)
	if c.dynamic != nil && c.dynamic.owns(name) {
		return c.dynamic.set(e, o.props, name, v)
	}
	if _, ok := c.index[name]; ok {
		if c.control && (name == "layout_mode" || name == "anchors_preset") {
			return o.props.With(name, v)
		}
		if c.hasFresh(name) && c.fresh(name).Equal(v) {
			return o.props.Without(name)
		}
		return o.props.With(name, v)
	}
	if element, at, ok := c.elements.part(name); ok && c.elements.begins(element, at).Equal(v) {
		return o.props.Without(name)
	}
	script := e.scriptOf(o)
	if x := script.Export(name); x != nil && x.HasDefault {
		if x.Default.Equal(e.scriptsByPath(v)) || !script.Tool && passesFor(v, x.Default) {
			return o.props.Without(name)
		}
	}
	if strings.HasPrefix(name, "theme_override_") && v.IsNil() {
		return o.props.Without(name)
	}
	return o.props.With(name, v)
}

// different reports whether the packer takes two values for different: floats
// within the engine's tolerance are the same, null and no object are the same.
func different(a, b variant.Value) bool {
	if a.Type() == variant.TypeFloat && b.Type() == variant.TypeFloat {
		x, _ := a.Float()
		y, _ := b.Float()
		return !approx(x, y)
	}
	if a.Type() == b.Type() {
		return !a.Equal(b)
	}
	if x, ok := a.Number(); ok {
		if y, ok := b.Number(); ok {
			return x != y
		}
	}
	if a.Type().IsStringLike() && b.Type().IsStringLike() {
		x, _ := a.Text()
		y, _ := b.Text()
		return x != y
	}
	if a.IsNil() || b.IsNil() {
		return !(isNull(a) && isNull(b))
	}
	if c, ok := variant.ConvertStrict(b, a.Type()); ok && a.Type() != variant.TypeString && a.Type() != variant.TypeNodePath {
		return !a.Equal(c)
	}
	return true
}

// passesFor reports whether the engine takes a value for the one that a variable starts
// with, though its type is another: numbers and texts are compared, and where there is no
// operator for two types, nothing tells them apart (engine 4.6).
func passesFor(v, start variant.Value) bool {
	if v.Type() == start.Type() || v.IsNil() || start.IsNil() {
		return false
	}
	x, number := v.Number()
	y, numbers := start.Number()
	if number && numbers {
		return x == y
	}
	texts := func(t variant.Type) bool { return t == variant.TypeString || t == variant.TypeStringName }
	if texts(v.Type()) && texts(start.Type()) {
		s, _ := v.Text()
		t, _ := start.Text()
		return s == t
	}
	return true
}

func isNull(v variant.Value) bool {
	return v.IsNil() || v.Type() == variant.TypeObject && v.Equal(variant.Value{})
}

// approx is Math::is_equal_approx.
func approx(a, b float64) bool {
	if a == b || math.IsNaN(a) && math.IsNaN(b) {
		return true
	}
	const epsilon = 0.00001
	return math.Abs(a-b) < max(epsilon*math.Abs(a), epsilon)
}
