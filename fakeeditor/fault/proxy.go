package fault

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"godot-mcp/server/wire"
)

// Proxy stands between an editor that dials and the server, and applies the
// faults of a script to that link. The editor is given the proxy's URL in place
// of the server's.
type Proxy struct {
	// Server is the URL of the server's bridge.
	Server string
	// Token, when set, is presented to the server in the editor's place.
	Token string
	// Script holds the faults; OnCrash of it kills and restarts the editor.
	Script *Script
	// Dial opens connections to the server; nil uses the network.
	Dial DialFunc
	// Logger gets one line per connection; nil discards.
	Logger *slog.Logger

	received atomic.Int64
}

// Received counts the commands that were passed to the editor, questions for
// outcomes left out.
func (p *Proxy) Received() int { return int(p.received.Load()) }

// Serve accepts editors until ctx ends, then closes the listener and every link.
func (p *Proxy) Serve(ctx context.Context, ln net.Listener) error {
	srv := &http.Server{
		Handler:     http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { p.link(ctx, w, r) }),
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	stop := context.AfterFunc(ctx, func() { _ = srv.Close() })
	defer stop()
	if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return ctx.Err()
}

func (p *Proxy) log() *slog.Logger {
	if p.Logger == nil {
		return slog.New(slog.DiscardHandler)
	}
	return p.Logger
}

// link serves one connection of the editor.
func (p *Proxy) link(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	if p.Script.Down() > 0 {
		http.Error(w, "the link is down", http.StatusServiceUnavailable)
		return
	}
	gate := p.Script.Gate()
	up, err := p.dialServer(ctx, gate, r.Header)
	if err != nil {
		p.log().Info("server not reached", "url", p.Server, "error", err)
		http.Error(w, "server not reached", http.StatusBadGateway)
		return
	}
	editor, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		CompressionMode: websocket.CompressionDisabled, Subprotocols: r.Header.Values("Sec-WebSocket-Protocol"),
	})
	if err != nil {
		_ = up.CloseNow()
		return
	}
	editor.SetReadLimit(wire.MaxMessageBytes)
	header := r.Header
	m := Wrap(up, p.Script, Hooks{
		Gate:  gate,
		Ghost: func(ctx context.Context) (Link, error) { return p.dialServer(ctx, &Gate{}, header) },
		Orphan: func(msg []byte, wait time.Duration) {
			time.AfterFunc(wait, func() { _ = editor.Write(ctx, websocket.MessageText, msg) })
		},
	})
	p.log().Info("editor linked")
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer cancel()
		p.upward(ctx, editor, m)
	}()
	p.downward(ctx, editor, m)
}

// upward carries the editor's messages to the server.
func (p *Proxy) upward(ctx context.Context, editor Link, m *Middle) {
	for {
		typ, msg, err := editor.Read(ctx)
		if err != nil {
			passClose(m, err)
			return
		}
		if m.Write(ctx, typ, msg) != nil {
			_ = editor.CloseNow()
			return
		}
	}
}

// downward carries the server's messages to the editor.
func (p *Proxy) downward(ctx context.Context, editor Link, m *Middle) {
	for {
		typ, msg, err := m.Read(ctx)
		if err != nil {
			passClose(editor, err)
			_ = m.CloseNow()
			return
		}
		var c wire.Command
		if json.Unmarshal(msg, &c) == nil && c.ID != "" && c.Command != wire.CmdGetOutcome {
			p.received.Add(1)
		}
		if editor.Write(ctx, typ, msg) != nil {
			_ = m.CloseNow()
			return
		}
	}
}

// passClose closes one side as the other one was closed.
func passClose(l Link, err error) {
	var closed websocket.CloseError
	if errors.As(err, &closed) && closed.Code >= websocket.StatusNormalClosure && closed.Code != websocket.StatusNoStatusRcvd && closed.Code != websocket.StatusAbnormalClosure {
		_ = l.Close(closed.Code, closed.Reason)
		return
	}
	_ = l.CloseNow()
}

// dialServer opens a link to the server with what the editor's handshake said.
func (p *Proxy) dialServer(ctx context.Context, gate *Gate, header http.Header) (*websocket.Conn, error) {
	h := http.Header{}
	if p.Token != "" {
		h.Set("Authorization", "Bearer "+p.Token)
	} else if auth := header.Get("Authorization"); auth != "" {
		h.Set("Authorization", auth)
	}
	conn, resp, err := websocket.Dial(ctx, p.Server, &websocket.DialOptions{
		HTTPClient:      &http.Client{Transport: &http.Transport{DialContext: gate.Dial(p.Dial), DisableKeepAlives: true}},
		HTTPHeader:      h,
		Subprotocols:    header.Values("Sec-WebSocket-Protocol"),
		CompressionMode: websocket.CompressionDisabled,
	})
	if resp != nil && resp.Body != nil {
		_ = resp.Body.Close()
	}
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(wire.MaxMessageBytes)
	return conn, nil
}
