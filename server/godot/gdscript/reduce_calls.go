package gdscript

import (
	"math"
	"slices"
	"strings"

	"godot-mcp/server/godot/variant"
)

// call reads the arguments of a call and folds it if the analyzer does. Methods, functions of scripts and those of the
// engine that are not mathematical are left for the running script.
func (r *reducer) call(function string) reduced {
	r.next()
	var args []reduced
	for r.current.kind != ")" {
		args = append(args, r.ternary())
		if _, ok := r.match(","); !ok {
			break
		}
	}
	is := folded(args...)
	if _, ok := r.match(")"); !ok {
		return r.broken(reduced{is: is})
	}
	switch {
	case function == "preload":
		return unknown
	case function == "Array" && len(args) == 0:
		return reduced{variant.NewArray(), Listed}
	case function == "Dictionary" && len(args) == 0:
		return reduced{variant.NewDictionary(), Listed}
	case isBuiltinType(function):
		if is != Folded {
			return reduced{is: is}
		}
		return construct(function, values(args))
	case function == "Color8" || function == "len" || function == "ord" || function == "char" || function == "convert":
		return unknown
	case slices.Contains(mathFunctions, function):
		if is != Folded {
			return reduced{is: is}
		}
		return calculate(function, values(args))
	}
	return runtime
}

func values(of []reduced) []variant.Value {
	out := make([]variant.Value, 0, len(of))
	for _, r := range of {
		out = append(out, r.value)
	}
	return out
}

// construct calls the constructor of a builtin type.
func construct(name string, args []variant.Value) reduced {
	t, ok := variant.TypeByName(name)
	if !ok {
		return unknown
	}
	if len(args) == 0 {
		if v, ok := emptyOf(t, name); ok {
			return constant(v)
		}
		return unknown
	}
	if len(args) == 1 {
		return constructFrom(t, args[0])
	}
	if t == variant.TypeColor {
		if base, ok := args[0].Color(); ok && len(args) == 2 {
			if alpha, ok := args[1].Number(); ok {
				base.A = float32(alpha)
				return constant(base.Value())
			}
		}
		if n := len(args); n == 3 {
			args = append(slices.Clone(args), variant.Float(1))
		}
	}
	var parts []string
	for _, a := range args {
		if _, ok := a.Number(); ok {
			parts = append(parts, a.String())
			continue
		}
		// A rectangle or a box of two vectors is written with the numbers of both.
		open, end := strings.IndexByte(a.String(), '('), strings.LastIndexByte(a.String(), ')')
		if open < 0 || end < open || !slices.Contains([]string{"Rect2", "Rect2i", "AABB", "Plane"}, name) || !a.Type().IsStruct() {
			return unknown
		}
		parts = append(parts, a.String()[open+1:end])
	}
	v, err := variant.ParseText(name + "(" + strings.Join(parts, ", ") + ")")
	if err != nil || v.Type() != t {
		return unknown
	}
	return constant(v)
}

// emptyOf gives what a constructor without arguments makes.
func emptyOf(t variant.Type, name string) (variant.Value, bool) {
	switch t {
	case variant.TypeString:
		return variant.String(""), true
	case variant.TypeStringName:
		return variant.StringName(""), true
	case variant.TypeNodePath:
		return variant.NodePath(""), true
	case variant.TypeBool:
		return variant.Bool(false), true
	case variant.TypeInt:
		return variant.Int(0), true
	case variant.TypeFloat:
		return variant.Float(0), true
	case variant.TypeColor:
		return variant.Color{A: 1}.Value(), true
	case variant.TypeTransform2D, variant.TypeQuaternion, variant.TypeBasis, variant.TypeTransform3D, variant.TypeProjection:
		return builtinConstant(name + ".IDENTITY")
	case variant.TypeVector2, variant.TypeVector2i, variant.TypeVector3, variant.TypeVector3i, variant.TypeVector4, variant.TypeVector4i:
		return builtinConstant(name + ".ZERO")
	}
	zeros := map[variant.Type]string{variant.TypeRect2: "0, 0, 0, 0", variant.TypeRect2i: "0, 0, 0, 0", variant.TypePlane: "0, 0, 0, 0", variant.TypeAABB: "0, 0, 0, 0, 0, 0"}
	v, err := variant.ParseText(name + "(" + zeros[t] + ")")
	return v, err == nil && v.Type() == t
}

