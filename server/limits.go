package server

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"godot-mcp/server/answer"
)

const (
	// maxWaiting is how many calls may wait for a slot before more are refused,
	// maxWaitingEach how many of them may be one client's, so that one that
	// floods leaves room in the line for others.
	maxWaiting     = 256
	maxWaitingEach = 192
	// keptClients is how many idle clients are remembered for their rate.
	keptClients = 1000
)

// limits bound what clients may ask for at once and over time.
type limits struct {
	slots     chan struct{}
	perMinute int // calls of one client; 0: any number
	// held are the answers that wait to be written; heldMax bounds their bytes.
	held    *heldAnswers
	heldMax int64

	mu      sync.Mutex
	waiting int
	clients map[string]*load
}

// heldAnswers counts answers between the end of their call and their way out.
// Which answer is written first does not matter for the sum. It counts only once
// a transport has said that it tells when answers are written.
type heldAnswers struct {
	mu    sync.Mutex
	on    bool
	sizes []int64
	sum   int64
}

func (h *heldAnswers) begin() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.on = true
}

func (h *heldAnswers) made(res mcp.Result) {
	r, ok := res.(*mcp.CallToolResult)
	if !ok {
		return
	}
	size := int64(0)
	for _, c := range r.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			size += int64(len(c.Text))
		case *mcp.ImageContent:
			size += int64(len(c.Data))
		}
	}
	if raw, ok := r.StructuredContent.(json.RawMessage); ok {
		size += int64(len(raw))
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.on {
		h.sizes = append(h.sizes, size)
		h.sum += size
	}
}

func (h *heldAnswers) written() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.sizes) > 0 {
		h.sum -= h.sizes[0]
		h.sizes = h.sizes[1:]
	}
}

func (h *heldAnswers) bytes() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sum
}

// load is what one client asks for.
type load struct {
	waiting, running int
	tokens           float64 // calls that it may still make now
	at               time.Time
}

func newLimits(cfg *Config) *limits {
	return &limits{
		slots: make(chan struct{}, max(1, cfg.MaxCalls)), perMinute: cfg.CallsPerMinute,
		held: &heldAnswers{}, heldMax: cfg.AnswerMemory, clients: map[string]*load{},
	}
}

// seat is the slot of one call, which it gives back while a person is asked.
type seat struct {
	l     *limits
	c     *load
	taken bool
}

// leave gives the slot back for good.
func (s *seat) leave() {
	s.rise()
	s.l.left(s.c)
}

// rise gives the slot to others for a while.
func (s *seat) rise() {
	if s.taken {
		s.taken = false
		<-s.l.slots
	}
}

// sit waits for a slot again.
func (s *seat) sit(ctx context.Context) error {
	if s.taken {
		return nil
	}
	select {
	case s.l.slots <- struct{}{}:
		s.taken = true
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

type seatKey struct{}

// enter lets a call of a client in, or says why not. The seat must be left then.
func (l *limits) enter(ctx context.Context, client string) (s *seat, f *answer.Failure, err error) {
	if l.heldMax > 0 && l.held.bytes() > l.heldMax {
		return nil, answer.New(answer.AnswersWait, "limit", l.heldMax), nil
	}
	c, f := l.admit(client)
	if f != nil {
		return nil, f, nil
	}
	select {
	case l.slots <- struct{}{}:
	default:
		if f, err = l.queue(ctx, c); err != nil || f != nil {
			l.left(c)
			return nil, f, err
		}
	}
	return &seat{l, c, true}, nil, nil
}

// queue waits for a slot.
func (l *limits) queue(ctx context.Context, c *load) (*answer.Failure, error) {
	l.mu.Lock()
	if l.waiting >= maxWaiting || c.waiting >= maxWaitingEach {
		l.mu.Unlock()
		return answer.New(answer.Busy, "limit", cap(l.slots)+maxWaitingEach), nil
	}
	l.waiting++
	c.waiting++
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		l.waiting--
		c.waiting--
		l.mu.Unlock()
	}()
	select {
	case l.slots <- struct{}{}:
		return nil, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// admit takes one call off what the client may make in a minute. What it does
// not use comes back evenly.
func (l *limits) admit(client string) (*load, *answer.Failure) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	c := l.clients[client]
	if c == nil {
		l.pruneLocked(now)
		c = &load{tokens: float64(l.perMinute), at: now}
		l.clients[client] = c
	}
	if l.perMinute > 0 {
		rate := float64(l.perMinute) / float64(time.Minute)
		c.tokens = min(float64(l.perMinute), c.tokens+rate*float64(now.Sub(c.at)))
		c.at = now
		if c.tokens < 1 {
			f := answer.New(answer.TooFast, "limit", l.perMinute)
			f.RetryAfterMS = int((1-c.tokens)/rate/float64(time.Millisecond)) + 1
			return nil, f
		}
		c.tokens--
	}
	c.running++
	return c, nil
}

func (l *limits) left(c *load) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.running--
}

// pruneLocked forgets idle clients whose minute is over.
func (l *limits) pruneLocked(now time.Time) {
	if len(l.clients) < keptClients {
		return
	}
	for name, c := range l.clients {
		if c.running == 0 && now.Sub(c.at) > time.Minute {
			delete(l.clients, name)
		}
	}
}

// clientOf names the client of a request: its session.
func clientOf(req mcp.Request) string {
	if s := req.GetSession(); s != nil {
		return s.ID()
	}
	return ""
}

// limit bounds the calls that run at once, those that wait for that, those of a
// minute, and the answers that nobody has read yet.
func (s *Server) limit(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method != methodCall {
			return next(ctx, method, req)
		}
		seat, f, err := s.limits.enter(ctx, clientOf(req))
		switch {
		case err != nil:
			return nil, err
		case f != nil:
			refused := failed(f)
			s.limits.held.made(refused)
			return refused, nil
		}
		defer seat.leave()
		res, err := next(context.WithValue(ctx, seatKey{}, seat), method, req)
		s.limits.held.made(res)
		return res, err
	}
}
