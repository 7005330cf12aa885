package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"godot-mcp/server/answer"
	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/toolsets"
	"godot-mcp/server/safety"
)

// gate is the safety gate of a configuration. Unknown toolsets are left out and named.
func (c *Config) gate() (g *safety.Gate, unknown []string) {
	mode := c.Mode
	if mode == "" {
		mode = safety.DefaultMode(c.Profile)
	}
	enabled, frozen := c.DefaultToolsets, false
	if len(c.Toolsets) > 0 {
		enabled, frozen = c.Toolsets, true
	}
	state, unknown := safety.NewToolsets(catalog.ToolsetNames(), enabled, frozen)
	var layers []safety.Layer
	if c.Permissions != nil {
		layers = append(layers, *c.Permissions)
	}
	g = safety.NewGate(c.Profile, mode, state, layers...)
	g.OpenGate, g.GoOn, g.Echo, g.RequireID = c.AllowDestructive, c.AskExecutes, c.ConfirmEcho, c.RequireIdempotency
	g.Approver, g.FailOpen = c.Approval.name(), c.Approval.FailOpen
	return g, unknown
}

// catalog is the catalogue as the configuration wants its schemas.
func (c *Config) catalog() *catalog.Catalog {
	return toolsets.Catalog().Adapt(catalog.Variant{Echo: c.ConfirmEcho, RequireID: c.RequireIdempotency})
}

// Explanation is what the safety model says about a call before it looks at an
// editor. Stage is the check that decided.
type Explanation struct {
	Tool    string        `json:"tool"`
	Listed  bool          `json:"listed"`
	Allowed bool          `json:"allowed"`
	Stage   string        `json:"stage"`
	Ruling  safety.Ruling `json:"ruling"` // what the rules say to these arguments
	// Asks says who would be asked first, and because of what.
	Asks    string          `json:"asks,omitempty"`
	Because string          `json:"asks_because,omitempty"`
	Failure *answer.Failure `json:"failure,omitempty"`
}

// Explain evaluates a call without making it, as if every toolset were on. Name
// may be any that a batch accepts. Without arguments the answer is for the
// mildest call of the tool.
func Explain(cfg Config, name string, args json.RawMessage) (Explanation, error) {
	c := cfg.catalog()
	t, f := c.Resolve(name)
	if f != nil {
		text := fmt.Sprintf("there is no tool %q", name)
		if near := c.Near(name); len(near) > 0 {
			text += "; near: " + strings.Join(near, ", ")
		}
		return Explanation{}, errors.New(text)
	}
	g, _ := cfg.gate()
	out := Explanation{Tool: t.Name, Listed: g.Exposure(&t.Spec) == nil}
	if args == nil {
		out.Ruling, out.Stage, out.Failure = safety.Mildest(g.Layers, &t.Spec), "exposure", g.Closed(&t.Spec)
		out.Ruling.Unasked = out.Failure == nil && out.Ruling.Effect == safety.Ask && g.Approver == ""
	} else {
		cfg.Toolsets = []string{"all"}
		g, _ = cfg.gate()
		d, why := c.Explain(g, t, args)
		out.Stage, out.Ruling, out.Failure, out.Because = d.Stage, d.Ruling, d.Failure, why
	}
	out.Allowed = out.Failure == nil
	if why, needed := g.Concern(&t.Spec, out.Ruling); args == nil && needed && out.Allowed {
		out.Because = why.Why
	}
	if out.Because != "" {
		out.Asks = g.Approver
	}
	return out, nil
}
