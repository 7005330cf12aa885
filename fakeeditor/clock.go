package fakeeditor

import (
	"context"
	"sync"
	"time"
)

// Frame is how long a frame of an idle headless editor takes (engine 4.6
// experiment: low-processor mode sleeps 6,900 µs).
const Frame = 6940 * time.Microsecond

// Clock gives the editor its frames. Time counts from the editor's start.
type Clock interface {
	Now() time.Duration
	// Wait returns when the clock has reached a moment.
	Wait(ctx context.Context, until time.Duration) error
	// Free says whether time passes by itself. If not, it passes by waiting.
	Free() bool
}

// VirtualClock stands still unless someone waits or advances it.
type VirtualClock struct {
	mu  sync.Mutex
	now time.Duration
}

// Now implements [Clock].
func (c *VirtualClock) Now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Wait implements [Clock]: it moves the clock and returns.
func (c *VirtualClock) Wait(_ context.Context, until time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = max(c.now, until)
	return nil
}

// Free implements [Clock].
func (*VirtualClock) Free() bool { return false }

// TimerClock runs on package time.
type TimerClock struct{ start time.Time }

// NewTimerClock starts a clock now.
func NewTimerClock() *TimerClock { return &TimerClock{time.Now()} }

// Now implements [Clock].
func (c *TimerClock) Now() time.Duration { return time.Since(c.start) }

// Wait implements [Clock].
func (c *TimerClock) Wait(ctx context.Context, until time.Duration) error {
	t := time.NewTimer(until - c.Now())
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Free implements [Clock].
func (*TimerClock) Free() bool { return true }
