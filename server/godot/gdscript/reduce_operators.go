package gdscript

import (
	"math"
	"strconv"
	"strings"

	"godot-mcp/server/godot/variant"
)

var numbers = map[kind]variant.Value{
	"INF": variant.Float(math.Inf(1)), "NAN": variant.Float(math.NaN()),
	"PI": variant.Float(math.Pi), "TAU": variant.Float(2 * math.Pi),
}

func literalValue(t token) reduced {
	switch t.literal {
	case literalInt:
		base := 10 // also behind a zero
		if len(t.value) > 2 && t.value[0] == '0' && !isDigit(t.value[1]) {
			base = 0
		}
		n, err := strconv.ParseInt(t.value, base, 64)
		if err != nil {
			return unknown
		}
		return constant(variant.Int(n))
	case literalFloat:
		f, err := strconv.ParseFloat(t.value, 64)
		if err != nil {
			return unknown
		}
		return constant(variant.Float(f))
	case literalString:
		return constant(variant.String(t.value))
	case literalStringName:
		return constant(variant.StringName(t.value))
	case literalNodePath:
		return constant(variant.NodePath(t.value))
	case literalBool:
		return constant(variant.Bool(t.value == "true"))
	}
	return constant(variant.Nil)
}

func truth(v variant.Value) bool {
	if n, ok := v.Number(); ok {
		return n != 0
	}
	if b, ok := v.Bool(); ok {
		return b
	}
	if s, ok := v.Text(); ok {
		return s != ""
	}
	return !v.IsNil()
}

func unary(op kind, v reduced) reduced {
	if is := folded(v); is != Folded {
		return reduced{is: is}
	}
	if op == "not" {
		return constant(variant.Bool(!truth(v.value)))
	}
	if n, ok := v.value.Int(); ok {
		switch op {
		case "-":
			n = -n
		case "~":
			n = ^n
		}
		return constant(variant.Int(n))
	}
	if f, ok := v.value.Float(); ok && op != "~" {
		if op == "-" {
			f = -f
		}
		return constant(variant.Float(f))
	}
	if op == "-" && v.value.Type().IsStruct() {
		return byParts("*", v.value, variant.Int(-1))
	}
	return unknown
}

// operate folds a binary operator.
func operate(op kind, a, b variant.Value) reduced {
	switch op {
	case "and", "&&":
		return constant(variant.Bool(truth(a) && truth(b)))
	case "or", "||":
		return constant(variant.Bool(truth(a) || truth(b)))
	}
	x, isInt := a.Int()
	y, both := b.Int()
	if isInt && both {
		return operateInts(op, x, y)
	}
	f, isNumber := a.Number()
	g, numbers := b.Number()
	if isNumber && numbers {
		return operateFloats(op, f, g)
	}
	s, isText := a.Text()
	t, texts := b.Text()
	if isText && op == "%" {
		return format(s, b)
	}
	if isText && texts {
		switch op {
		case "+":
			return constant(variant.String(s + t))
		case "==":
			return constant(variant.Bool(s == t))
		case "!=":
			return constant(variant.Bool(s != t))
		}
		return unknown
	}
	if a.Type() == b.Type() && (op == "==" || op == "!=") {
		return constant(variant.Bool(a.Equal(b) == (op == "==")))
	}
	return byParts(op, a, b)
}

// format fills one %d or %s in; other formats are not known.
func format(s string, with variant.Value) reduced {
	text, isText := with.Text()
	n, isInt := with.Int()
	verb := "%s"
	if isInt {
		text = strconv.FormatInt(n, 10)
		if strings.Contains(s, "%d") {
			verb = "%d"
		}
	}
	if !isText && !isInt || strings.Count(s, "%") != 1 || !strings.Contains(s, verb) {
		return unknown
	}
	return constant(variant.String(strings.Replace(s, verb, text, 1)))
}

func operateInts(op kind, x, y int64) reduced {
	switch op {
	case "+":
		x += y
	case "-":
		x -= y
	case "*":
		x *= y
	case "/", "%":
		if y == 0 {
			return unknown
		}
		if op == "/" {
			x /= y
		} else {
			x %= y
		}
	case "&":
		x &= y
	case "|":
		x |= y
	case "^":
		x ^= y
	case "<<", ">>":
		if y < 0 || y > 63 {
			return unknown
		}
		if op == "<<" {
			x <<= y
		} else {
			x >>= y
		}
	case "**":
		return constant(variant.Int(int64(math.Pow(float64(x), float64(y)))))
	default:
		return compare(op, x, y)
	}
	return constant(variant.Int(x))
}

