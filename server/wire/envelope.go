package wire

import (
	"encoding/json"
	"errors"
	"fmt"
)

// MaxMessageBytes bounds one message in either direction. Both ends set it
// before the connection is made: Godot fixes its buffers at the handshake
// (engine 4.6: a bigger inbound message closes the socket with 1009).
const MaxMessageBytes = 32 << 20

// OutcomeMemory is how many command ids an editor remembers with their answers.
const OutcomeMemory = 1000

// Command is what the server asks of the editor. IDs are decimal strings,
// unique for one run of the server.
type Command struct {
	ID      string          `json:"id"`
	Command string          `json:"command"`
	Params  json.RawMessage `json:"params,omitempty"`
}

// Reply is the editor's answer to one command: a result, or an error.
type Reply struct {
	ID     string          `json:"id"`
	OK     bool            `json:"ok"`
	Result json.RawMessage `json:"result,omitempty"`
	*Error
}

// Hello is the first message of an editor (after [Auth], when a token is set).
type Hello struct {
	Command string `json:"command"` // always HelloCommand
	// Session tells two starts of an editor apart; random, at least 8 characters.
	Session      string `json:"session"`
	ProjectPath  string `json:"project_path"` // absolute folder
	ProjectName  string `json:"project_name"`
	GodotVersion string `json:"godot_version"` // as Engine.get_version_info().string
	AddonVersion string `json:"addon_version"`
	// Backend is "godot" or "simulator".
	Backend string `json:"backend"`
	PID     int    `json:"pid,omitempty"`
	// Commands lists what this editor implements; VocabularyHash is the hash
	// of the command declarations that it was built from.
	Commands       []string `json:"commands"`
	VocabularyHash string   `json:"vocabulary_hash"`
	MaxBytes       int      `json:"max_bytes"`
}

// Auth carries the shared bridge token; it precedes [Hello].
type Auth struct {
	Command string `json:"command"` // always AuthCommand
	Token   string `json:"token"`
}

// Control messages of the editor; the server consumes them without a reply.
const (
	AuthCommand  = "cmd_auth"
	HelloCommand = "cmd_peer_hello"
)

// Notice is a push of the server that the editor must not answer. Command is
// NoticeServerHello or NoticeToolsets; a refusal has no command and ok false.
type Notice struct {
	Command string          `json:"command,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	OK      *bool           `json:"ok,omitempty"`
	*Error
}

// Pushes of the server.
const (
	NoticeServerHello = "cmd_server_hello"
	NoticeToolsets    = "cmd_toolsets_update"
)

// ServerHello is the params of NoticeServerHello.
type ServerHello struct {
	Version string `json:"version"`
}

// ToolsetsUpdate is the params of NoticeToolsets: what the dock shows.
type ToolsetsUpdate struct {
	Enabled []string `json:"enabled"`
}

// Error is a failure as it crosses the wire. The editor sends a code, a reason
// token and the details that the reason names; the server turns them into a
// hint, so that both editors read alike and no text lives twice.
type Error struct {
	Code    Code           `json:"error,omitempty"`
	Reason  Reason         `json:"reason,omitempty"`
	Details map[string]any `json:"details,omitempty"`
	// Step is the index of the step of a transaction that failed.
	Step *int `json:"step,omitempty"`
	// Log holds engine messages caught while the command ran, oldest first.
	Log []string `json:"log,omitempty"`
}

// Error implements error.
func (e *Error) Error() string {
	if len(e.Details) == 0 {
		return fmt.Sprintf("%s (%s)", e.Code, e.Reason)
	}
	d, err := json.Marshal(e.Details)
	if err != nil {
		return fmt.Sprintf("%s (%s)", e.Code, e.Reason)
	}
	return fmt.Sprintf("%s (%s) %s", e.Code, e.Reason, d)
}

// Fail makes an [Error] from a reason, its code and alternating detail names
// and values.
func Fail(r Reason, details ...any) *Error {
	e := &Error{Code: r.Code(), Reason: r}
	if len(details) > 0 {
		e.Details = make(map[string]any, len(details)/2)
		for i := 0; i+1 < len(details); i += 2 {
			e.Details[fmt.Sprint(details[i])] = details[i+1]
		}
	}
	return e
}

// AsError finds a wire error in err's chain; any other error is internal.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return Fail(ReasonHandlerFailed, "message", err.Error())
}
