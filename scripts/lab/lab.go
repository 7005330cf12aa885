// Package lab holds the editor plugin by which the scenario runner looks at a
// real editor and plays the person at it. It is for tests only.
package lab

import (
	"embed"
	"io/fs"
)

//go:embed scenario_lab
var files embed.FS

// Files is the plugin, to be put into addons/scenario_lab.
func Files() fs.FS {
	sub, err := fs.Sub(files, "scenario_lab")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return sub
}
