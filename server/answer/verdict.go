package answer

import "godot-mcp/server/wire"

// Lasting is embedded in the answer of every edit: whether saving the scene as
// it stands keeps it.
type Lasting struct {
	Persisted bool            `json:"persisted"`
	Reason    wire.LossReason `json:"reason,omitempty"`
	Hint      string          `json:"hint,omitempty"`
}

// Lasts turns an editor's verdict into answer fields. Node is the path the
// caller edited, for verdicts that name no other.
func Lasts(v wire.Verdict, node string) Lasting {
	return Lasting{Persisted: v.Persisted, Reason: v.Reason, Hint: LossHint(v, node)}
}

// LossHint says what to do about an edit that a save would not keep; empty
// when it is kept.
func LossHint(v wire.Verdict, node string) string {
	if v.Persisted {
		return ""
	}
	d := map[string]any{"node": clean(node)}
	if v.Subject != "" {
		d["node"] = clean(v.Subject)
	}
	if v.Source != "" {
		d["source"] = clean(v.Source)
	}
	if v.Reason == wire.LossInstanceChild {
		// The verdict names the instance; what was edited lies inside it.
		d["node"] = clean(node)
		if v.Subject != "" {
			d["instance"] = clean(v.Subject)
		}
	}
	template, ok := lossHints[v.Reason]
	if !ok {
		template = lossHints[wire.LossNone]
	}
	return render(template, d)
}

var lossHints = map[wire.LossReason]string{
	wire.LossNone:               "Saving the scene would not keep this change of \"{node|the node}\".",
	wire.LossNotOwned:           "\"{node|The node}\" has no owner in the edited scene (something like a tool script added it), so a save leaves it out and this change is lost on reload. Edit a node that godot_inspection_get_scene_tree lists without unowned.",
	wire.LossInstanceChild:      "\"{node|The node}\" lies inside the instance[ \"{instance}\"][ of {source}], whose children are not editable, so a save drops this change. Call godot_scene_edit_set_editable_children on \"{instance|the instance}\", or edit {source|the scene it comes from}.",
	wire.LossEmbeddedElsewhere:  "The resource is stored inside {source|another file}, which saving this scene does not write. Open that file and edit it there, or give \"{node|the node}\" a resource of its own.",
	wire.LossGroupFromBase:      "The group comes from {source|the base scene} and is back after a reload. Remove it there: open that scene with godot_scene_edit_open_scene.",
	wire.LossFromBase:           "\"{node|The node}\" is supplied by {source|its base scene}, so this change is undone by a reload. Open that scene with godot_scene_edit_open_scene and edit it there.",
	wire.LossConnectionFromBase: "The connection is defined in {source|the base scene} and is back after a reload. Remove it there: open that scene with godot_scene_edit_open_scene.",
	wire.LossNotStored:          "The property of \"{node|the node}\" is not stored in scene files (a script variable needs @export). The value is gone after a reload.",
	wire.LossNotExact:           "The engine does not read this number back exactly as it writes it, so \"{node|the node}\" has a slightly different one after a reload. A number with fewer digits is kept.",
	wire.LossUIDTaken:           "The file has the same uid as {source|another file}, which a reload takes in its place (one was copied outside the editor). Give one of them a uid of its own: remove uid=\"...\" from its first line and rescan.",
	wire.LossFileMissing:        "{source|The file it refers to} does not exist on disk, so the reference is lost on reload. Create or save that file first.",
	wire.LossResourceConnection: "A connection that begins or ends at a resource is not stored in the scene. Connect it in a script's _ready instead.",
	wire.LossNotPersistent:      "The connection is not marked persistent, so a save leaves it out. Make it with godot_scene_edit_connect_signal.",
}
