package scene

import "godot-mcp/server/godot/tscn"

// Extra keeps sections and header attributes of a file that this package does not
// know, so that a save does not drop them.
type Extra struct {
	Header   []Attr
	Sections []*tscn.Section
}
