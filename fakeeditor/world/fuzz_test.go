package world

import (
	"testing"

	"github.com/stretchr/testify/require"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/server/wire"
)

// Whatever the parameters, a command is answered or refused; no handler fails, and
// a refusal leaves the state as it was.
func FuzzStep(f *testing.F) {
	s, err := Open(files.NewTree(project), Project{Path: "/lab"}, files.DefaultDelays(), 1)
	require.NoError(f, err)
	s, out := Step(s, Input{Command: wire.CmdOpenSceneFile, Params: raw(wire.OpenSceneFile{ScenePath: "res://main.tscn"})})
	require.Nil(f, out.Err)
	for i, c := range wire.Commands {
		f.Add(uint8(i), `{}`)
		f.Add(uint8(i), `null`)
		_ = c
	}
	for i, c := range wire.Commands {
		for _, q := range reads("A") {
			if q.Command == c.Name {
				f.Add(uint8(i), string(q.Params))
			}
		}
	}
	index := func(name string) uint8 {
		for i, c := range wire.Commands {
			if c.Name == name {
				return uint8(i)
			}
		}
		return 0
	}
	for _, v := range someValues {
		f.Add(index(wire.CmdSetNodeProperty), `{"node_path":"A","property":"`+v.property+`","value":`+v.value+`}`)
	}
	for _, c := range engineCases {
		for _, p := range c.steps {
			f.Add(index(p.Command), string(p.Params))
		}
	}
	f.Add(index(wire.CmdTransaction), `{"name":"T","steps":[{"command":"cmd_create_node","params":{"parent_path":".","type":"Node","name":"N","as":"n"}},{"command":"cmd_move_node","params":{"node_path":":n","new_parent_path":"A","index":0}}],"dry_run":true}`)
	f.Add(index(wire.CmdRunCommands), `{"commands":[{"command":"cmd_undo","params":{"count":1}},{"command":"cmd_save_scene","params":{}}],"stop_on_error":true,"dry_run":true}`)
	before := look(s)
	f.Fuzz(func(t *testing.T, command uint8, params string) {
		c := wire.Commands[int(command)%len(wire.Commands)]
		next, out := Step(s, Input{Cause: "f", Command: c.Name, Params: []byte(params)})
		require.Equal(t, before, look(s), "the old state stays usable")
		if out.Err != nil {
			require.NotEqual(t, wire.ReasonHandlerFailed, out.Err.Reason, "%s %s: %v", c.Name, params, out.Err)
			require.Equal(t, before, look(next))
			return
		}
		look(next)
	})
}
