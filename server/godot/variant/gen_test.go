package variant

import (
	"math"
	"math/rand/v2"
	"strings"

	"pgregory.net/rapid"
)

// picker is the source of choices for generated values: rapid for properties, a seeded generator for the comparison
// with the engine.
type picker interface {
	n(limit int) int
	bits() uint64
}

type seeded struct{ r *rand.Rand }

func newSeeded(seed uint64) seeded { return seeded{rand.New(rand.NewPCG(seed, 1))} }
func (s seeded) n(limit int) int   { return s.r.IntN(limit) }
func (s seeded) bits() uint64      { return s.r.Uint64() }

type drawn struct{ t *rapid.T }

func (d drawn) n(limit int) int { return rapid.IntRange(0, limit-1).Draw(d.t, "n") }
func (d drawn) bits() uint64    { return rapid.Uint64().Draw(d.t, "bits") }

// gen makes values of every type.
type gen struct {
	picker
	// file leaves out what has no text form of its own.
	textOnly bool
	// stable leaves out what changes when the engine writes and reads it: some doubles, \a and \v.
	stable bool
}

var runes = []rune("abcXYZ019 _-./:\"'\\\t\n\r\a\v\x01\x1f\x7f%&@#[]{}(),;=éßñΩжשלוםمرحبا漢字日本\u200f\u202e\ufeff\u2028😀🎮\U0010ffff")

