package rulefile

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
)

// rule reads one rule and holds it against the catalogue.
func (p *parser) rule(n *yaml.Node) (safety.Rule, error) {
	r := safety.Rule{Line: n.Line}
	var effect, class string
	var gated *bool
	var args *yaml.Node
	err := p.mapping(n, map[string]func(*yaml.Node) error{
		"effect":    func(v *yaml.Node) error { return p.choice(v, &effect, words(safety.Effects())) },
		"tool":      func(v *yaml.Node) error { return p.tool(v, &r.Tool) },
		"toolset":   func(v *yaml.Node) error { return p.choice(v, &r.Toolset, catalog.ToolsetNames()) },
		"class":     func(v *yaml.Node) error { return p.choice(v, &class, words(safety.Classes())) },
		"gated":     func(v *yaml.Node) error { gated = new(bool); return p.flag(v, gated) },
		"path":      func(v *yaml.Node) error { return p.path(v, &r.Path) },
		"args":      func(v *yaml.Node) error { args = v; return p.args(v, &r) },
		"overrides": func(v *yaml.Node) error { return p.flag(v, &r.Overrides) },
		"reason":    func(v *yaml.Node) error { return p.reason(v, &r.Reason) },
	})
	if err != nil {
		return r, err
	}
	if effect == "" {
		return r, p.bad(n, "the rule has no effect; write allow, ask or deny")
	}
	r.Effect, r.Class, r.Gated = safety.Effect(effect), safety.Class(class), gated
	if !slices.ContainsFunc(p.catalog.Tools(), func(t *catalog.Tool) bool { return r.Matches(&t.Spec) }) {
		if args != nil {
			return r, p.bad(args, "no tool that the rule concerns has these arguments; godot-mcp tools --markdown shows them")
		}
		return r, p.bad(n, "no tool meets all conditions of the rule")
	}
	r.ID = describe(&r)
	return r, nil
}

func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

func (p *parser) tool(n *yaml.Node, into *string) error {
	if err := p.pattern(n, into); err != nil {
		return err
	}
	only := safety.Rule{Tool: *into}
	if slices.ContainsFunc(p.catalog.Tools(), func(t *catalog.Tool) bool { return only.Matches(&t.Spec) }) {
		return nil
	}
	hint := ""
	if near := p.catalog.Near(*into); len(near) > 0 {
		hint = "; near: " + strings.Join(near, ", ")
	}
	return p.bad(n, "there is no tool %q%s", *into, hint)
}

func (p *parser) path(n *yaml.Node, into *string) error {
	if err := p.pattern(n, into); err != nil {
		return err
	}
	if !strings.HasPrefix(*into, "res://") && !strings.HasPrefix(*into, "*") {
		return p.bad(n, "paths begin with res://")
	}
	return nil
}

func (p *parser) args(n *yaml.Node, r *safety.Rule) error {
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		return p.bad(n, "argument names with their texts are expected here")
	}
	r.Args = map[string]safety.Match{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i], n.Content[i+1]
		if _, twice := r.Args[name.Value]; twice {
			return p.bad(name, "%q stands twice", name.Value)
		}
		if !slices.ContainsFunc(p.catalog.Tools(), func(t *catalog.Tool) bool { return slices.Contains(t.Args, name.Value) }) {
			return p.bad(name, "no tool has the argument %q", name.Value)
		}
		var m safety.Match
		if value.Kind == yaml.MappingNode {
			if len(value.Content) != 2 {
				return p.bad(value, "write equals or glob, one of them")
			}
			if err := p.mapping(value, map[string]func(*yaml.Node) error{
				"equals": func(v *yaml.Node) error { return p.text(v, &m.Text) },
				"glob":   func(v *yaml.Node) error { m.Glob = true; return p.pattern(v, &m.Text) },
			}); err != nil {
				return err
			}
		} else if err := p.text(value, &m.Text); err != nil {
			return err
		}
		r.Args[name.Value] = m
	}
	return nil
}

func (p *parser) reason(n *yaml.Node, into *string) error {
	if err := p.text(n, into); err != nil {
		return err
	}
	if utf8.RuneCountInString(*into) > maxReason || strings.ContainsFunc(*into, unicode.IsControl) {
		return p.bad(n, "a reason is one line of at most %d letters", maxReason)
	}
	*into = strings.TrimSuffix(*into, ".")
	return nil
}

// describe writes a rule on one line.
func describe(r *safety.Rule) string {
	parts := []string{string(r.Effect)}
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+" "+value)
		}
	}
	add("tool", r.Tool)
	add("toolset", r.Toolset)
	add("class", string(r.Class))
	if r.Gated != nil {
		add("gated", fmt.Sprint(*r.Gated))
	}
	add("path", r.Path)
	for _, name := range slices.Sorted(maps.Keys(r.Args)) {
		m := r.Args[name]
		if m.Glob {
			add("args."+name+" like", m.Text)
		} else {
			add("args."+name, m.Text)
		}
	}
	if r.Overrides {
		parts = append(parts, "overrides")
	}
	return strings.Join(parts, " ")
}
