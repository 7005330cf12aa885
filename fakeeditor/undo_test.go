package fakeeditor_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"godot-mcp/server/wire"
)

func TestUndoOfWriteFile(t *testing.T) {
	e := editor(t, map[string]string{"a.gd": "extends Node\n"})
	write := func(path, text string) {
		do[wire.WriteFileResult](t, e, wire.CmdWriteFile, wire.WriteFile{Path: path, Content: text})
	}
	start := e.Disk().Map()
	write("res://a.gd", "class_name A extends Node\n")
	write("res://b.gd", "class_name B extends A\n")
	end := e.Disk().Map()
	assert.Equal(t, 2, do[wire.HistoryMoveResult](t, e, wire.CmdUndo, wire.Undo{Count: 2}).Done)
	delete(start, "res://.godot/global_script_class_cache.cfg")
	now := e.Disk().Map()
	delete(now, "res://.godot/global_script_class_cache.cfg")
	assert.Equal(t, start, now, "text restored, new file and its .uid removed")
	for _, class := range []string{"A", "B"} {
		_, ok := e.State().Files.Class(class)
		assert.False(t, ok, class)
	}
	assert.Equal(t, 2, do[wire.HistoryMoveResult](t, e, wire.CmdRedo, wire.Redo{Count: 2}).Done)
	assert.Equal(t, end, e.Disk().Map())
}
