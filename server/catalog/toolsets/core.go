package toolsets

import "godot-mcp/server/catalog"

func core() []*catalog.Tool {
	return []*catalog.Tool{
		describeClass, undo, redo, listHistory,
	}
}
