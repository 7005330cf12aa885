package fault

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/coder/websocket"

	"godot-mcp/server/wire"
)

// Write implements [Link]: it takes a message of the editor and sends what the
// faults leave of it.
func (m *Middle) Write(ctx context.Context, typ websocket.MessageType, msg []byte) error {
	var head struct {
		ID      string `json:"id"`
		Command string `json:"command"`
	}
	if typ != websocket.MessageText || json.Unmarshal(msg, &head) != nil {
		return m.send(ctx, typ, msg)
	}
	switch head.Command {
	case wire.AuthCommand:
		m.mu.Lock()
		m.auth = bytes.Clone(msg)
		m.mu.Unlock()
	case wire.HelloCommand:
		m.mu.Lock()
		m.hello = bytes.Clone(msg)
		m.mu.Unlock()
		msg = disguise(msg, m.script.hello())
	}
	m.mu.Lock()
	rules := m.replies[head.ID]
	delete(m.replies, head.ID)
	m.mu.Unlock()
	copies, stash := 1, Rule{}
	for _, r := range rules {
		switch r.Kind {
		case DropReply:
			copies = 0
		case DuplicateReply:
			copies++
		case ReorderReply:
			stash = r
		case OversizedReply:
			if pad := r.Bytes - len(msg); pad > 0 {
				msg = append(bytes.Clone(msg), bytes.Repeat([]byte(" "), pad)...)
			}
		case MalformedReply:
			typ, msg = malformations[r.As](msg)
		case Disconnect, Crash:
			m.cut(r)
			return fmt.Errorf("fault: %s", r.Kind)
		}
	}
	if stash.Kind != "" && copies > 0 {
		m.hold(typ, msg, copies, stash.For)
		return nil
	}
	for range copies {
		if err := m.send(ctx, typ, msg); err != nil {
			return err
		}
	}
	m.release()
	return nil
}

func (m *Middle) send(ctx context.Context, typ websocket.MessageType, msg []byte) error {
	m.writeMu.Lock()
	defer m.writeMu.Unlock()
	return m.up.Write(ctx, typ, msg)
}

// hold keeps a reply until another one has been sent, or d has passed.
func (m *Middle) hold(typ websocket.MessageType, msg []byte, copies int, d time.Duration) {
	sent := false
	send := func() {
		m.mu.Lock()
		was := sent
		sent = true
		m.mu.Unlock()
		for range copies {
			if !was {
				_ = m.send(m.ctx, typ, msg)
			}
		}
	}
	m.mu.Lock()
	m.stashed = append(m.stashed, send)
	m.mu.Unlock()
	time.AfterFunc(d, send)
}

// release sends the replies that waited for another one.
func (m *Middle) release() {
	m.mu.Lock()
	stashed := m.stashed
	m.stashed = nil
	m.mu.Unlock()
	for _, send := range stashed {
		send()
	}
}

// disguise changes what a hello tells.
func disguise(msg []byte, rules []Rule) []byte {
	for _, r := range rules {
		for key, v := range map[string]string{"godot_version": r.Godot, "addon_version": r.Addon, "vocabulary_hash": r.Vocab} {
			if v != "" {
				text, _ := json.Marshal(v)
				msg = with(msg, key, text)
			}
		}
	}
	return msg
}

// summon lets another editor say hello: like this one, but of another start
// and another project folder. It answers pings and refuses everything else.
func (m *Middle) summon(r Rule) {
	m.mu.Lock()
	hello, auth := m.hello, m.auth
	m.mu.Unlock()
	if m.hooks.Ghost == nil || hello == nil {
		return
	}
	var h wire.Hello
	if json.Unmarshal(hello, &h) != nil {
		return
	}
	h.Session, h.ProjectPath, h.ProjectName = "second-"+h.Session, h.ProjectPath+"-second", h.ProjectName+" (second)"
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), r.For)
		defer cancel()
		link, err := m.hooks.Ghost(ctx)
		if err != nil {
			return
		}
		defer func() { _ = link.CloseNow() }()
		text, _ := json.Marshal(h)
		if auth != nil && link.Write(ctx, websocket.MessageText, auth) != nil {
			return
		}
		if link.Write(ctx, websocket.MessageText, text) != nil {
			return
		}
		haunt(ctx, link)
	}()
}

func haunt(ctx context.Context, link Link) {
	for {
		_, msg, err := link.Read(ctx)
		if err != nil {
			return
		}
		var c wire.Command
		if json.Unmarshal(msg, &c) != nil || c.ID == "" {
			continue
		}
		reply := wire.Reply{ID: c.ID, OK: true}
		if c.Command == wire.CmdPing {
			reply.Result, _ = json.Marshal(wire.PingResult{Pong: true})
		} else {
			reply.OK = false
			reply.Error = wire.Fail(wire.ReasonUnknownCommand, "command", c.Command)
		}
		text, _ := json.Marshal(reply)
		if link.Write(ctx, websocket.MessageText, text) != nil {
			return
		}
	}
}
