package journal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"godot-mcp/server/wire"
)

// State is how much is known of a call.
type State string

// The states. A call that is known to have changed nothing has no record.
const (
	Open      State = "open"      // a command was sent and its outcome is not known yet
	Done      State = "done"      // the answer is known
	Uncertain State = "uncertain" // nobody can tell any more
)

// Fate is what became of one command.
type Fate string

// The fates of a command.
const (
	Unknown   Fate = ""          // may have been applied
	Applied   Fate = "applied"   // the editor said ok
	Refused   Fate = "refused"   // the editor said no; nothing changed
	Unapplied Fate = "unapplied" // it never reached the editor
	Lost      Fate = "lost"      // the editor that had it is gone
)

// Command is one command of a call. Reads have no ID; they are kept because the
// answer of the call may follow from them.
type Command struct {
	ID      string          `json:"id,omitempty"` // of the envelope
	Session string          `json:"session,omitempty"`
	Name    string          `json:"name"`
	Fate    Fate            `json:"fate,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Err     *wire.Error     `json:"error,omitempty"`
}

// Record is what is kept of a call.
type Record struct {
	ID     string `json:"id"` // as the caller gave it
	Tool   string `json:"tool"`
	Digest string `json:"digest"` // of tool and arguments, see [Digest]
	State  State  `json:"state"`
	// Args are the cleaned arguments, until the answer is known.
	Args     json.RawMessage `json:"args,omitempty"`
	Commands []Command       `json:"commands,omitempty"`
	// Answer is the result or, when Failed, the failure object.
	Answer json.RawMessage `json:"answer,omitempty"`
	Failed bool            `json:"failed,omitempty"`
	Began  time.Time       `json:"began"`
	Ended  time.Time       `json:"ended,omitzero"`
	// By says how the end became known: the reply, a late reply, the editor's
	// memory, its absence, or a person.
	By string `json:"by,omitempty"`
}

// The ways in which an end becomes known.
const (
	ByReply  = "reply"
	ByLate   = "late reply"
	ByMemory = "asked the editor"
	ByGone   = "the editor is gone"
	ByPerson = "a person"
)

// Digest identifies tool and arguments: texts that mean the same JSON, members
// in any order, have one digest.
func Digest(tool string, args json.RawMessage) string {
	h := sha256.New()
	h.Write([]byte(tool))
	h.Write([]byte{0})
	h.Write(canonical(args))
	return hex.EncodeToString(h.Sum(nil))
}

// canonical writes JSON with sorted members and without white space. Numbers
// keep their digits.
func canonical(raw json.RawMessage) []byte {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return raw
	}
	out, err := json.Marshal(v)
	if err != nil {
		return raw
	}
	return out
}

// fate sums up the commands that could change something. Unknown wins over
// lost, lost over applied, applied over the rest.
func (r *Record) fate() Fate {
	sum := Unapplied
	for _, c := range r.Commands {
		switch {
		case c.ID == "":
		case c.Fate == Unknown:
			return Unknown
		case c.Fate == Lost:
			sum = Lost
		case c.Fate == Applied && sum != Lost:
			sum = Applied
		}
	}
	return sum
}
