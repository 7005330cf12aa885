package journal

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"godot-mcp/server/answer"
	"godot-mcp/server/wire"
)

// unheardLimit is how long a command may be under way on a connection that
// already carried a later one.
const unheardLimit = 5 * time.Second

// Settle makes sure, before a command of the connected editor's project is
// served, that no earlier call of that project is open. It asks the editor what
// became of their commands, and waits while one is still running there.
func (k *Keeper) Settle(ctx context.Context) *answer.Failure {
	p, ok := k.cfg.Editor.Peer()
	if !ok {
		return nil
	}
	b, f := k.book(k.name(p.Project), false)
	if f != nil || b == nil {
		return f
	}
	now := k.cfg.Now()
	b.mu.Lock()
	due := now.Sub(b.expired) > 24*time.Hour
	b.mu.Unlock()
	if due {
		if err := b.expire(now); err != nil {
			k.cfg.Log.Error("old journal records stay", "error", err.Error())
		}
	}
	return k.settle(ctx, b)
}

func (k *Keeper) settle(ctx context.Context, b *book) *answer.Failure {
	if len(b.open()) == 0 {
		return nil
	}
	select {
	case b.settling <- struct{}{}:
		defer func() { <-b.settling }()
	case <-ctx.Done():
		return unsettled(b)
	}
	for delay := 20 * time.Millisecond; ; delay = min(2*delay, time.Second) {
		waits, gone := false, false
		for _, r := range b.open() {
			for i := range r.Commands {
				c := &r.Commands[i]
				if c.ID == "" || c.Fate != Unknown {
					continue
				}
				pending, away := k.ask(ctx, c)
				waits, gone = waits || pending, gone || away
			}
			k.conclude(ctx, b, r, ByMemory)
		}
		if len(b.open()) == 0 || gone || !waits {
			// Without an editor nothing of the project is served anyway.
			return nil
		}
		timer := time.NewTimer(delay)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return unsettled(b)
		}
	}
}

func unsettled(b *book) *answer.Failure {
	var ids []string
	for _, r := range b.open() {
		ids = append(ids, r.ID)
	}
	slices.Sort(ids)
	return answer.New(answer.Unsettled, "ids", ids)
}

// open copies the records that wait for an end and whose call is not running.
func (b *book) open() []*Record {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []*Record
	for id, r := range b.records {
		if r.State == Open && b.flights[id] == nil {
			c := *r
			c.Commands = slices.Clone(r.Commands)
			out = append(out, &c)
		}
	}
	slices.SortFunc(out, func(a, b *Record) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// ask finds the fate of one command. Pending: the editor has not done it yet.
// Away: no editor answers now.
func (k *Keeper) ask(ctx context.Context, c *Command) (pending, away bool) {
	p, ok := k.cfg.Editor.Peer()
	switch {
	case !ok:
		return false, true
	case p.Session != c.Session:
		// The process that had the command is gone, and its memory with it.
		c.Fate = Lost
		return false, false
	}
	state, result, refused, failed := k.cfg.Editor.Ask(ctx, c.ID, c.Session)
	switch {
	case failed != nil && failed.Reason == wire.ReasonUnknownCommand:
		c.Fate = Lost // an addon without a memory
	case failed != nil && ctx.Err() == nil && failed.Reason != wire.ReasonDeadline:
		return false, true
	case failed != nil:
		return true, false
	case state == "queued" || state == "running":
		return true, false
	case state == "done":
		c.learn(result, refused)
	default:
		return k.unheardOf(c, p.Link), false
	}
	return false, false
}

// unheardOf judges a command that its editor does not know. If the connection
// that carried it is gone, it cannot arrive any more. On the same connection it
// should have come before the question; it is waited for a little, and then
// nobody can tell.
func (k *Keeper) unheardOf(c *Command, link string) (pending bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s, mine := k.sent[c.ID]
	now := k.cfg.Now()
	switch {
	case !mine || s.link != link:
		c.Fate = Unapplied
	case s.asked.IsZero():
		s.asked = now
		k.sent[c.ID] = s
		return true
	case now.Sub(s.asked) < unheardLimit:
		return true
	default:
		c.Fate = Lost
	}
	delete(k.sent, c.ID)
	return false
}

// learn takes over the outcome of a command.
func (c *Command) learn(result json.RawMessage, refused *wire.Error) {
	switch {
	case refused == nil:
		c.Fate, c.Result, c.Err = Applied, result, nil
	case refused.Reason == wire.ReasonBadReply:
		c.Fate = Lost
	default:
		c.Fate, c.Err = Refused, refused
	}
}

// conclude ends a record whose commands all have a fate.
func (k *Keeper) conclude(ctx context.Context, b *book, r *Record, by string) {
	var err error
	switch r.fate() {
	case Unknown:
		return
	case Lost:
		r.end(Uncertain, ByGone, nil, nil, k.cfg.Now())
		err = b.put(*r)
	case Applied:
		result, failure := k.reenact(ctx, *r)
		r.end(Done, by, result, failure, k.cfg.Now())
		err = b.put(*r)
	default:
		err = b.remove(r.ID)
	}
	if err != nil {
		k.cfg.Log.Error("journal cannot be written", "error", err.Error())
		return
	}
	k.cfg.Log.Info("settled a call", "id", r.ID, "tool", r.Tool, "fate", r.fate(), "by", by)
}

// reenact finds the answer that the call would have given.
func (k *Keeper) reenact(ctx context.Context, r Record) (json.RawMessage, *answer.Failure) {
	if k.cfg.Reenact != nil {
		if result, failure, ok := k.cfg.Reenact(context.WithoutCancel(ctx), r); ok {
			return result, failure
		}
	}
	return BareAnswer("The change was made, but its answer was lost. Read the state again."), nil
}

// BareAnswer is the result of a call of which only the effect is known.
func BareAnswer(hint string) json.RawMessage {
	raw, _ := json.Marshal(map[string]any{"applied": true, "settled": true, "hint": hint})
	return raw
}

// Late takes over an outcome that came after its call had given up.
func (k *Keeper) Late(ctx context.Context, id, session string, result json.RawMessage, refused *wire.Error) {
	k.mu.Lock()
	books := make([]*book, 0, len(k.books))
	for _, b := range k.books {
		books = append(books, b)
	}
	k.mu.Unlock()
	for _, b := range books {
		b.settling <- struct{}{}
		for _, r := range b.open() {
			i := slices.IndexFunc(r.Commands, func(c Command) bool { return c.ID == id && c.Session == session && c.Fate == Unknown })
			if i < 0 {
				continue
			}
			if refused != nil && refused.Reason == wire.ReasonNotApplied {
				r.Commands[i].Fate = Unapplied
			} else {
				r.Commands[i].learn(result, refused)
			}
			k.conclude(ctx, b, r, ByLate)
		}
		<-b.settling
	}
}
