package scene

import (
	"strconv"
	"strings"
	"unicode"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/gdscript"
	"godot-mcp/server/godot/variant"
)

// annotated are the types that annotations give variables that state none.
var annotated = map[string]variant.Type{
	"@export_enum": variant.TypeInt, "@export_flags": variant.TypeInt, "@export_exp_easing": variant.TypeFloat,
	"@export_node_path": variant.TypeNodePath, "@export_color_no_alpha": variant.TypeColor,
	"@export_multiline": variant.TypeString, "@export_placeholder": variant.TypeString,
	"@export_file": variant.TypeString, "@export_file_path": variant.TypeString, "@export_dir": variant.TypeString,
	"@export_global_file": variant.TypeString, "@export_global_dir": variant.TypeString,
	"@export_flags_2d_render": variant.TypeInt, "@export_flags_2d_physics": variant.TypeInt,
	"@export_flags_2d_navigation": variant.TypeInt, "@export_flags_3d_render": variant.TypeInt,
	"@export_flags_3d_physics": variant.TypeInt, "@export_flags_3d_navigation": variant.TypeInt,
	"@export_flags_avoidance": variant.TypeInt,
}

// annotationHints are the hints of annotations, which take the arguments as their text.
var annotationHints = map[string]int{
	"@export_range": hintRange, "@export_enum": hintEnum, "@export_exp_easing": hintExpEasing, "@export_flags": hintFlags,
	"@export_flags_2d_render": 7, "@export_flags_2d_physics": 8, "@export_flags_2d_navigation": 9,
	"@export_flags_3d_render": 10, "@export_flags_3d_physics": 11, "@export_flags_3d_navigation": 12,
	"@export_file": 13, "@export_dir": 14, "@export_global_file": 15, "@export_global_dir": 16,
	"@export_multiline": 18, "@export_placeholder": hintPlaceholder, "@export_color_no_alpha": 21,
	"@export_node_path": 26, "@export_flags_avoidance": 37, "@export_file_path": 44,
}

// packedOf are the types in packed arrays.
var packedOf = map[variant.Type]variant.Type{
	variant.TypePackedByteArray: variant.TypeInt, variant.TypePackedInt32Array: variant.TypeInt,
	variant.TypePackedInt64Array: variant.TypeInt, variant.TypePackedFloat32Array: variant.TypeFloat,
	variant.TypePackedFloat64Array: variant.TypeFloat, variant.TypePackedStringArray: variant.TypeString,
	variant.TypePackedVector2Array: variant.TypeVector2, variant.TypePackedVector3Array: variant.TypeVector3,
	variant.TypePackedColorArray: variant.TypeColor, variant.TypePackedVector4Array: variant.TypeVector4,
}

// exportHint gives a variable the hint of its annotation, which for arrays is that of
// the elements.
func exportHint(x *Export, v gdscript.Variable) {
	hint, text := annotationHints[v.Export], joinArgs(v)
	if v.Export == "@export_custom" {
		hint, text = customHint(text)
	}
	if hint == 0 {
		return
	}
	elem, packed := packedOf[x.Type]
	if x.Type == variant.TypeArray && !x.Elem.IsAny() {
		elem, packed = x.Elem.Type, true
	}
	if packed && v.Export != "@export_custom" {
		hint, text = hintTypeString, elementHint(elem, hint, text)
	}
	x.Hint, x.HintString = hint, text
}

// customHint takes the arguments of @export_custom apart: a hint, by name or number,
// and its text.
func customHint(args string) (hint int, text string) {
	name, text, _ := strings.Cut(args, ",")
	if n, err := strconv.Atoi(name); err == nil {
		return n, text
	}
	for _, en := range classdb.GlobalEnums() {
		if en.Name != "PropertyHint" {
			continue
		}
		for _, c := range en.Values {
			if c.Name == strings.TrimSpace(name) {
				return int(c.Value), text
			}
		}
	}
	return 0, ""
}

// elementHint tells of the elements of a container: "2/1:0,5".
func elementHint(t variant.Type, hint int, text string) string {
	out := strconv.Itoa(int(t))
	if hint != 0 {
		out += "/" + strconv.Itoa(hint)
	}
	return out + ":" + text
}

// typeHint is elementHint of a type by name.
func (e Env) typeHint(name string, decl *gdscript.Script) string {
	c := e.container(name, decl)
	switch {
	case e.derives(c, "Node"):
		return elementHint(c.Type, hintNodeType, typeName(c, e))
	case e.derives(c, "Resource"):
		return elementHint(c.Type, hintResourceType, typeName(c, e))
	case c.Type == variant.TypeInt && name != "int":
		return elementHint(c.Type, hintEnum, e.enumHint(name, decl))
	}
	return elementHint(c.Type, 0, "")
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

// enumHint lists the values of an enum as hints do, "Red:0,Light Blue:5": one of the
// script, of a registered script, of an engine class, or a global one.
func (e Env) enumHint(name string, decl *gdscript.Script) string {
	owner, inner, deeper := strings.Cut(name, ".")
	if deeper {
		if path := e.Lib.ClassPath(owner); path != "" {
			text, _ := e.Lib.Read(path)
			decl, name = scan(text), inner
		}
	}
	var words []string
	add := func(member string, value int64) {
		words = append(words, capitalized(member)+":"+strconv.FormatInt(value, 10))
	}
	for _, en := range decl.Enums {
		if en.Name != name {
			continue
		}
		for _, v := range en.Values {
			n, _ := scope{env: e, decl: decl}.enumMember(en, v.Name)
			add(v.Name, n)
		}
		return strings.Join(words, ",")
	}
	enums := classdb.GlobalEnums()
	if deeper && classdb.Exists(owner) {
		enums, name = classdb.Enums(owner, true), inner
	}
	for _, en := range enums {
		if en.Name != name {
			continue
		}
		for _, c := range en.Values {
			add(c.Name, c.Value)
		}
		return strings.Join(words, ",")
	}
	return ""
}

// capitalized writes a name as words, as the engine does for people: LIGHT_BLUE is
// "Light Blue", and node2D "Node 2d".
func capitalized(name string) string {
	var b strings.Builder
	letters := []rune(name)
	at := func(i int, is func(rune) bool) bool { return i < len(letters) && is(letters[i]) }
	digit := func(r rune) bool { return r >= '0' && r <= '9' }
	for i, r := range letters {
		if i > 0 {
			before := letters[i-1]
			upper, lower := unicode.IsUpper(before), unicode.IsLower(before)
			next := at(i+1, unicode.IsLower)
			switch {
			case lower && unicode.IsUpper(r), (upper || digit(before)) && unicode.IsUpper(r) && next,
				digit(before) && unicode.IsLower(r) && next, (upper || lower) && digit(r):
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	var words []string
	for w := range strings.SplitSeq(b.String(), "_") {
		if w != "" {
			first := []rune(w)
			first[0] = unicode.ToUpper(first[0])
			words = append(words, string(first))
		}
	}
	return strings.Join(words, " ")
}
