package console

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	maxStreams = 4 // of one session at once
	// beat is how often a page hears that the server is there.
	beat = 10 * time.Second
	// writeLimit is how long a page may take to read one event; then its stream
	// ends. It may connect again.
	writeLimit = 15 * time.Second
	maxTargets = 6 // named in the list of calls
	maxTarget  = 300
)

// stream is one page that listens.
type stream struct {
	once sync.Once
	over chan struct{}
}

func newStream() *stream { return &stream{over: make(chan struct{})} }

func (s *stream) end() { s.once.Do(func() { close(s.over) }) }

// state is what a page sees of everything; a question's details are fetched
// apart. Every event holds the whole state, so a page that reads slowly skips
// states and nothing piles up for it.
type state struct {
	Pending []row     `json:"pending"`
	Decided []decided `json:"decided"`
}

type row struct {
	ID           string   `json:"id"`
	Tool         string   `json:"tool"`
	Class        string   `json:"class"`
	Irreversible bool     `json:"irreversible"`
	Targets      []string `json:"targets"`
	More         int      `json:"more"` // further targets
	Client       string   `json:"client"`
	Entries      int      `json:"entries"`
	// Left and Total are milliseconds: what remains of the time to answer, and
	// all of it. Clocks of page and server need not agree.
	Left  int64 `json:"left"`
	Total int64 `json:"total"`
}

type decided struct {
	ID      string   `json:"id"`
	Tool    string   `json:"tool"`
	Targets []string `json:"targets"`
	Client  string   `json:"client"`
	Outcome Outcome  `json:"outcome"`
	Reason  string   `json:"reason"`
	Ago     int64    `json:"ago"` // milliseconds
}

func (c *Console) state() (state, <-chan struct{}) {
	pending, history, changed := c.queue.snapshot()
	out, now := state{Pending: []row{}, Decided: []decided{}}, time.Now()
	for _, it := range pending {
		q := &it.question
		r := row{
			ID: q.ID, Tool: q.Tool, Class: q.Class, Irreversible: q.Irreversible, Client: q.Client, Entries: len(q.Entries),
			Left: max(0, q.Until.Sub(now).Milliseconds()), Total: q.Until.Sub(q.Asked).Milliseconds(),
		}
		r.Targets, r.More = short(targets(q))
		out.Pending = append(out.Pending, r)
	}
	for _, d := range history {
		e := decided{ID: d.ID, Tool: d.Tool, Client: d.Client, Outcome: d.Outcome, Reason: d.Reason, Ago: now.Sub(d.At).Milliseconds()}
		e.Targets, _ = short(d.Targets)
		out.Decided = append(out.Decided, e)
	}
	return out, changed
}

// short bounds what the list of calls says of targets.
func short(targets []string) (few []string, more int) {
	few = []string{}
	for i, t := range targets {
		if i == maxTargets {
			return few, len(targets) - i
		}
		if r := []rune(t); len(r) > maxTarget {
			t = string(r[:maxTarget]) + "…"
		}
		few = append(few, t)
	}
	return few, 0
}

// serveStream sends the state now and whenever it changes, as server-sent
// events, until the page or the console goes.
func (c *Console) serveStream(w http.ResponseWriter, r *http.Request) {
	st := newStream()
	s := sessionOf(r)
	c.doors.attach(s, st)
	defer c.doors.detach(s, st)
	c.queue.watch(1)
	defer c.queue.watch(-1)
	control := http.NewResponseController(w)
	send := func(event string, data any) bool {
		raw, err := json.Marshal(data)
		if err != nil {
			return false
		}
		// A writer without deadlines is one that cannot hang.
		_ = control.SetWriteDeadline(time.Now().Add(writeLimit))
		if _, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, raw); err != nil {
			return false
		}
		return control.Flush() == nil
	}
	// The limit on reading requests would end the stream.
	_ = control.SetReadDeadline(time.Time{})
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		now, changed := c.state()
		if !send("state", now) {
			return
		}
	wait:
		for {
			select {
			case <-changed:
				break wait
			case <-tick.C:
				if !send("beat", struct{}{}) {
					return
				}
			case <-st.over:
				send("moved", struct{}{})
				return
			case <-c.base.Done():
				send("bye", struct{}{})
				return
			case <-r.Context().Done():
				return
			}
		}
	}
}
