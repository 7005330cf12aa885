package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"godot-mcp/server/answer"
	"godot-mcp/server/approval"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// batchFlags are what an entry takes over from its batch. Consent says what became
// of asking a person about the batch.
type batchFlags struct {
	dryRun  bool
	consent func(safety.Concern) (approval.Verdict, *answer.Failure)
}

// shape is the first stage: schema and repair, then every path.
func (p *prepared) shape(r *safety.Request, raw json.RawMessage, batch *batchFlags, echo bool) *answer.Failure {
	if len(raw) > 0 {
		if err := safety.StrictJSON(raw); err != nil {
			return answer.New(answer.BadArguments, "message", err.Error())
		}
	}
	args, f := Repair(p.tool.inputSchema(), raw, p.tool.Name)
	if f != nil {
		return f
	}
	members, err := objectMembers(args)
	if err != nil {
		return answer.New(answer.BadArguments, "message", err.Error())
	}
	kept := members[:0]
	for _, m := range members {
		if holdsNUL(m.value) {
			return answer.New(answer.HoldsNUL, "param", m.name)
		}
		switch {
		case m.name == dryRunArg && hasCommon(p.tool, dryRunArg):
			r.DryRun = string(m.value) == "true"
		case m.name == confirmArg && (hasCommon(p.tool, confirmArg) || p.tool.Overwrites != ""):
			r.Confirm = string(m.value) == "true"
			if m.value[0] == '"' && json.Unmarshal(m.value, &r.Echo) != nil {
				r.Echo = ""
			}
		case m.name == versionArg && expects(p.tool):
			if json.Unmarshal(m.value, &p.version) != nil {
				return answer.New(answer.BadArguments, "param", versionArg)
			}
		case m.name == p.tool.Overwrites:
			r.Overwrites = string(m.value) == "true"
			kept = append(kept, m)
		case m.name == idArg && hasCommon(p.tool, idArg):
			if json.Unmarshal(m.value, &r.ID) != nil {
				return answer.New(answer.BadArguments, "param", idArg)
			}
			p.id = r.ID
		default:
			kept = append(kept, m)
		}
	}
	if batch != nil && batch.dryRun {
		r.DryRun = true
	}
	if f := checkValues(p.tool, kept, r); f != nil {
		return f
	}
	for _, pp := range p.tool.Paths {
		f := eachPath(kept, pp.Name, func(at, value string) (string, *answer.Failure) {
			clean, f := cleanPath(pp, at, value)
			if f == nil && pp.Kind == safety.FilePath && clean != "" {
				r.Paths = append(r.Paths, clean)
				p.written = append(p.written, clean)
			}
			if pp.Kind == safety.NodePath && strings.HasPrefix(value, "/") && clean != "." {
				// The slash stays until resolveRoot takes it off.
				p.loose = append(p.loose, pp.Name)
				clean = "/" + clean
			}
			return clean, f
		})
		if f != nil {
			return f
		}
	}
	r.Args = texts(kept)
	p.texts = r.Args
	for _, t := range p.tool.Target {
		r.Targets = append(r.Targets, r.Args[t]...)
	}
	if f := p.echoable(echo); f != nil {
		return f
	}
	if p.tool.Overwrites != "" && (r.Confirm || r.Echo != "" && r.Echo == strings.Join(r.Targets, " ")) {
		// The tool itself looks at it as well.
		kept = append(kept, member{confirmArg, json.RawMessage("true")})
	}
	p.args = joinMembers(kept)
	return nil
}

// holdsNUL says whether a text of a value has a character that neither the
// editor's texts nor its files can hold.
func holdsNUL(raw json.RawMessage) bool {
	if !bytes.Contains(raw, []byte(`\u0000`)) {
		return false
	}
	var v any
	return json.Unmarshal(raw, &v) == nil && anyText(v, func(s string) bool { return strings.ContainsRune(s, 0) })
}

func anyText(v any, is func(string) bool) bool {
	switch v := v.(type) {
	case string:
		return is(v)
	case []any:
		return slices.ContainsFunc(v, func(e any) bool { return anyText(e, is) })
	case map[string]any:
		for k, e := range v {
			if is(k) || anyText(e, is) {
				return true
			}
		}
	}
	return false
}

// echoable refuses what the caller could not repeat in confirm: a path that only
// the editor can finish cleaning.
func (p *prepared) echoable(echo bool) *answer.Failure {
	if !echo || p.tool.Class != safety.Destructive {
		return nil
	}
	for _, name := range p.loose {
		if slices.Contains(p.tool.Target, name) {
			return answer.New(answer.BadNodePath, "param", name, "path", name, "why", "confirm repeats it, so write it without /root and the name of the scene root")
		}
	}
	return nil
}

// knownToRules refuses a path that only the editor can finish cleaning where a rule
// looks at it: the rule would see another text than the node that is meant.
func (p *prepared) knownToRules(g *safety.Gate) *answer.Failure {
	for _, name := range p.loose {
		top, _, _ := strings.Cut(name, "[]")
		if g.LooksAt(&p.tool.Spec, top) {
			return answer.New(answer.BadNodePath, "param", name, "path", name, "why", "a permission rule looks at it, so write it without /root and the name of the scene root")
		}
	}
	return nil
}

