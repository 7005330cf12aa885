// Package audit writes down every call: one JSON object a line, refusals too,
// to a stream and, if wanted, to a file that only its owner can read.
//
// What callers send is sanitised first: secrets are taken out, long values cut,
// and every character that could break or hide a line is escaped. A file that
// cannot take a line is reported before the next change is made ([Log.Ready]);
// lines that it did not take are kept and written as soon as it can.
package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Events are the kinds of lines.
const (
	Start = "start"
	Call  = "call"
	Read  = "read" // of a resource
)

const (
	// maxLine bounds one line, newline included.
	maxLine = 16 << 10
	// maxKept bounds the lines that wait for a broken file; older ones are
	// counted, and the count is written when the file works again.
	maxKept = 1000
)

// Record is one line. Params must come from [Sanitizer.Params].
type Record struct {
	Time  time.Time `json:"time"`
	Event string    `json:"audit"`
	// Transport is stdio or http. Client is what the caller calls itself, Session
	// a short name of its session (never its id), Remote its address.
	Transport string `json:"transport,omitempty"`
	Client    string `json:"client,omitempty"`
	Session   string `json:"session,omitempty"`
	Remote    string `json:"remote,omitempty"`
	// Call joins the lines of one call, if it takes more than one request.
	Call    string `json:"call,omitempty"`
	Tool    string `json:"tool,omitempty"`
	Class   string `json:"class,omitempty"`
	Profile string `json:"profile,omitempty"`
	Mode    string `json:"mode,omitempty"`
	// Decision is what the checks came to, and the stage that decided.
	Decision string `json:"decision,omitempty"`
	Stage    string `json:"stage,omitempty"`
	// Effect and Rule are the permission engine's.
	Effect string `json:"effect,omitempty"`
	Rule   string `json:"rule,omitempty"`
	// Approver is who was asked for consent; "executed without a human" when one
	// was wanted and there was none. The caller's confirm stands in Params.
	Approver string `json:"approver,omitempty"`
	// Approval is what came of it: approved, refused, later (the caller brings the
	// answer) or the kind of fault; ApprovalReason is the person's own
	// or the fault's, Asked why a person was wanted.
	Approval       string          `json:"approval,omitempty"`
	ApprovalReason string          `json:"approval_reason,omitempty"`
	Asked          string          `json:"asked_because,omitempty"`
	Params         json.RawMessage `json:"params,omitempty"`
	Entries        []Entry         `json:"entries,omitempty"` // of a batch
	Outcome        string          `json:"outcome,omitempty"` // ok, input_required, or the error code
	Reason         string          `json:"reason,omitempty"`
	Duration       float64         `json:"duration_ms"`
	// Details of the start line.
	Details map[string]any `json:"details,omitempty"`
}

// Entry is the decision about one command of a batch.
type Entry struct {
	Tool   string `json:"tool"`
	Class  string `json:"class"`
	Effect string `json:"effect,omitempty"`
	Rule   string `json:"rule,omitempty"`
}

// file is what a Log needs of the audit file; tests put a full disk here.
type file interface {
	io.WriteCloser
	// Reserve makes sure that so many bytes more can be written. It does
	// nothing where the file system cannot promise that.
	Reserve(n int) error
	// Current says whether the file is still the one at its path.
	Current() bool
}

// Log is the audit log. It is safe for concurrent use.
type Log struct {
	mu      sync.Mutex
	stream  io.Writer
	open    func() (file, error)
	file    file // nil without one, or while it cannot be opened
	kept    [][]byte
	dropped int
	err     error // why the file does not take lines
	changes int   // changing calls under way
}

// New makes a log that writes to a stream only.
func New(stream io.Writer) *Log { return &Log{stream: stream} }

// Open makes a log that writes to a stream and appends to a file, which is made
// if it does not exist. The first line has to fit.
func Open(stream io.Writer, path string, first Record) (*Log, error) {
	l := &Log{stream: stream, open: func() (file, error) { return openFile(path) }}
	var err error
	if l.file, err = l.open(); err != nil {
		return nil, fmt.Errorf("the audit file cannot be opened: %w", err)
	}
	l.Write(first)
	if l.err != nil {
		_ = l.file.Close()
		return nil, fmt.Errorf("the audit file cannot be written: %w", l.err)
	}
	return l, nil
}

// Write writes a line. The stream's errors do not matter: nobody may read it.
func (l *Log) Write(r Record) {
	line := encode(r)
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.stream.Write(line)
	if l.open == nil {
		return
	}
	l.kept = append(l.kept, line)
	l.flush()
	if len(l.kept) > maxKept {
		l.dropped += len(l.kept) - maxKept
		l.kept = l.kept[len(l.kept)-maxKept:]
	}
}

// flush writes the lines that wait, oldest first.
func (l *Log) flush() {
	if l.file != nil && !l.file.Current() {
		_ = l.file.Close()
		l.file = nil
	}
	if l.file == nil {
		if l.file, l.err = l.open(); l.err != nil {
			l.file = nil
			return
		}
	}
	l.err = nil
	if l.dropped > 0 {
		note := encode(Record{Time: time.Now().UTC(), Event: "lost", Details: map[string]any{"lines": l.dropped}})
		if l.err = writeAll(l.file, note); l.err != nil {
			return
		}
		l.dropped = 0
	}
	for len(l.kept) > 0 {
		if l.err = writeAll(l.file, l.kept[0]); l.err != nil {
			return
		}
		l.kept = l.kept[1:]
	}
}

// writeAll takes a line that was cut for an error.
func writeAll(w io.Writer, line []byte) error {
	n, err := w.Write(line)
	if err == nil && n < len(line) {
		err = io.ErrShortWrite
	}
	return err
}

// Ready says before a change whether its line can be written, and keeps room
// for it. Done must be called after the line was written.
func (l *Log) Ready() (done func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		return func() {}, nil
	}
	l.flush()
	if l.err == nil {
		l.err = l.file.Reserve((l.changes + 1) * maxLine)
	}
	if l.err != nil {
		return nil, l.err
	}
	l.changes++
	var once sync.Once
	return func() {
		once.Do(func() {
			l.mu.Lock()
			l.changes--
			l.mu.Unlock()
		})
	}, nil
}

// Close closes the file. A later line opens it again.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	l.flush()
	err := errors.Join(l.err, l.file.Close())
	l.file = nil
	return err
}

// encode writes a record as one line of printable text.
func encode(r Record) []byte {
	r.Time = r.Time.UTC()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil || b.Len() > maxLine-1 {
		r.Params, r.Entries, r.Details = json.RawMessage(`{"left_out":"too long for one line"}`), nil, nil
		b.Reset()
		_ = e.Encode(r)
	}
	line := escape(bytes.TrimRight(b.Bytes(), "\n"))
	if len(line) > maxLine-1 {
		line = []byte(`{"audit":"call","call":` + string(quote(r.Call)) + `,"left_out":"too long for one line"}`)
	}
	return append(line, '\n')
}
