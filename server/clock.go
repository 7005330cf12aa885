package server

import (
	"context"
	"sync"
	"time"
)

// callClock is the context of one call with its time limit, which stands still
// while a person is asked.
type callClock struct {
	context.Context // the call without a limit: its values, and the client's cancel
	inner           context.Context
	cancel          context.CancelFunc

	mu    sync.Mutex
	timer *time.Timer
	end   time.Time
	left  time.Duration // while it stands still
	over  bool          // the limit passed
}

type clockKey struct{}

func newClock(ctx context.Context, limit time.Duration) *callClock {
	c := &callClock{Context: ctx, end: time.Now().Add(limit)}
	c.inner, c.cancel = context.WithCancel(ctx)
	c.timer = time.AfterFunc(limit, c.expire)
	return c
}

func (c *callClock) expire() {
	c.mu.Lock()
	c.over = c.left == 0
	over := c.over
	c.mu.Unlock()
	if over {
		c.cancel()
	}
}

func (c *callClock) stop() {
	c.timer.Stop()
	c.cancel()
}

// pause stops the clock; what is left of the limit counts from resume on.
func (c *callClock) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left == 0 && !c.over {
		c.timer.Stop()
		c.left = max(1, time.Until(c.end))
	}
}

func (c *callClock) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left > 0 {
		c.end = time.Now().Add(c.left)
		c.timer.Reset(c.left)
		c.left = 0
	}
}

// Deadline implements [context.Context].
func (c *callClock) Deadline() (time.Time, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left > 0 {
		return c.Context.Deadline()
	}
	return c.end, true
}

// Done implements [context.Context].
func (c *callClock) Done() <-chan struct{} { return c.inner.Done() }

// Err implements [context.Context].
func (c *callClock) Err() error {
	err := c.inner.Err()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil && c.over {
		return context.DeadlineExceeded
	}
	return err
}

// AfterFunc lets package context tie children to this context without a
// goroutine for each.
func (c *callClock) AfterFunc(f func()) func() bool { return context.AfterFunc(c.inner, f) }

// Value implements [context.Context].
func (c *callClock) Value(key any) any {
	if key == (clockKey{}) {
		return c
	}
	return c.Context.Value(key)
}
