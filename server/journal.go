package server

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"godot-mcp/server/answer"
	"godot-mcp/server/bridge"
	"godot-mcp/server/journal"
)

// DefaultStateDir is the user's folder for what the server remembers: the
// state folder of the XDG specification, or where the system keeps such things.
func DefaultStateDir() string {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "godot-mcp")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	switch runtime.GOOS {
	case "windows":
		if dir := os.Getenv("LOCALAPPDATA"); dir != "" {
			return filepath.Join(dir, "godot-mcp")
		}
	case "darwin":
		return filepath.Join(home, "Library", "Application Support", "godot-mcp")
	}
	return filepath.Join(home, ".local", "state", "godot-mcp")
}

// newKeeper makes the journals of a server over a bridge.
func (s *Server) newKeeper(b *bridge.Bridge) *journal.Keeper {
	return journal.New(journal.Config{
		Dir: s.cfg.StateDir, Project: s.cfg.ProjectDir, Editor: witness{b}, Log: s.log, Step: s.cfg.Step,
		Reenact: func(ctx context.Context, r journal.Record) (json.RawMessage, *answer.Failure, bool) {
			return s.catalog.Reenact(ctx, s.env, r)
		},
	})
}

// late hands an outcome that came after its call had given up to the journal.
func (s *Server) late(l bridge.Late) {
	if s.keeper != nil {
		go s.keeper.Late(s.base, l.ID, l.Session, l.Result, l.Err)
	}
}

func notJournaled(err error) *answer.Failure {
	if f, ok := errors.AsType[*answer.Failure](err); ok {
		return f
	}
	return answer.New(answer.JournalBroken, "message", err.Error())
}
