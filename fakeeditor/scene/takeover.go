package scene

import (
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// takeOver gives a node that is made the script of a file, or null. Where the script of
// an instanced scene stood, all that its variables hold, also what they begin with, goes
// to variables of the new script that have the names (engine 4.6).
func (e Env) takeOver(id NodeID, script variant.Value) {
	held := e.variables(e.Node(id).object())
	e.assign(id, "script", script)
	e.outlived(id)
	for _, h := range held {
		e.setVariable(id, h.Name, h.Value)
	}
}

// variables are what the variables of an object's script hold that files keep.
func (e Env) variables(o object) (out Props) {
	s := e.scriptOf(o)
	if s == nil {
		return nil
	}
	for _, x := range s.Exports {
		v, set := o.props.Get(x.Name)
		if x.Usage&classdb.UsageStorage != 0 && (set || x.HasDefault) {
			if !set {
				v = x.Default
			}
			out = append(out, Prop{x.Name, v})
		}
	}
	return out
}

// setVariable gives a variable of a node's script a value as a load does; it is false
// where the script has no such variable.
func (e Env) setVariable(id NodeID, name string, v variant.Value) bool {
	n := e.Node(id)
	s := e.ScriptOf(n)
	x := s.Export(name)
	if x == nil {
		return false
	}
	old, held := n.Props.Get(name)
	if !held {
		old = x.Default
	}
	v, ok := x.takes(fitted(v, old), held, s.Tool)
	if ok {
		e.Edit(id).Props = e.with(n.object(), name, v)
	}
	return true
}

// takes gives what a variable holds of a value that it is set to, false for one that it
// does not take. Where the script runs, the value is made one of the variable's type;
// elsewhere a variable that holds something takes anything, and another what can be
// compared with what it begins with (engine 4.6).
func (x *Export) takes(v variant.Value, held, runs bool) (variant.Value, bool) {
	switch {
	case runs:
		return x.made(v)
	case held || !x.HasDefault:
		return v, true
	}
	return v, comparable(x.Default, v)
}

// made gives a value as one of the variable's type.
func (x *Export) made(v variant.Value) (variant.Value, bool) {
	text, ok := v.Text()
	switch {
	case x.Type == variant.TypeNil || x.Type == v.Type():
		return v, true
	case v.IsNil():
		return v, x.Type == variant.TypeObject
	case ok && v.Type() == variant.TypeString && x.Type == variant.TypeInt:
		return variant.Int(digits(text)), true
	}
	return variant.ConvertStrict(v, x.Type)
}

// digits is String.to_int of the engine: the digits in front of a point, whatever stands
// between them.
func digits(s string) int64 {
	n, sign := int64(0), int64(1)
	s, _, _ = strings.Cut(s, ".")
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9':
			n = n*10 + int64(c-'0')
		case c == '-' && n == 0:
			sign = -sign
		}
	}
	return sign * n
}

// fitted gives a list or dictionary of a file the types of elements of the one that it
// takes the place of; if an element cannot be made one of those it is empty (engine 4.6).
func fitted(v, old variant.Value) variant.Value {
	if a, ok := v.Array(); ok {
		b, ok := old.Array()
		if !ok || b.Elem == a.Elem {
			return v
		}
		items, ok := made(a.Items(), a.Elem, b.Elem)
		if !ok {
			return variant.NewTypedArray(b.Elem)
		}
		return variant.NewTypedArray(b.Elem, items...)
	}
	return v
}

// made gives elements of one type as such of another.
func made(items []variant.Value, from, to variant.ContainerType) ([]variant.Value, bool) {
	out := make([]variant.Value, 0, len(items))
	for _, item := range items {
		switch {
		case to.IsAny() || to.Type == variant.TypeObject:
		case from.Type == variant.TypeObject:
			return nil, false
		default:
			c, ok := variant.ConvertStrict(item, to.Type)
			if !ok {
				return nil, false
			}
			item = c
		}
		out = append(out, item)
	}
	return out, true
}

// otherType reports whether what a variable holds and begins with are of types that are
// never equal to the packer: a variable can hold what the script had before it was written.
func otherType(a, b variant.Value) bool {
	return a.Type() != b.Type() && !isNull(a) && !isNull(b) && a.Type() != variant.TypeNodePath
}

// comparable reports whether the engine has an == for two values.
func comparable(a, b variant.Value) bool {
	number := func(v variant.Value) bool { return v.Type() == variant.TypeInt || v.Type() == variant.TypeFloat }
	text := func(v variant.Value) bool {
		return v.Type() == variant.TypeString || v.Type() == variant.TypeStringName
	}
	return a.Type() == b.Type() || isNull(a) || isNull(b) || number(a) && number(b) || text(a) && text(b)
}

// outlived drops what an instanced scene gave to variables of a script that another
// one, or none, has taken the place of: the engine hands the values on to variables that
// the new script has too, and loses the others (engine 4.6 experiment).
func (e Env) outlived(id NodeID) {
	for _, p := range e.Node(id).Props {
		o := e.Node(id).object()
		script, _ := o.props.Get("script")
		_, known := classOf(o.class).property(p.Name)
		if e.dropped(o, p.Name, p.Value) || script.IsNil() && !known && e.dropped(object{class: o.class}, p.Name, p.Value) {
			n := e.Edit(id)
			n.Props = n.Props.Without(p.Name)
		}
	}
}
