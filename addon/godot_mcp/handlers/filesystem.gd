@tool
extends RefCounted
## The editor's file system scan.

const McpContext := preload("../context.gd")


func commands() -> Dictionary:
	return {"cmd_rescan_filesystem": rescan_filesystem, "cmd_get_scan_state": get_scan_state}


func rescan_filesystem(ctx: McpContext, _p: Dictionary) -> Dictionary:
	ctx.services.scan.request()
	return ctx.services.scan.state()


func get_scan_state(ctx: McpContext, _p: Dictionary) -> Dictionary:
	return ctx.services.scan.state()
