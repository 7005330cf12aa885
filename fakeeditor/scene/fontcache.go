package scene

import (
	"slices"
	"strconv"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// The parts of the caches of fonts (engine 4.6 experiment).
var (
	cacheParts = []piece{
		{name: "variation_coordinates", typ: variant.TypeDictionary, start: variant.NewDictionary()},
		{name: "face_index", typ: variant.TypeInt, start: variant.Int(0)},
		{name: "embolden", typ: variant.TypeFloat, start: variant.Float(0)},
		{name: "transform", typ: variant.TypeTransform2D, start: identity2.Value()},
		{name: "spacing_top", typ: variant.TypeInt, start: variant.Int(0)},
		{name: "spacing_bottom", typ: variant.TypeInt, start: variant.Int(0)},
		{name: "spacing_space", typ: variant.TypeInt, start: variant.Int(0)},
		{name: "spacing_glyph", typ: variant.TypeInt, start: variant.Int(0)},
		{name: "baseline_offset", typ: variant.TypeFloat, start: variant.Float(0)},
	}
	sizeParts = []piece{
		{name: "ascent", typ: variant.TypeFloat, start: variant.Float(0)},
		{name: "descent", typ: variant.TypeFloat, start: variant.Float(0)},
		{name: "underline_position", typ: variant.TypeFloat, start: variant.Float(0)},
		{name: "underline_thickness", typ: variant.TypeFloat, start: variant.Float(0)},
		{name: "scale", typ: variant.TypeFloat, start: variant.Float(1)},
	}
	textureParts = []piece{
		{name: "offsets", typ: variant.TypePackedInt32Array, start: zero(variant.TypePackedInt32Array)},
		{name: "image", typ: variant.TypeObject, class: "Image"},
	}
	glyphParts = []piece{
		{name: "advance", typ: variant.TypeVector2, start: vec2{}.Value()},
		{name: "offset", typ: variant.TypeVector2, start: vec2{}.Value()},
		{name: "size", typ: variant.TypeVector2, start: vec2{}.Value()},
		{name: "uv_rect", typ: variant.TypeRect2, start: zero(variant.TypeRect2)},
		{name: "texture_idx", typ: variant.TypeInt, start: variant.Int(-1)},
	}
	kerningPart = piece{typ: variant.TypeVector2, start: vec2{}.Value()}
)

// clearing are the parts that empty a cache when they change.
var clearing = []string{"variation_coordinates", "face_index", "embolden", "transform", "baseline_offset"}

// defaultSize begins the size that every cache has at first.
const defaultSize = "16/0/"

func ofFont(name string) bool {
	return strings.HasPrefix(name, "cache/") || strings.HasPrefix(name, "language_support_override/") || strings.HasPrefix(name, "script_support_override/")
}

func describeFont(_ Props, name string) (classdb.PropertyInfo, bool) {
	p := &piece{}
	if strings.HasSuffix(name, "/image") {
		p = &textureParts[1]
	}
	return p.info(name, classdb.UsageStorage), true
}

// setFont sets a part of the caches of a font, which are made up to that one, or says that
// it is for a language or script.
func (e Env) setFont(have Props, name string, v variant.Value) Props {
	tokens := strings.Split(name, "/")
	if tokens[0] != "cache" {
		if len(tokens) != 2 {
			return have
		}
		return supports(have, tokens[0]+"/", Prop{name, castTo(variant.TypeBool, v)})
	}
	which := numberIn(name, 1)
	if len(tokens) < 3 || which < 0 {
		return have
	}
	if p := pieceOf(cacheParts, tokens[2]); len(tokens) == 3 && p != nil {
		return ofCache(cached(have, which), which, p, v)
	}
	if len(tokens) < 5 {
		return have
	}
	size, outline := numberIn(name, 2), numberIn(name, 3)
	if p := pieceOf(sizeParts, tokens[4]); p != nil {
		if have = sized(have, which, size, 0); size > 0 {
			have = have.With(sizePrefix(which, size, 0)+p.name, p.take(v))
		}
		return have
	}
	if len(tokens) != 7 {
		return have
	}
	switch tokens[4] {
	case "textures":
		if p := pieceOf(textureParts, tokens[6]); p != nil {
			return e.ofTexture(have, which, size, outline, numberIn(name, 5), p, v)
		}
	case "glyphs":
		if p := pieceOf(glyphParts, tokens[6]); p != nil {
			return ofGlyph(have, which, size, outline, numberIn(name, 5), p, v)
		}
	case "kerning_overrides":
		if have = sized(have, which, size, 0); size > 0 {
			prefix := sizePrefix(which, size, 0)
			key := prefix + "kerning_overrides/" + strconv.Itoa(numberIn(name, 5)) + "/" + strconv.Itoa(numberIn(name, 6))
			if _, there := have.Get(key); !there {
				have = behind(have, prefix, Prop{key, kerningPart.start})
			}
			have = have.With(key, kerningPart.take(v))
		}
	}
	return have
}

// supports puts what a font is for before its caches.
func supports(have Props, folder string, p Prop) Props {
	if _, there := have.Get(p.Name); there {
		return have.With(p.Name, p.Value)
	}
	at := len(have)
	for i, x := range slices.Backward(have) {
		if strings.HasPrefix(x.Name, "cache/") || folder[0] == 'l' && strings.HasPrefix(x.Name, "script_support_override/") {
			at = i
		}
	}
	return slices.Insert(slices.Clone(have), at, p)
}

func cachePrefix(which int) string { return "cache/" + strconv.Itoa(which) + "/" }

func sizePrefix(which, size, outline int) string {
	return cachePrefix(which) + strconv.Itoa(size) + "/" + strconv.Itoa(outline) + "/"
}

// cached gives a font the caches up to one.
func cached(have Props, which int) Props {
	for i := countOf(have, "cache/", "face_index"); i <= which; i++ {
		prefix := cachePrefix(i)
		have = behind(have, "cache/", append(begun(prefix, cacheParts), begun(prefix+defaultSize, sizeParts)...)...)
	}
	return have
}

// ofCache sets what holds for all sizes of a cache.
func ofCache(have Props, which int, p *piece, v variant.Value) Props {
	prefix := cachePrefix(which)
	now, _ := have.Get(prefix + p.name)
	v = p.take(v)
	if !now.Equal(v) && slices.Contains(clearing, p.name) {
		have = slices.DeleteFunc(slices.Clone(have), func(x Prop) bool {
			return strings.HasPrefix(x.Name, prefix) && pieceOf(cacheParts, strings.TrimPrefix(x.Name, prefix)) == nil
		})
	}
	return have.With(prefix+p.name, v)
}

// sized gives a cache a size. One with an outline has no measures of its own.
func sized(have Props, which, size, outline int) Props {
	have = cached(have, which)
	prefix := sizePrefix(which, size, outline)
	if size <= 0 || outline != 0 {
		return have
	}
	if _, there := have.Get(prefix + sizeParts[0].name); there {
		return have
	}
	return behind(have, cachePrefix(which), begun(prefix, sizeParts)...)
}

// ofTexture sets a part of a texture, which is made with those before it.
func (e Env) ofTexture(have Props, which, size, outline, texture int, p *piece, v variant.Value) Props {
	have = sized(have, which, size, outline)
	prefix := sizePrefix(which, size, outline)
	v = p.take(v)
	offsets, _ := v.Int32s()
	if size <= 0 || texture < 0 || len(offsets)%4 != 0 {
		return have
	}
	for i := countOf(have, prefix+"textures/", "offsets"); i <= texture; i++ {
		at := len(have)
		for j, x := range slices.Backward(have) {
			if strings.HasPrefix(x.Name, prefix+"glyphs/") || strings.HasPrefix(x.Name, prefix+"kerning_overrides/") {
				at = j
			}
		}
		more := begun(prefix+"textures/"+strconv.Itoa(i)+"/", textureParts)
		if at == len(have) {
			before := prefix
			if outline != 0 && countOf(have, prefix+"textures/", "offsets") == 0 {
				before = cachePrefix(which)
			}
			have = behind(have, before, more...)
		} else {
			have = slices.Insert(slices.Clone(have), at, more...)
		}
	}
	key := prefix + "textures/" + strconv.Itoa(texture) + "/" + p.name
	if p.class != "" {
		if v = e.ofClass(v, p.class); v.IsNil() {
			return have
		}
	}
	return have.With(key, v)
}

// ofGlyph sets a part of a glyph. One whose texture is not there is drawn anew, which
// makes it nothing where the font has no data.
func ofGlyph(have Props, which, size, outline, glyph int, p *piece, v variant.Value) Props {
	if p.name == "advance" {
		outline = 0
	}
	have = sized(have, which, size, outline)
	if size <= 0 {
		return have
	}
	sizeOf := sizePrefix(which, size, outline)
	prefix := sizeOf + "glyphs/" + strconv.Itoa(glyph) + "/"
	parts := glyphParts
	if outline != 0 {
		parts = glyphParts[1:]
	}
	if _, there := have.Get(prefix + "size"); !there {
		at := len(have)
		for j, x := range slices.Backward(have) {
			if strings.HasPrefix(x.Name, sizeOf+"kerning_overrides/") {
				at = j
			}
		}
		switch {
		case at < len(have):
			have = slices.Insert(slices.Clone(have), at, begun(prefix, parts)...)
		case slices.ContainsFunc(have, func(x Prop) bool { return strings.HasPrefix(x.Name, sizeOf) }):
			have = behind(have, sizeOf, begun(prefix, parts)...)
		default:
			have = behind(have, cachePrefix(which), begun(prefix, parts)...)
		}
	}
	v = p.take(v)
	if i := asInt(v); p.name == "texture_idx" && i >= countOf(have, sizeOf+"textures/", "offsets") {
		for _, x := range parts {
			have = have.With(prefix+x.name, x.start)
		}
		return have
	}
	return have.With(prefix+p.name, v)
}
