package catalog

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"godot-mcp/server/safety"
)

// schemaPair is the ready JSON of a tool's schemas. In and Out are what
// clients see; Out fits both a result and a failure, so it requires nothing and
// is open.
type schemaPair struct {
	In  json.RawMessage `json:"in"`
	Out json.RawMessage `json:"out"`
}

const (
	dryRunArg  = "dry_run"
	confirmArg = "confirm"
	idArg      = "idempotencyId"
	versionArg = "expected_version"
)

// inferPair makes both schemas of a tool from its types. Mistakes panic.
func inferPair(t *Tool) schemaPair {
	in := infer(t.in, t.Name+" input", true)
	for _, arg := range commonArgs(t) {
		if in.Property(arg.Name) != nil {
			panic(fmt.Sprintf("%s: %s is added by the catalogue", t.Name, arg.Name))
		}
		in.Properties = append(in.Properties, arg)
	}
	out := StrictOutput(t)
	out.Required, out.Closed = nil, false
	// What every answer may have is not said in every schema.
	out.Properties = slices.DeleteFunc(out.Properties, func(p Property) bool { return p.Name == "replayed" || p.Name == "approval" })
	sayOnce(out, map[string]bool{})
	return schemaPair{In: mustJSON(in), Out: mustJSON(out)}
}

// sayOnce shortens the published output schema: a long part that stands in it
// before is only named by its type.
func sayOnce(s *Schema, seen map[string]bool) {
	const long = 120
	once := func(p *Schema) *Schema {
		if p == nil {
			return nil
		}
		if raw := mustJSON(p); len(raw) >= long {
			if seen[string(raw)] {
				short := &Schema{Type: p.Type}
				if p.Items != nil {
					short.Items = &Schema{Type: p.Items.Type}
				}
				return short
			}
			seen[string(raw)] = true
		}
		sayOnce(p, seen)
		return p
	}
	for i := range s.Properties {
		s.Properties[i].Schema = once(s.Properties[i].Schema)
	}
	s.Items, s.Values = once(s.Items), once(s.Values)
}

// commonArgs are the arguments that a tool has by its class and needs.
func commonArgs(t *Tool) []Property {
	var args []Property
	c := t.Class
	if changes(c) {
		args = append(args, Property{dryRunArg, &Schema{Type: "boolean", Description: "Preview only; changes nothing."}})
	}
	if c == safety.Destructive {
		args = append(args, Property{confirmArg, &Schema{Type: "boolean", Description: "Must be true for the real run."}})
	}
	if expects(t) {
		args = append(args, Property{versionArg, &Schema{Type: "string", Description: "version of the tree as read; refuse when a person changed the scene since."}})
	}
	if changes(c) {
		low, high := 1, 128
		args = append(args, Property{idArg, &Schema{Type: "string", Description: "Repeats with the same id are done once.", MinLength: &low, MaxLength: &high}})
	}
	return args
}

// expects says whether a tool acts on the edited scene as the caller has read it.
func expects(t *Tool) bool {
	return changes(t.Class) && (slices.Contains(t.Needs, safety.NeedScene) || t.Handler == BatchTool)
}

// changes says whether tools of the class take previews and ids.
func changes(c safety.Class) bool { return c == safety.Mutating || c == safety.Destructive }

// StrictOutput is the schema that a result (not a failure) of the tool obeys:
// closed, with its required fields. Tests hold every answer against it.
func StrictOutput(t *Tool) *Schema {
	s := infer(t.out, t.Name+" output", false)
	if changes(t.Class) {
		s.Properties = append(s.Properties, Property{"replayed", &Schema{Type: "boolean"}})
	}
	s.Properties = append(s.Properties, Property{"approval", infer(reflect.TypeFor[Approved](), t.Name+" approval", false)})
	return s
}

func mustJSON(s *Schema) json.RawMessage {
	raw, err := s.MarshalJSON()
	if err != nil {
		panic(err)
	}
	return raw
}

// infer turns a struct type into a schema: jsonschema-go finds the shape, the
// tags of our own add the rest, and what clients stumble over is taken out.
func infer(t reflect.Type, where string, args bool) *Schema {
	js, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {},
	}})
	if err != nil {
		panic(where + ": " + err.Error())
	}
	if t.Kind() != reflect.Struct {
		panic(where + ": not a struct")
	}
	return convert(js, t, where, args)
}

func convert(js *jsonschema.Schema, t reflect.Type, where string, args bool) *Schema {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s := &Schema{Type: js.Type, Minimum: js.Minimum, Maximum: js.Maximum}
	for _, typ := range js.Types {
		if typ != "null" {
			s.Type = typ
		}
	}
	switch {
	case s.Type == "array":
		s.Items = convert(js.Items, t.Elem(), where+"[]", args)
	case s.Type == "object" && t.Kind() == reflect.Map:
		s.Values = convert(js.AdditionalProperties, t.Elem(), where+"{}", args)
	case s.Type == "object":
		s.Closed = true
		s.Required = js.Required
		for _, name := range js.PropertyOrder {
			f := fieldNamed(t, name)
			p := convert(js.Properties[name], f.Type, where+"."+name, args)
			applyTags(p, f, where+"."+name, args)
			s.Properties = append(s.Properties, Property{name, p})
			if p.Default != nil && contains(js.Required, name) {
				panic(where + "." + name + ": a required argument has no default")
			}
		}
	}
	return s
}

func fieldNamed(t reflect.Type, name string) reflect.StructField {
	for _, f := range reflect.VisibleFields(t) {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.Anonymous && (tag == name || tag == "" && f.Name == name) {
			return f
		}
	}
	panic("no field for " + name)
}

func applyTags(s *Schema, f reflect.StructField, where string, args bool) {
	s.Description = f.Tag.Get("desc")
	if s.Description == "" && args {
		panic(where + ": every argument needs a desc tag")
	}
	if v := f.Tag.Get("enum"); v != "" {
		s.Enum = strings.Split(v, ",")
	}
	number := func(tag string) *float64 {
		v, ok := f.Tag.Lookup(tag)
		if !ok {
			return nil
		}
		n, err := strconv.ParseFloat(v, 64)
		if err != nil {
			panic(where + ": bad " + tag + " tag")
		}
		return &n
	}
	count := func(tag string) *int {
		n := number(tag)
		if n == nil {
			return nil
		}
		i := int(*n)
		return &i
	}
	if n := number("min"); n != nil {
		s.Minimum = n
	}
	if n := number("max"); n != nil {
		s.Maximum = n
	}
	if s.Type == "array" {
		s.MinItems, s.MaxItems = count("minlen"), count("maxlen")
	} else {
		s.MinLength, s.MaxLength = count("minlen"), count("maxlen")
	}
	if v := f.Tag.Get("default"); v != "" {
		if !json.Valid([]byte(v)) {
			v = strconv.Quote(v)
		}
		s.Default = json.RawMessage(v)
	}
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
