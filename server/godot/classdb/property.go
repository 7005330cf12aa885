package classdb

import (
	"slices"

	"godot-mcp/server/godot/classdb/internal/format"
)

// Usage flags of a property that this project asks for (PROPERTY_USAGE_* of the engine).
const (
	UsageStorage           = 1 << 1
	UsageEditor            = 1 << 2
	UsageInternal          = 1 << 3
	UsageClassIsBitfield   = 1 << 9
	UsageScriptVariable    = 1 << 12
	UsageStoreIfNull       = 1 << 13
	UsageClassIsEnum       = 1 << 16
	UsageNilIsVariant      = 1 << 17
	UsageAlwaysDuplicate   = 1 << 19
	UsageNeverDuplicate    = 1 << 20
	UsageNodePathFromRoot  = 1 << 22
	UsageEditorInstantiate = 1 << 26
	UsageReadOnly          = 1 << 28
)

// PropertyInfo is a property as a class has it: its own or an inherited one, with the default of that class.
type PropertyInfo struct {
	Name string
	Type Type
	// ClassName is the class of an object, or the qualified name of an enum.
	ClassName  string
	Hint       int
	HintString string
	Usage      int
	// Owner is the class that declares the property.
	Owner string
	// Default is Godot text, "null" for objects; it is empty and HasDefault false where the engine knows none (bases
	// that cannot be instantiated and the like). The engine writes such properties always.
	Default    string
	HasDefault bool
	// Dynamic properties are reported by an instance and not by ClassDB; Initial is their value, as Godot text, in a
	// fresh instance.
	Dynamic bool
	Initial string
	// Conditional properties are stored by some instances but not by a fresh one: other properties decide.
	Conditional bool
}

// Stored reports whether files hold the property: always, or in some states if it is Conditional.
func (p PropertyInfo) Stored() bool { return p.Usage&UsageStorage != 0 }

// resolved is the property list of one class, in order, with defaults filled in.
type resolved struct {
	list  []PropertyInfo
	index map[string]int
}

// Properties lists the properties of class, those of the base class first, each class in its own order, dynamic ones
// after the ordinary ones of the class that adds them. That is the order of Object.get_property_list and so of scene
// files, checked against an instance of every class when the table was made. The script property and metadata are not
// in the list; see [StoredProperties]. Without includeInherited only those that class declares itself are listed.
func Properties(class string, includeInherited bool) []PropertyInfo {
	e := load().classes[class]
	if e == nil {
		return nil
	}
	list := e.resolve().list
	if includeInherited {
		return slices.Clone(list)
	}
	var own []PropertyInfo
	for _, p := range list {
		if p.Owner == class {
			own = append(own, p)
		}
	}
	return own
}

// Property finds a property of class or of an ancestor, the script property included.
func Property(class, name string) (PropertyInfo, bool) {
	e := load().classes[class]
	if e == nil {
		return PropertyInfo{}, false
	}
	r := e.resolve()
	i, ok := r.index[name]
	if !ok && name == scriptProperty.Name {
		return scriptProperty, true
	}
	if !ok {
		return PropertyInfo{}, false
	}
	return r.list[i], true
}

// Default returns the default value of a property in class as Godot text ("null" for objects); ok is false if there
// is no such property or the engine knows no default for it.
func Default(class, name string) (text string, ok bool) {
	p, _ := Property(class, name)
	return p.Default, p.HasDefault
}

// StoredProperties lists what a scene or resource file can hold for class, in the order in which PackedScene and the
// resource saver write it. The script comes last; a scripted object's variables and then its metadata follow it.
func StoredProperties(class string) []PropertyInfo {
	e := load().classes[class]
	if e == nil {
		return nil
	}
	list := e.resolve().list
	out := make([]PropertyInfo, 0, len(list)+1)
	for _, p := range list {
		if p.Stored() {
			out = append(out, p)
		}
	}
	if !Inherits(class, "Script") {
		out = append(out, scriptProperty)
	}
	return out
}

var scriptProperty = PropertyInfo{
	Name: "script", Type: TypeObject, ClassName: "Script", Hint: 17, HintString: "Script",
	Usage: UsageStorage | UsageEditor, Owner: "Object", Default: "null", HasDefault: true,
}

// Written is a property that a file gets for an untouched node.
type Written struct {
	Name string
	// Value is Godot text, "null" for objects.
	Value string
}

// WrittenFresh lists what PackedScene writes for an untouched node of class below a plain Node: nothing for most.
// Below other parents the layout properties of controls differ.
func WrittenFresh(class string) []Written {
	e := load().classes[class]
	if e == nil {
		return nil
	}
	var out []Written
	for _, w := range e.record().Written {
		out = append(out, Written{Name: w.Name, Value: orNull(w.Value)})
	}
	return out
}

// resolveProperties starts from the parent's list, so ancestors are resolved once for all their descendants.
func resolveProperties(e *entry) *resolved {
	record := e.record()
	var list []PropertyInfo
	if e.parent != nil {
		list = slices.Clone(e.parent.resolve().list)
	}
	if record.Sampled {
		list = slices.DeleteFunc(list, func(p PropertyInfo) bool { return p.Dynamic })
	}
	for _, p := range record.Properties {
		list = append(list, property(p, e.info))
	}
	for _, d := range record.Dynamic {
		list = insertDynamic(list, d, e.info)
	}
	r := &resolved{list: list, index: make(map[string]int, len(list))}
	for i := range list {
		p := &list[i]
		r.index[p.Name] = i
		if text, changed := record.Defaults[p.Name]; changed {
			p.Default, p.HasDefault = defaultText(text, p.Type)
		}
		if record.Sampled {
			_, conditional := slices.BinarySearch(record.Conditional, p.Name)
			p.Conditional = conditional
		}
	}
	return r
}

func property(p format.Property, class ClassInfo) PropertyInfo {
	out := PropertyInfo{
		Name: p.Name, Type: Type(p.Type), ClassName: p.Class, Hint: p.Hint, HintString: p.HintString, Usage: p.Usage,
		Owner: class.Name,
	}
	out.Default, out.HasDefault = defaultText(p.Default, out.Type)
	if p.Default == nil && !class.Instantiable {
		out.Default, out.HasDefault = "", false
	}
	return out
}

// insertDynamic puts a dynamic property after the others of the class that adds it. One that ClassDB lists too, but as
// not stored, takes that one's place instead.
func insertDynamic(list []PropertyInfo, d format.Property, class ClassInfo) []PropertyInfo {
	p := property(d, class)
	p.Owner, p.Dynamic, p.Initial = d.Owner, true, orNull(d.Initial)
	at := len(list)
	for i := range list {
		if list[i].Name == p.Name {
			p.Dynamic = false
			list[i] = p
			return list
		}
		if list[i].Owner == p.Owner {
			at = i + 1
		}
	}
	return slices.Insert(list, at, p)
}

// defaultText turns a dumped default into text. The engine has no default text for objects, nor for Variants that are
// null; for the other types nothing means that it knows no default.
func defaultText(text *string, t Type) (string, bool) {
	if text != nil {
		return *text, true
	}
	if t == TypeObject || t == TypeNil {
		return "null", true
	}
	return "", false
}

func orNull(text *string) string {
	if text == nil {
		return "null"
	}
	return *text
}
