package world

import (
	"encoding/json"
	"strings"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/server/wire"
)

// mostSections bounds what is told of a change of a file.
const mostSections = 10

// outside says how the file of an open scene differs from what the editor loaded
// or saved last; nil when it does not, or when the scene has no file yet.
func (tx *Tx) outside(tab Tab) *wire.OutsideChange {
	if tab.Path == "" {
		return nil
	}
	return tx.changeOf(tab.Path, tab.Base)
}

// changeOf says how a file differs from what it was, nil when it does not.
func (tx *Tx) changeOf(path string, base files.File) *wire.OutsideChange {
	now, exists := tx.Files.Disk().Get(path)
	folder := tx.Files.Disk().HasFolder(path)
	if exists && !folder && now.Data == base.Data && (!now.Link || base.Link) {
		return nil
	}
	c := &wire.OutsideChange{
		Path: path, ExpectedSHA256: base.SHA256(), ExpectedSize: len(base.Data), ExpectedModified: base.Time,
	}
	switch {
	case folder:
		c.How = "folder"
	case !exists:
		c.How = "deleted"
	default:
		c.SHA256, c.Size, c.Modified = now.SHA256(), len(now.Data), now.Time
		c.How = "content"
		if now.Link && !base.Link {
			c.How = "link"
		}
		c.Added, c.Removed, c.Altered = sceneDifference(base.Data, now.Data)
	}
	return c
}

// outsideChanges lists what a save of these scenes would go over: changes of their
// files, then those of the resources that are edited, whichever scene uses them, and
// of the scripts that somebody types in.
func (tx *Tx) outsideChanges(tabs []Tab) []wire.OutsideChange {
	var found []wire.OutsideChange
	for _, t := range tabs {
		if c := tx.outside(t); c != nil {
			found = append(found, *c)
		}
	}
	if len(tabs) == 0 {
		return nil // nothing is written then
	}
	e := tx.env()
	for _, id := range e.EditedFiles() {
		r := e.Res(id)
		base := files.File{Data: r.Origin.Text, Time: r.Origin.Time, Link: r.Origin.Link}
		if c := tx.changeOf(r.Path, base); c != nil {
			c.Resource = true
			found = append(found, *c)
		}
	}
	for _, t := range tx.Typed {
		if c := tx.changeOf(t.Path, t.Base); c != nil {
			c.Resource = true
			found = append(found, *c)
		}
	}
	return found
}

// guard refuses a save over changes that the editor has not seen. What a person
// saves is theirs to decide, and nobody is asked (engine 4.6, headless).
func (tx *Tx) guard(overwrite bool, tabs ...Tab) ([]wire.OutsideChange, error) {
	if tx.Cause == CauseHuman {
		return nil, nil
	}
	found := tx.outsideChanges(tabs)
	var refused []string
	first := -1
	for i, c := range found {
		if !overwrite || c.How == "folder" || c.How == "link" {
			refused = append(refused, c.Path)
			if first < 0 {
				first = i
			}
		}
	}
	if len(refused) == 0 {
		return found, nil
	}
	failure := wire.Fail(wire.ReasonChanged)
	raw, err := json.Marshal(found[first])
	if err == nil {
		err = json.Unmarshal(raw, &failure.Details)
	}
	if err != nil {
		return nil, err
	}
	if len(refused) > 1 {
		failure.Details["files"] = refused
	}
	return nil, failure
}

// based is a tab whose file the editor has just read or written.
func (tx *Tx) based(tab Tab) Tab {
	tab.Base, _ = tx.Files.Disk().Get(tab.Path)
	return tab
}

// sceneDifference names the sections of a text scene or resource that differ.
func sceneDifference(before, after string) (added, removed, altered []string) {
	old, oldOrder := sceneSections(before)
	now, order := sceneSections(after)
	for _, name := range order {
		text, was := old[name]
		switch {
		case !was:
			added = append(added, name)
		case text != now[name]:
			altered = append(altered, name)
		}
	}
	for _, name := range oldOrder {
		if _, is := now[name]; !is {
			removed = append(removed, name)
		}
	}
	few := func(list []string) []string { return list[:min(len(list), mostSections)] }
	return few(added), few(removed), few(altered)
}

// sceneSections splits a text scene or resource into its sections by name.
func sceneSections(text string) (sections map[string]string, order []string) {
	sections = map[string]string{}
	name := ""
	for line := range strings.SplitAfterSeq(text, "\n") {
		if n := sectionName(strings.TrimSpace(line)); n != "" {
			name = n
			if _, twice := sections[name]; !twice {
				order = append(order, name)
			}
		}
		if name != "" && strings.TrimSpace(line) != "" {
			sections[name] += line
		}
	}
	return sections, order
}

// sectionName names the section that a line begins, "" when it begins none. A
// line of a text value may be taken for one: it is a summary for people.
func sectionName(line string) string {
	if line == "[resource]" {
		return "resource"
	}
	tag, rest, found := strings.Cut(strings.TrimPrefix(line, "["), " ")
	if !found || !strings.HasPrefix(line, "[") || !strings.HasSuffix(line, "]") {
		return ""
	}
	get := func(name string) string {
		_, value, found := strings.Cut(" "+rest, " "+name+`="`)
		if !found {
			return ""
		}
		value, _, _ = strings.Cut(value, `"`)
		return value
	}
	switch tag {
	case "gd_scene", "gd_resource":
		return "header"
	case "ext_resource":
		return tag + " " + get("path")
	case "sub_resource":
		return tag + " " + get("id")
	case "node":
		switch parent := get("parent"); parent {
		case "":
			return "node ."
		case ".":
			return "node " + get("name")
		default:
			return "node " + parent + "/" + get("name")
		}
	case "connection":
		return tag + " " + get("from") + "." + get("signal") + " to " + get("to") + "." + get("method")
	case "editable":
		return tag + " " + get("path")
	}
	return ""
}
