@tool
extends EditorPlugin
## Runs the edits of jobs.json, each in its own scene, and records the files that the
## save of the scene changed.

var _frames := 0


func _process(_delta: float) -> void:
	_frames += 1
	if _frames == 10 and FileAccess.file_exists("res://jobs.json"):
		_run()


func _run() -> void:
	while EditorInterface.get_resource_filesystem().is_scanning():
		await get_tree().process_frame
	for i in 5:
		await get_tree().process_frame
	var results := {}
	for job: Dictionary in JSON.parse_string(FileAccess.get_file_as_string("res://jobs.json")):
		results[job["name"]] = await _record(job)
	var out := FileAccess.open("res://results.json", FileAccess.WRITE)
	out.store_string(JSON.stringify(results))
	out.close()
	get_tree().quit(0)


func _record(job: Dictionary) -> String:
	var scene: String = job["scene"]
	var dir := scene.get_base_dir() + "/"
	EditorInterface.open_scene_from_path(scene)
	await get_tree().process_frame
	var root := EditorInterface.get_edited_scene_root()
	if root == null or root.scene_file_path != scene:
		return "not opened"
	if job["code"] != "":
		var script := GDScript.new()
		script.source_code = "@tool\nextends RefCounted\nfunc f(root, dir):\n\t" + (job["code"] as String).replace("\n", "\n\t") + "\n"
		if script.reload() != OK:
			return "not compiled"
		script.new().f(root, dir)
	var before := _texts(dir)
	EditorInterface.save_scene()
	var after := _texts(dir)
	var out := ""
	for name: String in after:
		if after[name] != before.get(name):
			out += "-- %s --\n%s" % [name, after[name]]
	while EditorInterface.get_open_scenes().size() > 0 and EditorInterface.close_scene() == OK:
		await get_tree().process_frame
	return out


func _texts(dir: String) -> Dictionary:
	var out := {}
	var names := DirAccess.get_files_at(dir)
	names.sort()
	for name in names:
		if name.get_extension() != "uid":
			out[name] = FileAccess.get_file_as_string(dir + name)
	return out
