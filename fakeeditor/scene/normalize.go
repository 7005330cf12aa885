package scene

import (
	"maps"
	"slices"

	"godot-mcp/server/godot/variant"
)

// Some engine setters take a whole structure apart and their getters build it anew,
// so that what is read back, and saved, differs in form from what was given.

// normalize gives what the getter of an engine property makes of a value.
func (e Env) normalize(owner, name string, v variant.Value) variant.Value {
	if busOwners[owner+"."+name] {
		return e.existingBus(v)
	}
	if least, ok := leasts[owner+"."+name]; ok {
		return atLeast(v, least)
	}
	if name == "autowrap_trim_flags" {
		return trims(v)
	}
	if f := normalizers[owner+"."+name]; f != nil {
		return f(v)
	}
	return v
}

var normalizers = map[string]func(variant.Value) variant.Value{
	"SpriteFrames.animations": spriteAnimations,
	"AnimationLibrary._data":  libraryAnimations,
	"Node2D.scale":            func(v variant.Value) variant.Value { return neverZero(v, smallest) },
	"Node.process_priority": func(v variant.Value) variant.Value {
		i, _ := v.Int()
		return variant.Int(int64(int32(i)))
	},
	"Control.scale": func(v variant.Value) variant.Value { return neverZero(v, 0) },
}

// smallest is what scales of nothing become.
const smallest = float32(0.00001)

// neverZero gives a scale whose parts up to a limit are not nothing (engine 4.6
// experiment).
func neverZero(v variant.Value, limit float32) variant.Value {
	scale, ok := v.Vector2()
	if !ok {
		return v
	}
	for _, part := range []*float32{&scale.X, &scale.Y} {
		if *part == 0 || *part > -limit && *part < limit {
			*part = smallest
		}
	}
	return scale.Value()
}

// libraryAnimations gives the animations of a library by name. Names are texts in files
// before Godot 4.5.
func libraryAnimations(v variant.Value) variant.Value {
	d, ok := v.Dictionary()
	if !ok {
		return v
	}
	found := map[string]variant.Value{}
	for _, it := range d.Entries() {
		name, ok := it.Key.Text()
		if !ok {
			return v
		}
		found[name] = it.Value
	}
	out := make([]variant.Entry, 0, len(found))
	for _, name := range slices.Sorted(maps.Keys(found)) {
		out = append(out, variant.Entry{Key: variant.StringName(name), Value: found[name]})
	}
	return variant.NewDictionary(out...)
}

// spriteAnimations gives the animations of SpriteFrames as its getter builds them: by
// name, each with its entries in one order; what lacks one is passed over (engine 4.6
// experiment).
func spriteAnimations(v variant.Value) variant.Value {
	list, ok := v.Array()
	if !ok {
		return v
	}
	found := map[string]variant.Value{}
	for _, item := range list.Items() {
		d, ok := item.Dictionary()
		if !ok {
			return v
		}
		entries, whole := picked(d, map[string]variant.Type{
			"loop": variant.TypeBool, "name": variant.TypeStringName, "speed": variant.TypeFloat,
		}, "name", "speed", "loop", "frames")
		name, named := entries[0].Value.Text()
		if !whole || !named {
			continue
		}
		if frames, ok := entries[3].Value.Array(); ok {
			entries[3].Value = spriteFrames(frames.Items())
		}
		found[name] = variant.NewDictionary(entries...)
	}
	items := make([]variant.Value, 0, len(found))
	for _, name := range slices.Sorted(maps.Keys(found)) {
		items = append(items, found[name])
	}
	return variant.NewArray(items...)
}

// spriteFrames are the frames of an animation, which in old files are textures alone.
func spriteFrames(list []variant.Value) variant.Value {
	out := make([]variant.Value, 0, len(list))
	for _, f := range list {
		d, ok := f.Dictionary()
		if !ok {
			out = append(out, variant.NewDictionary(
				variant.Entry{Key: variant.String("texture"), Value: f}, variant.Entry{Key: variant.String("duration"), Value: variant.Float(1)},
			))
			continue
		}
		if entries, whole := picked(d, map[string]variant.Type{"duration": variant.TypeFloat}, "texture", "duration"); whole {
			out = append(out, variant.NewDictionary(entries...))
		}
	}
	return variant.NewArray(out...)
}

// picked gives entries of a dictionary in an order; whole says whether all are there.
func picked(d *variant.Dictionary, types map[string]variant.Type, keys ...string) (out []variant.Entry, whole bool) {
	whole = true
	for _, key := range keys {
		v, ok := d.GetString(key)
		whole = whole && ok
		if c, ok := variant.ConvertStrict(v, types[key]); ok && types[key] != variant.TypeNil {
			v = c
		}
		out = append(out, variant.Entry{Key: variant.String(key), Value: v})
	}
	return out, whole
}
