package toolsets

import "godot-mcp/server/catalog"

func composite() []*catalog.Tool {
	return []*catalog.Tool{composeNode, batchCreateNodes, applyNodeEdits, runCommands}
}
