package scene

import (
	"math"
	"strconv"
	"strings"
	"sync"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// limit says what a setter does with a number.
type limit struct {
	kind        limitKind
	least, most float64
}

type limitKind int

const (
	clamp    limitKind = iota // the nearest allowed value is kept
	refuse                    // the property stays as it was
	wrap32                    // kept as an unsigned 32-bit number
	wrap8                     // kept as an unsigned byte
	wrapMost                  // kept in the bits of the upper end
)

// enumEnd as the upper end stands for the last value of the property's enum.
const enumEnd = math.MaxFloat64

// Read at the first edit: a server without a simulated editor has no use for them.
var (
	limits   = sync.OnceValue(readSetters)
	doubles  = sync.OnceValue(func() map[string]bool { return words(keptAsDoubles) })
	noSetter = sync.OnceValue(func() map[string]bool { return words(withoutSetter) })
)

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// readSetters reads the lists.
func readSetters() map[string]limit {
	out := map[string]limit{}
	for w := range words(keptIn32Bits) {
		out[w] = limit{kind: wrap32}
	}
	for w := range words(keptIn8Bits) {
		out[w] = limit{kind: wrap8}
	}
	for name, most := range map[string]float64{"Node.process_mode": 7, "Node.physics_interpolation_mode": 3, "Node.auto_translate_mode": 3} {
		out[name] = limit{kind: wrapMost, most: most}
	}
	for kind, list := range map[limitKind]string{clamp: clampedTo, refuse: refusedOutOf} {
		for _, w := range strings.Fields(list) {
			name, span, _ := strings.Cut(w, "=")
			least, most, _ := strings.Cut(span, ":")
			out[name] = limit{kind: kind, least: bound(least, math.Inf(-1)), most: bound(most, math.Inf(1))}
		}
	}
	return out
}

func bound(text string, none float64) float64 {
	switch text {
	case "enum":
		return enumEnd
	case ">0":
		return math.SmallestNonzeroFloat64
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return f
	}
	return none
}

// accepted gives what an engine setter keeps of a value; ok is false when the
// setter refuses it and leaves the property as it was.
func (e Env) accepted(class, name string, v variant.Value) (variant.Value, bool) {
	c := classOf(class)
	p, ok := c.property(name)
	if !ok {
		return v, true
	}
	if v.IsNil() {
		return v, c.nullable(name)
	}
	if v, ok = c.limited(name, c.typed(name, v)); !ok {
		return v, false
	}
	return e.normalize(p.Owner, name, v), true
}

// limited gives what the limits of a setter leave of a value; ok is false when it refuses
// it.
func (c *class) limited(name string, v variant.Value) (variant.Value, bool) {
	p := &c.props[c.index[name]]
	l, limited := limits()[p.Owner+"."+name]
	n, isNumber := v.Number()
	if !limited || !isNumber {
		return v, true
	}
	return l.apply(*p, v, n)
}

// nullable reports whether the setter of an engine property takes null: only where
// an object or anything is wanted (engine 4.6: it is not called otherwise).
func (c *class) nullable(name string) bool {
	want := c.valueType(name)
	return want == variant.TypeNil || want == variant.TypeObject
}

// typed gives a value in the type and precision in which the engine holds it.
func (c *class) typed(name string, v variant.Value) variant.Value {
	p := &c.props[c.index[name]]
	if want := c.valueType(name); want != v.Type() {
		if x, ok := variant.ConvertStrict(v, want); ok {
			v = x
		}
	}
	if f, ok := v.Float(); ok && variant.Type(p.Type) == variant.TypeFloat && !doubles()[p.Owner+"."+name] {
		v = variant.Float(float64(float32(f)))
	}
	return v
}

func (l limit) apply(p classdb.PropertyInfo, v variant.Value, n float64) (variant.Value, bool) {
	most := l.most
	if most == enumEnd {
		most = lastOfEnum(p)
	}
	switch l.kind {
	case wrap32:
		i, _ := v.Int()
		return variant.Int(int64(uint32(i))), true
	case wrap8:
		i, _ := v.Int()
		return variant.Int(int64(uint8(i))), true
	case wrapMost:
		i, _ := v.Int()
		return variant.Int(i & int64(most)), true
	case refuse:
		return v, n >= l.least && n <= most
	}
	switch {
	case n < l.least:
		n = l.least
	case n > most:
		n = most
	default:
		return v, true
	}
	if v.Type() == variant.TypeInt {
		return variant.Int(int64(n)), true
	}
	return variant.Float(float64(float32(n))), true
}

// lastOfEnum gives the biggest value that the hint of an enum names.
func lastOfEnum(p classdb.PropertyInfo) float64 {
	if p.Hint != hintEnum {
		return math.Inf(1)
	}
	last, next := 0, 0
	for name := range strings.SplitSeq(p.HintString, ",") {
		if _, text, ok := strings.Cut(name, ":"); ok {
			if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
				next = n
			}
		}
		last = max(last, next)
		next++
	}
	return float64(last)
}
