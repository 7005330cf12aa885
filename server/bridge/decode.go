package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"godot-mcp/server/wire"
)

// message is one decoded message of an editor. Problem, when not empty, says
// why it is not a usable reply; the id may be known all the same.
type message struct {
	id      string
	control string
	problem string
	result  json.RawMessage
	err     *wire.Error
	log     []string
}

func (m message) outcome(command string) Outcome {
	switch {
	case m.problem != "":
		return Outcome{Err: badReply(command, m.problem)}
	case m.err != nil:
		return Outcome{Err: m.err}
	default:
		return Outcome{Result: m.result, Log: m.log}
	}
}

// decodeReply reads what an editor sent. It never fails: text that is not JSON
// is first repaired the ways Godot is known to break it, and what stays
// unusable is described in problem. Unknown fields are let through.
func decodeReply(data []byte) message {
	if needsRepair(data) {
		data = repair(data)
	}
	if depth(data) > maxDepth {
		return message{id: scanID(data), problem: fmt.Sprintf("nested deeper than %d", maxDepth)}
	}
	var r struct {
		ID      string          `json:"id"`
		OK      *bool           `json:"ok"`
		Command string          `json:"command"`
		Result  json.RawMessage `json:"result"`
		*wire.Error
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return message{id: scanID(data), problem: "not a reply: " + err.Error()}
	}
	m := message{id: r.ID}
	switch {
	case r.Command != "" && r.OK == nil:
		m.control = r.Command
	case r.ID == "":
		m.problem = "no id"
	case r.OK == nil:
		m.problem = "ok is missing"
	case *r.OK && !isObject(r.Result):
		m.problem = fmt.Sprintf("result is not an object: %s", shorten(r.Result))
	case *r.OK:
		m.result = r.Result
		if r.Error != nil {
			m.log = r.Error.Log
		}
	case r.Error == nil || r.Error.Code == "":
		m.problem = "ok is false and there is no error"
	case !editorMaySay(r.Error):
		m.problem = fmt.Sprintf("not an editor's error: %s (%s)", shorten([]byte(r.Error.Code)), shorten([]byte(r.Error.Reason)))
	default:
		m.err = r.Error
	}
	return m
}

func isObject(v json.RawMessage) bool { return bytes.HasPrefix(bytes.TrimSpace(v), []byte("{")) }

// shorten makes text of unknown size and content fit for a message.
func shorten(b []byte) string {
	if len(b) == 0 {
		return "nothing"
	}
	if len(b) > 60 {
		b = b[:60]
		for !utf8.Valid(b) {
			b = b[:len(b)-1]
		}
		return string(b) + "…"
	}
	return string(b)
}

// editorCodes are the codes an editor may answer with. A reason that this
// server does not know is let through, since an addon may be newer.
var editorCodes = func() map[wire.Code]bool {
	m := map[wire.Code]bool{}
	for r, c := range wire.Reasons() {
		if !linkReasons[r] && c != wire.PeerReplaced {
			m[c] = true
		}
	}
	return m
}()

// linkReasons are the bridge's own; from an editor they would pass for the
// truth about the link.
var linkReasons = map[wire.Reason]bool{
	wire.ReasonNoEditor: true, wire.ReasonLinkLost: true, wire.ReasonNotApplied: true,
	wire.ReasonDeadline: true, wire.ReasonBadReply: true, wire.ReasonCancelled: true,
}

func editorMaySay(e *wire.Error) bool { return editorCodes[e.Code] && !linkReasons[e.Reason] }

// depth is the deepest nesting of brackets outside strings.
func depth(data []byte) int {
	deepest, now := 0, 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			i = endOfString(data, i)
		case '{', '[':
			now++
			deepest = max(deepest, now)
		case '}', ']':
			now--
		}
	}
	return deepest
}

// endOfString returns the index of the quote that closes the string begun at i,
// or len(data).
func endOfString(data []byte, i int) int {
	for i++; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(data)
}

// scanID finds the top-level id in text that may be cut off or broken. A number
// is taken for its digits, since the command is to be answered in any case.
func scanID(data []byte) string {
	level := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			level++
		case '}', ']':
			level--
		case '"':
			end := endOfString(data, i)
			if level == 1 && end < len(data) && string(data[i:end+1]) == `"id"` {
				if id := idAfter(data[end+1:]); id != "" {
					return id
				}
			}
			i = end
		}
	}
	return ""
}

func idAfter(rest []byte) string {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(":"))
	if !ok {
		return ""
	}
	rest = bytes.TrimPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte(`"`))
	n := 0
	for n < len(rest) && n <= 20 && rest[n] >= '0' && rest[n] <= '9' {
		n++
	}
	return string(rest[:n])
}
