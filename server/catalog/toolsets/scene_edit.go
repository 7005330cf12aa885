package toolsets

import "godot-mcp/server/catalog"

func sceneEdit() []*catalog.Tool {
	return []*catalog.Tool{
		createNode, setNodeProperty, deleteNode,
	}
}
