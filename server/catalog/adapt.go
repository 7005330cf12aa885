package catalog

import (
	"slices"
	"strings"

	"godot-mcp/server/safety"
)

// Variant is how a server's settings change what tools take.
type Variant struct {
	// Echo: confirm repeats the target of the call.
	Echo bool
}

// Adapt is the catalogue with input schemas for a variant. The zero variant is
// the catalogue itself.
func (c *Catalog) Adapt(v Variant) *Catalog {
	if v == (Variant{}) {
		return c
	}
	out := &Catalog{byName: map[string]*Tool{}, entries: map[string][]*Tool{}}
	copies := map[*Tool]*Tool{}
	for _, t := range c.tools {
		n := *t
		if s := v.adapt(t); s != nil {
			n.schemas.In = mustJSON(s)
		}
		copies[t] = &n
		out.tools = append(out.tools, &n)
		out.byName[n.Name] = &n
	}
	for name, list := range c.entries {
		for _, t := range list {
			out.entries[name] = append(out.entries[name], copies[t])
		}
	}
	return out
}

// adapt gives the changed input schema of a tool; nil when it stays.
func (v Variant) adapt(t *Tool) *Schema {
	if !v.Echo || t.Class != safety.Destructive {
		return nil
	}
	s := *t.inputSchema()
	s.Properties = slices.Clone(s.Properties)
	i := slices.IndexFunc(s.Properties, func(p Property) bool { return p.Name == confirmArg })
	text := "For the real run: the value of " + strings.Join(t.Target, ", ") + ", byte for byte"
	if len(t.Target) > 1 {
		text += ", one space between"
	}
	s.Properties[i] = Property{confirmArg, &Schema{Type: "string", Description: text + "."}}
	return &s
}
