package console

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"godot-mcp/server/approval"
)

// reading turns the preview of one call into what a person wants to know. It
// goes by the names of members, which mean the same in every tool's answer, not
// by tools. What no rule takes becomes a fact.
type reading struct {
	*part
	args, preview map[string]json.RawMessage
	order         []member
	present       approval.Present
	used          map[string]bool
}

func (r *reading) read() {
	if r.failure() {
		return
	}
	r.warnings()
	r.values()
	r.renames()
	r.creation()
	r.removal()
	r.manyNodes()
	r.edits()
	r.scenes()
	r.files()
	r.losses()
	r.facts()
}

// failure is a preview that says the call would fail.
func (r *reading) failure() bool {
	code, _ := r.str("error")
	if code == "" {
		return false
	}
	hint, _ := r.str("hint")
	r.Notes = append(r.Notes, note{Warning: true, Text: "The preview says that this call fails (" + code + ").", Quote: hint})
	return true
}

func (r *reading) warnings() {
	hint, _ := r.str("hint")
	r.used["hint"], r.used["reason"] = true, true
	if persisted, known := r.boolean("persisted"); known && !persisted {
		r.Notes = append(r.Notes, note{Warning: true, Text: "A save will not keep all of this.", Quote: hint})
	} else if hint != "" {
		r.Notes = append(r.Notes, note{Text: "The editor says:", Quote: hint})
	}
	if unsaved, _ := r.boolean("had_unsaved"); unsaved {
		r.Notes = append(r.Notes, note{Warning: true, Text: "The scene has unsaved edits. They will be lost."})
	}
	if over, _ := r.boolean("would_overwrite"); over {
		r.Notes = append(r.Notes, note{Warning: true, Text: "This replaces a file that exists."})
	}
	if changed, known := r.boolean("changed"); known && !changed {
		r.Notes = append(r.Notes, note{Text: "This would change nothing: it is so already."})
	}
}

// values is one property: previous and value.
func (r *reading) values() {
	after, ok := r.preview["value"]
	before, had := r.preview["previous"]
	if !ok || !had {
		return
	}
	r.take("value", "previous", "property", "node_path")
	name, _ := r.str("property")
	r.Changes = append(r.Changes, change{Object: r.node(), Name: name, Before: shown(before), After: shown(after)})
}

// renames are members that come in pairs.
func (r *reading) renames() {
	pair := func(name, old, now string) {
		before, had := r.preview[old]
		after, has := r.preview[now]
		if had && has {
			r.take(old, now, "node_path")
			node, ok := text(r.args["node_path"])
			if !ok {
				node = r.node()
			}
			r.Changes = append(r.Changes, change{Object: node, Name: name, Before: shown(before), After: shown(after)})
		}
	}
	pair("name", "old_name", "new_name")
	pair("path", "old_path", "node_path")
}

// creation is a node that is not there yet, with its values and children.
func (r *reading) creation() {
	if _, ok := r.preview["created"]; !ok || r.preview["node_path"] == nil {
		return
	}
	items := append([]string{r.node()}, r.strs("children")...)
	r.take("node_path", "children", "name")
	r.Lists = append(r.Lists, list{Title: "Adds", Tone: "added", Items: items})
	for _, m := range members(r.preview["properties"]) {
		r.Changes = append(r.Changes, change{Object: r.node(), Name: m.name, After: shown(m.value), New: true})
	}
	r.take("properties")
}

// removal is a node that goes with what is below it.
func (r *reading) removal() {
	n, ok := r.number("removed")
	if !ok {
		return
	}
	names := []string{}
	if r.node() != "" {
		names = append(names, r.node())
	}
	for _, below := range r.present.Nodes {
		if len(names) < n && below.Below == r.node() {
			names = append(names, below.Path+" ("+below.Type+")")
		}
	}
	r.take("removed", "node_path")
	r.Lists = append(r.Lists, list{Title: "Removes", Tone: "removed", Items: names, More: max(0, n-len(names))})
	if n, _ := r.number("disconnected"); n > 0 {
		r.Notes = append(r.Notes, note{Text: fmt.Sprintf("Signal connections that go with it: %d.", n)})
	}
	r.take("disconnected")
}

// manyNodes is one value for many nodes.
func (r *reading) manyNodes() {
	nodes := r.strs("applied")
	name, _ := r.str("property")
	if r.preview["applied"] == nil || name == "" {
		return
	}
	r.take("applied", "property", "count")
	if v, ok := r.args["value"]; ok {
		for _, n := range nodes {
			r.Changes = append(r.Changes, r.change(n, name, v))
		}
		return
	}
	r.Lists = append(r.Lists, list{Title: "Sets " + name + " of", Tone: "changed", Items: nodes})
}

