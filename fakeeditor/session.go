package fakeeditor

import (
	"encoding/json"
	"fmt"

	"godot-mcp/server/wire"
)

// sessionID tells starts of editors apart; it follows from the seed.
func (e *Editor) sessionID() string {
	h := e.cfg.Seed + uint64(e.starts)*0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return fmt.Sprintf("sim-%016x", h^h>>31)
}

// Hello is what the editor says of itself on each connection.
func (e *Editor) Hello() wire.Hello {
	e.mu.Lock()
	defer e.mu.Unlock()
	commands := make([]string, len(wire.Commands))
	for i, c := range wire.Commands {
		commands[i] = c.Name
	}
	return wire.Hello{
		Command: wire.HelloCommand, Session: e.sessionID(),
		ProjectPath: e.cfg.ProjectPath, ProjectName: e.state.Files.ProjectName(),
		GodotVersion: GodotVersion, AddonVersion: Version, Backend: "simulator",
		Commands: commands, VocabularyHash: wire.VocabularyHash, MaxBytes: wire.MaxMessageBytes,
	}
}

// reply makes the envelope of an answer.
func reply(id string, result json.RawMessage, err *wire.Error) *wire.Reply {
	if err != nil {
		return &wire.Reply{ID: id, Error: err}
	}
	return &wire.Reply{ID: id, OK: true, Result: result}
}
