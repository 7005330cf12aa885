package bridge

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/coder/websocket"

	"godot-mcp/server/wire"
)

// minSession is the shortest session name: shorter ones are not random enough
// to tell two editors apart.
const minSession = 8

// introduction reads what an editor says first: [wire.Auth] if it has a token,
// then [wire.Hello]. An error without a code means that the peer is gone.
func (b *Bridge) introduction(conn *websocket.Conn, authorized bool) (wire.Hello, *wire.Error) {
	var hello wire.Hello
	ctx, cancel := context.WithTimeout(b.base, helloTimeout)
	defer cancel()
	for range 2 {
		typ, data, err := conn.Read(ctx)
		if err != nil {
			return hello, &wire.Error{}
		}
		if needsRepair(data) {
			data = repair(data)
		}
		var first struct {
			Command string `json:"command"`
			Token   string `json:"token"`
		}
		if typ != websocket.MessageText || json.Unmarshal(data, &first) != nil {
			return hello, badHello("the first message must be a JSON object in a text message")
		}
		switch first.Command {
		case wire.AuthCommand:
			if b.cfg.Token != "" && !b.tokenMatches(first.Token) {
				return hello, wire.Fail(wire.ReasonAuth)
			}
			authorized = true
		case wire.HelloCommand:
			if !authorized {
				return hello, wire.Fail(wire.ReasonAuth)
			}
			if err := json.Unmarshal(data, &hello); err != nil {
				return hello, badHello(err.Error())
			}
			if len(hello.Session) < minSession {
				return hello, badHello("session must have at least 8 characters")
			}
			return hello, nil
		default:
			return hello, badHello("the first message must be cmd_auth or cmd_peer_hello")
		}
	}
	return hello, badHello("cmd_peer_hello must follow cmd_auth")
}

func badHello(message string) *wire.Error {
	return wire.Fail(wire.ReasonBadParams, "command", wire.HelloCommand, "message", message)
}

// install makes a link the active one, or says why not. The older link of the
// same session is asked for a sign of life first: a dead one gives its place,
// a living one proves that two editors use one session name.
func (b *Bridge) install(l *link, pending *pendingConn) *wire.Error {
	if pending != nil && !pending.established() {
		return wire.Fail(wire.ReasonDeadline, "command", wire.HelloCommand, "seconds", helloTimeout.Seconds())
	}
	for {
		b.mu.Lock()
		if b.closing {
			b.mu.Unlock()
			return b.noEditor(wire.HelloCommand)
		}
		var holder *link
		for o := range b.links {
			if o.peer.Session == l.peer.Session {
				holder = o
			}
		}
		if holder == nil {
			break // with the lock held
		}
		b.mu.Unlock()
		if holder.alive(probeTimeout) {
			return wire.Fail(wire.ReasonDuplicate, "session", l.peer.Session)
		}
		_ = holder.conn.CloseNow()
		b.linkDown(holder, context.DeadlineExceeded)
	}
	old := b.active
	b.active = l
	b.links[l] = struct{}{}
	b.count.Connects++
	l.conn.SetReadLimit(2 * int64(b.cfg.MaxBytes)) // readMessage has the limit proper
	l.pushLocked(notice(wire.NoticeServerHello, wire.ServerHello{Version: b.cfg.Version}))
	if b.toolsSet {
		l.pushLocked(toolsetsNotice(b.toolsets))
	}
	b.adoptLocked(l)
	if old != nil {
		b.count.Replaced++
		b.spawnLocked(func() { b.retire(old, l) })
	}
	b.spawnLocked(l.write)
	b.spawnLocked(l.ping)
	b.mu.Unlock()

	b.log.Info("editor connected", "project", l.peer.ProjectPath, "session", l.peer.Session,
		"godot", l.peer.GodotVersion, "addon", l.peer.AddonVersion, "backend", l.peer.Backend, "pid", l.peer.PID)
	if missing := l.peer.Missing(); len(missing) > 0 || !l.peer.SameVocabulary() {
		b.log.Warn("editor has another vocabulary", "missing", len(missing), "first", missing[:min(3, len(missing))], "hash", l.peer.VocabularyHash, "want", wire.VocabularyHash)
	}
	return nil
}

