package scene

import (
	"slices"
	"strconv"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/gdscript"
	"godot-mcp/server/godot/variant"
)

// Property hints of the engine that this package sets or asks for.
const (
	hintRange          = 1
	hintEnum           = 2
	hintEnumSuggestion = 3
	hintExpEasing      = 4
	hintLink           = 5
	hintFlags          = 6
	hintResourceType   = 17
	hintPlaceholder    = 20
	hintTypeString     = 23
	hintArrayType      = 31
	hintNodeType       = 34
	hintDictType       = 38
	hintOneShot        = 40
)

// exportType gives an exported variable its type and hints as the GDScript
// compiler does (engine 4.6).
func (e Env) exportType(x *Export, v gdscript.Variable, c scope) {
	name := v.Type
	if name == "" {
		name = v.Value.Type
	}
	if name == "" && v.Value.Source != "" {
		name = c.inferred(v.Value.Source)
	}
	e.typeByName(x, strings.TrimSpace(name), c.decl)
	if x.Type == variant.TypeNil {
		x.Type = annotated[v.Export]
	}
	if v.Export == "@export_storage" {
		x.Usage = classdb.UsageStorage | classdb.UsageScriptVariable
	}
	exportHint(x, v)
	if x.Type == variant.TypeNil && name == "" {
		x.Usage |= classdb.UsageNilIsVariant
	}
}

// typeByName resolves a type as it stands in a script.
func (e Env) typeByName(x *Export, name string, decl *gdscript.Script) {
	if inner, ok := bracketed(name, "Array"); ok {
		x.Type, x.Elem = variant.TypeArray, e.container(inner, decl)
		if !x.Elem.IsAny() {
			x.Hint, x.HintString = hintTypeString, e.typeHint(inner, decl)
		}
		return
	}
	if inner, ok := bracketed(name, "Dictionary"); ok {
		x.Type = variant.TypeDictionary
		if k, v, ok := strings.Cut(inner, ","); ok {
			k, v = strings.TrimSpace(k), strings.TrimSpace(v)
			x.Key, x.Val = e.container(k, decl), e.container(v, decl)
			if !x.Key.IsAny() || !x.Val.IsAny() {
				x.Hint, x.HintString = hintTypeString, e.typeHint(k, decl)+";"+e.typeHint(v, decl)
			}
		}
		return
	}
	c := e.container(name, decl)
	x.Type, x.Class = c.Type, c.Class
	if elem, packed := packedOf[c.Type]; packed {
		x.Hint, x.HintString = hintTypeString, strconv.Itoa(int(elem))+":"
	}
	switch {
	case c.Type == variant.TypeObject && e.derives(c, "Node"):
		x.Hint, x.HintString = hintNodeType, typeName(c, e)
	case c.Type == variant.TypeObject && e.derives(c, "Resource"):
		x.Hint, x.HintString = hintResourceType, typeName(c, e)
	case c.Type == variant.TypeInt && name != "int":
		x.Hint, x.Class = hintEnum, name
		x.HintString = e.enumHint(name, decl)
		x.Usage |= classdb.UsageClassIsEnum
	}
	if c.Type == variant.TypeObject && x.Class == "" {
		x.Class = typeName(c, e)
	}
}

// typeName names a container type by its class_name where it is a script's.
func typeName(c variant.ContainerType, e Env) string {
	if !c.Script.IsNil() {
		if r, ok := c.Script.Resource(); ok {
			// Only the head of the script: its variables may be of this script's type.
			if text, ok := e.Lib.Read(r.Path); ok {
				if name := scan(text).Name; name != "" {
					return name
				}
			}
		}
	}
	return c.Class
}

func bracketed(name, of string) (string, bool) {
	rest, ok := strings.CutPrefix(name, of+"[")
	if !ok {
		return "", false
	}
	return strings.CutSuffix(rest, "]")
}

// container resolves one type name: a builtin type, an engine class, a
// class_name, or an enum (an int).
func (e Env) container(name string, decl *gdscript.Script) variant.ContainerType {
	switch name {
	case "", "Variant":
		return variant.ContainerType{}
	case "Array", "Dictionary":
		t, _ := variant.TypeByName(name)
		return variant.ContainerType{Type: t}
	}
	if t, ok := variant.TypeByName(name); ok && t != variant.TypeObject {
		return variant.ContainerType{Type: t}
	}
	if strings.HasPrefix(name, "Array[") || strings.HasPrefix(name, "Dictionary[") {
		t, _ := variant.TypeByName(name[:strings.IndexByte(name, '[')])
		return variant.ContainerType{Type: t}
	}
	if classdb.Exists(name) {
		return variant.ContainerType{Type: variant.TypeObject, Class: name}
	}
	if p := e.Lib.ClassPath(name); p != "" {
		return variant.ContainerType{Type: variant.TypeObject, Class: e.nativeOf(p), Script: variant.Resource(p)}
	}
	if isEnum(name, decl) || strings.Contains(name, ".") {
		return variant.ContainerType{Type: variant.TypeInt}
	}
	return variant.ContainerType{}
}

// isEnum reports whether a name is that of an enum of the script or a global one.
func isEnum(name string, decl *gdscript.Script) bool {
	return slices.ContainsFunc(decl.Enums, func(en gdscript.Enum) bool { return en.Name == name }) ||
		slices.ContainsFunc(classdb.GlobalEnums(), func(en classdb.Enum) bool { return en.Name == name })
}

// nativeOf follows the extends lines of a script to the engine class, without
// looking at its variables.
func (e Env) nativeOf(path string) string {
	for range maxBases {
		text, ok := e.Lib.Read(path)
		if !ok {
			return "RefCounted"
		}
		x := scan(text).Extends
		next := e.basePath(x, path)
		if next == "" {
			if len(x.Names) > 0 {
				return x.Names[0]
			}
			return "RefCounted"
		}
		path = next
	}
	return "RefCounted"
}

func (e Env) derives(c variant.ContainerType, from string) bool {
	return c.Type == variant.TypeObject && classdb.Inherits(c.Class, from)
}
