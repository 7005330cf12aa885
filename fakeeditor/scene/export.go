package scene

import (
	"strconv"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/gdscript"
	"godot-mcp/server/godot/variant"
)

// Property hints of the engine that this package sets or asks for.
const (
	hintRange        = 1
	hintEnum         = 2
	hintExpEasing    = 4
	hintLink         = 5
	hintFlags        = 6
	hintResourceType = 17
	hintTypeString   = 23
	hintArrayType    = 31
	hintNodeType     = 34
	hintDictType     = 38
)

// exportType gives an exported variable its type and hints as the GDScript
// compiler does (engine 4.6).
func (e Env) exportType(x *Export, v gdscript.Variable, decl *gdscript.Script) {
	name := v.Type
	if name == "" {
		name = v.Value.Type
	}
	e.typeByName(x, strings.TrimSpace(name), decl)
	switch v.Export {
	case "@export_range":
		x.Hint, x.HintString = hintRange, joinArgs(v)
	case "@export_enum":
		x.Hint, x.HintString = hintEnum, joinArgs(v)
		if x.Type == variant.TypeNil {
			x.Type = variant.TypeInt
		}
	case "@export_flags":
		x.Hint, x.HintString = hintFlags, joinArgs(v)
		if x.Type == variant.TypeNil {
			x.Type = variant.TypeInt
		}
	case "@export_storage":
		x.Usage = classdb.UsageStorage | classdb.UsageScriptVariable
	case "@export_node_path":
		x.Type = variant.TypeNodePath
	case "@export_color_no_alpha":
		if x.Type == variant.TypeNil {
			x.Type = variant.TypeColor
		}
	case "@export_multiline", "@export_file", "@export_file_path", "@export_dir", "@export_global_file", "@export_global_dir", "@export_placeholder":
		if x.Type == variant.TypeNil {
			x.Type = variant.TypeString
		}
	case "@export_exp_easing":
		x.Hint, x.HintString = hintExpEasing, joinArgs(v)
		if x.Type == variant.TypeNil {
			x.Type = variant.TypeFloat
		}
	}
	if strings.HasPrefix(v.Export, "@export_flags_") && x.Type == variant.TypeNil {
		x.Type = variant.TypeInt
	}
	if x.Type == variant.TypeNil && name == "" {
		x.Usage |= classdb.UsageNilIsVariant
	}
}

func joinArgs(v gdscript.Variable) string {
	for _, a := range v.Annotations {
		if a.Name == v.Export {
			var args []string
			for _, s := range a.Args {
				if q, err := variant.ParseText(s); err == nil {
					if t, ok := q.Text(); ok {
						s = t
					} else if n, ok := q.Number(); ok && v.Export == "@export_range" {
						// The annotation takes floats (engine 4.6: 1 becomes "1.0").
						s = string(variant.AppendText(nil, variant.Float(n)))
					}
				}
				args = append(args, s)
			}
			return strings.Join(args, ",")
		}
	}
	return ""
}

// typeByName resolves a type as it stands in a script.
func (e Env) typeByName(x *Export, name string, decl *gdscript.Script) {
	if inner, ok := bracketed(name, "Array"); ok {
		x.Type, x.Elem = variant.TypeArray, e.container(inner, decl)
		e.elementHints(x)
		return
	}
	if inner, ok := bracketed(name, "Dictionary"); ok {
		x.Type = variant.TypeDictionary
		if k, v, ok := strings.Cut(inner, ","); ok {
			x.Key, x.Val = e.container(strings.TrimSpace(k), decl), e.container(strings.TrimSpace(v), decl)
		}
		e.elementHints(x)
		return
	}
	c := e.container(name, decl)
	x.Type, x.Class = c.Type, c.Class
	switch {
	case c.Type == variant.TypeObject && e.derives(c, "Node"):
		x.Hint, x.HintString = hintNodeType, typeName(c, e)
	case c.Type == variant.TypeObject && e.derives(c, "Resource"):
		x.Hint, x.HintString = hintResourceType, typeName(c, e)
	case c.Type == variant.TypeInt && name != "int":
		x.Hint, x.Class = hintEnum, name
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
	for _, en := range decl.Enums {
		if en.Name == name {
			return variant.ContainerType{Type: variant.TypeInt}
		}
	}
	if strings.Contains(name, ".") {
		return variant.ContainerType{Type: variant.TypeInt}
	}
	return variant.ContainerType{}
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

// elementHints gives typed containers the hint string that tells the packer
// whether their elements are nodes ("24/34:Node2D").
func (e Env) elementHints(x *Export) {
	if x.Type == variant.TypeArray {
		if x.Elem.IsAny() {
			return
		}
		x.Hint, x.HintString = hintTypeString, e.typeHint(x.Elem)
		return
	}
	if x.Key.IsAny() && x.Val.IsAny() {
		return
	}
	x.Hint, x.HintString = hintTypeString, e.typeHint(x.Key)+";"+e.typeHint(x.Val)
}

func (e Env) typeHint(c variant.ContainerType) string {
	hint, text := 0, ""
	switch {
	case e.derives(c, "Node"):
		hint, text = hintNodeType, typeName(c, e)
	case e.derives(c, "Resource"):
		hint, text = hintResourceType, typeName(c, e)
	}
	return strconv.Itoa(int(c.Type)) + "/" + strconv.Itoa(hint) + ":" + text
}
