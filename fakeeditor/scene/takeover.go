package scene

import (
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
	s := e.ScriptOf(e.Node(id))
	if s == nil {
		return
	}
	for _, h := range held {
		x := s.Export(h.Name)
		if x == nil {
			continue
		}
		n := e.Edit(id)
		if v, ok := x.takes(h.Value, s.Tool); ok {
			n.Props = e.with(n.object(), h.Name, v)
		} else {
			n.Props = n.Props.Without(h.Name)
		}
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

// takes gives what a variable holds of a value that is handed to it. Where the script
// runs, the value is made one of the variable's type; elsewhere any is held that can be
// compared with what the variable begins with (engine 4.6).
func (x *Export) takes(v variant.Value, runs bool) (variant.Value, bool) {
	if runs {
		if x.Type == variant.TypeNil || x.Type == v.Type() {
			return v, true
		}
		return variant.ConvertStrict(v, x.Type)
	}
	if !x.HasDefault {
		return v, true
	}
	return v, comparable(x.Default, v) && different(x.Default, v)
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