func operateFloats(op kind, f, g float64) reduced {
	if out, ok := arithmetic(op, f, g); ok {
		return constant(variant.Float(out))
	}
	return compare(op, f, g)
}

// arithmetic does the four operations; ok is false for another.
func arithmetic[N float32 | float64](op kind, f, g N) (out N, ok bool) {
	switch op {
	case "+":
		return f + g, true
	case "-":
		return f - g, true
	case "*":
		return f * g, true
	case "/":
		return f / g, true
	}
	return 0, false
}

func compare[N int64 | float64](op kind, a, b N) reduced {
	out := map[kind]bool{"<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b, "==": a == b, "!=": a != b}
	v, ok := out[op]
	if !ok {
		return unknown
	}
	return constant(variant.Bool(v))
}

// byParts calculates with vectors and colours: two of a type part by part, or one with a number.
func byParts(op kind, a, b variant.Value) reduced {
	name, left, ok := parts(a)
	if !ok {
		if _, number := a.Number(); number && op == "*" {
			return byParts(op, b, a)
		}
		return unknown
	}
	right := make([]float64, len(left))
	if other, p, ok := parts(b); ok && other == name {
		right = p
	} else if n, ok := b.Number(); ok && (op == "*" || op == "/") {
		if b.Type() == variant.TypeFloat && strings.HasSuffix(name, "i") {
			return unknown
		}
		for i := range right {
			right[i] = n
		}
	} else {
		return unknown
	}
	whole := strings.HasSuffix(name, "i")
	if whole && op == "/" {
		return unknown
	}
	out := make([]string, len(left))
	for i := range left {
		part, ok := arithmetic(op, left[i], right[i])
		if !whole {
			narrow, _ := arithmetic(op, float32(left[i]), float32(right[i]))
			part = float64(narrow)
		}
		if !ok || whole && part != float64(int32(part)) {
			return unknown // of whole numbers the engine keeps 32 bits
		}
		out[i] = variant.Float(part).String()
	}
	v, err := variant.ParseText(name + "(" + strings.Join(out, ", ") + ")")
	if err != nil {
		return unknown
	}
	return constant(v)
}

// parts are the numbers of a vector or colour.
func parts(v variant.Value) (name string, out []float64, ok bool) {
	name, rest, _ := strings.Cut(v.String(), "(")
	if !strings.HasPrefix(name, "Vector") && name != "Color" {
		return "", nil, false
	}
	for word := range strings.SplitSeq(strings.TrimSuffix(rest, ")"), ", ") {
		f, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return "", nil, false
		}
		out = append(out, f)
	}
	return name, out, true
}

// attribute gives a part of a value by its name.
func attribute(v reduced, name string) reduced {
	if d, ok := v.value.Dictionary(); ok {
		if item, ok := d.GetString(name); ok {
			return reduced{item, Listed}
		}
		return runtime
	}
	of, list, ok := parts(v.value)
	if !ok {
		return unknown
	}
	letters := "xyzw"
	if of == "Color" {
		letters = "rgba"
	}
	i := strings.Index(letters, name)
	if len(name) != 1 || i < 0 || i >= len(list) {
		return unknown
	}
	if strings.HasSuffix(of, "i") {
		return reduced{variant.Int(int64(list[i])), v.is}
	}
	return reduced{variant.Float(list[i]), v.is}
}

// element gives an item of a list or dictionary.
func element(v, index reduced) reduced {
	if is := min(v.is, index.is); is == Unknown {
		return unknown
	}
	if v.is == AtRuntime || index.is == AtRuntime {
		return runtime
	}
	if a, ok := v.value.Array(); ok {
		if n, ok := index.value.Int(); ok && n >= 0 && n < int64(a.Len()) {
			return reduced{a.Items()[n], Listed}
		}
	}
	if d, ok := v.value.Dictionary(); ok {
		if item, ok := d.Get(index.value); ok {
			return reduced{item, Listed}
		}
	}
	return unknown
}