func (g gen) string() string {
	var b strings.Builder
	for range g.n(9) {
		r := runes[g.n(len(runes))]
		if g.stable && (r == '\a' || r == '\v') {
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (g gen) path() string {
	parts := []string{"A", "..", "Node 2", "é", "%Unique", ".", "B\"q", "C'"}
	var names []string
	for range g.n(4) {
		names = append(names, parts[g.n(len(parts))])
	}
	p := strings.Join(names, "/")
	if g.n(4) == 0 {
		p = "/" + p
	}
	for range g.n(3) {
		p += ":" + []string{"position", "x", "a/b", "y"}[g.n(4)]
	}
	return p
}

func (g gen) float() float64 {
	f := g.anyFloat()
	if g.stable && !stable(f) {
		return 0.25
	}
	return f
}

func (g gen) anyFloat() float64 {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 0.5, math.Inf(1), math.Inf(-1), math.NaN(), 1e15, 1e14, 1e-5,
		1e-4, 123456789012345, math.MaxFloat64, math.MaxFloat32, math.SmallestNonzeroFloat32, 1e21, 1e22, 1e23, 9007199254740993}
	switch g.n(6) {
	case 0:
		return special[g.n(len(special))]
	case 1:
		return float64(int64(g.bits())%2000-1000) / 8
	case 2:
		return float64(int64(g.bits())%2_000_000) / 1000
	case 3:
		return float64(float32(int64(g.bits())%2_000_000) / 1000)
	case 4:
		f := math.Float64frombits(g.bits())
		if f != f {
			return math.NaN()
		}
		return f
	}
	return float64(int64(g.bits())>>1) / (1 << 62) * 1000
}

func (g gen) float32() float32 {
	if g.n(4) == 0 {
		f := math.Float32frombits(uint32(g.bits()))
		if f != f {
			return float32(math.NaN())
		}
		return f
	}
	f := g.float()
	return float32(f)
}

func (g gen) int() int64 {
	special := []int64{0, 1, -1, math.MaxInt64, math.MinInt64, 1 << 53, 1<<53 + 1, -1<<53 - 1, math.MaxInt32, math.MinInt32}
	if g.n(2) == 0 {
		return special[g.n(len(special))]
	}
	return int64(g.bits()) >> g.n(64)
}

var scalarTypes = []Type{TypeBool, TypeInt, TypeFloat, TypeString, TypeStringName, TypeNodePath}

func (g gen) value(depth int) Value {
	t := Type(g.n(int(TypeMax)))
	if depth <= 0 && (t == TypeArray || t == TypeDictionary || t == TypeObject) {
		t = scalarTypes[g.n(len(scalarTypes))]
	}
	return g.ofType(t, depth)
}

func (g gen) ofType(t Type, depth int) Value {
	switch t {
	case TypeBool:
		return Bool(g.n(2) == 1)
	case TypeInt:
		return Int(g.int())
	case TypeFloat:
		return Float(g.float())
	case TypeString:
		return String(g.string())
	case TypeStringName:
		return StringName(g.string())
	case TypeNodePath:
		return NodePath(g.path())
	case TypeObject:
		return g.object(depth)
	case TypeArray:
		return g.array(depth)
	case TypeDictionary:
		return g.dictionary(depth)
	case TypeRID, TypeCallable, TypeSignal, TypeNil:
		return Nil
	}
	if t.IsStruct() {
		var f [16]float32
		var i [16]int32
		for k := range structSize[t] {
			if isIntStruct(t) {
				i[k] = int32(g.int())
			} else {
				f[k] = g.float32()
			}
		}
		if isIntStruct(t) {
			return fromInts(t, i[:structSize[t]])
		}
		return fromFloats(t, f[:structSize[t]])
	}
	return g.packed(t)
}

func (g gen) packed(t Type) Value {
	n := g.n(5)
	switch t {
	case TypePackedByteArray:
		x := make([]byte, n)
		for i := range x {
			x[i] = byte(g.bits())
		}
		return PackedByteArray(x)
	case TypePackedInt32Array:
		x := make([]int32, n)
		for i := range x {
			x[i] = int32(g.int())
		}
		return PackedInt32Array(x)
	case TypePackedInt64Array:
		x := make([]int64, n)
		for i := range x {
			x[i] = g.int()
		}
		return PackedInt64Array(x)
	case TypePackedFloat64Array:
		x := make([]float64, n)
		for i := range x {
			x[i] = g.float()
		}
		return PackedFloat64Array(x)
	case TypePackedStringArray:
		x := make([]string, n)
		for i := range x {
			x[i] = g.string()
		}
		return PackedStringArray(x)
	}
	x := make([]float32, n*12)
	for i := range x {
		x[i] = g.float32()
	}
	return packFloats(t, x)
}

func (g gen) elem() ContainerType {
	if g.n(3) == 0 {
		return ContainerType{}
	}
	t := Type(g.n(int(TypeMax)))
	switch t {
	case TypeRID, TypeCallable, TypeSignal, TypeNil:
		return ContainerType{Type: TypeString}
	case TypeObject:
		return ContainerType{Type: TypeObject, Class: []string{"Node2D", "Resource", "Texture2D"}[g.n(3)]}
	}
	return ContainerType{Type: t}
}

func (g gen) element(c ContainerType, depth int) Value {
	switch c.Type {
	case TypeNil:
		return g.value(depth)
	case TypeObject:
		return Nil
	case TypeArray, TypeDictionary:
		if depth <= 0 {
			return map[Type]Value{TypeArray: NewArray(), TypeDictionary: NewDictionary()}[c.Type]
		}
	}
	return g.ofType(c.Type, depth)
}

func (g gen) array(depth int) Value {
	c := g.elem()
	items := make([]Value, g.n(4))
	for i := range items {
		items[i] = g.element(c, depth-1)
	}
	return NewTypedArray(c, items...)
}

func (g gen) dictionary(depth int) Value {
	key, val := ContainerType{}, ContainerType{}
	if g.n(3) == 0 {
		key, val = g.elem(), g.elem()
	}
	var b DictionaryBuilder
	b.SetTypes(key, val)
	n := g.n(5)
	if g.n(20) == 0 && !g.stable {
		n = g.n(40)
	}
	for range n {
		b.Set(g.element(key, depth-1), g.element(val, depth-1))
	}
	return b.Value()
}

func (g gen) object(depth int) Value {
	if g.textOnly {
		return Nil
	}
	switch g.n(3) {
	case 0:
		return Resource("res://a b/é.tres")
	case 1:
		return ResourceRef{Path: "res://main.tscn::RectangleShape2D_ab1cd", Class: "RectangleShape2D"}.Value()
	}
	return NewObject("RectangleShape2D", Property{"size", g.value(depth - 1)}, Property{"metadata/x y", g.value(depth - 1)})
}
