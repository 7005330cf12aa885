package world

import (
	"slices"
	"strings"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/server/godot/gdscript"
	"godot-mcp/server/wire"
)

// CheckScript checks tokens and structure. A class name that stands in a file
// which the editor has not registered yet is no error here: it is listed as
// pending, since the engine's complaint about it would go away by itself. So is
// the script's own class_name while it is not registered for this file.
func (Handlers) CheckScript(tx *Tx, p wire.CheckScript) (r wire.CheckScriptResult, err error) {
	path, err := filePath(p.Path)
	if err != nil {
		return r, err
	}
	if files.Ext(path) != "gd" {
		return r, wire.Fail(wire.ReasonBadExtension, "path", path, "want", []string{"gd"})
	}
	f, err := tx.readText(path)
	if err != nil {
		return r, err
	}
	r = wire.CheckScriptResult{Path: path, Ready: true, Level: "tokens", Errors: []wire.ScriptError{}, SHA256: f.SHA256()}
	own := gdscript.Scan(f.Data).Name
	if c, ok := tx.Files.Class(own); own != "" && (!ok || c.Path != path) {
		if other, exists := tx.Files.Read(c.Path); ok && exists && gdscript.Scan(other).Name == own {
			// Two files declare it; the one that is not registered is at fault.
			r.Errors = append(r.Errors, wire.ScriptError{Line: classLine(f.Data), Column: 1, Message: `Class "` + own + `" hides a global script class.`})
		} else {
			r.Pending = append(r.Pending, own)
		}
	}
	var unregistered map[string]bool
	known := &gdscript.Known{
		File: func(p string) bool { return tx.Files.Exists(p) },
		Class: func(name string) bool {
			if name == own {
				return true
			}
			if c, ok := tx.Files.Class(name); ok && tx.Files.Exists(c.Path) || tx.isAutoload(name) {
				return true
			}
			if unregistered == nil {
				unregistered = tx.unregisteredClasses()
			}
			if !unregistered[name] {
				return false
			}
			if !slices.Contains(r.Pending, name) {
				r.Pending = append(r.Pending, name)
			}
			return true
		},
		Base: func(x gdscript.Extends, from string) (*gdscript.Script, string) {
			if from == "" {
				from = path
			}
			return tx.env().BaseOf(x, from)
		},
	}
	for _, e := range gdscript.Check(f.Data, known) {
		r.Errors = append(r.Errors, wire.ScriptError{Line: e.Line, Column: e.Column, Message: e.Message})
	}
	slices.Sort(r.Pending)
	return r, nil
}

// classLine is the line of the class_name statement.
func classLine(text string) int {
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		n++
		if strings.HasPrefix(strings.TrimSpace(line), "class_name") {
			return n
		}
	}
	return 1
}

// unregisteredClasses are the class names that scripts on disk declare and the
// editor's class list does not hold, or holds for a file that is gone.
func (tx *Tx) unregisteredClasses() map[string]bool {
	out := map[string]bool{}
	for p, f := range tx.Files.Disk().All {
		if files.Ext(p) != "gd" || tx.Files.Disk().Ignored(p) {
			continue
		}
		if name := gdscript.Scan(f.Data).Name; name != "" {
			if c, ok := tx.Files.Class(name); !ok || !tx.Files.Exists(c.Path) {
				out[name] = true
			}
		}
	}
	return out
}

func (tx *Tx) isAutoload(name string) bool {
	return slices.ContainsFunc(tx.autoloads(), func(a wire.Autoload) bool { return a.Singleton && a.Name == name })
}
