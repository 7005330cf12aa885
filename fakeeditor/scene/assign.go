package scene

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// assign sets a property of a node to a value that its setter accepts, with what
// the setter does besides.
func (e Env) assign(id NodeID, name string, v variant.Value) {
	for _, setter := range []func(NodeID, string, variant.Value) bool{
		e.setComputed, e.setRange, e.setLibraries, e.setPressed, e.setFrame, e.setShown, e.setBoneAngle, e.setDrawPass, e.setIntensity, e.setElements,
		e.setTranslated, e.setSplit, e.setTabContainer, e.setConjoined,
	} {
		if setter(id, name, v) {
			return
		}
	}
	e.put(id, name, v)
}

// setLibraries takes the animation libraries of files before Godot 4.6, which are
// one dictionary, as the properties that they are now. A library that the node has under
// another name is not taken (engine 4.6).
func (e Env) setLibraries(id NodeID, name string, v variant.Value) bool {
	if !strings.HasPrefix(name, "libraries") || !classdb.Inherits(e.Node(id).Class, "AnimationMixer") {
		return false
	}
	if strings.HasPrefix(name, "libraries/") {
		return e.hasLibrary(id, name, v)
	}
	d, ok := v.Dictionary()
	if name != "libraries" || !ok {
		return false
	}
	for _, p := range e.Node(id).Props {
		if strings.HasPrefix(p.Name, "libraries/") {
			n := e.Edit(id)
			n.Props = n.Props.Without(p.Name)
		}
	}
	for _, entry := range d.Entries() {
		if key, ok := entry.Key.Text(); ok && !e.hasLibrary(id, "libraries/"+key, entry.Value) {
			e.put(id, "libraries/"+key, entry.Value)
		}
	}
	return true
}

// hasLibrary reports whether a mixer holds a library under another name.
func (e Env) hasLibrary(id NodeID, name string, v variant.Value) bool {
	for _, p := range e.Node(id).Props {
		if strings.HasPrefix(p.Name, "libraries/") && p.Name != name && ResOf(v) != 0 && p.Value.Equal(v) {
			return true
		}
	}
	return false
}

// internalFronts are the classes whose nodes have internal children in front of all
// others; the engine counts them in the index that a file holds.
var internalFronts = map[string]int{
	"AcceptDialog": 2, "CodeEdit": 6, "ColorPicker": 1, "FileDialog": 9, "GraphEdit": 1, "GraphFrame": 1, "GraphNode": 1,
	"HTTPRequest": 1, "ItemList": 2, "MenuButton": 1, "OptionButton": 1, "PopupMenu": 3, "PopupPanel": 1,
	"RichTextLabel": 2, "SpinBox": 2, "TabBar": 1, "TabContainer": 1, "TextEdit": 5, "TileMap": 1, "Tree": 5,
}

// internalFront counts the internal children of a node of a class.
func internalFront(class string) int {
	for c := class; c != "" && c != "Node"; {
		if n, ok := internalFronts[c]; ok {
			return n
		}
		info, ok := classdb.Class(c)
		if !ok {
			return 0
		}
		c = info.Parent
	}
	return 0
}

// setRange sets a property of a Range, whose bounds, step and value follow each other.
func (e Env) setRange(id NodeID, name string, v variant.Value) bool {
	n := e.Node(id)
	if !classOf(n.Class).isRange {
		return false
	}
	number, _ := v.Number()
	get := func(name string) float64 {
		v, _ := e.value(n.object(), name)
		f, _ := v.Number()
		return f
	}
	set := func(name string, f float64) { e.put(id, name, variant.Float(f)) }
	least, most, page, value := get("min_value"), get("max_value"), get("page"), get("value")
	switch name {
	case "min_value":
		set(name, number)
		most = max(most, number)
		set("max_value", most)
		set("page", max(0, min(page, most-number)))
	case "max_value":
		most = max(number, least)
		set(name, most)
		set("page", max(0, min(page, most-least)))
	case "page":
		set(name, max(0, min(number, most-least)))
	case "value":
		value = number
	case "ratio":
		value = least + (most-least)*max(0, min(1, number))
	default:
		return false
	}
	if !math.IsInf(value, 0) && !math.IsNaN(value) {
		set("value", e.snapped(e.Node(id), value))
	}
	return true
}

// snap gives the multiple of a step that is next to a value, worked out in decimal
// numbers of 15 digits (engine 4.6 experiment).
func snap(value, step float64) float64 {
	decimal := func(f float64) *big.Rat {
		r, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', 15, 64))
		return r
	}
	s := decimal(step)
	n := new(big.Rat).Quo(decimal(value), s)
	n.Add(n, big.NewRat(1, 2))
	whole := new(big.Int).Div(n.Num(), n.Denom()) // rounds down, the divisor is positive
	out, _ := new(big.Rat).Mul(new(big.Rat).SetInt(whole), s).Float64()
	return out
}

// snapped gives the value that a Range keeps of one that it is given.
func (e Env) snapped(n *Node, value float64) float64 {
	get := func(name string) float64 {
		v, _ := e.value(n.object(), name)
		f, _ := v.Number()
		return f
	}
	least, most, step, page := get("min_value"), get("max_value"), get("step"), get("page")
	if step > 0 {
		value = snap(value-least, step) + least
	}
	if e.flag(n, "rounded") {
		value = math.Round(value)
	}
	if !e.flag(n, "allow_greater") && value > most-page {
		value = most - page
	}
	if !e.flag(n, "allow_lesser") && value < least {
		value = least
	}
	return value
}
