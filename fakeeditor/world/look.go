package world

import (
	"fmt"
	"slices"
	"strings"

	"godot-mcp/fakeeditor/scene"
	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// Look is the edited scene as canonical text, for tests that compare states:
// live is the tree in memory, saved what a save would write now (with external
// resources that it would change), whatever random ids it would draw.
func Look(s State) (live, saved string) {
	tab, ok := s.ActiveTab()
	if !ok {
		return "", ""
	}
	tx := Begin(s, CauseHuman)
	e := tx.env()
	counter := int32(0)
	saver := scene.Saver{UID: func(string) string { return "uid://look" }, Random: func() int32 { counter++; return counter }}
	path := tab.Path
	if path == "" {
		path = "res://unsaved.tscn"
	}
	text, _ := e.SaveScene(tab.Root, path, saver)
	for _, id := range e.EditedFiles() {
		r := e.Res(id)
		if old, ok := tx.Files.Read(r.Path); !ok || old != e.SaveResource(id, tx.saver()) {
			text += "\n" + r.Path + "\n" + e.SaveResource(id, saver)
		}
	}
	return Live(s), text
}

// Measured reports whether the simulated editor knows position and size of a node of
// the edited scene exactly, see [scene.Env.Measured].
func Measured(s State, path string, remembered bool) bool {
	tx := Begin(s, CauseHuman)
	e, _, n, err := tx.find(path)
	return err != nil || e.Measured(n.ID, remembered)
}

// Reloaded is the edited scene, in the form of Look's live, as it is after a
// save and a load by an editor that has read nothing yet.
func Reloaded(s State) string {
	tab, ok := s.ActiveTab()
	if !ok {
		return ""
	}
	tx := Begin(s, CauseHuman)
	path := tab.Path
	if path == "" {
		path = "res://unsaved.tscn"
	}
	tx.save(tx.Active, path)
	return strings.ReplaceAll(Loaded(tx.State, path), "scene=res://unsaved.tscn ", "scene= ")
}

// Loaded is a scene file, in the form of Look's live, as an editor that has read
// nothing yet would show it.
func Loaded(s State, path string) string {
	tx := Begin(s, CauseHuman)
	tx.Store, tx.Tabs, tx.Active = scene.Store{}, nil, -1
	if _, err := tx.open(path); err != nil {
		return "cannot be loaded: " + err.Error()
	}
	return Live(tx.State)
}

// Live is the edited scene in memory, as canonical text.
func Live(s State) string {
	tab, ok := s.ActiveTab()
	if !ok {
		return ""
	}
	tx := Begin(s, CauseHuman)
	l := looker{e: tx.env(), root: tab.Root}
	l.node(tab.Root)
	return strings.Join(l.lines, "\n")
}

// Session is tabs, active scene and selection as text.
func Session(s State) string {
	var lines []string
	for _, t := range s.Tabs {
		lines = append(lines, "open "+t.Path)
	}
	tab, ok := s.ActiveTab()
	if !ok {
		return strings.Join(append(lines, "active -"), "\n")
	}
	lines = append(lines, "active "+tab.Path)
	tx := Begin(s, CauseHuman)
	for _, path := range pathsOf(tx.env(), tab) {
		lines = append(lines, "selected "+path)
	}
	return strings.Join(lines, "\n")
}

// looker writes the same lines as the scenario lab does in a real editor.
type looker struct {
	e     scene.Env
	root  scene.NodeID
	lines []string
}

func (l *looker) line(format string, args ...any) {
	l.lines = append(l.lines, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", `\n`))
}

func (l *looker) node(id scene.NodeID) {
	e, n := l.e, l.e.Node(id)
	path := e.Path(l.root, id)
	owner := "-"
	if n.Owner != 0 {
		owner = e.Path(l.root, n.Owner)
	}
	l.line("%s %s owner=%s scene=%s editable=%v", path, n.Class, owner, n.Source, n.Editable)
	for _, p := range e.Properties(n) {
		if _, set := n.Props.Get(p.Name); !e.Present(n, p, set) {
			continue // only some states of the node have it
		}
		if p.Usage&classdb.UsageScriptVariable == 0 && !e.Stores(n, p) {
			continue // what a container lays out is not stored, as it is now
		}
		if text, ok := l.property(p, n.Class, func() variant.Value { v, _ := e.Value(n, p.Name); return v }, nil); ok {
			l.line("  %s %s = %s", path, p.Name, text)
		}
	}
	groups := make([]string, 0, len(n.Groups))
	for _, g := range n.Groups {
		if !strings.HasPrefix(g.Name, "_") {
			groups = append(groups, g.Name)
		}
	}
	slices.Sort(groups)
	for _, g := range groups {
		l.line("  %s group %s", path, g)
	}
	var links []string
	for _, c := range n.Conns {
		if c.Flags&scene.ConnectPersist == 0 || !e.Emits(n, c.Signal) || e.Node(c.Target) == nil || !e.Inside(c.Target, l.root) {
			continue
		}
		binds := make([]string, len(c.Binds))
		for i, b := range c.Binds {
			binds[i] = l.value(b, nil)
		}
		links = append(links, fmt.Sprintf("  %s signal %s -> %s.%s flags=%d binds=[%s] unbinds=%d",
			path, c.Signal, e.Path(l.root, c.Target), c.Method, c.Flags&^scene.ConnectInherited, strings.Join(binds, ", "), c.Unbinds))
	}
	slices.Sort(links)
	for _, link := range links {
		l.line("%s", link)
	}
	if len(n.Children) > 0 {
		names := make([]string, len(n.Children))
		for i, c := range n.Children {
			names[i] = e.Node(c).Name
		}
		l.line("  %s children %s", path, strings.Join(names, "/"))
	}
	for _, c := range n.Children {
		l.node(c)
	}
}

// property gives the text of a property that a dump shows: one that files or a
// script keep, with a value that is not the class default.
func (l *looker) property(p scene.Property, class string, value func() variant.Value, seen []scene.ResID) (string, bool) {
	if p.Usage&(classdb.UsageStorage|classdb.UsageScriptVariable) == 0 {
		return "", false
	}
	v := value()
	if id := scene.NodeOf(v); id != 0 && l.e.Node(id) == nil {
		v = variant.Nil // a deleted node that the history keeps is there for nobody else
	}
	def, known := l.e.ClassDefault(class, p.Name)
	if known && v.Equal(def) || v.IsNil() && (!known || def.IsNil()) {
		return "", false
	}
	return l.value(v, seen), true
}

func (l *looker) value(v variant.Value, seen []scene.ResID) string {
	if id := scene.NodeOf(v); id != 0 {
		if n := l.e.Node(id); n != nil {
			return "<node " + n.Name + ">"
		}
		return "null"
	}
	if id := scene.ResOf(v); id != 0 {
		return l.resource(id, seen)
	}
	if a, ok := v.Array(); ok {
		parts := make([]string, a.Len())
		for i, item := range a.Items() {
			parts[i] = l.value(item, seen)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	if d, ok := v.Dictionary(); ok {
		parts := make([]string, d.Len())
		for i, x := range d.Entries() {
			parts[i] = l.value(x.Key, seen) + ": " + l.value(x.Value, seen)
		}
		slices.Sort(parts) // files do not keep the order
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return string(variant.AppendText(nil, v))
}

func (l *looker) resource(id scene.ResID, seen []scene.ResID) string {
	r := l.e.Res(id)
	if r == nil {
		return "<null>"
	}
	where := r.Path
	if home, _, inside := strings.Cut(r.Path, "::"); inside {
		where = home + "::"
		if home == l.e.Node(l.root).Source {
			where = ""
		}
	}
	switch {
	case slices.Contains(seen, id):
		return "<again " + r.Class + ">"
	case classdb.Inherits(r.Class, "Script"):
		return "<script " + where + ">"
	case r.Class == "PackedScene":
		return "<scene " + where + ">"
	case r.Opaque:
		return "<" + r.Class + " " + where + ">"
	}
	var parts []string
	seen = append(seen[:len(seen):len(seen)], id)
	for _, p := range l.e.ResProperties(r) {
		if _, set := r.Props.Get(p.Name); p.Conditional && !set {
			continue
		}
		if text, ok := l.property(p, r.Class, func() variant.Value { return l.e.ResValue(r, p.Name) }, seen); ok {
			parts = append(parts, p.Name+" = "+text)
		}
	}
	return fmt.Sprintf("<%s %s {%s}>", r.Class, where, strings.Join(parts, ", "))
}

// HeldInside reports whether something open instances a scene that instances, or
// inherits from, the one of a file, which is in memory therefore.
func HeldInside(s State, file string) bool {
	tx := Tx{State: s}
	return tx.env().HeldInside(file)
}
