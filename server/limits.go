package server

import (
	"context"
	"slices"
	"sync"
	"time"

	"godot-mcp/server/answer"
)

const (
	// maxWaiting is how many calls may wait for a slot before more are refused,
	// maxWaitingEach how many of them may be one client's.
	maxWaiting     = 256
	maxWaitingEach = 192
)

// limits bound what clients may ask for at once and over time, and give them
// turns: a client that floods waits behind its own calls, not before others'.
//
// A client is a connection on stdio, a session of the older revisions over HTTP,
// and an address with the name a client gives itself in the newest one. Whoever
// invents names or opens sessions gains no more than a bounded number of shares.
type limits struct {
	slots     int   // calls that run at once
	each      int   // of them one client's
	perMinute int   // calls of one client; 0: any number
	heldMax   int64 // bytes of answers that nobody has read; 0: any number
	held      *heldAnswers

	mu      sync.Mutex
	running int
	waiting int
	heldWeb int64
	clients map[clientKey]*load
	turns   []*load            // clients with calls that wait; the first is next
	left    map[string][]*load // by address: loads of ended sessions, see adopt
}

// clientKey tells clients apart; stdio has only the zero value.
type clientKey struct{ session, remote, name string }

// load is what one client asks for.
type load struct {
	queue   []*place // its calls that wait
	running int
	asking  int // questions to a person
	held    int64
	tokens  float64 // calls that it may still make now
	at      time.Time
}

// place is a call in the line.
type place struct {
	in   chan bool // true lets it in, false refuses it
	sure bool      // had a slot before and is not refused
}

func newLimits(cfg *Config) *limits {
	slots := max(1, cfg.MaxCalls)
	return &limits{
		slots: slots, each: slots, perMinute: cfg.CallsPerMinute, held: &heldAnswers{}, heldMax: cfg.AnswerMemory,
		clients: map[clientKey]*load{}, left: map[string][]*load{},
	}
}

// share keeps a quarter of the slots from any one client, so that another's call
// need not wait for slow ones to end.
func (l *limits) share() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.each = max(1, l.slots-max(1, l.slots/4))
}

// seat is the slot of one call, which it gives back while a person is asked.
type seat struct {
	l     *limits
	c     *load
	taken bool
}

type seatKey struct{}

// question counts a question to a person; false when the client has too many that
// wait. Where there are several clients, half of the places are not one's.
func (s *seat) question() (answered func(), ok bool) {
	if s == nil {
		return func() {}, true
	}
	s.l.mu.Lock()
	defer s.l.mu.Unlock()
	if s.l.each < s.l.slots && s.c.asking >= maxQuestions/2 {
		return nil, false
	}
	s.c.asking++
	return func() {
		s.l.mu.Lock()
		defer s.l.mu.Unlock()
		s.c.asking--
	}, true
}

// leave gives the slot back for good.
func (s *seat) leave() { s.rise() }

// rise gives the slot to others for a while.
func (s *seat) rise() {
	if !s.taken {
		return
	}
	s.taken = false
	s.l.mu.Lock()
	defer s.l.mu.Unlock()
	s.l.riseLocked(s.c)
}

// sit waits for a slot again, before the calls of its client that had none yet.
func (s *seat) sit(ctx context.Context) error {
	if s.taken {
		return nil
	}
	s.l.mu.Lock()
	if s.l.seatLocked(s.c) {
		s.l.mu.Unlock()
		s.taken = true
		return nil
	}
	p := &place{in: make(chan bool, 1), sure: true}
	s.l.lineUpLocked(s.c, p, 0)
	s.l.mu.Unlock()
	ok, err := s.l.wait(ctx, s.c, p)
	s.taken = ok
	return err
}

// enter lets a call of a client in, or says why not. The seat must be left then.
func (l *limits) enter(ctx context.Context, client clientKey) (c *load, s *seat, f *answer.Failure, err error) {
	l.mu.Lock()
	c, f = l.admitLocked(client)
	switch {
	case f != nil:
		l.mu.Unlock()
		return c, nil, f, nil
	case len(c.queue) == 0 && l.seatLocked(c):
		l.mu.Unlock()
		return c, &seat{l, c, true}, nil, nil
	case !l.roomLocked(c):
		l.mu.Unlock()
		return c, nil, l.busy(), nil
	}
	p := &place{in: make(chan bool, 1)}
	l.lineUpLocked(c, p, len(c.queue))
	l.mu.Unlock()
	ok, err := l.wait(ctx, c, p)
	switch {
	case err != nil:
		return c, nil, nil, err
	case !ok:
		return c, nil, l.busy(), nil
	}
	return c, &seat{l, c, true}, nil, nil
}

// wait waits in the line; false when the place was given to another.
func (l *limits) wait(ctx context.Context, c *load, p *place) (bool, error) {
	select {
	case ok := <-p.in:
		return ok, nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.dropLocked(c, p) && <-p.in {
		l.riseLocked(c)
	}
	return false, ctx.Err()
}

func (l *limits) seatLocked(c *load) bool {
	if l.running >= l.slots || c.running >= l.each {
		return false
	}
	l.running++
	c.running++
	return true
}

func (l *limits) riseLocked(c *load) {
	l.running--
	c.running--
	l.nextLocked()
}

func (l *limits) lineUpLocked(c *load, p *place, at int) {
	l.waiting++
	c.queue = slices.Insert(c.queue, at, p)
	if len(c.queue) == 1 {
		l.turns = append(l.turns, c)
	}
}

func (l *limits) busy() *answer.Failure {
	return answer.New(answer.Busy, "limit", l.slots+maxWaitingEach)
}

// roomLocked says whether one more call of a client may wait. In a full line the
// longest queue gives its last place to a client with a shorter one.
func (l *limits) roomLocked(c *load) bool {
	if len(c.queue) >= maxWaitingEach {
		return false
	}
	if l.waiting < maxWaiting {
		return true
	}
	longest := slices.MaxFunc(l.turns, func(a, b *load) int { return len(a.queue) - len(b.queue) })
	last := longest.queue[len(longest.queue)-1]
	if last.sure || len(longest.queue) <= len(c.queue)+1 {
		return false
	}
	l.dropLocked(longest, last)
	last.in <- false
	return true
}

// dropLocked takes a call out of the line; false when it is not in it any more.
func (l *limits) dropLocked(c *load, p *place) bool {
	i := slices.Index(c.queue, p)
	if i < 0 {
		return false
	}
	c.queue = slices.Delete(c.queue, i, i+1)
	l.waiting--
	if len(c.queue) == 0 {
		l.turns = slices.DeleteFunc(l.turns, func(o *load) bool { return o == c })
	}
	return true
}

// nextLocked lets calls in that wait, one of each client in turn.
func (l *limits) nextLocked() {
	for {
		i := slices.IndexFunc(l.turns, l.seatLocked)
		if i < 0 {
			return
		}
		c := l.turns[i]
		p := c.queue[0]
		l.dropLocked(c, p)
		if len(c.queue) > 0 {
			l.turns = append(slices.Delete(l.turns, i, i+1), c)
		}
		p.in <- true
	}
}
