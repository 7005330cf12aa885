package gdscript

import (
	"strings"

	"godot-mcp/server/godot/variant"
)

// Reduction says what the engine's analyzer makes of an initial value, which is what an object that does not run its
// script starts with.
type Reduction int

const (
	// Unknown is what Reduce cannot tell.
	Unknown Reduction = iota
	// Folded is a value that is folded and so converted to the type of its variable.
	Folded
	// Listed is a list or dictionary of values, or a part of one, which is not converted.
	Listed
	// AtRuntime is what only a running script can tell: the variable then starts as null.
	AtRuntime
)

// Reduce works out an initial value as the analyzer does (engine 4.6): operators, constructors of builtin types and
// mathematical functions of constants are folded, other calls are not. Names gives the values of names, dotted ones too,
// that are constants of the script or the engine.
func Reduce(src string, names func(name string) (variant.Value, bool)) (variant.Value, Reduction) {
	r := reducer{tokens: newTokenizer(src), names: names}
	r.tokens.multiline = true
	r.next()
	v := r.ternary()
	if r.current.kind != kindEOF && v.is != AtRuntime {
		return variant.Nil, Unknown
	}
	if v.is == AtRuntime || v.is == Unknown {
		return variant.Nil, v.is
	}
	return v.value, v.is
}

// reduced is a value and how far it is known.
type reduced struct {
	value variant.Value
	is    Reduction
}

var unknown, runtime = reduced{}, reduced{is: AtRuntime}

func constant(v variant.Value) reduced { return reduced{v, Folded} }

// folded combines what an operator or call is made of: it is a constant if all of these are.
func folded(of ...reduced) Reduction {
	out := Folded
	for _, r := range of {
		switch r.is {
		case Unknown:
			return Unknown
		case Listed, AtRuntime:
			out = AtRuntime
		}
	}
	return out
}

type reducer struct {
	tokens  *tokenizer
	current token
	names   func(string) (variant.Value, bool)
	depth   int
}

func (r *reducer) next() token {
	t := r.current
	r.current = r.tokens.next()
	return t
}

func (r *reducer) match(kinds ...kind) (kind, bool) {
	for _, k := range kinds {
		if r.current.kind == k {
			r.next()
			return k, true
		}
	}
	return "", false
}

func (r *reducer) word(t token) string { return r.tokens.src[t.start:t.end] }

func (r *reducer) ternary() reduced {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > maxDepth {
		return unknown
	}
	yes := r.binary(0)
	if _, ok := r.match("if"); !ok {
		return yes
	}
	condition := r.binary(0)
	if _, ok := r.match("else"); !ok {
		return r.broken(condition)
	}
	no := r.ternary()
	if is := folded(yes, condition, no); is != Folded {
		return reduced{is: is}
	}
	if truth(condition.value) {
		return yes
	}
	return no
}

// levels are the binary operators from loose to tight.
var levels = [][]kind{
	{"or", "||"}, {"and", "&&"}, {"not"}, {"in"}, {"<", ">", "<=", ">=", "==", "!="}, {"|"}, {"^"}, {"&"}, {"<<", ">>"},
	{"+", "-"}, {"*", "/", "%"}, {"sign"}, {"~"}, {"**"},
}

func (r *reducer) binary(level int) reduced {
	if level == len(levels) {
		return r.postfix(r.operand())
	}
	switch levels[level][0] {
	case "not":
		if _, ok := r.match("not", "!"); ok {
			return unary("not", r.binary(level))
		}
		return r.binary(level + 1)
	case "sign":
		if op, ok := r.match("-", "+"); ok {
			return unary(op, r.binary(level))
		}
		return r.binary(level + 1)
	case "~":
		if op, ok := r.match("~"); ok {
			return unary(op, r.binary(level))
		}
		return r.binary(level + 1)
	}
	left := r.binary(level + 1)
	for {
		op, ok := r.match(levels[level]...)
		if !ok {
			return left
		}
		right := r.binary(level + 1)
		if is := folded(left, right); is != Folded {
			left = reduced{is: is}
			continue
		}
		left = operate(op, left.value, right.value)
	}
}

