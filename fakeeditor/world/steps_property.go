package world

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"godot-mcp/fakeeditor/scene"
	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
	"godot-mcp/server/wire"
)

// encodeNatural gives a value of a property as answers show it. A node is shown by
// its path; since it is declared as an object, the path has to say what it is.
func encodeNatural(e scene.Env, holder scene.NodeID, v variant.Value) json.RawMessage {
	out := e.Outward(holder, v)
	if v.Type() == variant.TypeObject && out.Type() == variant.TypeNodePath {
		return variant.EncodeTagged(out)
	}
	return variant.EncodeJSON(out)
}

// encodeFor shows a value whose declared type may say nothing.
func encodeFor(e scene.Env, holder scene.NodeID, t variant.Type, v variant.Value) json.RawMessage {
	if t == variant.TypeNil {
		return variant.EncodeTagged(e.Outward(holder, v))
	}
	return encodeNatural(e, holder, v)
}

// inOrder gives names in the order in which their properties are set: what counts
// elements comes first, since it makes them, the others follow.
func inOrder(values map[string]json.RawMessage) []string {
	names := slices.Sorted(maps.Keys(values))
	isCount := func(name string) bool { return strings.HasSuffix(name, "_count") }
	counts := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !isCount(name) })
	return append(counts, slices.DeleteFunc(names, isCount)...)
}

// setAll sets several properties of a new node. It gives what each setter kept, which a
// later one may change again.
func (tx *Tx) setAll(e scene.Env, tab Tab, id scene.NodeID, values map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	var kept map[string]json.RawMessage
	for _, name := range inOrder(values) {
		if name == "script" {
			return nil, wire.Fail(wire.ReasonBadParams, "message", `"script" has a parameter of its own`, "param", "properties")
		}
		o, err := tx.set(e, tab, id, name, values[name])
		if err != nil {
			return nil, err
		}
		if kept == nil {
			kept = map[string]json.RawMessage{}
		}
		kept[name] = encodeFor(e, id, o.declared(), o.after)
	}
	return kept, nil
}

// outcome is what setting one property did.
type outcome struct {
	place         scene.Place
	before, after variant.Value
	coerced       bool
	// moved says that the node is elsewhere, whatever its property shows: a preset that
	// a control has already, angles that its basis gives to the last digit.
	moved bool
}

// declared is the type of the property, or of the part of its value.
func (o outcome) declared() variant.Type {
	if len(o.place.Parts) > 0 {
		return o.after.Type()
	}
	return o.place.VariantType()
}

// set decodes a value by the declared type, writes it, and reads back what the
// setter kept.
func (tx *Tx) set(e scene.Env, tab Tab, id scene.NodeID, property string, raw json.RawMessage) (outcome, error) {
	n := e.Node(id)
	path := e.Path(tab.Root, id)
	if scene.Special(property) {
		return outcome{}, wire.Fail(wire.ReasonReadOnlyProp, "path", path, "property", property)
	}
	place, ok := e.Locate(n, property)
	if !ok {
		place, ok = e.LocateMeta(n, property)
	}
	if !ok {
		return outcome{}, wire.Fail(wire.ReasonNoProperty, "path", path, "property", property, "near", nearProperties(e, n, property))
	}
	if e.ReadOnly(place) {
		return outcome{}, wire.Fail(wire.ReasonReadOnlyProp, "path", path, "property", property)
	}
	o := outcome{place: place, before: e.At(place)}
	v, coerced, err := tx.decode(e, tab, id, place, property, raw)
	if err != nil {
		return o, err
	}
	o.coerced = coerced
	if property == "script" {
		if err := tx.setScriptValue(e, tab, id, v); err != nil {
			return o, err
		}
		o.after = e.At(place)
		return o, nil
	}
	if tx.prefix != "" && place.Res == 0 && (e.Forgets(n, place.Name, v) || e.Unready(n, place.Name, v)) {
		return o, wire.Fail(wire.ReasonNotKept, "property", property, "expected", v.String(), "got", o.before.String())
	}
	layout, was := e.Layout(id), *n
	if !(property == "unique_name_in_owner" && v.Equal(variant.Bool(true)) && e.UniqueTaken(id)) {
		if !e.SetAt(place, v) {
			return o, wire.Fail(wire.ReasonNotKept, "property", property, "expected", v.String(), "got", o.before.String())
		}
	}
	o.after = e.At(place)
	o.moved = layout != e.Layout(id)
	if now := e.Layout(id); classdb.Inherits(n.Class, "Node3D") && o.after.Equal(o.before) && !o.moved && !sameBits(layout, now) {
		// Another sign of a zero and nothing else is no edit of a pose.
		*e.Edit(id) = was
	}
	if !scene.SameEnough(o.after, v) && (o.after.Equal(o.before) || o.after.IsNil()) {
		return o, wire.Fail(wire.ReasonNotKept, "property", property, "expected", e.Outward(id, v).String(), "got", e.Outward(id, o.after).String())
	}
	return o, nil
}

