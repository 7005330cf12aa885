package fakeeditor

import (
	"context"
	"time"

	"godot-mcp/fakeeditor/world"
)

// frames drains the queue once per frame until ctx ends.
func (e *Editor) frames(ctx context.Context) {
	clock := e.cfg.Clock
	last := clock.Now()
	for {
		if !e.waitForWork(ctx) {
			return
		}
		next := last + Frame*((clock.Now()-last)/Frame+1)
		if clock.Wait(ctx, next) != nil {
			return
		}
		last = next
		e.frame(next)
	}
}

// waitForWork returns when a command waits or the file system has something due. A
// wake-up that finds nothing to do costs no frame: on a clock that stands still, how
// many there are would be up to the scheduler.
func (e *Editor) waitForWork(ctx context.Context) bool {
	for ctx.Err() == nil {
		e.mu.Lock()
		waiting := len(e.link.queue) > 0
		at, due := e.state.Files.Next()
		e.mu.Unlock()
		if waiting {
			return true
		}
		var timer <-chan time.Time
		stop := func() bool { return false }
		if due && e.cfg.Clock.Free() {
			t := time.NewTimer(at - e.cfg.Clock.Now())
			timer, stop = t.C, t.Stop
		}
		select {
		case <-ctx.Done():
		case <-e.link.wake:
		case <-timer:
			return true
		}
		stop()
	}
	return false
}

// frame runs all that waits, in order, and answers each.
func (e *Editor) frame(now time.Duration) {
	e.mu.Lock()
	e.tick(now)
	queue, starts := e.link.queue, e.starts
	e.link.queue = nil
	e.mu.Unlock()
	for _, q := range queue {
		e.mu.Lock()
		if e.starts != starts { // it crashed; what waited is lost
			e.mu.Unlock()
			return
		}
		q.outcome.state = "running"
		out := e.step(world.Input{Cause: q.command.ID, Command: q.command.Command, Params: q.command.Params})
		q.outcome.state, q.outcome.reply = "done", reply(q.command.ID, out.Result, out.Err)
		e.mu.Unlock()
		_ = e.answer(q.from, q.outcome.reply)
	}
}
