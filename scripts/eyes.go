package scripts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// eyes talks to the lab plugin of one real editor: one question at a time.
type eyes struct {
	ln   net.Listener
	srv  *http.Server
	came chan *websocket.Conn

	mu   sync.Mutex
	conn *websocket.Conn
	next int
	// broken is set when a question got no answer: the next one would read the
	// answer of that one, or hang as well.
	broken bool
}

func newEyes() (*eyes, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	e := &eyes{ln: ln, came: make(chan *websocket.Conn, 1)}
	e.srv = &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
		if err != nil {
			return
		}
		c.SetReadLimit(64 << 20)
		select {
		case e.came <- c:
		default:
			_ = c.CloseNow()
		}
	})}
	go func() { _ = e.srv.Serve(ln) }()
	return e, nil
}

// close turns away what comes, and hangs up unless a question is open: that one ends
// with the editor.
func (e *eyes) close() {
	_ = e.srv.Close()
	if e.mu.TryLock() {
		defer e.mu.Unlock()
		if e.conn != nil {
			_ = e.conn.CloseNow()
			e.conn = nil
		}
	}
}

func (e *eyes) url() string { return "ws://" + e.ln.Addr().String() }

// wait waits until the plugin has dialled, or the editor has gone.
func (e *eyes) wait(ctx context.Context, gone <-chan struct{}) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-gone:
		return errors.New("the editor ended")
	case c := <-e.came:
		e.mu.Lock()
		e.conn = c
		e.mu.Unlock()
		return nil
	}
}

// open reports whether the plugin can still be asked.
func (e *eyes) open() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.conn != nil && !e.broken
}

// do asks the plugin for one thing.
func (e *eyes) do(ctx context.Context, op string, args []string, result any) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.conn == nil {
		return errors.New("the lab is not connected")
	}
	if args == nil {
		args = []string{}
	}
	e.next++
	id := strconv.Itoa(e.next)
	msg, err := json.Marshal(map[string]any{"id": id, "op": op, "args": args})
	if err != nil {
		return err
	}
	if err := e.conn.Write(ctx, websocket.MessageText, msg); err != nil {
		e.broken = true
		return fmt.Errorf("lab %s: %w", op, err)
	}
	for {
		_, msg, err := e.conn.Read(ctx)
		if err != nil {
			e.broken = true
			return fmt.Errorf("lab %s: %w", op, err)
		}
		var r struct {
			ID     string          `json:"id"`
			OK     bool            `json:"ok"`
			Error  string          `json:"error"`
			Result json.RawMessage `json:"result"`
		}
		if err := json.Unmarshal(msg, &r); err != nil {
			return fmt.Errorf("lab %s: %w", op, err)
		}
		if r.ID != id {
			continue
		}
		if !r.OK {
			return fmt.Errorf("lab %s: %s", op, r.Error)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(r.Result, result)
	}
}
