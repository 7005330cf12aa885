// Package lab holds the editor plugin by which the scenario runner looks at a
// real editor and plays the person at it. It is for tests only.
package lab

import "embed"

// Files is the plugin, to be put into addons/.
//
//go:embed scenario_lab
var Files embed.FS
