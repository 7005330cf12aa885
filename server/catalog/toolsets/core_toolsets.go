package toolsets

import (
	"context"
	"encoding/json"

	"godot-mcp/server/answer"
	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
)

type toolsetState struct {
	Name        string `json:"name"`
	Enabled     bool   `json:"enabled"`
	Description string `json:"description"`
	MinGodot    string `json:"min_godot,omitempty"`
}

func toolsetStates(g *safety.Gate) []toolsetState {
	var out []toolsetState
	for _, t := range catalog.Toolsets() {
		out = append(out, stateOf(g, t))
	}
	return out
}

func stateOf(g *safety.Gate, t catalog.Toolset) toolsetState {
	return toolsetState{t.Name, g.Toolsets.Enabled(t.Name), t.Description, t.MinGodot}
}

type listToolsetsOut struct {
	Toolsets []toolsetState `json:"toolsets"`
	Frozen   bool           `json:"frozen"`
}

var listToolsets = catalog.Define(catalog.Declaration[struct{}, listToolsetsOut]{
	Toolset: "core", Handler: "list_toolsets", Class: safety.ReadOnly,
	Description: "All toolsets and which are on.",
	Run: func(_ context.Context, c *catalog.Call, _ struct{}) (listToolsetsOut, error) {
		return listToolsetsOut{Toolsets: toolsetStates(c.Gate), Frozen: c.Gate.Toolsets.Frozen()}, nil
	},
})

type toolsetIn struct {
	Category string `json:"category" desc:"Toolset name from godot_list_toolsets." minlen:"1"`
}

type enableToolsetOut struct {
	toolsetState
	Changed bool `json:"changed"`
	// Tools can be called at once, also by clients that never list again.
	Tools []toolSchema `json:"tools"`
	// Withheld are tools of the toolset that profile, mode, permission rules or
	// the gate keep closed.
	Withheld []string `json:"withheld,omitempty"`
	Hint     string   `json:"hint,omitempty"`
}

type toolSchema struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Class       safety.Class    `json:"class"`
	InputSchema json.RawMessage `json:"input_schema" desc:"JSON Schema of the arguments."`
}

var enableToolset = catalog.Define(catalog.Declaration[toolsetIn, enableToolsetOut]{
	Toolset: "core", Handler: "enable_toolset", Class: safety.ReadOnly,
	Description: "Switch a toolset on for this server. The answer holds the schemas of its tools; call them right away.",
	Target:      []string{"category"},
	Run: func(_ context.Context, c *catalog.Call, in toolsetIn) (enableToolsetOut, error) {
		t, err := findToolset(in.Category)
		if err != nil {
			return enableToolsetOut{}, err
		}
		out := enableToolsetOut{Tools: []toolSchema{}}
		set := c.Gate.Toolsets
		switch {
		case set.Frozen():
			if !set.Enabled(t.Name) {
				out.Hint = answer.New(answer.ToolsetFrozen, "toolset", t.Name).Hint
			}
		case t.MinGodot != "" && !set.Enabled(t.Name):
			if f := safety.ToolsetGate(t.MinGodot, c.Editor.Peer()); f != nil {
				return enableToolsetOut{}, f
			}
		}
		out.Changed = set.Set(t.Name, true)
		out.toolsetState = stateOf(c.Gate, t)
		for _, tool := range c.Catalog.Of(t.Name) {
			if c.Gate.Closed(&tool.Spec) != nil {
				out.Withheld = append(out.Withheld, tool.Name)
				continue
			}
			out.Tools = append(out.Tools, toolSchema{tool.Name, tool.Description, tool.Class, tool.InputSchema()})
		}
		if len(out.Withheld) > 0 && out.Hint == "" {
			first, _ := c.Catalog.Tool(out.Withheld[0])
			if f := c.Gate.Closed(&first.Spec); f != nil {
				out.Hint = f.Hint
			}
		}
		return out, nil
	},
})

type disableToolsetOut struct {
	toolsetState
	Changed bool   `json:"changed"`
	Hint    string `json:"hint,omitempty"`
}

var disableToolset = catalog.Define(catalog.Declaration[toolsetIn, disableToolsetOut]{
	Toolset: "core", Handler: "disable_toolset", Class: safety.ReadOnly,
	Description: "Switch a toolset off again.",
	Target:      []string{"category"},
	Run: func(_ context.Context, c *catalog.Call, in toolsetIn) (disableToolsetOut, error) {
		t, err := findToolset(in.Category)
		if err != nil {
			return disableToolsetOut{}, err
		}
		out := disableToolsetOut{Changed: c.Gate.Toolsets.Set(t.Name, false)}
		out.toolsetState = stateOf(c.Gate, t)
		if c.Gate.Toolsets.Frozen() {
			out.Hint = "The toolsets of this server were fixed at start with --toolsets."
		}
		return out, nil
	},
})

func findToolset(name string) (catalog.Toolset, error) {
	if name == safety.CoreToolset {
		return catalog.Toolset{}, answer.New(answer.CoreToolset)
	}
	t, ok := catalog.FindToolset(name)
	if !ok {
		return t, answer.New(answer.UnknownToolset, "toolset", name, "near", catalog.Closest(name, catalog.ToolsetNames(), 3))
	}
	return t, nil
}

type classesOut struct {
	ReadOnly    []string `json:"read_only"`
	Mutating    []string `json:"mutating"`
	Destructive []string `json:"destructive"`
	Runtime     []string `json:"runtime"`
	// NotExposed counts tools that toolset, profile, mode, permission rules or the
	// gate keep closed now.
	NotExposed int `json:"not_exposed"`
}

var listToolsByClass = catalog.Define(catalog.Declaration[struct{}, classesOut]{
	Toolset: "core", Handler: "list_tools_by_safety_class", Class: safety.ReadOnly,
	Description: "The tools that can be called now, by what they do: read_only, mutating (undo restores), destructive (needs confirm), runtime.",
	Run: func(_ context.Context, c *catalog.Call, _ struct{}) (classesOut, error) {
		out := classesOut{ReadOnly: []string{}, Mutating: []string{}, Destructive: []string{}, Runtime: []string{}}
		into := map[safety.Class]*[]string{
			safety.ReadOnly: &out.ReadOnly, safety.Mutating: &out.Mutating,
			safety.Destructive: &out.Destructive, safety.Runtime: &out.Runtime,
		}
		for _, t := range c.Catalog.Tools() {
			if c.Gate.Exposure(&t.Spec) != nil {
				out.NotExposed++
				continue
			}
			list := into[t.Class]
			*list = append(*list, t.Name)
		}
		return out, nil
	},
})
