package catalog

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"godot-mcp/server/answer"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// Catalog is the fixed set of tools. It is safe for concurrent use.
type Catalog struct {
	tools   []*Tool // sorted by exposed name
	byName  map[string]*Tool
	entries map[string][]*Tool // every name that a batch accepts
}

// parsedSchemas caches *Tool -> *Schema; tools are made once per process.
var parsedSchemas sync.Map

var toolName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// New makes a catalogue. Schemas is the generated file, one entry per exposed
// name; a tool that is missing in it gets its schemas inferred. Mistakes in
// the declarations panic.
func New(tools []*Tool, schemas []byte) *Catalog {
	ready := map[string]schemaPair{}
	if err := json.Unmarshal(schemas, &ready); err != nil {
		panic("catalog: generated schemas: " + err.Error())
	}
	c := &Catalog{byName: map[string]*Tool{}, entries: map[string][]*Tool{}}
	for _, t := range tools {
		c.add(t, ready)
	}
	slices.SortFunc(c.tools, func(a, b *Tool) int { return strings.Compare(a.Name, b.Name) })
	return c
}

func (c *Catalog) add(t *Tool, ready map[string]schemaPair) {
	bad := func(format string, args ...any) { panic(t.Name + ": " + fmt.Sprintf(format, args...)) }
	set, ok := FindToolset(t.Toolset)
	switch {
	case !toolName.MatchString(t.Name):
		bad("the name does not fit what clients accept")
	case c.byName[t.Name] != nil:
		bad("declared twice")
	case !ok:
		bad("unknown toolset %q", t.Toolset)
	case !slices.Contains(safety.Classes(), t.Class):
		bad("unknown class %q", t.Class)
	case t.Description == "" || len(t.Description) > 400:
		bad("the description must have 1 to 400 characters")
	case t.Irreversible && t.Class != safety.Destructive:
		bad("irreversible tools are destructive")
	case t.Class == safety.Destructive && len(t.Target) == 0:
		bad("a destructive tool names its target")
	case slices.Contains(t.Profiles, safety.Full):
		bad("full is computed")
	}
	for _, cmd := range t.Commands {
		if _, ok := wire.Lookup(cmd); !ok {
			bad("unknown command %q", cmd)
		}
	}
	if t.MinGodot == "" {
		t.MinGodot = set.MinGodot
	}
	t.schemas, ok = ready[t.Name]
	if !ok {
		t.schemas = inferPair(t)
	}
	c.byName[t.Name] = t
	c.tools = append(c.tools, t)
	names := append([]string{t.Name, strings.TrimPrefix(t.Name, "godot_"), t.Handler, strings.TrimPrefix(t.Name, "godot_"+t.Toolset+"_")}, t.Aliases...)
	slices.Sort(names)
	for _, n := range slices.Compact(names) {
		c.entries[n] = append(c.entries[n], t)
	}
}

// GenerateSchemas is the content of the generated file for the tools.
func GenerateSchemas(tools []*Tool) []byte {
	var b strings.Builder
	b.WriteString("{")
	sorted := slices.SortedFunc(slices.Values(tools), func(a, b *Tool) int { return strings.Compare(a.Name, b.Name) })
	for i, t := range sorted {
		if i > 0 {
			b.WriteString(",")
		}
		p := inferPair(t)
		fmt.Fprintf(&b, "\n%q: {\n\t\"in\": %s,\n\t\"out\": %s\n}", t.Name, p.In, p.Out)
	}
	b.WriteString("\n}\n")
	return []byte(b.String())
}

// Tools lists all tools, sorted by name.
func (c *Catalog) Tools() []*Tool { return c.tools }

// Tool finds a tool by its exposed name.
func (c *Catalog) Tool(name string) (*Tool, bool) {
	t, ok := c.byName[name]
	return t, ok
}

// Of lists the tools of a toolset.
func (c *Catalog) Of(toolset string) []*Tool {
	var out []*Tool
	for _, t := range c.tools {
		if t.Toolset == toolset {
			out = append(out, t)
		}
	}
	return out
}

// InputSchema is the ready JSON of the input schema.
func (t *Tool) InputSchema() json.RawMessage { return t.schemas.In }

// OutputSchema is the ready JSON of the output schema, which fits results and
// failures alike.
func (t *Tool) OutputSchema() json.RawMessage { return t.schemas.Out }

// inputSchema is the input schema for the checks; read once per tool.
func (t *Tool) inputSchema() *Schema {
	if s, ok := parsedSchemas.Load(t); ok {
		return s.(*Schema)
	}
	s := &Schema{}
	if err := s.UnmarshalJSON(t.schemas.In); err != nil {
		panic(t.Name + ": generated schema: " + err.Error())
	}
	parsedSchemas.Store(t, s)
	return s
}

// Near names at most three tools whose names are close to an unknown one.
func (c *Catalog) Near(name string) []string {
	names := slices.Collect(maps.Keys(c.byName))
	return Closest(name, names, 3)
}

// Resolve finds the tool that a person or an entry of a batch means: by exposed
// name, by handler, or by one of their short forms.
func (c *Catalog) Resolve(command string) (*Tool, *answer.Failure) {
	found := c.entries[command]
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, answer.New(answer.UnknownEntry, "command", command, "near", Closest(command, slices.Collect(maps.Keys(c.entries)), 3))
	}
	// An exposed name or a cmd_ alias of one tool wins over short forms.
	var names []string
	for _, t := range found {
		if t.Name == command || slices.Contains(t.Aliases, command) {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return nil, answer.New(answer.AmbiguousEntry, "command", command, "matches", names)
}

// Hints are the four MCP annotations of a tool.
type Hints struct{ ReadOnly, Destructive, Idempotent, OpenWorld bool }

// Hints derives the annotations from the class.
func (t *Tool) Hints() Hints {
	return Hints{
		ReadOnly:    t.Class == safety.ReadOnly,
		Destructive: t.Class == safety.Destructive || t.ExecutesCode && t.Class != safety.ReadOnly,
		Idempotent:  t.Class == safety.ReadOnly,
		OpenWorld:   t.OpenWorld,
	}
}
