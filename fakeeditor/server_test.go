package fakeeditor_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"sync"
	"testing"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/wire"
)

// network is a network in memory, so that tests run in a synctest bubble.
type network struct {
	mu    sync.Mutex
	hosts map[string]*listener
	dials int
}

type listener struct {
	net    *network
	addr   string
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (n *network) listen(addr string) *listener {
	n.mu.Lock()
	defer n.mu.Unlock()
	l := &listener{net: n, addr: addr, conns: make(chan net.Conn), closed: make(chan struct{})}
	if n.hosts == nil {
		n.hosts = map[string]*listener{}
	}
	n.hosts[addr] = l
	return l
}

func (n *network) dial(ctx context.Context, _, addr string) (net.Conn, error) {
	n.mu.Lock()
	n.dials++
	l := n.hosts[addr]
	n.mu.Unlock()
	if l == nil {
		return nil, errors.New("connection refused")
	}
	a, b := net.Pipe()
	select {
	case l.conns <- b:
		return a, nil
	case <-l.closed:
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *listener) Close() error {
	l.once.Do(func() {
		close(l.closed)
		l.net.mu.Lock()
		defer l.net.mu.Unlock()
		if l.net.hosts[l.addr] == l {
			delete(l.net.hosts, l.addr)
		}
	})
	return nil
}

func (l *listener) Addr() net.Addr { return memAddr(l.addr) }

type memAddr string

func (a memAddr) Network() string { return "mem" }
func (a memAddr) String() string  { return string(a) }

// server is a scripted server: it accepts editors and sends what the test says.
type server struct {
	t     *testing.T
	http  *http.Server
	peers chan *peer
}

// peer is one connection of an editor, its hello read.
type peer struct {
	t     *testing.T
	ws    *websocket.Conn
	auth  *wire.Auth
	hello wire.Hello
	in    chan message
}

type message struct {
	typ  websocket.MessageType
	text []byte
	err  error
}

func serve(t *testing.T, n *network, addr string) *server {
	s := &server{t: t, peers: make(chan *peer, 100)}
	s.http = &http.Server{Handler: http.HandlerFunc(s.accept)}
	ln := n.listen(addr)
	go func() { _ = s.http.Serve(ln) }()
	return s
}

func (s *server) close() { _ = s.http.Close() }

func (s *server) accept(w http.ResponseWriter, r *http.Request) {
	ws, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	ws.SetReadLimit(wire.MaxMessageBytes)
	p := &peer{t: s.t, ws: ws, in: make(chan message, 1000)}
	for p.hello.Command == "" {
		_, text, err := ws.Read(context.Background())
		if err != nil {
			return
		}
		var head struct{ Command string }
		if json.Unmarshal(text, &head) != nil {
			return
		}
		if head.Command == wire.AuthCommand {
			p.auth = &wire.Auth{}
			_ = json.Unmarshal(text, p.auth)
			continue
		}
		if json.Unmarshal(text, &p.hello) != nil {
			return
		}
	}
	s.peers <- p
	for {
		typ, text, err := ws.Read(context.Background())
		p.in <- message{typ, text, err}
		if err != nil {
			return
		}
	}
}

func (p *peer) send(v any) {
	text, err := json.Marshal(v)
	require.NoError(p.t, err)
	_ = p.ws.Write(context.Background(), websocket.MessageText, text)
}

func (p *peer) command(id, name string, params any) {
	raw, err := json.Marshal(params)
	require.NoError(p.t, err)
	p.send(wire.Command{ID: id, Command: name, Params: raw})
}

func (p *peer) reply() wire.Reply {
	m := <-p.in
	require.NoError(p.t, m.err)
	var r wire.Reply
	require.NoError(p.t, json.Unmarshal(m.text, &r), "%s", m.text)
	return r
}

func (p *peer) outcome(id string) wire.GetOutcomeResult {
	p.command("ask-"+id, wire.CmdGetOutcome, wire.GetOutcome{ID: id})
	r := p.reply()
	require.Equal(p.t, "ask-"+id, r.ID)
	var o wire.GetOutcomeResult
	require.NoError(p.t, json.Unmarshal(r.Result, &o))
	return o
}
