package toolsets

import "godot-mcp/server/catalog"

func core() []*catalog.Tool {
	return []*catalog.Tool{
		healthCheck, getServerInfo, debugWorkflow,
		describeClass,
		listToolsets, enableToolset, disableToolset, listToolsByClass,
		readResource,
		undo, redo, listHistory,
	}
}