func sameBits(a, b [18]float64) bool {
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			return false
		}
	}
	return true
}

// decode reads the JSON of a value and turns it into what memory holds.
func (tx *Tx) decode(e scene.Env, tab Tab, id scene.NodeID, place scene.Place, property string, raw json.RawMessage) (variant.Value, bool, error) {
	if e.HoldsNode(place) {
		return tx.decodeNode(e, tab, id, place, property, raw)
	}
	hint := e.DecodeHint(place)
	var lacking *wire.Error // a property that a new resource does not have
	if known := hint.Property; known != nil {
		hint.Property = func(class, name string) (variant.Hint, bool) {
			h, ok := known(class, name)
			if !ok && lacking == nil {
				lacking = wire.Fail(wire.ReasonNoProperty, "path", class, "property", name, "near", nearClassProperties(class, name))
			}
			return h, ok
		}
	}
	d, err := variant.DecodeJSON(raw, hint)
	if de, ok := errors.AsType[*variant.DecodeError](err); ok && de.Code == variant.CodeUnknownMember && lacking != nil {
		return variant.Nil, false, lacking
	}
	if err != nil {
		return variant.Nil, false, badValue(property, hint, raw, err)
	}
	v, failure := e.Materialize(d.Value)
	if failure != nil && failure.Reason == wire.ReasonWrongResource {
		failure.Details["property"] = property
	}
	if failure != nil {
		return variant.Nil, false, failure
	}
	if want, got, ok := e.Fits(place.Property, v); !ok && len(place.Parts) == 0 {
		r := e.Res(scene.ResOf(v))
		return variant.Nil, false, wire.Fail(wire.ReasonWrongResource, "property", property, "expected", want, "got", got, "resource", r.Path)
	}
	return v, d.Coerced, nil
}

func badValue(property string, hint variant.Hint, raw json.RawMessage, err error) error {
	got := string(raw)
	const most = 200
	if len(got) > most {
		got = strings.ToValidUTF8(got[:most], "") + "…"
	}
	details := []any{"property", property, "expected", hint.String(), "got", got}
	if de, ok := errors.AsType[*variant.DecodeError](err); ok {
		details = append(details, "message", de.Error())
	}
	return wire.Fail(wire.ReasonBadValue, details...)
}

// decodeNode reads a path for a variable that holds a node: from the node itself,
// as files have it, or else from the root.
func (tx *Tx) decodeNode(e scene.Env, tab Tab, id scene.NodeID, place scene.Place, property string, raw json.RawMessage) (variant.Value, bool, error) {
	d, err := variant.DecodeJSON(raw, variant.Hint{Type: variant.TypeNodePath})
	if err != nil {
		if strings.TrimSpace(string(raw)) == "null" {
			return variant.Nil, false, nil
		}
		return variant.Nil, false, badValue(property, variant.Hint{Type: variant.TypeObject, Class: place.ClassName}, raw, err)
	}
	path, _ := d.Value.Text()
	if path == "" {
		return variant.Nil, false, nil
	}
	target := e.Resolve(id, path)
	if target == 0 || !e.Inside(target, tab.Root) {
		if target, err = tx.resolve(e, tab, path); err != nil {
			return variant.Nil, false, err
		}
	}
	n := e.Node(target)
	if want := place.ClassName; classdb.Exists(want) && !classdb.Inherits(n.Class, want) {
		return variant.Nil, false, wire.Fail(wire.ReasonBadValue, "property", property, "expected", want, "got", n.Class)
	}
	return target.Value(), false, nil
}

func nearClassProperties(class, property string) []string {
	var all []string
	for _, p := range classdb.Properties(class, true) {
		all = append(all, p.Name)
	}
	return near(property, all)
}

