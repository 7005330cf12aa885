package scene

import (
	"slices"
	"strconv"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// Some nodes hold lists of elements, each with properties of its own: "item_0/text". They
// are there for as many as another property counts, and a file has those that are not as
// they begin (engine 4.6: every list of the nodes was given two elements).

// elementList is what the elements of a class have.
type elementList struct {
	owner, count, prefix string
	parts                []classdb.PropertyInfo
}

// numbered is the part that begins as the number of its element, and that every file has.
const numbered = "id"

var elementLists = []elementList{
	{"ItemList", "item_count", "item_", []classdb.PropertyInfo{textPart("text"), iconPart, boolPart("selectable", "true"), boolPart("disabled", "false")}},
	{"PopupMenu", "item_count", "item_", menuParts("No,As checkbox,As radio button")},
	{"MenuButton", "item_count", "popup/item_", menuParts("No,As Checkbox,As Radio Button")},
	{"OptionButton", "item_count", "popup/item_", []classdb.PropertyInfo{
		textPart("text"), iconPart, idPart, boolPart("disabled", "false"), boolPart("separator", "false"),
	}},
	{"TabBar", "tab_count", "tab_", []classdb.PropertyInfo{textPart("title"), textPart("tooltip"), iconPart, boolPart("disabled", "false")}},
	{"FileDialog", "option_count", "option_", []classdb.PropertyInfo{
		textPart("name"), newPart("values", variant.TypePackedStringArray, "PackedStringArray()"), newPart("default", variant.TypeInt, "0"),
	}},
}

func newPart(name string, t variant.Type, begins string) classdb.PropertyInfo {
	return classdb.PropertyInfo{Name: name, Type: classdb.Type(t), Default: begins, Usage: classdb.UsageStorage | classdb.UsageEditor, Dynamic: true}
}

func textPart(name string) classdb.PropertyInfo { return newPart(name, variant.TypeString, `""`) }

func boolPart(name, begins string) classdb.PropertyInfo {
	return newPart(name, variant.TypeBool, begins)
}

func hinted(p classdb.PropertyInfo, hint int, text string) classdb.PropertyInfo {
	p.Hint, p.HintString = hint, text
	return p
}

var (
	iconPart = func() classdb.PropertyInfo {
		p := hinted(newPart("icon", variant.TypeObject, "null"), hintResourceType, "Texture2D")
		p.ClassName = "Texture2D"
		return p
	}()
	idPart = func() classdb.PropertyInfo {
		p := hinted(newPart(numbered, variant.TypeInt, ""), hintRange, "0,10,1,or_greater")
		p.Usage |= classdb.UsageStoreIfNull
		return p
	}()
)

func menuParts(checkable string) []classdb.PropertyInfo {
	return []classdb.PropertyInfo{
		textPart("text"), iconPart, hinted(newPart("checkable", variant.TypeInt, "0"), hintEnum, checkable),
		boolPart("checked", "false"), idPart, boolPart("disabled", "false"), boolPart("separator", "false"),
	}
}

// elementsOf gives the list that the nodes of a class hold; nil for none.
func elementsOf(class string) *elementList {
	for i := range elementLists {
		if classdb.Inherits(class, elementLists[i].owner) {
			return &elementLists[i]
		}
	}
	return nil
}

// part splits the name of a property of an element.
func (l *elementList) part(name string) (element, at int, ok bool) {
	if l == nil {
		return 0, 0, false
	}
	number, what, ok := strings.Cut(strings.TrimPrefix(name, l.prefix), "/")
	if !ok || !strings.HasPrefix(name, l.prefix) {
		return 0, 0, false
	}
	element, err := strconv.Atoi(number)
	at = slices.IndexFunc(l.parts, func(p classdb.PropertyInfo) bool { return p.Name == what })
	return element, at, err == nil && element >= 0 && at >= 0
}

func (l *elementList) name(element, at int) string {
	return l.prefix + strconv.Itoa(element) + "/" + l.parts[at].Name
}

// begins gives what a part of an element begins with.
func (l *elementList) begins(element, at int) variant.Value {
	if l.parts[at].Name == numbered {
		return variant.Int(int64(element))
	}
	v, _ := variant.ParseText(l.parts[at].Default)
	return v
}

// property describes a part of an element that is there. It is said to be stored where
// it is not as it begins.
func (l *elementList) property(o object, name string) (Property, bool) {
	element, at, ok := l.part(name)
	if !ok || element >= l.size(o) {
		return Property{}, false
	}
	p := l.parts[at]
	p.Owner, p.Name = l.owner, name
	if v, set := o.props.Get(name); p.Usage&classdb.UsageStoreIfNull == 0 && (!set || v.Equal(l.begins(element, at))) {
		p.Usage &^= classdb.UsageStorage
	}
	p.Default = ""
	return Property{PropertyInfo: p}, true
}

func (l *elementList) size(o object) int {
	v, _ := o.props.Get(l.count)
	n, _ := v.Int()
	return int(n)
}

// names lists the properties of all elements.
func (l *elementList) names(o object) (out []string) {
	if l == nil {
		return nil
	}
	for element := range l.size(o) {
		for at := range l.parts {
			out = append(out, l.name(element, at))
		}
	}
	return out
}

// numbers names the properties that every file has of the elements.
func (l *elementList) numbers(o object) []string {
	return slices.DeleteFunc(l.names(o), func(name string) bool { return !strings.HasSuffix(name, "/"+numbered) })
}

// asBegun reports whether a property is one of an element, and as it begins.
func (e Env) asBegun(n *Node, name string) bool {
	p, ok := classOf(n.Class).elements.property(n.object(), name)
	return ok && p.Usage&classdb.UsageStorage == 0
}
