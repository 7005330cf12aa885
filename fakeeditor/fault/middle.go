package fault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/coder/websocket"

	"godot-mcp/server/wire"
)

var errNoCrash = errors.New("this editor cannot be crashed from here")

// Link is one WebSocket connection to the server; *websocket.Conn is one.
type Link interface {
	Read(context.Context) (websocket.MessageType, []byte, error)
	Write(context.Context, websocket.MessageType, []byte) error
	Close(websocket.StatusCode, string) error
	CloseNow() error
}

// Hooks are what a [Middle] needs of its surroundings; each may be nil.
type Hooks struct {
	Gate *Gate // hang
	// Ghost opens another connection to the server, for second-editor.
	Ghost func(ctx context.Context) (Link, error)
	// Orphan takes a command whose link broke while a delay held it and that
	// the editor is to run all the same, after the rest of the delay.
	Orphan func(msg []byte, wait time.Duration)
}

// Middle is a link with faults on it, seen from the editor: Read gives the
// commands that get through, Write takes the editor's messages.
type Middle struct {
	up     Link
	script *Script
	hooks  Hooks
	ctx    context.Context
	stop   context.CancelFunc

	mu      sync.Mutex
	inbox   []*held
	err     error
	changed chan struct{} // closed and replaced when inbox or err changes
	replies map[string][]Rule
	stashed []func()
	hello   []byte
	auth    []byte
	slow    Rule
	slowTil time.Time
	slowAt  time.Time
	writeMu sync.Mutex
}

// held is a message on its way to the editor.
type held struct {
	msg   []byte
	id    string
	ready time.Time
	drop  bool
}

// Wrap puts the faults of a script on a link and begins to read it.
func Wrap(up Link, s *Script, hooks Hooks) *Middle {
	m := &Middle{up: up, script: s, hooks: hooks, changed: make(chan struct{}), replies: map[string][]Rule{}}
	m.ctx, m.stop = context.WithCancel(context.Background())
	s.attach(m, true)
	go m.pump()
	return m
}

func (m *Middle) signalLocked() {
	close(m.changed)
	m.changed = make(chan struct{})
}

// pump reads the server's messages and decides what becomes of each.
func (m *Middle) pump() {
	for {
		typ, msg, err := m.up.Read(m.ctx)
		if err != nil {
			m.fail(err)
			return
		}
		var c wire.Command
		if typ != websocket.MessageText || json.Unmarshal(msg, &c) != nil || c.ID == "" || c.Command == "" {
			m.push(&held{msg: msg})
			continue
		}
		if c.Command == wire.CmdGetOutcome && m.answerHeld(c) {
			continue
		}
		h := &held{msg: msg, id: c.ID}
		if !m.command(c, h) {
			return
		}
	}
}

// command applies the rules that a command sets off; false ends the link.
func (m *Middle) command(c wire.Command, h *held) bool {
	rules := m.script.take(c)
	now := time.Now()
	deliver := true
	for _, r := range rules {
		switch r.Kind {
		case DelayApply, DelayDrop:
			h.ready = now.Add(r.Delay)
			h.drop = h.drop || r.Kind == DelayDrop
		case DropCommand:
			deliver = false
		case Hang:
			h.ready = now.Add(r.For)
			m.hang(r.For)
		case Slow:
			m.beginSlow(r)
		case SecondEditor:
			m.summon(r)
		case Disconnect, Crash:
			if r.When == Before {
				m.cut(r)
				return false
			}
			m.onReply(c.ID, r)
		default:
			m.onReply(c.ID, r)
		}
	}
	if deliver {
		m.push(h)
	}
	return true
}

func (m *Middle) onReply(id string, r Rule) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.replies[id] = append(m.replies[id], r)
}

func (m *Middle) push(h *held) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := time.Now(); now.Before(m.slowTil) && h.ready.IsZero() {
		frames := now.Sub(m.slowAt)/m.slow.Frame + 1
		h.ready = m.slowAt.Add(frames * m.slow.Frame)
	}
	m.inbox = append(m.inbox, h)
	m.signalLocked()
}

