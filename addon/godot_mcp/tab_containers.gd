@tool
extends RefCounted
## How the tabs of a TabContainer stand, for an undo or redo to bring them back.
##
## The container changes its children when they come, go, move or are shown: it hides
## all but one, numbers them in metadata, takes that and their titles away with them,
## and chooses another current tab. Some of it comes in a later frame, and none of it is
## taken back by the opposite change (engine 4.6).
##
## What to restore comes as arguments, not from members, so that a reload of this script
## leaves the history usable.


## The tabs, in order.
static func tabs(container: TabContainer) -> Array[Control]:
	var out: Array[Control] = []
	for child: Node in container.get_children():
		var control: Control = child as Control
		if control != null and not control.top_level:
			out.append(control)
	return out


## Arguments for [method put] that bring a container back to how it is now.
static func standing(container: TabContainer) -> Array:
	var all: Array[Control] = tabs(container)
	var rows: Array[Array] = []
	for i: int in mini(all.size(), container.get_tab_count()):
		var names: Array[StringName] = all[i].get_meta_list()
		var values: Array = names.map(func(name: StringName) -> Variant: return all[i].get_meta(name))
		var looks: Array = [container.get_tab_title(i), container.get_tab_icon(i), container.is_tab_disabled(i), container.is_tab_hidden(i)]
		rows.append([all[i], all[i].visible, names, values, looks])
	return [container, container.current_tab, rows]


## Brings the container back.
func put(container: Variant, current: int, rows: Array[Array]) -> void:
	if not is_instance_valid(container):
		return
	var owner: TabContainer = container
	var all: Array[Control] = tabs(owner)
	for i: int in mini(rows.size(), mini(all.size(), owner.get_tab_count())):
		if is_same(rows[i][0], all[i]):
			_put_looks(owner, i, rows[i][4] as Array)
	if owner.current_tab != current and current < owner.get_tab_count():
		owner.current_tab = current
	for row: Array in rows:
		if is_instance_valid(row[0]) and (row[0] as Node).get_parent() == owner:
			_put_tab(row[0] as Control, row)


static func _put_looks(container: TabContainer, i: int, looks: Array) -> void:
	if container.get_tab_title(i) != looks[0]:
		container.set_tab_title(i, looks[0] as String)
	if container.get_tab_icon(i) != looks[1]:
		container.set_tab_icon(i, looks[1] as Texture2D)
	if container.is_tab_disabled(i) != looks[2]:
		container.set_tab_disabled(i, looks[2] as bool)
	if container.is_tab_hidden(i) != looks[3]:
		container.set_tab_hidden(i, looks[3] as bool)


# Metadata is saved in the order in which it was made.
static func _put_tab(tab: Control, row: Array) -> void:
	if tab.visible != row[1]:
		tab.visible = row[1]
	var names: Array[StringName] = row[2]
	var values: Array = row[3]
	if tab.get_meta_list() != names:
		for name: StringName in tab.get_meta_list():
			tab.remove_meta(name)
	for i: int in names.size():
		if not tab.has_meta(names[i]) or tab.get_meta(names[i]) != values[i]:
			tab.set_meta(names[i], values[i])


## Shows the current tab and hides the others at once, which the container itself does
## in a later frame.
static func settle(container: TabContainer) -> void:
	var all: Array[Control] = tabs(container)
	for i: int in all.size():
		if all[i].visible != (i == container.current_tab):
			all[i].visible = i == container.current_tab
