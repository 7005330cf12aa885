package misfortune

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"godot-mcp/server/approval"
	"godot-mcp/server/safety"
)

// person approves, refuses, forgets and is out; what they say about a call hangs
// on the seed and the call only, so that a day replays.
type person struct {
	day  *day
	seed uint64

	mu   sync.Mutex
	said []opinion
}

// opinion is one verdict.
type opinion struct {
	at      time.Duration
	tool    string
	marks   []string
	verdict approval.Verdict
}

// Name implements approval.Approver.
func (p *person) Name() string { return "person" }

// Ask implements approval.Approver.
func (p *person) Ask(ctx context.Context, q approval.Question) approval.Verdict {
	h := fnv.New64a()
	fmt.Fprint(h, q.Tool, string(q.Arguments), q.IdempotencyID)
	r := rand.New(rand.NewPCG(p.seed, h.Sum64()))
	v := approval.Verdict{By: "person"}
	switch r.IntN(8) {
	case 0:
		v.Reason = "not now"
	case 1, 4:
		v.Fault, v.Kind, v.Reason = true, safety.Unreachable, "nobody there"
	case 2:
		v.Approved, v.Fault, v.Kind, v.Reason = true, true, safety.Malformed, "an answer that contradicts itself"
	case 3:
		<-ctx.Done() // forgets it
		v.Fault, v.Kind = true, safety.Expired
	default:
		v.Approved = true
	}
	thinks := time.NewTimer(draw(r, 8*time.Second))
	defer thinks.Stop()
	select {
	case <-thinks.C:
	case <-ctx.Done():
		v = approval.Verdict{By: "person", Fault: true, Kind: safety.Expired}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	found := marksIn(string(q.Arguments))
	for _, e := range q.Entries {
		found = append(found, marksIn(string(e.Arguments))...)
	}
	slices.Sort(found)
	p.said = append(p.said, opinion{p.day.now(), q.Tool, slices.Compact(found), v})
	return v
}

func (p *person) opinions() []opinion {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.said)
}

func (c *call) marksSorted() []string {
	out := slices.Clone(c.marks)
	slices.Sort(out)
	return out
}

// human edits in the editor now and then, as somebody does who works there too.
func (d *day) human(ctx context.Context, r *rand.Rand) {
	for i := range r.IntN(6) {
		if !pause(ctx, draw(r, 10*time.Second)) {
			return
		}
		words := [][]string{
			{"set", "A", "position", fmt.Sprintf("Vector2(%d, 1)", i+1)}, {"add", ".", "Node", fmt.Sprintf("Human%d", i)},
			{"select", "A"}, {"save"}, {"rename", "C", "C"}, {"tab", "res://other.tscn"}, {"tab", "res://main.tscn"},
		}[r.IntN(7)]
		err := d.editor.Human().Run(words)
		d.note("human %v: %v", words, err)
	}
}

var troubles = []string{
	"drop-reply every", "drop-reply cmd_transaction", "drop-command cmd_transaction", "duplicate-reply cmd_transaction",
	"delay-apply cmd_transaction delay=3s", "delay-apply cmd_transaction delay=40s", "delay-drop cmd_transaction delay=15s",
	"reorder-reply cmd_transaction for=3s", "malformed-reply cmd_transaction as=not-json", "malformed-reply cmd_transaction as=no-result",
	"disconnect cmd_transaction when=before for=2s", "disconnect cmd_transaction when=after for=2s", "disconnect cmd_transaction when=after for=50s",
	"disconnect for=4s", "hang for=12s", "slow frame=200ms for=10s", "crash cmd_transaction when=after for=3s", "crash cmd_transaction when=before for=3s",
	"drop-reply cmd_write_file", "delay-apply cmd_write_file delay=12s", "disconnect cmd_write_file when=after for=2s", "crash cmd_write_file when=after for=2s",
	"drop-reply cmd_save_scene", "second-editor for=5s", "clear",
}

// trouble breaks the link now and then.
func (d *day) trouble(ctx context.Context, r *rand.Rand) {
	for range r.IntN(5) {
		if !pause(ctx, draw(r, 12*time.Second)) {
			return
		}
		line := troubles[r.IntN(len(troubles))]
		if err := d.faults.AddLine(line); err != nil {
			panic(err)
		}
		d.note("fault %s", line)
	}
}

// pause waits; false when the day is over.
func pause(ctx context.Context, wait time.Duration) bool {
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
