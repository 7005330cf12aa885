package world

import (
	"fmt"
	"slices"
	"strings"

	"godot-mcp/fakeeditor/scene"
	"godot-mcp/server/godot/variant"
)

// Look is the edited scene as canonical text, for tests that compare states:
// live is the tree in memory, saved what a save would write now (with edited
// external resources), whatever random ids it would draw.
func Look(s State) (live, saved string) {
	tab, ok := s.ActiveTab()
	if !ok {
		return "", ""
	}
	tx := Begin(s, CauseHuman)
	e := tx.env()
	var b strings.Builder
	lookNode(&b, e, tab.Root, tab.Root)

	counter := int32(0)
	saver := scene.Saver{UID: func(string) string { return "uid://look" }, Random: func() int32 { counter++; return counter }}
	path := tab.Path
	if path == "" {
		path = "res://unsaved.tscn"
	}
	text, _ := e.SaveScene(tab.Root, path, saver)
	for _, id := range e.EditedFiles() {
		r := e.Res(id)
		text += "\n" + r.Path + "\n" + e.SaveResource(id, saver)
	}
	return b.String(), text
}

func lookNode(b *strings.Builder, e scene.Env, root, id scene.NodeID) {
	n := e.Node(id)
	path := e.Path(root, id)
	owner := "-"
	if n.Owner != 0 {
		owner = e.Path(root, n.Owner)
	}
	fmt.Fprintf(b, "%s %s owner=%s scene=%s editable=%v\n", path, n.Class, owner, n.Source, n.Editable)
	for _, p := range n.Props {
		fmt.Fprintf(b, "  %s %s = %s\n", path, p.Name, lookValue(e, p.Value, nil))
	}
	for _, g := range n.Groups {
		fmt.Fprintf(b, "  %s group %s persistent=%v\n", path, g.Name, g.Persistent)
	}
	links := make([]string, 0, len(n.Conns))
	for _, c := range n.Conns {
		links = append(links, fmt.Sprintf("  %s signal %s -> %s.%s flags=%d binds=%s unbinds=%d\n",
			path, c.Signal, e.Path(root, c.Target), c.Method, c.Flags, c.Binds, c.Unbinds))
	}
	slices.Sort(links)
	b.WriteString(strings.Join(links, ""))
	for _, c := range n.Children {
		lookNode(b, e, root, c)
	}
}

func lookValue(e scene.Env, v variant.Value, seen []scene.ResID) string {
	id := scene.ResOf(v)
	if id == 0 {
		parts := []string{string(variant.AppendText(nil, v))}
		scene.EachObject(v, func(o variant.Value) {
			// Only resources have more to show; a node stands elsewhere in the tree.
			if scene.ResOf(o) != 0 {
				parts = append(parts, lookValue(e, o, seen))
			}
		})
		return strings.Join(parts, " with ")
	}
	r := e.Res(id)
	if r == nil || slices.Contains(seen, id) {
		return fmt.Sprintf("<again %d>", id)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<%s %s {", r.Class, r.Path)
	for _, p := range r.Props {
		fmt.Fprintf(&b, " %s=%s", p.Name, lookValue(e, p.Value, append(seen, id)))
	}
	return b.String() + "}>"
}