// edits are many values of many nodes; the arguments hold them.
func (r *reading) edits() {
	if r.preview["edited"] == nil {
		return
	}
	var edits []struct {
		Node       string          `json:"node_path"`
		Properties json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(r.args["edits"], &edits) != nil {
		return
	}
	r.take("edited", "count")
	for _, e := range edits {
		for _, m := range members(e.Properties) {
			r.Changes = append(r.Changes, r.change(e.Node, m.name, m.value))
		}
	}
}

// change is a property of which the preview does not say what it is now.
func (r *reading) change(node, property string, after json.RawMessage) change {
	c := change{Object: node, Name: property, After: shown(after)}
	if now, ok := r.present.Lookup(node, property); ok {
		c.Before = shown(now)
	}
	return c
}

// scenes are results by scene file.
func (r *reading) scenes() {
	var rows []struct {
		Scene    string   `json:"scene"`
		Modified int      `json:"modified"`
		Nodes    []string `json:"nodes"`
		Error    string   `json:"error"`
		Hint     string   `json:"hint"`
	}
	if json.Unmarshal(r.preview["results"], &rows) != nil || len(rows) == 0 || rows[0].Scene == "" {
		return
	}
	r.take("results")
	for _, s := range rows {
		if s.Error != "" {
			r.Notes = append(r.Notes, note{Text: s.Scene + " is left alone (" + s.Error + ").", Quote: s.Hint})
			continue
		}
		r.Lists = append(r.Lists, list{
			Title: "Changes on disk, in " + s.Scene, Tone: "changed", Items: orEmpty(s.Nodes), More: max(0, s.Modified-len(s.Nodes)),
		})
	}
}

// losses are lists of what would not survive or is left out.
func (r *reading) losses() {
	var fates []struct {
		Node      string `json:"node_path"`
		Persisted bool   `json:"persisted"`
	}
	if json.Unmarshal(r.preview["persistence"], &fates) == nil {
		var lost []string
		for _, f := range fates {
			if !f.Persisted {
				lost = append(lost, f.Node)
			}
		}
		if len(lost) > 0 {
			r.Lists = append(r.Lists, list{Title: "A save drops the change of", Tone: "lost", Items: lost})
		}
		r.take("persistence")
	}
	r.left("would_lose", "Would be lost")
	r.left("skipped", "Left out")
}

func (r *reading) left(name, title string) {
	var items []json.RawMessage
	if json.Unmarshal(r.preview[name], &items) != nil {
		return
	}
	r.take(name)
	l := list{Title: title, Tone: "lost"}
	for _, raw := range items {
		s, ok := text(raw)
		if !ok {
			s = value(raw)
		}
		l.Items = append(l.Items, s)
	}
	if len(l.Items) > 0 {
		r.Lists = append(r.Lists, l)
	}
}

// done are members that say what was done, which in a preview is nothing, and
// those that a note has told already.
var done = []string{
	"dry_run", "created", "deleted", "set", "renamed", "moved", "closed", "reloaded", "saved", "written", "extracted", "replaced",
	"committed", "persisted", "undoable", "changed", "had_unsaved", "would_overwrite", "rescan_pending", "truncated", "returned", "total",
	"sha256", "previous_sha256", "skipped_count", "type", "adjusted",
}

func (r *reading) facts() {
	for _, m := range r.order {
		if r.used[m.name] || slices.Contains(done, m.name) || string(m.value) == "[]" || string(m.value) == "{}" {
			continue
		}
		if v, ok := r.args[m.name]; ok && value(v) == value(m.value) {
			continue // the arguments say it
		}
		r.Facts = append(r.Facts, fact{Name: strings.ReplaceAll(m.name, "_", " "), Value: value(m.value)})
	}
	if undoable, known := r.boolean("undoable"); known {
		yes := map[bool]string{true: "one undo takes it back", false: "no"}
		r.Facts = append(r.Facts, fact{Name: "undo", Value: yes[undoable]})
	}
}

func (r *reading) take(names ...string) {
	for _, n := range names {
		r.used[n] = true
	}
}

// node is the node that the call is about.
func (r *reading) node() string {
	s, _ := r.str("node_path")
	return s
}

func (r *reading) str(name string) (string, bool) { return text(r.preview[name]) }

func (r *reading) boolean(name string) (is, known bool) {
	return is, json.Unmarshal(r.preview[name], &is) == nil && r.preview[name] != nil
}

func (r *reading) number(name string) (n int, known bool) {
	return n, json.Unmarshal(r.preview[name], &n) == nil && r.preview[name] != nil
}

func (r *reading) strs(name string) (out []string) {
	if json.Unmarshal(r.preview[name], &out) != nil {
		return nil
	}
	return out
}

func shown(raw json.RawMessage) *string {
	s := value(raw)
	return &s
}
