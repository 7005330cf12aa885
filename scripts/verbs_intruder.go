package scripts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/coder/websocket"
	"github.com/rogpeppe/go-internal/testscript"

	"godot-mcp/server/wire"
)

// verbIntruder is somebody on this machine who dials the server as an editor
// would. The words before FILE shape the handshake; FILE says what follows, see
// [intruder.line]. What the server answered is shown, a line each.
func verbIntruder(sc *scenario, ts *testscript.TestScript, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("usage: intruder [origin=O] [host=H] [path=P] [bearer=T] FILE")
	}
	content, err := member(sc, ts, args[len(args)-1])
	if err != nil {
		return err
	}
	v, err := sc.agree(nil, func(s *session) (any, error) {
		in := &intruder{ctx: sc.ctx, s: s}
		in.dial(args[:len(args)-1])
		for line := range strings.Lines(string(content)) {
			if line = strings.TrimSpace(line); line == "" || in.conn == nil {
				continue
			}
			if err := in.line(line); err != nil {
				return nil, err
			}
		}
		if in.conn != nil && !in.stays {
			_ = in.conn.CloseNow()
		}
		return strings.Join(in.heard, "\n"), nil
	})
	if err != nil {
		return err
	}
	return sc.show(ts, v)
}

// intruder is one connection that is not the editor's.
type intruder struct {
	ctx   context.Context
	s     *session
	conn  *websocket.Conn // nil: the handshake was refused, or the link is closed
	stays bool
	heard []string
}

func (in *intruder) dial(words []string) {
	o := &websocket.DialOptions{HTTPHeader: http.Header{}}
	url := in.s.url
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "origin":
			o.HTTPHeader.Set("Origin", value)
		case "host":
			o.Host = value
		case "bearer":
			o.HTTPHeader.Set("Authorization", "Bearer "+value)
		case "path":
			url += value
		}
	}
	conn, res, err := websocket.Dial(in.ctx, url, o)
	switch {
	case err == nil:
		in.conn = conn
		in.say("open")
	case res != nil:
		in.say("refused %d", res.StatusCode)
	default:
		in.say("refused")
	}
}

// line does one line of the script: JSON is sent as it is, and the words are
//
//	hello [KEY=VALUE]...  a sound hello of another editor; session=peer and
//	                      project=peer take those of the editor that is there
//	hear                  wait for one message, or the end
//	serve JSON            answer every command from now on with this result, until
//	                      the end of the scenario
//	big N                 a text message of N bytes
//	binary TEXT           a binary message
func (in *intruder) line(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case strings.HasPrefix(line, "{") || strings.HasPrefix(line, "["):
		return in.send(websocket.MessageText, line)
	case word == "hello":
		return in.hello(strings.Fields(rest))
	case word == "hear":
		in.hear()
		return nil
	case word == "serve":
		in.stays = true
		go in.serve(json.RawMessage(rest))
		return nil
	case word == "big":
		var n int
		if _, err := fmt.Sscan(rest, &n); err != nil {
			return err
		}
		return in.send(websocket.MessageText, `{"command":"`+strings.Repeat("x", n)+`"}`)
	case word == "binary":
		return in.send(websocket.MessageBinary, rest)
	}
	return fmt.Errorf("unknown line %q", line)
}

func (in *intruder) say(format string, args ...any) {
	in.heard = append(in.heard, fmt.Sprintf(format, args...))
}

// send puts a message out; that the server has hung up is found by hear.
func (in *intruder) send(kind websocket.MessageType, text string) error {
	if err := in.conn.Write(in.ctx, kind, []byte(text)); err != nil && in.ctx.Err() != nil {
		return err
	}
	return nil
}

func (in *intruder) hello(fields []string) error {
	peer := in.s.srv.Bridge().Peer()
	h := wire.Hello{
		Command: wire.HelloCommand, Session: "intruder-session", ProjectPath: "/intruder", ProjectName: "Intruder",
		GodotVersion: "4.6.3-stable (official)", AddonVersion: "1.0.0", Backend: "godot",
		VocabularyHash: wire.VocabularyHash, MaxBytes: wire.MaxMessageBytes,
	}
	for _, c := range wire.Commands {
		h.Commands = append(h.Commands, c.Name)
	}
	for _, f := range fields {
		key, value, _ := strings.Cut(f, "=")
		switch {
		case key == "session" && value == "peer" && peer != nil:
			h.Session = peer.Session
		case key == "session":
			h.Session = value
		case key == "project" && value == "peer" && peer != nil:
			h.ProjectPath = peer.ProjectPath
		case key == "project":
			h.ProjectPath = value
		default:
			return fmt.Errorf("unknown key %q", key)
		}
	}
	raw, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return in.send(websocket.MessageText, string(raw))
}

// hear notes the next message: its command or its refusal, or how the link ended.
func (in *intruder) hear() {
	_, data, err := in.conn.Read(in.ctx)
	if err != nil {
		var closed websocket.CloseError
		if errors.As(err, &closed) {
			in.say("closed %d %s", closed.Code, closed.Reason)
		} else {
			in.say("closed")
		}
		in.conn = nil
		return
	}
	var m struct {
		Command, Code, Reason string
		OK                    *bool
	}
	if json.Unmarshal(data, &m) != nil {
		in.say("message %s", data)
		return
	}
	in.say("message %s", strings.TrimSpace(strings.Join([]string{m.Command, m.Code, m.Reason}, " ")))
}

// serve plays an editor that answers everything with one result.
func (in *intruder) serve(result json.RawMessage) {
	conn := in.conn
	for {
		_, data, err := conn.Read(in.ctx)
		if err != nil {
			return
		}
		var c struct{ ID string }
		if json.Unmarshal(data, &c) != nil || c.ID == "" {
			continue
		}
		id, err := json.Marshal(c.ID)
		if err != nil {
			return
		}
		if conn.Write(in.ctx, websocket.MessageText, fmt.Appendf(nil, `{"id":%s,"ok":true,"result":%s}`, id, result)) != nil {
			return
		}
	}
}