// It is the part of the path that does not exist which has near names, and the
// parts of a plain value have none.
func nearProperties(e scene.Env, n *scene.Node, property string) []string {
	parts := strings.Split(property, ":")
	of := e.Properties(n)
	for i := range parts {
		place, ok := e.Locate(n, strings.Join(parts[:i+1], ":"))
		if !ok {
			var names []string
			for _, p := range of {
				names = append(names, p.Name)
			}
			return near(parts[i], names)
		}
		r := e.Res(scene.ResOf(e.At(place)))
		if r == nil {
			return []string{}
		}
		of = e.ResProperties(r)
	}
	return []string{}
}

func setNodeProperty(tx *Tx, p wire.SetNodeProperty) (func() wire.SetNodePropertyResult, error) {
	e, tab, n, err := tx.find(p.NodePath)
	if err != nil {
		return nil, err
	}
	o, err := tx.set(e, tab, n.ID, p.Property, p.Value)
	if err != nil {
		return nil, err
	}
	t := o.declared()
	path := e.Path(tab.Root, n.ID)
	r := wire.SetNodePropertyResult{
		NodePath: path, Property: p.Property, Type: t.String(), Coerced: o.coerced, Changed: !o.after.Equal(o.before),
		Value: encodeFor(e, n.ID, t, o.after), Previous: encodeFor(e, n.ID, t, o.before),
	}
	if r.Changed || o.moved {
		tx.effect(Effect{Kind: EffectSetProperty, Target: path + ":" + p.Property, Before: o.before, After: o.after})
	}
	return func() wire.SetNodePropertyResult {
		r.Verdict = verdict(e, n.ID, func() wire.Verdict { return e.PropertyVerdict(tab.Root, n.ID, p.Property) })
		return r
	}, nil
}

// setScript attaches the script of a file; an empty path takes the script off.
func (tx *Tx) setScript(e scene.Env, tab Tab, id scene.NodeID, path string) error {
	if path == "" {
		e.SetScript(id, 0)
		return nil
	}
	clean, err := filePath(path)
	if err != nil {
		return err
	}
	if !strings.HasSuffix(clean, ".gd") && !strings.HasSuffix(clean, ".cs") {
		return wire.Fail(wire.ReasonBadExtension, "path", clean, "want", []string{"gd", "cs"})
	}
	res, failure := e.LoadResource(clean)
	if failure != nil {
		return failure
	}
	return tx.setScriptValue(e, tab, id, res.Value())
}

func (tx *Tx) setScriptValue(e scene.Env, tab Tab, id scene.NodeID, v variant.Value) error {
	res := scene.ResOf(v)
	if r := e.Res(res); r != nil {
		n := e.Node(id)
		if !classdb.Inherits(r.Class, "Script") {
			return wire.Fail(wire.ReasonWrongResource, "property", "script", "expected", "Script", "got", r.Class, "resource", r.Path)
		}
		if s := e.ScriptAt(r.Path); s != nil && !s.Broken && !classdb.Inherits(n.Class, s.Native) {
			return wire.Fail(wire.ReasonWrongResource, "property", "script", "expected", n.Class, "got", s.Native, "resource", r.Path)
		}
	}
	e.SetScript(id, res)
	return nil
}

func attachScript(tx *Tx, p wire.AttachScript) (func() wire.AttachScriptResult, error) {
	e, tab, n, err := tx.find(p.NodePath)
	if err != nil {
		return nil, err
	}
	path := e.Path(tab.Root, n.ID)
	before := e.ScriptPath(n)
	if err := tx.setScript(e, tab, n.ID, p.ScriptPath); err != nil {
		return nil, err
	}
	after := e.ScriptPath(e.Node(n.ID))
	r := wire.AttachScriptResult{NodePath: path, ScriptPath: after, Previous: before, Changed: before != after}
	if r.Changed {
		tx.effect(Effect{Kind: EffectSetProperty, Target: path + ":script", Before: before, After: after})
	}
	return func() wire.AttachScriptResult {
		r.Verdict = verdict(e, n.ID, func() wire.Verdict { return e.PropertyVerdict(tab.Root, n.ID, "script") })
		return r
	}, nil
}

// setUnique gives a node a scene-unique name, unless another one has it already:
// then the engine leaves the mark off.
func setUnique(e scene.Env, id scene.NodeID) {
	if !e.UniqueTaken(id) {
		n := e.Edit(id)
		n.Props = n.Props.With("unique_name_in_owner", variant.Bool(true))
	}
}

// typeName names the type of a node as listings do: the class it stands for.
func typeName(_ scene.Env, n *scene.Node) string {
	if n.Missing != nil && n.Missing.Class != "" {
		return n.Missing.Class
	}
	return n.Class
}
