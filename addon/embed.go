// Package addon holds the editor addon's files.
package addon

import "embed"

// Files is the addon, below godot_mcp/.
//
//go:embed all:godot_mcp
var Files embed.FS
