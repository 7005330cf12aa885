package addontest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"

	"github.com/coder/websocket"

	"godot-mcp/server/wire"
)

// Server is one end of a WebSocket that an editor dials. It takes one connection
// at a time; a later one takes its place.
type Server struct {
	URL      string
	http     *http.Server
	arrivals chan *websocket.Conn
}

// Listen opens a server on a free loopback port.
func Listen() (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{URL: "ws://" + l.Addr().String(), arrivals: make(chan *websocket.Conn, 16)}
	s.http = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		c.SetReadLimit(2 * wire.MaxMessageBytes)
		s.arrivals <- c
	})}
	go func() { _ = s.http.Serve(l) }()
	return s, nil
}

// Accept waits for a connection.
func (s *Server) Accept(ctx context.Context) (*websocket.Conn, error) {
	select {
	case c := <-s.arrivals:
		return c, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("nobody dialled: %w", ctx.Err())
	}
}

// Close ends the server and its connections.
func (s *Server) Close() { _ = s.http.Close() }

// Link is the server's side of a connected addon.
type Link struct {
	conn  *websocket.Conn
	Hello wire.Hello
	// Auth is the token that came before the hello, if one did.
	Auth string

	mu     sync.Mutex
	next   int
	answer map[string]chan wire.Reply
	broken error
}

// Connect waits for the addon and its hello, then reads its replies.
func (s *Server) Connect(ctx context.Context) (*Link, error) {
	c, err := s.Accept(ctx)
	if err != nil {
		return nil, err
	}
	l := &Link{conn: c, answer: map[string]chan wire.Reply{}}
	for l.Hello.Command == "" {
		_, text, err := c.Read(ctx)
		if err != nil {
			return nil, err
		}
		var auth wire.Auth
		if err := json.Unmarshal(text, &auth); err != nil {
			return nil, err
		}
		switch auth.Command {
		case wire.AuthCommand:
			l.Auth = auth.Token
		case wire.HelloCommand:
			if err := json.Unmarshal(text, &l.Hello); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("no hello: %.200s", text)
		}
	}
	go l.read()
	return l, nil
}

func (l *Link) read() {
	for {
		_, text, err := l.conn.Read(context.Background())
		var r wire.Reply
		if err == nil {
			if bad := json.Unmarshal(text, &r); bad != nil {
				err = fmt.Errorf("bad reply %.300s: %w", text, bad)
			}
		}
		l.mu.Lock()
		if err != nil {
			l.broken = err
			for id, c := range l.answer {
				close(c)
				delete(l.answer, id)
			}
			l.mu.Unlock()
			return
		}
		if c := l.answer[r.ID]; c != nil {
			delete(l.answer, r.ID)
			c <- r
		}
		l.mu.Unlock()
	}
}

// Send sends a message as it stands; the reply to id comes on the channel.
func (l *Link) Send(ctx context.Context, id string, text []byte) (<-chan wire.Reply, error) {
	c := make(chan wire.Reply, 1)
	l.mu.Lock()
	if l.broken != nil {
		l.mu.Unlock()
		return nil, l.broken
	}
	l.answer[id] = c
	l.mu.Unlock()
	return c, l.conn.Write(ctx, websocket.MessageText, text)
}

// NextID gives an id that was not used yet.
func (l *Link) NextID() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next++
	return strconv.Itoa(l.next)
}

// Do sends a command and waits for its reply.
func (l *Link) Do(ctx context.Context, command string, params any) (wire.Reply, error) {
	body, err := json.Marshal(params)
	if err != nil {
		return wire.Reply{}, err
	}
	id := l.NextID()
	text, err := json.Marshal(wire.Command{ID: id, Command: command, Params: body})
	if err != nil {
		return wire.Reply{}, err
	}
	c, err := l.Send(ctx, id, text)
	if err != nil {
		return wire.Reply{}, err
	}
	select {
	case r, ok := <-c:
		if !ok {
			return r, errors.New("the link broke")
		}
		return r, nil
	case <-ctx.Done():
		return wire.Reply{}, fmt.Errorf("%s: %w", command, ctx.Err())
	}
}

// Close breaks the connection.
func (l *Link) Close() error { return l.conn.CloseNow() }
