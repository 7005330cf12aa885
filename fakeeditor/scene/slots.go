package scene

import (
	"slices"
	"strconv"
	"strings"

	"godot-mcp/server/godot/variant"
)

// graphNode is the class that has properties for each of its children.
const graphNode = "GraphNode"

// slotParts are the properties of a slot as they are when nobody set them, all of which
// a file holds (engine 4.6 experiment).
var slotParts = []Prop{
	{"left_enabled", variant.Bool(false)},
	{"left_type", variant.Int(0)},
	{"left_color", variant.Color{R: 1, G: 1, B: 1, A: 1}.Value()},
	{"left_icon", variant.Nil},
	{"right_enabled", variant.Bool(false)},
	{"right_type", variant.Int(0)},
	{"right_color", variant.Color{R: 1, G: 1, B: 1, A: 1}.Value()},
	{"right_icon", variant.Nil},
	{"draw_stylebox", variant.Bool(true)},
}

// isSlot reports whether a property is one of a slot of a graph node.
func isSlot(class, name string) bool {
	return class == graphNode && strings.HasPrefix(name, "slot/")
}

// countSlots gives a graph node the slots that it has with its children.
func (e Env) countSlots(id NodeID) {
	n := e.Node(id)
	if n == nil || n.Class != graphNode {
		return
	}
	props := slices.DeleteFunc(slices.Clone(n.Props), func(p Prop) bool { return isSlot(n.Class, p.Name) })
	for i := range e.tabs(id) {
		for _, part := range slotParts {
			part.Name = "slot/" + strconv.Itoa(i) + "/" + part.Name
			if v, ok := n.Props.Get(part.Name); ok {
				part.Value = v
			}
			props = append(props, part)
		}
	}
	if !slices.EqualFunc(props, n.Props, func(a, b Prop) bool { return a.Name == b.Name && a.Value.Equal(b.Value) }) {
		e.Edit(id).Props = props
	}
}
