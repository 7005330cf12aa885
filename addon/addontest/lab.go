package addontest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/coder/websocket"
)

// Lab runs snippets of GDScript inside the editor. Set ADDON_LAB_URL to the URL of
// the server that Accept was called on.
type Lab struct {
	conn *websocket.Conn
	next int
}

// ConnectLab waits for the lab plugin.
func (s *Server) ConnectLab(ctx context.Context) (*Lab, error) {
	c, err := s.Accept(ctx)
	if err != nil {
		return nil, err
	}
	return &Lab{conn: c}, nil
}

// Eval runs the body of a function; its return value comes back as JSON. The names
// plugin and root (the edited scene's root) are known in it.
func (l *Lab) Eval(ctx context.Context, code string) (json.RawMessage, error) {
	l.next++
	text, err := json.Marshal(map[string]any{"id": l.next, "code": code})
	if err != nil {
		return nil, err
	}
	if err := l.conn.Write(ctx, websocket.MessageText, text); err != nil {
		return nil, err
	}
	_, got, err := l.conn.Read(ctx)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  string          `json:"error"`
	}
	if err := json.Unmarshal(got, &answer); err != nil {
		return nil, fmt.Errorf("lab: %w: %.300s", err, got)
	}
	if answer.Error != "" {
		return nil, errors.New(answer.Error + ": " + code)
	}
	return answer.Result, nil
}

// Quit asks the editor to end by itself.
func (l *Lab) Quit(ctx context.Context) error {
	_, err := l.Eval(ctx, "plugin.get_tree().quit.call_deferred()")
	return err
}