// answerHeld answers for a command that waits here and has not reached the
// editor: the server would otherwise hear that it never arrived.
func (m *Middle) answerHeld(c wire.Command) bool {
	var p wire.GetOutcome
	if json.Unmarshal(c.Params, &p) != nil {
		return false
	}
	m.mu.Lock()
	waits := false
	for _, h := range m.inbox {
		waits = waits || h.id == p.ID
	}
	m.mu.Unlock()
	if !waits {
		return false
	}
	result, _ := json.Marshal(wire.GetOutcomeResult{State: "queued"})
	msg, _ := json.Marshal(wire.Reply{ID: c.ID, OK: true, Result: result})
	_ = m.send(m.ctx, websocket.MessageText, msg)
	return true
}

// fail ends reading. Commands that a delay holds still reach the editor.
func (m *Middle) fail(err error) {
	m.script.attach(m, false)
	m.mu.Lock()
	if m.err != nil {
		m.mu.Unlock()
		return
	}
	m.err = err
	orphans := m.inbox
	m.inbox = nil
	m.signalLocked()
	m.mu.Unlock()
	for _, h := range orphans {
		if h.id != "" && !h.drop && m.hooks.Orphan != nil {
			m.hooks.Orphan(h.msg, time.Until(h.ready))
		}
	}
}

// Read implements [Link].
func (m *Middle) Read(ctx context.Context) (websocket.MessageType, []byte, error) {
	for {
		m.mu.Lock()
		err, changed := m.err, m.changed
		var wait <-chan time.Time
		var timer *time.Timer
		for err == nil && len(m.inbox) > 0 {
			h := m.inbox[0]
			if d := time.Until(h.ready); d > 0 {
				timer = time.NewTimer(d)
				wait = timer.C
				break
			}
			m.inbox = m.inbox[1:]
			if !h.drop {
				m.mu.Unlock()
				return websocket.MessageText, h.msg, nil
			}
		}
		m.mu.Unlock()
		if err != nil {
			return 0, nil, err
		}
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case <-changed:
		case <-wait:
		}
		if timer != nil {
			timer.Stop()
		}
		if err != nil {
			return 0, nil, err
		}
	}
}

// Close implements [Link].
func (m *Middle) Close(code websocket.StatusCode, reason string) error {
	err := m.up.Close(code, reason)
	m.stop()
	return err
}

// CloseNow implements [Link].
func (m *Middle) CloseNow() error {
	m.stop()
	return m.up.CloseNow()
}

// now carries out an immediate rule on this link.
func (m *Middle) now(r Rule) {
	switch r.Kind {
	case Disconnect, Crash:
		_ = m.CloseNow()
	case Hang:
		m.hang(r.For)
		m.mu.Lock()
		for _, h := range m.inbox {
			if t := time.Now().Add(r.For); t.After(h.ready) {
				h.ready = t
			}
		}
		m.signalLocked()
		m.mu.Unlock()
	case Slow:
		m.beginSlow(r)
	case SecondEditor:
		m.summon(r)
	case Clear:
		m.mu.Lock()
		m.slowTil = time.Time{}
		clear(m.replies)
		m.mu.Unlock()
	}
}

func (m *Middle) hang(d time.Duration) {
	if m.hooks.Gate != nil {
		m.hooks.Gate.Hold(d)
	}
}

func (m *Middle) beginSlow(r Rule) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.slow, m.slowAt = r, time.Now()
	m.slowTil = m.slowAt.Add(r.For)
}

// cut breaks the link, for disconnect and crash.
func (m *Middle) cut(r Rule) {
	m.script.holdDown(r.For)
	_ = m.up.CloseNow()
	m.stop()
	m.fail(fmt.Errorf("fault: %s", r.Kind))
	if r.Kind == Crash && m.script.OnCrash != nil {
		m.script.OnCrash(r.For)
	}
}
