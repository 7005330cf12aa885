package scene

import "godot-mcp/server/godot/variant"

// Some engine setters take a whole structure apart and their getters build it anew,
// so that what is read back, and saved, differs in form from what was given.

// normalize gives what the getter of an engine property makes of a value.
func normalize(owner, name string, v variant.Value) variant.Value {
	if f := normalizers[owner+"."+name]; f != nil {
		return f(v)
	}
	return v
}

var normalizers = map[string]func(variant.Value) variant.Value{
	"SpriteFrames.animations": spriteAnimations,
}

// spriteAnimations types the entries of SpriteFrames.animations.
func spriteAnimations(v variant.Value) variant.Value {
	list, ok := v.Array()
	if !ok {
		return v
	}
	items := make([]variant.Value, 0, list.Len())
	for _, item := range list.Items() {
		d, ok := item.Dictionary()
		if !ok {
			return v
		}
		items = append(items, retyped(d, map[string]variant.Type{
			"loop": variant.TypeBool, "name": variant.TypeStringName, "speed": variant.TypeFloat,
		}))
	}
	return variant.NewArray(items...)
}

// retyped gives a dictionary with some entries converted.
func retyped(d *variant.Dictionary, types map[string]variant.Type) variant.Value {
	entries := make([]variant.Entry, 0, d.Len())
	for _, e := range d.Entries() {
		if key, ok := e.Key.Text(); ok {
			if t, ok := types[key]; ok {
				if c, ok := variant.ConvertStrict(e.Value, t); ok {
					e.Value = c
				}
			}
		}
		entries = append(entries, e)
	}
	return variant.NewDictionary(entries...)
}
