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
//
// It is compiled once for every tool, so it only hands over what is typed.
func Define[In, Out any](d Declaration[In, Out]) *Tool {
	t := newTool(&common{
		d.Toolset, d.Handler, d.Action, d.Aliases, d.Description, d.Class, d.Irreversible, d.WritesDisk, d.ExecutesCode, d.Overwrites,
		d.OpenWorld, d.Needs, d.MinGodot, d.Profiles, d.Target, d.Files, d.Nodes, d.Secret, d.Commands, d.Timeout,
	}, reflect.TypeFor[In](), reflect.TypeFor[Out]())
	if d.Entries != nil {
		t.entries = func(raw json.RawMessage) ([]EntryCall, error) {
			var in In
			err := decode(raw, &in)
			return d.Entries(in), err
		}
	}
	if d.Plan != nil {
		t.plan = func(raw json.RawMessage) (*planned, error) {
			var in In
			if err := decode(raw, &in); err != nil {
				return nil, err
			}
			p, err := d.Plan(in)
			return p.planned, err
		}
	}
	if d.Run != nil {
		t.run = func(ctx context.Context, c *Call, raw json.RawMessage) (any, error) {
			var in In
			if err := decode(raw, &in); err != nil {
				return nil, err
			}
			return d.Run(ctx, c, in)
		}
	}
	return t.checked()
}

// common is the part of a declaration that has no types, in its order.
type common struct {
	toolset, handler, action string
	aliases                  []string
	description              string
	class                    safety.Class
	irreversible             bool
	writesDisk               bool
	executesCode             bool
	overwrites               string
	openWorld                bool
	needs                    []safety.Need
	minGodot                 string
	profiles                 []safety.Profile
	target                   []string
	files, nodes             []string
	secret                   []string
	commands                 []string
	timeout                  time.Duration
}

func newTool(d *common, in, out reflect.Type) *Tool {
	t := &Tool{
		Spec: safety.Spec{
			Name: ExposedName(d.toolset, d.handler, d.action), Toolset: d.toolset, Class: d.class,
			Irreversible: d.irreversible, WritesDisk: d.writesDisk, ExecutesCode: d.executesCode, Overwrites: d.overwrites,
			Target: d.target, Needs: d.needs, MinGodot: d.minGodot, Profiles: d.profiles, Commands: d.commands, Secret: d.secret,
		},
		Handler:     d.handler,
		Aliases:     append([]string{"cmd_" + d.handler}, d.aliases...),
		Description: d.description,
		OpenWorld:   d.openWorld,
		Timeout:     d.timeout,
		in:          in,
		out:         out,
	}
	t.Args, t.Values = argumentsOf(t.in)
	if len(t.Profiles) == 0 {
		t.Profiles = safety.ProfilesFor(d.class)
	}
	t.Paths = append(pathParams(d.files, safety.FilePath), pathParams(d.nodes, safety.NodePath)...)
	return t
}

func (t *Tool) checked() *Tool {
	if t.Batchable = t.plan != nil; t.Batchable == (t.run != nil) {
		panic(fmt.Sprintf("%s: set exactly one of Plan and Run", t.Name))
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
func decode(raw json.RawMessage, in any) error {
	if err := json.Unmarshal(raw, in); err != nil {
		return answer.New(answer.BadArguments, "message", err.Error())
	}
	return nil
}