// adoptLocked gives a session that came back the calls it still owes an answer.
// Another session on the same project is a restarted editor: the old one's
// memory is gone, and so is the hope of learning more.
func (b *Bridge) adoptLocked(l *link) {
	for _, c := range b.calls {
		switch {
		case c.state != callParked:
		case c.session == l.peer.Session:
			c.state, c.link = callSent, l
			b.spawnLocked(func() { b.resume(l, c) })
		case !b.projectLives(c.session) && b.sameProject(c, l):
			b.settleLocked(c, b.linkGone(c))
		}
	}
	if open := b.late.openOf(l.peer.Session); len(open) > 0 {
		b.spawnLocked(func() { b.reconcile(l, open) })
	}
}

func (b *Bridge) projectLives(session string) bool {
	for o := range b.links {
		if o.peer.Session == session {
			return true
		}
	}
	return false
}

func (b *Bridge) sameProject(c *call, l *link) bool {
	return c.project != "" && c.project == l.peer.ProjectPath
}

// linkDown ends a link once: what was not sent is refused, reads are given up,
// sent mutations wait for their session to come back.
func (b *Bridge) linkDown(l *link, cause error) {
	b.mu.Lock()
	if l.gone {
		b.mu.Unlock()
		return
	}
	l.gone = true
	delete(b.links, l)
	if b.active == l {
		b.active = nil
		b.count.Lost++
		b.noteLocked("link lost: " + cause.Error())
	}
	for _, c := range b.calls {
		switch {
		case c.link != l:
		case c.state == callSent && c.mutating && !l.final:
			l.releaseLocked(c)
			c.state, c.link = callParked, nil
		default:
			b.settleLocked(c, b.linkGone(c))
		}
	}
	b.mu.Unlock()
	l.cancel()
	b.log.Info("editor disconnected", "project", l.peer.ProjectPath, "cause", cause)
}

// retire takes leave of an editor that a newer one replaced. It stops dialling
// when told, so this is the last chance for answers to what it was sent.
func (b *Bridge) retire(old, by *link) {
	b.mu.Lock()
	for _, c := range slices.Clone(old.queue) {
		b.settleLocked(c, b.unsent(c, wire.ReasonNoEditor))
	}
	old.final = true
	old.retiring = make(chan struct{})
	old.checkRetiredLocked()
	b.mu.Unlock()
	b.log.Warn("editor replaced", "old", old.peer.ProjectPath, "new", by.peer.ProjectPath)
	timer := time.NewTimer(drainTimeout)
	defer timer.Stop()
	select {
	case <-old.retiring:
	case <-timer.C:
	case <-old.ctx.Done():
		return
	}
	err := wire.Fail(wire.ReasonReplaced, "project_path", by.peer.ProjectPath)
	old.goodbye(refusal(err), string(wire.ReasonReplaced))
}

// goodbye writes a last notice and closes; neither waits long for the peer.
func (l *link) goodbye(n wire.Notice, reason string) {
	frame, err := json.Marshal(n)
	if err == nil {
		ctx, cancel := context.WithTimeout(l.b.base, closeTimeout)
		defer cancel()
		err = l.conn.Write(ctx, websocket.MessageText, frame)
	}
	if err != nil {
		_ = l.conn.CloseNow()
		return
	}
	l.close(websocket.StatusPolicyViolation, reason)
}

// close shakes hands on the end, but not for the five seconds that the library
// gives a peer that does not read.
func (l *link) close(code websocket.StatusCode, reason string) {
	timer := time.AfterFunc(closeTimeout, func() { _ = l.conn.CloseNow() })
	defer timer.Stop()
	_ = l.conn.Close(code, reason)
}