func (r *reducer) operand() reduced {
	switch t := r.next(); t.kind {
	case kindLiteral:
		return literalValue(t)
	case "INF", "NAN", "PI", "TAU":
		return constant(numbers[t.kind])
	case "(":
		v := r.ternary()
		if _, ok := r.match(")"); !ok {
			return r.broken(v)
		}
		return v
	case "[":
		return r.array()
	case "{":
		return r.dictionary()
	case "$", "%", "func", "await":
		return r.rest(runtime)
	case kindIdentifier:
		return r.name(t)
	}
	return r.rest(unknown)
}

// broken is what an expression is whose part was not read to the end.
func (r *reducer) broken(part reduced) reduced {
	if r.current.kind == kindEOF && part.is == AtRuntime {
		return runtime
	}
	return unknown
}

// rest passes over what is left of an expression that is not worked out.
func (r *reducer) rest(v reduced) reduced {
	for r.current.kind != kindEOF && r.current.kind != kindError {
		r.next()
	}
	return v
}

func (r *reducer) array() reduced {
	var items []variant.Value
	is := Listed
	for r.current.kind != "]" {
		item := r.ternary()
		if item.is != Folded && item.is != Listed {
			is = item.is
		}
		items = append(items, item.value)
		if _, ok := r.match(","); !ok {
			break
		}
	}
	if _, ok := r.match("]"); !ok {
		return r.broken(reduced{is: is})
	}
	return reduced{variant.NewArray(items...), is}
}

func (r *reducer) dictionary() reduced {
	var entries []variant.Entry
	is := Listed
	for r.current.kind != "}" {
		var key reduced
		t := r.current
		if t.kind == kindIdentifier && strings.HasPrefix(strings.TrimLeft(r.tokens.src[t.end:], " \t"), "=") &&
			!strings.HasPrefix(strings.TrimLeft(r.tokens.src[t.end:], " \t"), "==") {
			r.next()
			r.next()
			key = constant(variant.String(r.word(t)))
		} else if key = r.ternary(); key.is == Folded || key.is == Listed {
			if _, ok := r.match(":"); !ok {
				return unknown
			}
		} else {
			return r.rest(reduced{is: key.is})
		}
		value := r.ternary()
		if value.is != Folded && value.is != Listed {
			is = value.is
		}
		entries = append(entries, variant.Entry{Key: key.value, Value: value.value})
		if _, ok := r.match(","); !ok {
			break
		}
	}
	if _, ok := r.match("}"); !ok {
		return r.broken(reduced{is: is})
	}
	return reduced{variant.NewDictionary(entries...), is}
}

// postfix reads attributes and indices behind an operand.
func (r *reducer) postfix(v reduced) reduced {
	for {
		switch r.current.kind {
		case ".":
			r.next()
			name := r.next()
			if r.current.kind == "(" || r.current.kind == "[" && v.is == Unknown {
				return r.rest(reduced{is: max(v.is, AtRuntime)})
			}
			if v.is == Folded || v.is == Listed {
				v = attribute(v, r.word(name))
			}
		case "[":
			r.next()
			index := r.ternary()
			if _, ok := r.match("]"); !ok {
				return unknown
			}
			v = element(v, index)
		case "(", "as", "is":
			return r.rest(unknown)
		default:
			return v
		}
	}
}

// name reads a name: of a constant, a constructor or a function.
func (r *reducer) name(t token) reduced {
	word := r.word(t)
	for {
		if r.current.kind == "(" {
			return r.call(word)
		}
		if v, ok := builtinConstant(word); ok {
			return constant(v)
		}
		if v, ok := r.names(word); ok {
			return constant(v)
		}
		if r.current.kind != "." {
			return unknown
		}
		r.next()
		part := r.next()
		if !part.isIdentifier() {
			return unknown
		}
		word += "." + r.word(part)
	}
}
