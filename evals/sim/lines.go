package sim

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"time"

	"godot-mcp/evals/evidence"
)

// Lines is the way into a world for an agent that lives outside of the bubble: a
// process, or a loop that asks a model. It carries lines of JSON-RPC. Whoever is
// outside writes to it and reads from it as a client does on a pipe, and ends the
// trial with [Lines.Finish].
//
// The world's clock stands still while it waits for a line, and runs while a
// request is answered: requests are taken one after another.
type Lines struct {
	ending
	toServer chan []byte
	toClient chan []byte

	reading []byte
	writing bytes.Buffer
}

// aftermath is the virtual time that the server has after each answer.
const aftermath = 100 * time.Millisecond

const lineBuffer = 4096 // lines that may wait for a client that does not read

// NewLines makes a way in. It must be made outside of the bubble.
func NewLines() *Lines {
	return &Lines{ending: newEnding(), toServer: make(chan []byte), toClient: make(chan []byte, lineBuffer)}
}

// Read implements io.Reader for one reader: what the server says.
func (l *Lines) Read(b []byte) (int, error) {
	if len(l.reading) == 0 {
		line, ok := <-l.toClient
		if !ok {
			return 0, io.EOF
		}
		l.reading = line
	}
	n := copy(b, l.reading)
	l.reading = l.reading[n:]
	return n, nil
}

// Write implements io.Writer for one writer: what the client says.
func (l *Lines) Write(b []byte) (int, error) {
	l.writing.Write(b)
	for {
		line, err := l.writing.ReadBytes('\n')
		if err != nil {
			l.writing.Write(line)
			return len(b), nil
		}
		select {
		case l.toServer <- line:
		case <-l.gone:
			return 0, io.ErrClosedPipe
		case <-l.over:
			return 0, io.ErrClosedPipe
		}
	}
}

// Close implements io.Closer; the trial goes on until [Lines.Finish].
func (l *Lines) Close() error { return nil }

// Agent is the end of the way inside the bubble.
func (l *Lines) Agent(ctx context.Context, r *Room) (string, evidence.Stop, error) {
	defer close(l.gone)
	defer close(l.toClient)
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = r.ServeLines(ctx, in, out) // how it ends is the client's doing
		_ = out.Close()
		_ = in.Close()
	}()
	answers := make(chan string, 16) // ids that were answered
	pumped := make(chan struct{})
	go func() {
		defer close(pumped)
		l.pump(fromServer, answers)
	}()
	broken := false
	for {
		var line []byte
		select {
		case line = <-l.toServer:
		case <-l.over:
			_ = toServer.Close()
			<-served
			<-pumped
			return l.final, l.stop, l.err
		}
		if broken {
			continue // until Finish, whatever else is said
		}
		if _, err := toServer.Write(line); err != nil {
			broken = true
			continue
		}
		await := requestID(line)
		for await != "" {
			id, ok := <-answers
			if !ok || id == await {
				break
			}
		}
		// What the server says unasked, such as a changed tool list, it says a
		// moment later; the clock must not stop before.
		time.Sleep(aftermath)
	}
}

// pump hands the server's lines out and tells which requests they answer.
func (l *Lines) pump(from io.Reader, answers chan<- string) {
	defer close(answers)
	s := bufio.NewReaderSize(from, 64<<10)
	for {
		line, err := s.ReadBytes('\n')
		if len(line) > 0 {
			l.toClient <- line
			if id := answerID(line); id != "" {
				answers <- id
			}
		}
		if err != nil {
			return
		}
	}
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// requestID is the id of a request; empty for a notification, an answer, and
// what is no message at all.
func requestID(line []byte) string {
	var m message
	if json.Unmarshal(line, &m) != nil || m.Method == "" || string(m.ID) == "null" || m.Method == "subscriptions/listen" {
		return ""
	}
	return string(m.ID)
}

func answerID(line []byte) string {
	var m message
	if json.Unmarshal(line, &m) != nil || m.Method != "" {
		return ""
	}
	return string(m.ID)
}
