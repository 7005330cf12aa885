package bridge

import "time"

// Status is the health of the bridge at one moment.
type Status struct {
	Listening bool `json:"listening"`
	// URL is the configured one, with the real port when that was 0.
	URL string `json:"url"`
	// BindError is the operating system's reason for not listening; Owner says
	// who holds the port when that is another server of this kind.
	BindError string `json:"bind_error,omitempty"`
	Owner     *Owner `json:"port_owner,omitempty"`

	Connected bool  `json:"connected"`
	Peer      *Peer `json:"peer,omitempty"`
	// Waiting counts calls that were not sent yet, InFlight those without an answer.
	Waiting  int `json:"waiting"`
	InFlight int `json:"in_flight"`

	Counters    Counters  `json:"counters"`
	LastError   string    `json:"last_error,omitempty"`
	LastErrorAt time.Time `json:"last_error_at,omitzero"`
}

// Counters count since the start of the server.
type Counters struct {
	Connects   int `json:"connects"`    // hellos that were accepted
	Refused    int `json:"refused"`     // handshakes, tokens and hellos refused
	Replaced   int `json:"replaced"`    // editors that a newer one replaced
	Lost       int `json:"lost"`        // active links that broke
	Sent       int `json:"sent"`        // commands
	Replies    int `json:"replies"`     // that ended a call
	BadReplies int `json:"bad_replies"` // that ended a call as bad_reply
	Timeouts   int `json:"timeouts"`
	Late       int `json:"late"`    // replies to calls that had ended
	Dropped    int `json:"dropped"` // messages that belonged to no call
}

// Status reports the health of the bridge.
func (b *Bridge) Status() Status {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := Status{
		Listening: b.bound != "", URL: b.cfg.URL, Owner: b.owner, Counters: b.count,
		LastError: b.lastErr, LastErrorAt: b.lastAt,
	}
	if b.bound != "" {
		s.URL = "ws://" + b.bound
	}
	if b.bindErr != nil {
		s.BindError = b.bindErr.Error()
	}
	if b.active != nil {
		s.Connected, s.Peer = true, b.active.peer
	}
	for _, c := range b.calls {
		switch c.state {
		case callQueued:
			s.Waiting++
		default:
			s.InFlight++
		}
	}
	return s
}

// Peer describes the active editor, or is nil when there is none. The value is
// shared and must not be changed.
func (b *Bridge) Peer() *Peer {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.active == nil {
		return nil
	}
	return b.active.peer
}
