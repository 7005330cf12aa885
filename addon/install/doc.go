// Package install puts the editor addon into a Godot project and takes it out
// again.
//
// The copy is made beside the old one and takes its place by renames, so an
// interrupted copy leaves the old addon whole. In project.godot one key is
// edited and no other byte. A manifest with a hash of every file tells what a
// person changed since; such files are listed and left alone unless forced, and
// then the old folder is kept as a backup.
package install

import (
	"fmt"
	"strings"

	"godot-mcp/addon"
)

// Folder is where the addon lives in a project.
const Folder = addon.Folder

// Plugin is the entry of the addon in the list of enabled plugins.
const Plugin = addon.ConfigPath

// Names below addons/. Godot's file system scan passes over folders that begin
// with a dot.
const (
	stagingName = ".godot_mcp.new"
	swapName    = ".godot_mcp.swap"
	backupName  = ".godot_mcp.backup"
)

// Reason says why nothing was done. Closed list.
type Reason string

// The reasons.
const (
	NotAProject Reason = "not_a_project"      // the folder has no project.godot
	OldProject  Reason = "old_project"        // the project is of a Godot before 4
	BadProject  Reason = "unreadable_project" // project.godot cannot be parsed
	IsSymlink   Reason = "symlink"            // the addon's place is a link to somewhere else
	Changed     Reason = "changed_files"      // a person changed files of the addon
	IOFailed    Reason = "io"                 // the operating system refused
)

// Error is what [Install], [Uninstall] and [Status] return.
type Error struct {
	Reason Reason
	Path   string
	Files  []Change // with Changed
	Err    error    // with OldProject, BadProject and IOFailed
}

// Change is one file that differs from what was installed.
type Change struct {
	Path string // below the addon's folder, with slashes
	How  string // "changed", "added" or "removed"
}

func (e *Error) Error() string {
	switch e.Reason {
	case NotAProject:
		if e.Path == "" {
			return "no folder is named: give the folder of the project, \".\" for this one"
		}
		return fmt.Sprintf("%s is no Godot project: it has no project.godot", e.Path)
	case OldProject:
		return fmt.Sprintf("%s is a project of Godot 3 or older, and the addon needs Godot 4: %v", e.Path, e.Err)
	case BadProject:
		return fmt.Sprintf("%s cannot be read, so nothing was changed: %v", e.Path, e.Err)
	case IsSymlink:
		return fmt.Sprintf("%s is a symbolic link; the addon is only written to a real folder of the project", e.Path)
	case Changed:
		var b strings.Builder
		fmt.Fprintf(&b, "%s has files that a person changed, so nothing was done:", e.Path)
		for _, c := range e.Files {
			fmt.Fprintf(&b, "\n  %-8s %s", c.How, c.Path)
		}
		b.WriteString("\nMove them away, or use --force; then the old folder is kept as a backup")
		return b.String()
	}
	return fmt.Sprintf("%s: %v", e.Path, e.Err)
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }
