package bridge

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"godot-mcp/server/wire"
)

// closeTimeout bounds the closing handshake of a peer that does not read.
const closeTimeout = time.Second

// A link is one WebSocket connection that said hello. Its context lives as long
// as the connection; no caller's context ever reaches the socket, because the
// library closes a connection whose read or write context ends.
type link struct {
	b      *Bridge
	conn   *websocket.Conn
	peer   *Peer
	ctx    context.Context
	cancel context.CancelFunc
	wake   chan struct{} // capacity 1
	heard  atomic.Int64  // messages received

	// Below is guarded by Bridge.mu.
	urgent   []outgoing // notices and questions about outcomes, before the queue
	queue    []*call
	flying   int           // bytes sent and not answered
	inFlight int           // commands sent and not answered
	retiring chan struct{} // set when replaced; closed when no sent mutation is left
	final    bool          // the session will not come back
	gone     bool
}

// outgoing is a message with the call it belongs to; notices have none.
type outgoing struct {
	frame []byte
	call  *call
}

func (b *Bridge) newLink(conn *websocket.Conn, peer *Peer) *link {
	l := &link{b: b, conn: conn, peer: peer, wake: make(chan struct{}, 1)}
	l.ctx, l.cancel = context.WithCancel(b.base)
	return l
}

func (l *link) wakeWriter() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *link) pushLocked(frame []byte) {
	l.urgent = append(l.urgent, outgoing{frame: frame})
	l.wakeWriter()
}

// write is the only place that sends commands, so their order is the queue's.
func (l *link) write() {
	for {
		o, ok := l.next()
		if !ok {
			select {
			case <-l.wake:
				continue
			case <-l.ctx.Done():
				return
			}
		}
		if err := l.conn.Write(l.ctx, websocket.MessageText, o.frame); err != nil {
			_ = l.conn.CloseNow() // the reader ends the link
			return
		}
	}
}

// next takes the next message that the peer has room for. What is sent and not
// answered stays below the peer's buffer, because Godot reads its socket into
// that buffer whether or not the addon has got round to the commands.
func (l *link) next() (outgoing, bool) {
	b := l.b
	b.mu.Lock()
	defer b.mu.Unlock()
	if l.gone {
		return outgoing{}, false
	}
	if len(l.urgent) > 0 {
		o := l.urgent[0]
		l.urgent = l.urgent[1:]
		if o.call != nil {
			l.sentLocked(o.call)
		}
		return o, true
	}
	if len(l.queue) == 0 {
		return outgoing{}, false
	}
	c := l.queue[0]
	room := l.peer.MaxBytes - min(4096, l.peer.MaxBytes/8) // the rest is for what goes before the queue
	if l.inFlight > 0 && (l.inFlight >= maxInFlight || l.flying+len(c.frame) > room) {
		return outgoing{}, false
	}
	l.queue = l.queue[1:]
	l.sentLocked(c)
	return outgoing{frame: c.frame, call: c}, true
}

func (l *link) sentLocked(c *call) {
	c.state, c.held = callSent, len(c.frame)
	l.flying += c.held
	l.inFlight++
	l.b.count.Sent++
}

// releaseLocked gives back the room that an ended call held.
func (l *link) releaseLocked(c *call) {
	if c.held == 0 {
		return
	}
	l.flying -= c.held
	l.inFlight--
	c.held = 0
	l.wakeWriter()
}

func (l *link) checkRetiredLocked() {
	if l.retiring == nil {
		return
	}
	for _, c := range l.b.calls {
		if c.link == l && c.mutating && c.state == callSent {
			return
		}
	}
	select {
	case <-l.retiring:
	default:
		close(l.retiring)
	}
}

// read hands every message to the bridge until the connection ends.
func (l *link) read() error {
	for {
		typ, r, err := l.conn.Reader(l.ctx)
		if err != nil {
			return err
		}
		data, size, err := readMessage(r, l.b.cfg.MaxBytes)
		if err != nil {
			return err
		}
		l.heard.Add(1)
		switch {
		case typ != websocket.MessageText:
			l.b.drop(l, "a binary message", data)
		case size > len(data):
			l.b.receiveOversized(l, data, size)
		default:
			l.b.receive(l, data)
		}
	}
}

// oversizedHead is how much of a message over the limit is kept to find its id.
const oversizedHead = 4096

// readMessage reads a message of up to limit bytes. Of a longer one it returns
// the head and the whole size: the rest is read and thrown away, since closing
// the connection would lose the answers of every other call. The library's own
// limit ends the connection when even that is too much.
func readMessage(r io.Reader, limit int) (data []byte, size int, err error) {
	data, err = io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil || len(data) <= limit {
		return data, len(data), err
	}
	rest, err := io.Copy(io.Discard, r)
	return bytes.Clone(data[:min(len(data), oversizedHead)]), len(data) + int(rest), err
}

// ping tells a dead link from an idle one. A link is not given up while a
// command is under way whose caller allows more than the default deadline: the
// editor's main thread, which also answers pings, may be busy with it.
func (l *link) ping() {
	t := time.NewTicker(pingEvery)
	defer t.Stop()
	for misses := 0; ; {
		select {
		case <-l.ctx.Done():
			return
		case <-t.C:
		}
		for {
			before := l.heard.Load()
			ok := l.alive(pingEvery)
			if l.ctx.Err() != nil {
				return
			}
			if ok || l.heard.Load() != before {
				misses = 0
				break
			}
			if misses++; misses >= pingMisses && !l.patient() {
				l.b.log.Warn("editor does not answer pings", "project", l.peer.ProjectPath)
				_ = l.conn.CloseNow()
				return
			}
		}
		t.Reset(pingEvery)
	}
}

// alive reports whether the peer answers a ping in time.
func (l *link) alive(limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(l.ctx, limit)
	defer cancel()
	err := l.conn.Ping(ctx)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		// A write that could not start may fail at once; do not spin on it.
		<-ctx.Done()
	}
	return err == nil
}

func (l *link) patient() bool {
	l.b.mu.Lock()
	defer l.b.mu.Unlock()
	now := time.Now()
	for _, c := range l.b.calls {
		if c.link == l && c.state == callSent && c.long && now.Before(c.deadline) {
			return true
		}
	}
	return false
}

func refusal(err *wire.Error) wire.Notice { return wire.Notice{OK: new(false), Error: err} }
