// Package addon holds the files of the editor plugin, as they are installed into
// a project under addons/godot_mcp.
package addon

import (
	"embed"
	"io/fs"
)

// Version is the version of the plugin, as plugin.cfg and the hello message give it.
const Version = "0.1.0"

// Folder is where a project has the plugin, relative to the project's folder.
const Folder = "addons/godot_mcp"

// ConfigPath is what project.godot lists when the plugin is enabled.
const ConfigPath = "res://" + Folder + "/plugin.cfg"

//go:embed godot_mcp
var files embed.FS

// Files is the content of [Folder].
func Files() fs.FS {
	sub, err := fs.Sub(files, "godot_mcp")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}
