package console

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"godot-mcp/server/approval"
)

// Name is what the console is called in verdicts and audit lines.
const Name = "console"

// What is said of questions that nobody answered: whether anybody could see them
// helps the one who waits.
const (
	late   = "nobody answered in time"
	unseen = late + ", and no browser had the approval page open"
)

// The bounds of a queue. A question beyond them is a fault, which denies.
const (
	maxPending = 64       // questions at once
	maxBytes   = 64 << 20 // of arguments and previews, together
	maxDecided = 50       // the history that the page shows
)

// Outcome is what became of a question.
type Outcome string

// The outcomes.
const (
	Approved  Outcome = "approved"
	Denied    Outcome = "denied"
	Expired   Outcome = "expired"   // nobody answered in time
	Withdrawn Outcome = "withdrawn" // the caller does not wait any more
	Stopped   Outcome = "stopped"   // the server ended first
)

// Decided is one line of the history.
type Decided struct {
	ID      string
	Tool    string
	Targets []string
	Client  string
	Outcome Outcome
	Reason  string
	At      time.Time
}

// Queue holds the questions that wait for a person, oldest first. It is an
// [approval.Approver]; the page takes its questions from it and brings the
// answers.
type Queue struct {
	mu      sync.Mutex
	pending []*item
	bytes   int
	pages   int       // that are open
	decided []Decided // newest first
	closed  bool
	// changed is closed and replaced whenever there is something new to see.
	changed chan struct{}
}

type item struct {
	question approval.Question
	phrase   string
	bytes    int
	answer   chan approval.Verdict // holds one
}

// NewQueue makes an empty queue.
func NewQueue() *Queue { return &Queue{changed: make(chan struct{})} }

// Name implements [approval.Approver].
func (q *Queue) Name() string { return Name }

// Ask shows a question until somebody answers, its time is over or ctx ends.
func (q *Queue) Ask(ctx context.Context, question approval.Question) approval.Verdict {
	it := &item{question: question, phrase: phrase(&question), bytes: size(&question), answer: make(chan approval.Verdict, 1)}
	if why := q.add(it); why != "" {
		return approval.Failed(Name, "", why)
	}
	limit := time.NewTimer(time.Until(question.Until))
	defer limit.Stop()
	select {
	case v := <-it.answer:
		return v
	case <-limit.C:
		q.settle(it, Expired, q.lateness())
	case <-ctx.Done():
		if time.Now().Before(question.Until) {
			q.settle(it, Withdrawn, "the call was cancelled before anybody answered")
		} else {
			q.settle(it, Expired, q.lateness())
		}
	}
	// Whoever settled the question first has left the answer.
	return <-it.answer
}

func (q *Queue) add(it *item) (why string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.closed:
		return "the server is stopping"
	case it.question.ID == "" || q.index(it.question.ID) >= 0:
		return "the question has no id of its own"
	case len(q.pending) >= maxPending:
		return "too many calls wait for a person already"
	case q.bytes+it.bytes > maxBytes:
		return "the calls that wait for a person are too large together"
	}
	q.pending = append(q.pending, it)
	q.bytes += it.bytes
	q.wake()
	return ""
}

// Answer is what a person says to a question.
type Answer struct {
	ID      string `json:"id"`
	Approve bool   `json:"approve"`
	Reason  string `json:"reason,omitempty"`
	// Typed repeats the phrase of a question whose approval needs one.
	Typed string `json:"typed,omitempty"`
}

// Decide settles a question as the person says. The first answer counts;
// problem is why this one does not.
func (q *Queue) Decide(a Answer) (problem Problem) {
	q.mu.Lock()
	i := q.index(a.ID)
	if i < 0 {
		known := slices.ContainsFunc(q.decided, func(d Decided) bool { return d.ID == a.ID })
		q.mu.Unlock()
		if known {
			return AlreadyDecided
		}
		return UnknownQuestion
	}
	it := q.pending[i]
	q.mu.Unlock()
	switch {
	case !time.Now().Before(it.question.Until):
		// Its own timer is about to say the same.
		return AlreadyDecided
	case a.Approve && it.phrase != "" && a.Typed != it.phrase:
		return PhraseDiffers
	}
	outcome := Denied
	if a.Approve {
		outcome = Approved
	}
	if !q.settle(it, outcome, a.Reason) {
		return AlreadyDecided
	}
	return ""
}

// settle takes a question off the page and leaves the verdict for its asker; it
// reports whether this was the first to do so.
func (q *Queue) settle(it *item, o Outcome, reason string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	i := slices.Index(q.pending, it)
	if i < 0 {
		return false
	}
	q.pending = slices.Delete(q.pending, i, i+1)
	q.bytes -= it.bytes
	d := Decided{
		ID: it.question.ID, Tool: it.question.Tool, Targets: targets(&it.question), Client: it.question.Client,
		Outcome: o, Reason: reason, At: time.Now(),
	}
	q.decided = slices.Insert(q.decided, 0, d)
	q.decided = q.decided[:min(len(q.decided), maxDecided)]
	v := approval.Verdict{Approved: o == Approved, Reason: reason, By: Name}
	switch o {
	case Expired:
		v = approval.Failed(Name, approval.Expired, reason)
	case Withdrawn, Stopped:
		v = approval.Failed(Name, "", reason)
	}
	it.answer <- v
	q.wake()
	return true
}

// Close denies everything that waits; later questions are refused.
func (q *Queue) Close() {
	q.mu.Lock()
	q.closed = true
	rest := slices.Clone(q.pending)
	q.mu.Unlock()
	for _, it := range rest {
		q.settle(it, Stopped, "the server stopped before anybody answered")
	}
}

func (q *Queue) lateness() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.pages > 0 {
		return late
	}
	return unseen
}

// watch counts a page that opens or goes.
func (q *Queue) watch(by int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pages += by
}

// Waiting is how many questions wait.
func (q *Queue) Waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.pending)
}

// snapshot is what waits and what was decided, with a channel that is closed
// when that changes.
func (q *Queue) snapshot() (pending []*item, decided []Decided, changed <-chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.pending), slices.Clone(q.decided), q.changed
}

// find gives a question that still waits.
func (q *Queue) find(id string) *item {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := q.index(id); i >= 0 {
		return q.pending[i]
	}
	return nil
}

// index and wake need the lock.
func (q *Queue) index(id string) int {
	return slices.IndexFunc(q.pending, func(it *item) bool { return it.question.ID == id })
}

func (q *Queue) wake() {
	close(q.changed)
	q.changed = make(chan struct{})
}

// phrase is what a person types to approve a call that nothing takes back: what
// it acts on where that can be typed, else the tool. Empty: approving is enough.
func phrase(q *approval.Question) string {
	if !q.Irreversible {
		return ""
	}
	for _, t := range targets(q) {
		if typeable(t) {
			return t
		}
	}
	return q.Tool
}

func typeable(s string) bool {
	return s != "" && len(s) <= 60 && strings.TrimSpace(s) == s &&
		!strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// targets are what a call acts on; for a batch, what its entries do.
func targets(q *approval.Question) []string {
	out := slices.Clone(q.Targets)
	for _, e := range q.Entries {
		for _, t := range e.Targets {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}

func size(q *approval.Question) int {
	n := len(q.Arguments) + len(q.Preview)
	for _, f := range q.Present.Files {
		n += len(f.Text)
	}
	for _, v := range q.Present.Values {
		n += len(v.Value)
	}
	for _, e := range q.Entries {
		n += len(e.Arguments)
	}
	return n
}
