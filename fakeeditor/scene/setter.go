package scene

import "godot-mcp/server/godot/variant"

// accepted gives what an engine setter keeps of a value; ok is false when the
// setter refuses it and leaves the property as it was. Most setters keep what they
// get; those listed here are known not to (engine 4.6 experiments).
func (e Env) accepted(class, name string, v variant.Value) (variant.Value, bool) {
	c := classOf(class)
	p, ok := c.property(name)
	if !ok {
		return v, true
	}
	if want := c.valueType(name); want != v.Type() && v.Type().IsStringLike() {
		if x, ok := variant.ConvertStrict(v, want); ok {
			v = x
		}
	}
	// 32-bit members round what a script gives in 64 bits.
	if variant.Type(p.Type) == variant.TypeFloat && !doubles[p.Owner+"."+name] {
		if f, ok := v.Float(); ok {
			v = variant.Float(float64(float32(f)))
		}
	}
	if limit, ok := limits[p.Owner+"."+name]; ok {
		n, isNumber := v.Number()
		if isNumber && limit.refuse && (n < limit.least || n > limit.most) {
			return v, false
		}
		if isNumber {
			n = max(limit.least, min(limit.most, n))
			if v.Type() == variant.TypeInt {
				return variant.Int(int64(n)), true
			}
			return variant.Float(n), true
		}
	}
	return normalize(p.Owner, name, v), true
}

type limit struct {
	least, most float64
	refuse      bool
}

// limits are setters that clamp a number or refuse what is out of range.
var limits = map[string]limit{}

// doubles are float properties that the engine holds in 64 bits.
var doubles = map[string]bool{}

// noSetter are properties that can only be read.
var noSetter = map[string]bool{}
