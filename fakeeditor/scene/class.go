package scene

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// class is what this package asks of an engine class again and again.
type class struct {
	name  string
	props []classdb.PropertyInfo // all, in the engine's order; the script property is last
	index map[string]int
	// defaults are parsed when they are first asked for.
	defaults []sync.Once
	values   []variant.Value
	// written are the properties that a fresh node writes although nobody set them.
	written []string
	// ends[i] is the index of the last property that ancestor i of the chain declares.
	// theme are the theme overrides, in order, and overrides where each stands.
	theme     []themeOverride
	overrides map[string]int
	// conditions are those of properties that only some states have, by name.
	conditions map[string][]when
	// dynamic makes up properties, nil for most.
	dynamic *dynamic
	// elements are the lists that nodes hold, which stand behind the property at elementsEnd.
	elements    *elementList
	elementsEnd int

	control, node2d, node3d, canvasItem, container, isRange, mixer bool
	controlEnd                                                     int
	known                                                          bool
}

// classes are those asked for so far. The map is never changed: a new class makes a
// new one, and looking one up, which every property does, takes no lock.
var (
	classes   atomic.Pointer[map[string]*class]
	addingOne sync.Mutex
)

func classOf(name string) *class {
	if known := classes.Load(); known != nil {
		if c, ok := (*known)[name]; ok {
			return c
		}
	}
	return newClass(name)
}

