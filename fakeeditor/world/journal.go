package world

import "time"

// Effect is one applied mutation.
type Effect struct {
	Seq  int
	Time time.Duration
	// Cause is a command id, "human" or "importer".
	Cause string
	Kind  EffectKind
	// Scene is the scene file for effects on an open scene ("" if never saved).
	Scene string
	// Target is a scene-relative node path ("A/B", "A/B:position", ...) or a res:// path.
	Target string
	// Before and After are godot/variant values for properties, strings for
	// names, paths and content hashes, and nil for "not there".
	Before, After any
}

// EffectKind names what an effect did.
type EffectKind string

// The kinds of effects.
const (
	EffectCreateNode   EffectKind = "node_created"
	EffectDeleteNode   EffectKind = "node_deleted"
	EffectMoveNode     EffectKind = "node_moved"
	EffectRenameNode   EffectKind = "node_renamed"
	EffectSetProperty  EffectKind = "property_set"
	EffectGroup        EffectKind = "group_changed"
	EffectConnection   EffectKind = "connection_changed"
	EffectEditable     EffectKind = "editable_changed"
	EffectUndo         EffectKind = "undone"
	EffectRedo         EffectKind = "redone"
	EffectSelection    EffectKind = "selection_changed"
	EffectOpenScene    EffectKind = "scene_opened"
	EffectCloseScene   EffectKind = "scene_closed"
	EffectReloadScene  EffectKind = "scene_reloaded"
	EffectWriteFile    EffectKind = "file_written"
	EffectRemoveFile   EffectKind = "file_removed"
	EffectScan         EffectKind = "scan_started"
	EffectImport       EffectKind = "file_imported"
	EffectRegisterType EffectKind = "class_registered"
)

// Journal is an append-only list of effects. A copy is a fork.
type Journal struct{ last *journalCell }

type journalCell struct {
	effect Effect
	prev   *journalCell
}

// Len counts the effects.
func (j Journal) Len() int {
	if j.last == nil {
		return 0
	}
	return j.last.effect.Seq
}

// Add gives the journal with an effect added; Seq is set, counting from 1.
func (j Journal) Add(e Effect) Journal {
	e.Seq = j.Len() + 1
	return Journal{last: &journalCell{effect: e, prev: j.last}}
}

// Since lists the effects after the one with number seq, oldest first; 0 for all.
func (j Journal) Since(seq int) []Effect {
	n := j.Len() - seq
	if n <= 0 {
		return nil
	}
	out := make([]Effect, n)
	for c := j.last; n > 0; c = c.prev {
		n--
		out[n] = c.effect
	}
	return out
}
