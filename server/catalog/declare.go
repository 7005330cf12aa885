package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"godot-mcp/server/answer"
	"godot-mcp/server/safety"
)

// Needs of the usual tools, in the order in which they fail.
var (
	NeedsEditor = []safety.Need{safety.NeedBridge}
	NeedsScene  = []safety.Need{safety.NeedBridge, safety.NeedScene}
	NeedsNode   = []safety.Need{safety.NeedBridge, safety.NeedScene, safety.NeedNode}
)

// Declaration is everything there is to say about a tool. Exactly one of Plan
// and Run is set.
type Declaration[In, Out any] struct {
	Toolset string
	// Handler is the verb phrase from which the exposed name and the cmd_ alias
	// follow ([ExposedName]).
	Handler string
	// Action replaces the action part of the exposed name where the rules
	// would give another.
	Action string
	// Aliases are further names that run_commands accepts.
	Aliases     []string
	Description string // for the model: what it does, and what to know first
	Class       safety.Class
	// Irreversible, WritesDisk, ExecutesCode, Overwrites: see [safety.Spec]. A tool
	// that declares Overwrites has a confirm of its own among its arguments.
	Irreversible bool
	WritesDisk   bool
	ExecutesCode bool
	Overwrites   string
	OpenWorld    bool // deals with things outside project and editor
	Needs        []safety.Need
	MinGodot     string           // empty: the toolset's
	Profiles     []safety.Profile // empty: by class
	Target       []string         // arguments that name what the call acts on
	// Files and Nodes name the path arguments. A trailing ? allows the empty
	// text; "list[].field" reaches into a list of objects, "list[]" into a list.
	Files []string
	Nodes []string
	// Secret names arguments whose values are never written down.
	Secret []string
	// Commands are the wire commands it may send, when Plan does not tell
	// (the catalogue adds cmd_transaction for edits).
	Commands []string
	// Timeout of the whole call; 0 is the server's default of 30 s. A Plan passes
	// it to its one command, a Run's commands have the bridge's default each.
	Timeout time.Duration

	// Entries are the calls of a batch, which a person is asked about as a whole.
	Entries func(In) []EntryCall

	Plan func(In) (Plan[Out], error)
	Run  func(context.Context, *Call, In) (Out, error)
}

// Tool is a declared tool. Make one with [Define].
type Tool struct {
	safety.Spec
	Handler     string
	Aliases     []string // cmd_ names for run_commands
	Description string
	OpenWorld   bool
	Timeout     time.Duration
	Batchable   bool // has a Plan

	in, out reflect.Type
	plan    func(json.RawMessage) (*planned, error)
	run     func(context.Context, *Call, json.RawMessage) (any, error)
	entries func(json.RawMessage) ([]EntryCall, error) // nil for all but batches
	schemas schemaPair
}

// Define erases the types of a declaration. Mistakes panic when a catalogue is
// made of the tools ([New]), which every test of this module does.
func Define[In, Out any](d Declaration[In, Out]) *Tool {
	t := &Tool{
		Spec: safety.Spec{
			Name: ExposedName(d.Toolset, d.Handler, d.Action), Toolset: d.Toolset, Class: d.Class,
			Irreversible: d.Irreversible, WritesDisk: d.WritesDisk, ExecutesCode: d.ExecutesCode, Overwrites: d.Overwrites,
			Target: d.Target, Needs: d.Needs, MinGodot: d.MinGodot, Profiles: d.Profiles, Commands: d.Commands, Secret: d.Secret,
		},
		Handler:     d.Handler,
		Aliases:     append([]string{"cmd_" + d.Handler}, d.Aliases...),
		Description: d.Description,
		OpenWorld:   d.OpenWorld,
		Timeout:     d.Timeout,
		Batchable:   d.Plan != nil,
		in:          reflect.TypeFor[In](),
		out:         reflect.TypeFor[Out](),
	}
	t.Args, t.Values = argumentsOf(t.in)
	if len(t.Profiles) == 0 {
		t.Profiles = safety.ProfilesFor(d.Class)
	}
	t.Paths = append(pathParams(d.Files, safety.FilePath), pathParams(d.Nodes, safety.NodePath)...)
	if (d.Plan == nil) == (d.Run == nil) {
		panic(fmt.Sprintf("%s: set exactly one of Plan and Run", t.Name))
	}
	if d.Entries != nil {
		t.entries = func(raw json.RawMessage) ([]EntryCall, error) {
			in, err := decode[In](raw)
			return d.Entries(in), err
		}
	}
	if d.Plan != nil {
		t.plan = func(raw json.RawMessage) (*planned, error) {
			in, err := decode[In](raw)
			if err != nil {
				return nil, err
			}
			p, err := d.Plan(in)
			if err != nil {
				return nil, err
			}
			return p.erase(), nil
		}
	} else {
		t.run = func(ctx context.Context, c *Call, raw json.RawMessage) (any, error) {
			in, err := decode[In](raw)
			if err != nil {
				return nil, err
			}
			return d.Run(ctx, c, in)
		}
	}
	return t
}

// argumentsOf names the arguments of an input struct, and says whether a part of
// one takes any value.
func argumentsOf(t reflect.Type) (names []string, values bool) {
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous || !f.IsExported() {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, name)
		values = values || holdsAny(f.Type)
	}
	return names, values
}

func holdsAny(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice:
		return t == reflect.TypeFor[json.RawMessage]() || holdsAny(t.Elem())
	case reflect.Map, reflect.Pointer:
		return holdsAny(t.Elem())
	case reflect.Struct:
		_, values := argumentsOf(t)
		return values
	}
	return false
}

func pathParams(names []string, kind safety.PathKind) []safety.PathParam {
	var out []safety.PathParam
	for _, n := range names {
		optional := n[len(n)-1] == '?'
		if optional {
			n = n[:len(n)-1]
		}
		out = append(out, safety.PathParam{Name: n, Kind: kind, Optional: optional})
	}
	return out
}

// decode reads repaired arguments; they fit the schema, so an error here is a
// disagreement between the struct and its schema.
func decode[In any](raw json.RawMessage) (In, error) {
	var in In
	if err := json.Unmarshal(raw, &in); err != nil {
		return in, answer.New(answer.BadArguments, "message", err.Error())
	}
	return in, nil
}
