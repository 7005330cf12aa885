package journal

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"godot-mcp/server/answer"
	"godot-mcp/server/wire"
)

// maxReads bounds what is kept of the reads of a call. Beyond it the answer of a
// call that the server did not survive is a short one.
const maxReads = 256 << 10

// Claim is a call with an id while it runs. Its methods are for one goroutine.
type Claim struct {
	k    *Keeper
	b    *book
	rec  Record
	done chan struct{} // closed by Release
	// written: the record is on disk.
	written bool
	reads   int
}

// Found is what is known of an id.
type Found struct {
	Digest string
	State  State
	Answer json.RawMessage
	Failed bool
}

// Claim looks an id up, and claims it when nothing is known of it: the claim is
// then not nil and must be released. While another call with the id runs, it
// waits for its end. Peek only looks, and does not wait.
func (k *Keeper) Claim(ctx context.Context, id, digest, tool string, peek bool) (*Claim, *Found, *answer.Failure) {
	project := k.project()
	if project == "" {
		return nil, nil, answer.FromWire(wire.Fail(wire.ReasonNoEditor), false)
	}
	b, f := k.book(project, !peek)
	if f != nil || b == nil {
		return nil, nil, f
	}
	for {
		if f := k.settleIfOpen(ctx, b, id); f != nil {
			return nil, nil, f
		}
		b.mu.Lock()
		running, r := b.flights[id], b.records[id]
		switch {
		case running != nil && running.rec.Digest != digest:
			found := &Found{Digest: running.rec.Digest, State: Open}
			b.mu.Unlock()
			return nil, found, nil
		case running != nil && !peek:
			b.mu.Unlock()
			select {
			case <-running.done:
				continue
			case <-ctx.Done():
				if errors.Is(ctx.Err(), context.DeadlineExceeded) {
					// The other one may wait for a person.
					return nil, nil, answer.New(answer.IDInFlight, "id", id)
				}
				return nil, nil, answer.New(answer.CallCancelled, "tool", tool)
			}
		case r != nil:
			found := &Found{r.Digest, r.State, r.Answer, r.Failed}
			b.mu.Unlock()
			return nil, found, nil
		case peek:
			b.mu.Unlock()
			return nil, nil, nil
		}
		c := &Claim{k: k, b: b, done: make(chan struct{}), rec: Record{ID: id, Tool: tool, Digest: digest, State: Open}}
		b.flights[id] = c
		b.mu.Unlock()
		return c, nil, nil
	}
}

// settleIfOpen tries to find out what became of an earlier call with the id.
func (k *Keeper) settleIfOpen(ctx context.Context, b *book, id string) *answer.Failure {
	b.mu.Lock()
	r := b.records[id]
	open := r != nil && r.State == Open && b.flights[id] == nil
	b.mu.Unlock()
	if !open {
		return nil
	}
	return k.settle(ctx, b)
}

// Args sets the arguments with which the call goes on; they are written down
// with its first command.
func (c *Claim) Args(args json.RawMessage) { c.rec.Args = args }

// Sending writes down, on disk and synced, that a command is about to go out.
// An error forbids to send it.
func (c *Claim) Sending(id, session, command string) error {
	p, ok := c.k.cfg.Editor.Peer()
	if !ok || p.Session != session || c.k.name(p.Project) != c.b.project {
		return errors.New("another editor took over")
	}
	c.k.cfg.Step(StepBefore)
	if c.rec.Began.IsZero() {
		c.rec.Began = c.k.cfg.Now().UTC()
	}
	c.rec.Commands = append(c.rec.Commands, Command{ID: id, Session: session, Name: command})
	if err := c.b.put(c.rec); err != nil {
		c.rec.Commands = c.rec.Commands[:len(c.rec.Commands)-1]
		return err
	}
	c.written = true
	c.k.mu.Lock()
	c.k.sent[id] = sending{link: p.Link}
	c.k.mu.Unlock()
	c.k.cfg.Step(StepIntent)
	return nil
}

// Replied notes what came of the command that was sent last.
func (c *Claim) Replied(fate Fate, result json.RawMessage, err *wire.Error) {
	c.k.cfg.Step(StepReplied)
	last := &c.rec.Commands[len(c.rec.Commands)-1]
	last.Fate, last.Result, last.Err = fate, result, err
	if fate != Unknown {
		c.k.forget(last.ID)
	}
}

// Looked notes what a command that can change nothing said.
func (c *Claim) Looked(command string, result json.RawMessage, err *wire.Error) {
	if c.reads += len(result); c.reads > maxReads {
		result = nil
	}
	c.rec.Commands = append(c.rec.Commands, Command{Name: command, Result: result, Err: err})
}

// Finish records the answer of the call. Only a call that changed something, or
// may have, is recorded.
func (c *Claim) Finish(result json.RawMessage, failure *answer.Failure) {
	if !c.written {
		return
	}
	var err error
	switch c.rec.fate() {
	case Unknown:
		err = c.b.put(c.rec) // stays open
	case Applied:
		c.rec.end(Done, ByReply, result, failure, c.k.cfg.Now())
		err = c.b.put(c.rec)
	default:
		err = c.b.remove(c.rec.ID)
	}
	if err != nil {
		// The record on disk is the open one: it is settled before the next call.
		c.k.cfg.Log.Error("journal cannot be written", "error", err.Error())
		return
	}
	c.k.cfg.Step(StepRecorded)
}

// end puts the answer into a record.
func (r *Record) end(state State, by string, result json.RawMessage, failure *answer.Failure, now time.Time) {
	r.State, r.By, r.Ended, r.Args = state, by, now.UTC(), nil
	if failure != nil {
		r.Answer, r.Failed = failure.JSON(), true
	} else {
		r.Answer, r.Failed = result, false
	}
	if state == Done {
		for i := range r.Commands {
			r.Commands[i].Result, r.Commands[i].Err = nil, nil
		}
	}
}

// Release ends the claim; calls that wait for the id go on.
func (c *Claim) Release() {
	c.b.mu.Lock()
	delete(c.b.flights, c.rec.ID)
	c.b.mu.Unlock()
	close(c.done)
}

func (k *Keeper) forget(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.sent, id)
}

// put writes a record to the file and then to memory.
func (b *book) put(r Record) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.store.put(r); err != nil {
		return err
	}
	r.Commands = append([]Command(nil), r.Commands...)
	b.records[r.ID] = &r
	return nil
}

func (b *book) remove(id string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.store.remove(id); err != nil {
		return err
	}
	delete(b.records, id)
	return nil
}
