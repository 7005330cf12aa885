// Package inventory lists the tools of a catalogue for people and programs: as
// data, as a table in plain text, and as a reference in Markdown.
package inventory

import (
	"encoding/json"
	"slices"
	"strings"

	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
)

//go:generate go run ./internal/gen ../TOOLS.md

// Tool is one tool with everything its declaration says.
type Tool struct {
	Name         string           `json:"name"`
	Toolset      string           `json:"toolset"`
	Class        safety.Class     `json:"class"`
	Profiles     []safety.Profile `json:"profiles"` // those that list it
	Description  string           `json:"description"`
	Irreversible bool             `json:"irreversible,omitempty"` // undo does not bring it back
	WritesDisk   bool             `json:"writes_disk,omitempty"`
	ExecutesCode bool             `json:"executes_code,omitempty"`
	Needs        []safety.Need    `json:"needs,omitempty"`
	MinGodot     string           `json:"min_godot,omitempty"`
	Batchable    bool             `json:"batchable"` // may stand in run_commands
	Aliases      []string         `json:"aliases,omitempty"`
	Params       []Field          `json:"params"`
	Results      []Field          `json:"results"`
}

// Field is one argument of a tool or one field of its answer.
type Field struct {
	Name        string          `json:"name"`
	Type        string          `json:"type"` // "string", "list of integer", "map of any", ...
	Required    bool            `json:"required"`
	Description string          `json:"description,omitempty"`
	Enum        []string        `json:"enum,omitempty"`
	Min         *float64        `json:"min,omitempty"`
	Max         *float64        `json:"max,omitempty"`
	Default     json.RawMessage `json:"default,omitempty"`
}

// List describes every tool, by toolset in table order and then by name.
func List(c *catalog.Catalog) []Tool {
	var out []Tool
	for _, set := range catalog.ToolsetNames() {
		for _, t := range c.Of(set) {
			out = append(out, describe(t))
		}
	}
	return out
}

func describe(t *catalog.Tool) Tool {
	var in catalog.Schema
	if err := in.UnmarshalJSON(t.InputSchema()); err != nil {
		panic(t.Name + ": " + err.Error()) // generated
	}
	out := Tool{
		Name: t.Name, Toolset: t.Toolset, Class: t.Class, Description: t.Description,
		Irreversible: t.Irreversible, WritesDisk: t.WritesDisk, ExecutesCode: t.ExecutesCode,
		Needs: t.Needs, MinGodot: t.MinGodot, Batchable: t.Batchable, Aliases: t.Aliases,
		Params: fields(&in), Results: fields(catalog.StrictOutput(t)),
	}
	for _, p := range safety.Profiles() {
		if t.In(p) {
			out.Profiles = append(out.Profiles, p)
		}
	}
	return out
}

func fields(s *catalog.Schema) []Field {
	out := []Field{}
	for _, p := range s.Properties {
		if p.Name == "approval" {
			continue // what every answer may have
		}
		out = append(out, Field{
			Name: p.Name, Type: typeName(p.Schema), Required: slices.Contains(s.Required, p.Name),
			Description: p.Description, Enum: p.Enum, Min: p.Minimum, Max: p.Maximum, Default: p.Default,
		})
	}
	return out
}

func typeName(s *catalog.Schema) string {
	switch {
	case s == nil || s.Type == "":
		return "any"
	case s.Type == "array":
		return "list of " + typeName(s.Items)
	case s.Type == "object" && s.Values != nil:
		return "map of " + typeName(s.Values)
	case s.Type == "object" && len(s.Properties) > 0:
		names := make([]string, len(s.Properties))
		for i, p := range s.Properties {
			names[i] = p.Name
			if !slices.Contains(s.Required, p.Name) {
				names[i] += "?"
			}
		}
		return "{" + strings.Join(names, ", ") + "}"
	case s.Type == "object":
		return "map of any"
	}
	return s.Type
}
