//go:build browser

package console_test

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/approval"
	"godot-mcp/server/approval/console"
)

// world is a console with questions that a test asks.
type world struct {
	t       *testing.T
	queue   *console.Queue
	console *console.Console
	asked   map[string]*asked
	wire    *wire
}

type asked struct {
	verdict chan approval.Verdict
	cancel  context.CancelFunc
}

func newWorld(t *testing.T) *world {
	t.Helper()
	q, wire := console.NewQueue(), &wire{conns: map[net.Conn]bool{}}
	c, err := console.Start(console.Config{Listen: wire.listen}, q)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return &world{t: t, queue: q, console: c, asked: map[string]*asked{}, wire: wire}
}

// wire is a listener whose connections can be cut.
type wire struct {
	net.Listener
	mu    sync.Mutex
	off   bool
	conns map[net.Conn]bool
}

func (w *wire) listen(network, address string) (l net.Listener, err error) {
	w.Listener, err = net.Listen(network, address)
	return w, err
}

func (w *wire) Accept() (net.Conn, error) {
	for {
		c, err := w.Listener.Accept()
		if err != nil {
			return nil, err
		}
		w.mu.Lock()
		off := w.off
		w.conns[c] = true
		w.mu.Unlock()
		if !off {
			return c, nil
		}
		_ = c.Close()
	}
}

// cut ends all connections and takes no new ones, or takes them again.
func (w *wire) cut(off bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.off = off
	for c := range w.conns {
		_ = c.Close()
	}
	clear(w.conns)
}

func (w *world) link() string {
	w.t.Helper()
	link, err := w.console.Link()
	require.NoError(w.t, err)
	return link
}

// ask puts questions on the page, in their order.
func (w *world) ask(questions ...approval.Question) {
	w.t.Helper()
	for _, q := range questions {
		if q.Asked.IsZero() {
			q.Asked = time.Now()
		}
		if q.Until.IsZero() {
			q.Until = q.Asked.Add(5 * time.Minute)
		}
		ctx, cancel := context.WithCancel(context.Background())
		a := &asked{verdict: make(chan approval.Verdict, 1), cancel: cancel}
		w.t.Cleanup(cancel)
		w.asked[q.ID] = a
		n := w.queue.Waiting()
		go func() { a.verdict <- w.queue.Ask(ctx, q) }()
		require.Eventually(w.t, func() bool { return w.queue.Waiting() == n+1 }, time.Second, time.Millisecond)
	}
}

// verdict waits for the answer to a question.
func (w *world) verdict(id string) approval.Verdict {
	w.t.Helper()
	select {
	case v := <-w.asked[id].verdict:
		return v
	case <-time.After(20 * time.Second):
		w.t.Fatalf("no answer to %s", id)
		return approval.Verdict{}
	}
}

func (w *world) unanswered(id string) {
	w.t.Helper()
	select {
	case v := <-w.asked[id].verdict:
		w.t.Fatalf("%s is answered: %+v", id, v)
	default:
	}
}

func clickRow(id string) chromedp.Action[chromedp.Void] {
	return chromedp.Click(chromedp.CSS(fmt.Sprintf(`#pending li[data-id=%q] button`, id)))
}

func count(n int) string { return strconv.Itoa(n) }