// checkValues looks into the arguments that take any value. The entries of a
// batch are looked at one by one, by their own tools.
func checkValues(t *Tool, members []member, r *safety.Request) *answer.Failure {
	if t.Handler == BatchTool {
		return nil
	}
	for _, m := range members {
		s := t.inputSchema().Property(m.name)
		if s == nil || !takesAny(s) {
			continue
		}
		paths, err := safety.CheckValue(m.value)
		if err != nil {
			return answer.New(answer.BadResPath, "param", m.name, "path", m.name, "why", err.Error())
		}
		r.Paths = append(r.Paths, paths...)
	}
	return nil
}

// takesAny says whether a schema has a part without a type.
func takesAny(s *Schema) bool {
	if s.Type == "" || s.Items != nil && takesAny(s.Items) || s.Values != nil && takesAny(s.Values) {
		return true
	}
	if s.Type == "object" && s.Values == nil && !s.Closed {
		return true
	}
	for _, p := range s.Properties {
		if takesAny(p.Schema) {
			return true
		}
	}
	return false
}

func hasCommon(t *Tool, name string) bool {
	for _, a := range commonArgs(t) {
		if a.Name == name {
			return true
		}
	}
	return false
}

func cleanPath(p safety.PathParam, at, value string) (string, *answer.Failure) {
	if value == "" && p.Optional {
		return "", nil
	}
	if p.Kind == safety.FilePath {
		clean, err := safety.ResPath(value)
		if err != nil {
			return "", answer.New(answer.BadResPath, "param", at, "path", value, "why", err.Error())
		}
		return clean, nil
	}
	clean, err := safety.CleanNodePath(value, "")
	if err != nil {
		return "", answer.New(answer.BadNodePath, "param", at, "path", value, "why", err.Error())
	}
	return clean, nil
}

// eachPath rewrites the texts that a path name points at: "name", "name[]" or
// "name[].field".
func eachPath(members []member, name string, change func(at, value string) (string, *answer.Failure)) *answer.Failure {
	top, rest, isList := strings.Cut(name, "[]")
	for i := range members {
		if members[i].name != top {
			continue
		}
		if !isList {
			v, f := changeText(members[i].value, top, change)
			if f != nil {
				return f
			}
			members[i].value = v
			continue
		}
		var items []json.RawMessage
		if json.Unmarshal(members[i].value, &items) != nil {
			continue
		}
		for n := range items {
			at := fmt.Sprintf("%s[%d]", top, n)
			var f *answer.Failure
			if rest == "" {
				items[n], f = changeText(items[n], at, change)
			} else {
				var inner []member
				inner, _ = objectMembers(items[n])
				f = eachPath(inner, strings.TrimPrefix(rest, "."), func(field, value string) (string, *answer.Failure) {
					return change(at+"."+field, value)
				})
				items[n] = joinMembers(inner)
			}
			if f != nil {
				return f
			}
		}
		raw, err := encode(items)
		if err != nil {
			return answer.New(answer.BadArguments, "param", top, "message", err.Error())
		}
		members[i].value = raw
	}
	return nil
}

func changeText(raw json.RawMessage, at string, change func(at, value string) (string, *answer.Failure)) (json.RawMessage, *answer.Failure) {
	var v string
	if json.Unmarshal(raw, &v) != nil {
		return raw, nil
	}
	v, f := change(at, v)
	if f != nil {
		return nil, f
	}
	out, err := encode(v)
	if err != nil {
		return nil, answer.New(answer.BadArguments, "param", at, "message", err.Error())
	}
	return out, nil
}

// texts are the arguments as rules, echo and audit see them ([safety.Facts]).
func texts(members []member) map[string][]string {
	out := map[string][]string{}
	for _, m := range members {
		// Not into a list that holds m.value: decoding would write over its bytes.
		var items []json.RawMessage
		if m.value[0] != '[' {
			items = append(items, m.value)
		} else if json.Unmarshal(m.value, &items) != nil {
			continue
		}
		list := make([]string, len(items))
		for i, it := range items {
			list[i] = string(it)
			var v string
			if it[0] == '"' && json.Unmarshal(it, &v) == nil {
				list[i] = v
			}
		}
		out[m.name] = list
	}
	return out
}

// resolveRoot drops the name of the scene root from paths that were given as
// "/root/Main/Player": only the editor knows that name. It runs after every
// check and only for such paths.
func (p *prepared) resolveRoot(ctx context.Context, e Editor) *answer.Failure {
	if len(p.loose) == 0 {
		return nil
	}
	r := e.Do(ctx, Order{Command: wire.CmdGetActiveScene, Params: wire.GetActiveScene{}})
	if f := r.Failure(); f != nil {
		return f
	}
	scene, err := Result[wire.GetActiveSceneResult](r.Result)
	if err != nil {
		return answer.As(err, false)
	}
	members, err := objectMembers(p.args)
	if err != nil {
		return answer.New(answer.BadArguments, "message", err.Error())
	}
	for _, name := range p.loose {
		f := eachPath(members, name, func(_, value string) (string, *answer.Failure) {
			rest, loose := strings.CutPrefix(value, "/")
			if loose && rest == scene.Name {
				return ".", nil
			}
			if loose && scene.Name != "" {
				rest = strings.TrimPrefix(rest, scene.Name+"/")
			}
			return rest, nil
		})
		if f != nil {
			return f
		}
	}
	p.args, p.loose = joinMembers(members), nil
	return nil
}
