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
	// RequireID: every change needs an idempotencyId.
	RequireID bool
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
		if shown, checked := v.adapt(t); shown != nil {
			n.schemas.In = mustJSON(shown)
			parsedSchemas.Store(&n, checked)
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

// adapt gives the changed input schema of a tool, as clients see it and as calls
// are held against it; nil when it stays. That an id is given is checked later,
// since entries of a batch and previews need none.
func (v Variant) adapt(t *Tool) (shown, checked *Schema) {
	echo := v.Echo && (t.Class == safety.Destructive || t.Overwrites != "")
	if !echo && !(v.RequireID && changes(t.Class)) {
		return nil, nil
	}
	s := *t.inputSchema()
	checked, shown = &s, &s
	if echo {
		s.Properties = slices.Clone(s.Properties)
		i := slices.IndexFunc(s.Properties, func(p Property) bool { return p.Name == confirmArg })
		text := "For the real run: the value of " + strings.Join(t.Target, ", ") + ", byte for byte"
		if t.Overwrites != "" {
			text = s.Properties[i].Description + " Then it is " + strings.TrimPrefix(text, "For the real run: ")
		}
		if len(t.Target) > 1 {
			text += ", one space between"
		}
		s.Properties[i] = Property{confirmArg, &Schema{Type: "string", Description: text + "."}}
	}
	if v.RequireID {
		public := s
		public.Required = append(slices.Clone(s.Required), idArg)
		shown = &public
	}
	return shown, checked
}
