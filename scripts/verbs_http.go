package scripts

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"godot-mcp/server"
	"godot-mcp/server/bridge/bridgetest"
)

// httpDoor serves the server of a session over HTTP, in memory.
type httpDoor struct {
	handler *server.HTTPHandler
	srv     *http.Server
	net     *bridgetest.Net
	session string // the id that the last answer gave
}

// verbHTTP sends a raw request to the server over HTTP, and shows the status and
// what came back.
func verbHTTP(sc *scenario, ts *testscript.TestScript, args []string) error {
	return sc.sendRaw(ts, "http", args, func(s *session, content []byte) (any, error) {
		if s.door == nil {
			door, err := openDoor(s)
			if err != nil {
				return nil, err
			}
			s.door = door
		}
		return s.door.ask(sc.ctx, string(content))
	})
}

func openDoor(s *session) (*httpDoor, error) {
	h, err := s.srv.HTTPHandler(s.http)
	if err != nil {
		return nil, err
	}
	d := &httpDoor{handler: h, net: bridgetest.NewNet(), srv: &http.Server{Handler: h, DisableGeneralOptionsHandler: true}}
	ln, err := d.net.Listen("tcp", "")
	if err != nil {
		return nil, err
	}
	go func() { _ = d.srv.Serve(ln) }()
	return d, nil
}

func (d *httpDoor) close() {
	d.handler.Close()
	_ = d.srv.Close()
}

// ask makes the lines of a member a request: line ends are those of HTTP, a length
// is added where a body has none, and @session is the id of the open session.
func (d *httpDoor) ask(ctx context.Context, text string) (string, error) {
	head, body, _ := strings.Cut(strings.ReplaceAll(text, "@session", d.session), "\n\n")
	body = strings.TrimSuffix(body, "\n")
	lines := strings.Split(strings.TrimRight(head, "\n"), "\n")
	if body != "" && !strings.Contains(strings.ToLower(head), "\ncontent-length:") {
		lines = append(lines, "Content-Length: "+strconv.Itoa(len(body)))
	}
	conn, err := d.net.Dial(ctx)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }()
	go func() { _, _ = io.WriteString(conn, strings.Join(lines, "\r\n")+"\r\n\r\n"+body) }()
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return "", err
	}
	defer func() { _ = r.Body.Close() }()
	if id := r.Header.Get("Mcp-Session-Id"); id != "" {
		d.session = id
	}
	said, err := io.ReadAll(r.Body)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d\n%s", r.StatusCode, bytes.TrimSpace(said)), nil
}