func newClass(name string) *class {
	addingOne.Lock()
	defer addingOne.Unlock()
	all := map[string]*class{}
	if known := classes.Load(); known != nil {
		if c, ok := (*known)[name]; ok {
			return c
		}
		all = maps.Clone(*known)
	}
	c := &class{name: name, known: classdb.Exists(name)}
	c.props = classdb.Properties(name, true)
	if p, ok := classdb.Property(name, "script"); ok && (len(c.props) == 0 || c.props[len(c.props)-1].Name != "script") {
		c.props = append(c.props, p)
	}
	c.index = make(map[string]int, len(c.props))
	for i, p := range c.props {
		c.index[p.Name] = i
		if p.Owner == "Control" || p.Owner == "Window" {
			c.controlEnd = i
		}
	}
	for _, w := range classdb.WrittenFresh(name) {
		if _, ok := c.index[w.Name]; ok && !contains(c.written, w.Name) {
			c.written = append(c.written, w.Name)
		}
	}
	c.elementsEnd = -1
	if c.elements = elementsOf(name); c.elements != nil {
		for i, p := range c.props {
			if p.Owner == c.elements.owner && p.Name != "script" {
				c.elementsEnd = i
			}
		}
	}
	c.defaults = make([]sync.Once, len(c.props))
	c.values = make([]variant.Value, len(c.props))
	c.control = classdb.Inherits(name, "Control")
	c.theme = themeOverrides(name)
	c.overrides = make(map[string]int, len(c.theme))
	for i, o := range c.theme {
		c.overrides[o.name] = i
	}
	c.mixer = classdb.Inherits(name, "AnimationMixer")
	c.conditions = conditionsOf(c.props)
	c.dynamic = dynamicOf(name)
	c.isRange = classdb.Inherits(name, "Range")
	c.container = classdb.Inherits(name, "Container")
	c.node2d = classdb.Inherits(name, "Node2D")
	c.node3d = classdb.Inherits(name, "Node3D")
	c.canvasItem = classdb.Inherits(name, "CanvasItem")
	all[name] = c
	classes.Store(&all)
	return c
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// property finds a property of the class itself.
func (c *class) property(name string) (classdb.PropertyInfo, bool) {
	i, ok := c.index[name]
	if !ok {
		return classdb.PropertyInfo{}, false
	}
	return c.props[i], true
}

// classDefault gives the default of a property; ok is false if the engine knows none.
func (c *class) classDefault(name string) (variant.Value, bool) {
	i, ok := c.index[name]
	if !ok || !c.props[i].HasDefault {
		return variant.Nil, false
	}
	return c.parsed(i, c.props[i].Default), true
}

// hasFresh reports whether the value of a property in a new object is known. Some
// properties exist only in certain states of an object; those are stored whatever
// their value once they are there.
func (c *class) hasFresh(name string) bool {
	p := &c.props[c.index[name]]
	return p.HasDefault || p.Dynamic && p.Initial != "" || !p.Conditional
}

// fresh gives the value that a property has in a new object.
func (c *class) fresh(name string) variant.Value {
	i, ok := c.index[name]
	if !ok {
		return variant.Nil
	}
	p := &c.props[i]
	if text, ok := beginnings[p.Owner+"."+p.Name]; ok {
		v, _ := variant.ParseText(text)
		if f, ok := v.Float(); ok {
			v = variant.Float(float64(float32(f)))
		}
		return v
	}
	if p.Conditional && name == "vertical" {
		return variant.Bool(strings.HasPrefix(c.name, "V")) // boxes that are named for their direction
	}
	switch {
	case p.Initial != "" && p.Dynamic:
		v, err := variant.ParseText(p.Initial)
		if err == nil {
			return v
		}
	case p.HasDefault:
		return c.parsed(i, p.Default)
	}
	for _, w := range classdb.WrittenFresh(c.name) {
		if w.Name == name {
			if v, err := variant.ParseText(w.Value); err == nil {
				return v
			}
		}
	}
	return zero(variant.Type(p.Type))
}

func (c *class) parsed(i int, text string) variant.Value {
	c.defaults[i].Do(func() {
		v, err := variant.ParseText(text)
		if err != nil {
			return
		}
		p := &c.props[i]
		if f, ok := v.Float(); ok && variant.Type(p.Type) == variant.TypeFloat && !doubles()[p.Owner+"."+p.Name] {
			v = variant.Float(float64(float32(f))) // the text is the shortest for the 32-bit number
		}
		c.values[i] = v
	})
	return c.values[i]
}

// valueType gives the type that values of a property have: that of its default,
// which for texts may differ from what the property list says.
func (c *class) valueType(name string) variant.Type {
	i := c.index[name]
	if t := variant.Type(c.props[i].Type); !t.IsStringLike() {
		return t
	}
	if v, ok := c.classDefault(name); ok && v.Type().IsStringLike() {
		return v.Type()
	}
	return variant.Type(c.props[i].Type)
}

// zero gives the value that a variable of a type has when nothing else is said.
func zero(t variant.Type) variant.Value {
	v, _ := variant.ParseText(zeroText[t])
	return v
}

var zeroText = map[variant.Type]string{
	variant.TypeNil: "null", variant.TypeBool: "false", variant.TypeInt: "0", variant.TypeFloat: "0.0",
	variant.TypeString: `""`, variant.TypeVector2: "Vector2(0, 0)", variant.TypeVector2i: "Vector2i(0, 0)",
	variant.TypeRect2: "Rect2(0, 0, 0, 0)", variant.TypeRect2i: "Rect2i(0, 0, 0, 0)",
	variant.TypeVector3: "Vector3(0, 0, 0)", variant.TypeVector3i: "Vector3i(0, 0, 0)",
	variant.TypeTransform2D: "Transform2D(1, 0, 0, 1, 0, 0)", variant.TypeVector4: "Vector4(0, 0, 0, 0)",
	variant.TypeVector4i: "Vector4i(0, 0, 0, 0)", variant.TypePlane: "Plane(0, 0, 0, 0)",
	variant.TypeQuaternion: "Quaternion(0, 0, 0, 1)", variant.TypeAABB: "AABB(0, 0, 0, 0, 0, 0)",
	variant.TypeBasis:       "Basis(1, 0, 0, 0, 1, 0, 0, 0, 1)",
	variant.TypeTransform3D: "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)",
	variant.TypeProjection:  "Projection(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)",
	variant.TypeColor:       "Color(0, 0, 0, 1)", variant.TypeStringName: `&""`, variant.TypeNodePath: `NodePath("")`,
	variant.TypeCallable: "Callable()", variant.TypeSignal: "Signal()", variant.TypeRID: "RID()",
	variant.TypeObject: "null", variant.TypeDictionary: "{}", variant.TypeArray: "[]",
	variant.TypePackedByteArray: "PackedByteArray()", variant.TypePackedInt32Array: "PackedInt32Array()",
	variant.TypePackedInt64Array: "PackedInt64Array()", variant.TypePackedFloat32Array: "PackedFloat32Array()",
	variant.TypePackedFloat64Array: "PackedFloat64Array()", variant.TypePackedStringArray: "PackedStringArray()",
	variant.TypePackedVector2Array: "PackedVector2Array()", variant.TypePackedVector3Array: "PackedVector3Array()",
	variant.TypePackedColorArray: "PackedColorArray()", variant.TypePackedVector4Array: "PackedVector4Array()",
}

// MetaPrefix begins the property names of metadata.
const MetaPrefix = "metadata/"

// synthetic describes properties that exist only once they are set: theme
// overrides and metadata.
func (c *class) synthetic(name string) (classdb.PropertyInfo, bool) {
	folder, rest, ok := strings.Cut(name, "/")
	if !ok || rest == "" {
		return classdb.PropertyInfo{}, false
	}
	if i, ok := c.overrides[name]; ok {
		p := c.theme[i].info
		p.Usage |= classdb.UsageStorage
		return p, true
	}
	if folder == "metadata" {
		return classdb.PropertyInfo{Name: name, Usage: classdb.UsageStorage | classdb.UsageNilIsVariant, Owner: "Object", Dynamic: true}, true
	}
	return classdb.PropertyInfo{}, false
}

// IsNodeClass reports whether a name is an engine class of nodes.
func IsNodeClass(name string) bool { return classdb.Exists(name) && classdb.Inherits(name, "Node") }