// constructFrom makes a value of one of another type.
func constructFrom(t variant.Type, from variant.Value) reduced {
	text, isText := from.Text()
	switch {
	case from.Type() == t:
		return constant(from)
	case t == variant.TypeColor && isText:
		if v, ok := colorNamed(text); ok {
			return constant(v)
		}
		return unknown
	case isText && t.IsStringLike():
		c, _ := variant.ConvertStrict(variant.String(text), t)
		if c.Type() != t {
			return unknown
		}
		return constant(c)
	case isText:
		return unknown
	}
	switch t {
	case variant.TypeInt, variant.TypeFloat, variant.TypeBool, variant.TypeVector2, variant.TypeVector2i, variant.TypeVector3,
		variant.TypeVector3i, variant.TypeVector4, variant.TypeVector4i, variant.TypeRect2, variant.TypeRect2i:
		if c, ok := variant.ConvertStrict(from, t); ok && c.Type() == t {
			return constant(c)
		}
	}
	return unknown
}

// colorNamed reads a colour by its name or its hexadecimal digits.
func colorNamed(text string) (variant.Value, bool) {
	digits, hex := strings.CutPrefix(text, "#")
	if hex {
		return colorOfDigits(digits)
	}
	plain := strings.NewReplacer(" ", "", "-", "", "_", "", "'", "", ".", "").Replace(strings.ToUpper(text))
	for name := range builtinConstants() {
		if word, ok := strings.CutPrefix(name, "Color."); ok && strings.ReplaceAll(word, "_", "") == plain {
			return builtinConstant(name)
		}
	}
	return colorOfDigits(text)
}

func colorOfDigits(digits string) (variant.Value, bool) {
	for i := range len(digits) {
		if !isHex(digits[i]) {
			return variant.Nil, false
		}
	}
	wide := 1
	switch len(digits) {
	case 3, 4:
	case 6, 8:
		wide = 2
	default:
		return variant.Nil, false
	}
	parts := [4]float32{3: 1}
	for i := 0; i*wide < len(digits); i++ {
		n := 0
		for _, c := range []byte(strings.ToLower(digits[i*wide : (i+1)*wide])) {
			n = n<<4 | strings.IndexByte("0123456789abcdef", c)
		}
		if wide == 1 {
			n |= n << 4
		}
		parts[i] = float32(n) / 255
	}
	return variant.Color{R: parts[0], G: parts[1], B: parts[2], A: parts[3]}.Value(), true
}

// mathFunctions are the functions that the analyzer folds.
var mathFunctions = strings.Fields(`sin cos tan sinh cosh tanh asin acos atan atan2 asinh acosh atanh sqrt fmod fposmod
	posmod floor floorf floori ceil ceilf ceili round roundf roundi abs absf absi sign signf signi snapped snappedf snappedi
	pow log exp is_nan is_inf is_equal_approx is_zero_approx is_finite ease step_decimals lerp lerpf cubic_interpolate
	cubic_interpolate_angle cubic_interpolate_in_time cubic_interpolate_angle_in_time bezier_interpolate bezier_derivative
	angle_difference lerp_angle inverse_lerp remap smoothstep move_toward rotate_toward deg_to_rad rad_to_deg linear_to_db
	db_to_linear wrap wrapi wrapf max maxi maxf min mini minf clamp clampi clampf nearest_po2 pingpong`)

// calculate calls a mathematical function of numbers; those that libraries may round differently are not known.
func calculate(function string, args []variant.Value) reduced {
	floats := make([]float64, 0, 3)
	ints := true
	for _, a := range args {
		f, ok := a.Number()
		if !ok {
			return unknown
		}
		ints = ints && a.Type() == variant.TypeInt
		floats = append(floats, f)
	}
	of := map[string]func(f ...float64) float64{
		"deg_to_rad": func(f ...float64) float64 { return f[0] * (math.Pi / 180) },
		"rad_to_deg": func(f ...float64) float64 { return f[0] * (180 / math.Pi) },
		"sqrt":       func(f ...float64) float64 { return math.Sqrt(f[0]) },
		"floor":      func(f ...float64) float64 { return math.Floor(f[0]) },
		"ceil":       func(f ...float64) float64 { return math.Ceil(f[0]) },
		"round":      func(f ...float64) float64 { return math.Round(f[0]) },
		"abs":        func(f ...float64) float64 { return math.Abs(f[0]) },
		"max":        func(f ...float64) float64 { return slices.Max(f) },
		"min":        func(f ...float64) float64 { return slices.Min(f) },
		"clamp":      func(f ...float64) float64 { return min(max(f[0], f[1]), f[2]) },
	}
	name, kind := function, byte(0)
	if of[name] == nil && len(name) > 1 {
		name, kind = name[:len(name)-1], name[len(name)-1]
	}
	f := of[name]
	if f == nil || len(floats) == 0 || name == "clamp" && len(floats) != 3 {
		return unknown
	}
	out := f(floats...)
	mixed := name == "deg_to_rad" || name == "rad_to_deg" || name == "sqrt"
	if kind == 'i' || kind == 0 && ints && !mixed {
		return constant(variant.Int(int64(out)))
	}
	return constant(variant.Float(out))
}
