package scene

import (
	"slices"
	"strconv"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// setElements sets how many elements a node has, which takes what is beyond them away, a
// part of one, or which one is chosen.
func (e Env) setElements(id NodeID, name string, v variant.Value) bool {
	n := e.Node(id)
	l := elementsOf(n.Class)
	if l == nil {
		return false
	}
	number, _ := v.Int()
	if on, is := v.Bool(); is && on {
		number = 1
	}
	if name == l.count {
		if number >= 0 {
			e.countElements(n, l, int(number))
		}
		return true
	}
	if element, at, ok := l.part(name); ok {
		return e.setElement(n, l, element, l.parts[at].Name, v)
	}
	return !e.loading && e.chooses(n, l, name, int(number))
}

func (e Env) countElements(n *Node, l *elementList, count int) {
	beyond := func(p Prop) bool {
		element, _, ok := l.part(p.Name)
		return ok && element >= count
	}
	if slices.ContainsFunc(n.Props, beyond) {
		e.Edit(n.ID).Props = slices.DeleteFunc(slices.Clone(n.Props), beyond)
	}
	if was := l.size(n.object()); n.Class == "TabBar" && was != count {
		current := e.number(n, "current_tab")
		switch {
		case e.loading && current >= count:
			current = -1
		case current >= count:
			current = count - 1
		}
		if current < 0 && count > 0 && !e.flag(n, "deselect_enabled") {
			current = 0
		}
		e.put(n.ID, "current_tab", variant.Int(int64(current)))
	}
	if n.Class == "OptionButton" && l.size(n.object()) > count && e.number(n, "selected") >= count {
		e.put(n.ID, "selected", variant.Int(int64(count-1)))
	}
	e.put(n.ID, l.count, variant.Int(int64(count)))
}

// setElement reports whether a part of an element does not take a value as it is.
func (e Env) setElement(n *Node, l *elementList, element int, what string, v variant.Value) bool {
	number, _ := v.Int()
	option := l.prefix + strconv.Itoa(element) + "/"
	switch {
	case element >= l.size(n.object()):
		return true
	case what == "checkable":
		return number < 0 || number > 2
	case what == "default":
		e.put(n.ID, option+what, variant.Int(e.optionOf(n, option, v)))
		return true
	case what == "values":
		e.put(n.ID, option+what, v)
		n = e.Node(n.ID)
		if v, set := n.Props.Get(option + "default"); set {
			e.put(n.ID, option+"default", variant.Int(e.optionOf(n, option, v)))
		}
		return true
	}
	return false
}

// optionOf gives the number of a choice that an option of a dialog has: one without any
// is on or off.
func (e Env) optionOf(n *Node, option string, v variant.Value) int64 {
	values, _ := n.Props.Get(option + "values")
	choices, _ := values.Strings()
	last := max(1, len(choices)-1)
	if len(choices) == 1 {
		last = 0
	}
	number, _ := v.Int()
	return max(0, min(number, int64(last)))
}

// chooses reports whether a property says which element is chosen, and does not take a
// number.
func (e Env) chooses(n *Node, l *elementList, name string, number int) bool {
	switch {
	case name == "selected" && n.Class == "OptionButton":
		return number < -1 || number >= l.size(n.object())
	case name == "current_tab" && n.Class == "TabBar":
		return number < -1 || number >= l.size(n.object()) || number < 0 && !e.flag(n, "deselect_enabled") && e.nextTab(n) >= 0
	case name == "deselect_enabled" && n.Class == "TabBar":
		if next := e.nextTab(n); number == 0 && next >= 0 && e.number(n, "current_tab") < 0 {
			e.put(n.ID, "current_tab", variant.Int(int64(next)))
		}
	}
	return false
}

// nextTab gives the first tab of a bar that can be chosen, -1 for none.
func (e Env) nextTab(n *Node) int {
	for i := range elementsOf(n.Class).size(n.object()) {
		if e.canChoose(n.ID, i) {
			return i
		}
	}
	return -1
}

// Unready reports whether a choice is beyond the elements that a node has: the engine
// keeps it for later, and nothing shows or takes it back (engine 4.6).
func (e Env) Unready(n *Node, name string, v variant.Value) bool {
	number, ok := v.Int()
	choice := name == "selected" && classdb.Inherits(n.Class, "OptionButton") || name == "current_tab" && classdb.Inherits(n.Class, "TabBar")
	return ok && choice && int(number) >= elementsOf(n.Class).size(n.object())
}
