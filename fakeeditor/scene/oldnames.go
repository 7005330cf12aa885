package scene

import (
	"slices"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// The modes of auto_translate_mode that auto_translate chooses between.
const (
	translateAlways   = 1
	translateDisabled = 2
)

// setTranslated takes the switch of files before Godot 4.3 as the mode that it is now.
func (e Env) setTranslated(id NodeID, name string, v variant.Value) bool {
	on, ok := v.Bool()
	class := e.Node(id).Class
	if name != "auto_translate" || !ok || !classdb.Inherits(class, "Control") && !classdb.Inherits(class, "Window") {
		return false
	}
	mode := int64(translateDisabled)
	if on {
		mode = translateAlways
	}
	e.put(id, "auto_translate_mode", variant.Int(mode))
	return true
}

// setSplit keeps the offset of a split container, which is its only one before Godot 4.6,
// the same as the first of its offsets.
func (e Env) setSplit(id NodeID, name string, v variant.Value) bool {
	const first, all = "split_offset", "split_offsets"
	if name != first && name != all || !classdb.Inherits(e.Node(id).Class, "SplitContainer") {
		return false
	}
	offsets, isList := v.Int32s()
	if name == first {
		n, ok := v.Number()
		if !ok {
			return false
		}
		now, _ := e.value(e.Node(id).object(), all)
		offsets, _ = now.Int32s()
		offsets = slices.Clone(offsets)
		if len(offsets) == 0 {
			offsets = []int32{0}
		}
		offsets[0] = int32(n)
	} else if !isList {
		return false
	}
	e.put(id, all, variant.PackedInt32Array(offsets))
	start := int64(0)
	if len(offsets) > 0 {
		start = int64(offsets[0])
	}
	e.put(id, first, variant.Int(start))
	return true
}
