package world

import "godot-mcp/server/wire"

// pending answers commands whose handler is not written yet; it goes away with the last of them.
type pending struct{}

func (pending) AddToGroup(*Tx, wire.AddToGroup) (r wire.GroupResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "AddToGroup")
}

func (pending) AttachScript(*Tx, wire.AttachScript) (r wire.AttachScriptResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "AttachScript")
}

func (pending) CheckScript(*Tx, wire.CheckScript) (r wire.CheckScriptResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "CheckScript")
}

func (pending) CloseScene(*Tx, wire.CloseScene) (r wire.CloseSceneResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "CloseScene")
}

func (pending) ConnectSignal(*Tx, wire.ConnectSignal) (r wire.ConnectionResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "ConnectSignal")
}

func (pending) CreateNode(*Tx, wire.CreateNode) (r wire.NewNodeResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "CreateNode")
}

func (pending) CreateScene(*Tx, wire.CreateScene) (r wire.CreateSceneResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "CreateScene")
}

func (pending) CrossSceneSetProperty(*Tx, wire.CrossSceneSetProperty) (r wire.CrossSceneSetPropertyResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "CrossSceneSetProperty")
}

func (pending) DeleteNode(*Tx, wire.DeleteNode) (r wire.DeleteNodeResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "DeleteNode")
}

func (pending) DescribeClass(*Tx, wire.DescribeClass) (r wire.DescribeClassResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "DescribeClass")
}

func (pending) DisconnectSignal(*Tx, wire.DisconnectSignal) (r wire.ConnectionResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "DisconnectSignal")
}

func (pending) DuplicateNode(*Tx, wire.DuplicateNode) (r wire.NewNodeResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "DuplicateNode")
}

func (pending) ExtractScene(*Tx, wire.ExtractScene) (r wire.ExtractSceneResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "ExtractScene")
}

func (pending) FindNodesByType(*Tx, wire.FindNodesByType) (r wire.FindNodesByTypeResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "FindNodesByType")
}

func (pending) GetActiveScene(*Tx, wire.GetActiveScene) (r wire.GetActiveSceneResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "GetActiveScene")
}

func (pending) GetDependencies(*Tx, wire.GetDependencies) (r wire.GetDependenciesResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "GetDependencies")
}

func (pending) GetNode(*Tx, wire.GetNode) (r wire.GetNodeResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "GetNode")
}

func (pending) GetNodeGroups(*Tx, wire.GetNodeGroups) (r wire.GetNodeGroupsResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "GetNodeGroups")
}

func (pending) GetNodeProperty(*Tx, wire.GetNodeProperty) (r wire.GetNodePropertyResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "GetNodeProperty")
}

func (pending) GetNodePropertyList(*Tx, wire.GetNodePropertyList) (r wire.GetNodePropertyListResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "GetNodePropertyList")
}

func (pending) GetOutcome(*Tx, wire.GetOutcome) (r wire.GetOutcomeResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "GetOutcome")
}

func (pending) GetProjectInfo(*Tx, wire.GetProjectInfo) (r wire.GetProjectInfoResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "GetProjectInfo")
}

func (pending) GetScanState(*Tx, wire.GetScanState) (r wire.ScanState, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "GetScanState")
}

func (pending) GetSceneTree(*Tx, wire.GetSceneTree) (r wire.GetSceneTreeResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "GetSceneTree")
}

func (pending) GetSelectedNodes(*Tx, wire.GetSelectedNodes) (r wire.GetSelectedNodesResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "GetSelectedNodes")
}

func (pending) InstanceScene(*Tx, wire.InstanceScene) (r wire.NewNodeResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "InstanceScene")
}

func (pending) ListFiles(*Tx, wire.ListFiles) (r wire.ListFilesResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "ListFiles")
}

func (pending) ListHistory(*Tx, wire.ListHistory) (r wire.ListHistoryResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "ListHistory")
}

func (pending) ListOpenScenes(*Tx, wire.ListOpenScenes) (r wire.ListOpenScenesResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "ListOpenScenes")
}

func (pending) ListScenes(*Tx, wire.ListScenes) (r wire.ListScenesResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "ListScenes")
}

func (pending) ListSignalConnections(*Tx, wire.ListSignalConnections) (r wire.ListSignalConnectionsResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "ListSignalConnections")
}

func (pending) MoveNode(*Tx, wire.MoveNode) (r wire.MoveNodeResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "MoveNode")
}

func (pending) NodePersistence(*Tx, wire.NodePersistence) (r wire.NodePersistenceResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "NodePersistence")
}

func (pending) OpenSceneFile(*Tx, wire.OpenSceneFile) (r wire.OpenSceneFileResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "OpenSceneFile")
}

func (pending) Ping(*Tx, wire.Ping) (r wire.PingResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "Ping")
}

func (pending) ReadFile(*Tx, wire.ReadFile) (r wire.ReadFileResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "ReadFile")
}

func (pending) Redo(*Tx, wire.Redo) (r wire.HistoryMoveResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "Redo")
}

func (pending) ReloadScene(*Tx, wire.ReloadScene) (r wire.ReloadSceneResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "ReloadScene")
}

func (pending) RemoveFromGroup(*Tx, wire.RemoveFromGroup) (r wire.GroupResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "RemoveFromGroup")
}

func (pending) RenameNode(*Tx, wire.RenameNode) (r wire.RenameNodeResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "RenameNode")
}

func (pending) RescanFilesystem(*Tx, wire.RescanFilesystem) (r wire.ScanState, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "RescanFilesystem")
}

func (pending) RunCommands(*Tx, wire.RunCommands) (r wire.RunCommandsResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "RunCommands")
}

func (pending) SaveAllScenes(*Tx, wire.SaveAllScenes) (r wire.SaveAllScenesResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "SaveAllScenes")
}

func (pending) SaveScene(*Tx, wire.SaveScene) (r wire.SaveSceneResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "SaveScene")
}

func (pending) SelectNodes(*Tx, wire.SelectNodes) (r wire.SelectNodesResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "SelectNodes")
}

func (pending) SetEditableChildren(*Tx, wire.SetEditableChildren) (r wire.SetEditableChildrenResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "SetEditableChildren")
}

func (pending) SetNodeProperty(*Tx, wire.SetNodeProperty) (r wire.SetNodePropertyResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "SetNodeProperty")
}

func (pending) SnapshotSubtree(*Tx, wire.SnapshotSubtree) (r wire.SnapshotSubtreeResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "SnapshotSubtree")
}

func (pending) Transaction(*Tx, wire.Transaction) (r wire.TransactionResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "Transaction")
}

func (pending) Undo(*Tx, wire.Undo) (r wire.HistoryMoveResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "Undo")
}

func (pending) WriteFile(*Tx, wire.WriteFile) (r wire.WriteFileResult, err error) {
	return r, wire.Fail(wire.ReasonUnknownCommand, "command", "WriteFile")
}

