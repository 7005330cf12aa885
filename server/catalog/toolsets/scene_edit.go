package toolsets

import "godot-mcp/server/catalog"

func sceneEdit() []*catalog.Tool {
	return []*catalog.Tool{
		createNode, setNodeProperty, deleteNode,
		renameNode, duplicateNode, moveNode, instanceScene, setEditableChildren, extractScene,
		attachScript, addToGroup, removeFromGroup,
		connectSignal, disconnectSignal, listSignalConnections,
		saveScene, saveAllScenes, createScene, openScene, closeScene, reloadScene, listOpenScenes,
		selectNodes, rescanFilesystem,
	}
}
