package bridge_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/bridge"
	"godot-mcp/server/bridge/bridgetest"
	"godot-mcp/server/wire"
)

const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

// request sends one raw request and returns the status; the connection stays open.
func request(t *testing.T, n *bridgetest.Net, head string) (int, net.Conn) {
	t.Helper()
	conn, err := n.Dial(t.Context())
	require.NoError(t, err)
	_, err = conn.Write([]byte(head + "\r\n"))
	require.NoError(t, err)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	return resp.StatusCode, conn
}

func TestHandshakeIsCheckedBeforeAnythingIsServed(t *testing.T) {
	for _, c := range []struct {
		name, url, token, head string
		status                 int
	}{
		{"loopback", "", "", "GET / HTTP/1.1\r\nHost: 127.0.0.1:9080\r\n" + upgrade, 101},
		{"localhost", "", "", "GET / HTTP/1.1\r\nHost: LocalHost:9080\r\n" + upgrade, 101},
		{"ipv6", "", "", "GET / HTTP/1.1\r\nHost: [::1]:9080\r\n" + upgrade, 101},
		{"no port", "", "", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + upgrade, 101},
		{"rebinding", "", "", "GET / HTTP/1.1\r\nHost: evil.example:9080\r\n" + upgrade, 403},
		{"rebinding, equal origin", "", "", "GET / HTTP/1.1\r\nHost: evil.example:9080\r\nOrigin: http://evil.example:9080\r\n" + upgrade, 403},
		{"name that begins like loopback", "", "", "GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\n" + upgrade, 403},
		{"empty host", "", "", "GET / HTTP/1.1\r\nHost: \r\n" + upgrade, 403},
		{"loopback origin", "", "", "GET / HTTP/1.1\r\nHost: 127.0.0.1:9080\r\nOrigin: http://127.0.0.1:9080\r\n" + upgrade, 403},
		{"null origin", "", "", "GET / HTTP/1.1\r\nHost: 127.0.0.1:9080\r\nOrigin: null\r\n" + upgrade, 403},
		{"empty origin", "", "", "GET / HTTP/1.1\r\nHost: 127.0.0.1:9080\r\nOrigin: \r\n" + upgrade, 403},
		{"origin on a plain request", "", "", "GET / HTTP/1.1\r\nHost: 127.0.0.1:9080\r\nOrigin: null\r\n", 403},
		{"other path", "", "", "GET /x HTTP/1.1\r\nHost: 127.0.0.1:9080\r\n" + upgrade, 404},
		{"rebinding in the request line", "", "", "GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1\r\n" + upgrade, 403},
		{"two hosts", "", "", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n" + upgrade, 400},
		{"image of another site", "", "", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: cross-site\r\n", 403},
		{"page of this machine", "", "", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-site\r\n" + upgrade, 403},
		{"token in the address", "", "secret", "GET /?token=secret HTTP/1.1\r\nHost: 127.0.0.1\r\n" + upgrade, 400},
		{"right and wrong bearer", "", "secret", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer secret\r\nAuthorization: Bearer x\r\n" + upgrade, 401},
		{"climbing", "", "", "GET /x/.. HTTP/1.1\r\nHost: 127.0.0.1\r\n" + upgrade, 404},
		{"star", "", "", "OPTIONS * HTTP/1.1\r\nHost: evil.example\r\n", 403},
		{"HTTP/1.0", "", "", "GET / HTTP/1.0\r\nHost: 127.0.0.1\r\n" + upgrade, 426},
		{"older WebSocket", "", "", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + strings.Replace(upgrade, "13", "8", 1), 400},
		{"post", "", "", "POST / HTTP/1.1\r\nHost: 127.0.0.1:9080\r\nContent-Length: 0\r\n", 405},
		{"not a websocket", "", "", "GET / HTTP/1.1\r\nHost: 127.0.0.1:9080\r\nUpgrade: x\r\n", 426},
		{"right bearer", "", "secret", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer secret\r\n" + upgrade, 101},
		{"bearer to come as a message", "", "secret", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + upgrade, 101},
		{"wrong bearer", "", "secret", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer secre\r\n" + upgrade, 401},
		{"wrong scheme", "", "secret", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Basic secret\r\n" + upgrade, 401},
		{"bearer without need", "", "", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer x\r\n" + upgrade, 101},
		{"bound host", "ws://editor.lan:9080", "s", "GET / HTTP/1.1\r\nHost: editor.lan:9080\r\n" + upgrade, 101},
		{"other host", "ws://editor.lan:9080", "s", "GET / HTTP/1.1\r\nHost: other.lan:9080\r\n" + upgrade, 403},
		{"any address, literal host", "ws://0.0.0.0:9080", "s", "GET / HTTP/1.1\r\nHost: 10.1.2.3:9080\r\n" + upgrade, 101},
		{"any address, name", "ws://0.0.0.0:9080", "s", "GET / HTTP/1.1\r\nHost: evil.example\r\n" + upgrade, 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, n := bridgetest.Start(t, bridge.Config{URL: c.url, Token: c.token})
				status, conn := request(t, n, c.head)
				assert.Equal(t, c.status, status)
				assert.False(t, b.Status().Connected)
				if status != 101 && c.name != "two hosts" { // those do not get as far as the bridge
					assert.Equal(t, 1, b.Status().Counters.Refused)
				}
				require.NoError(t, conn.Close())
			})
		})
	}
}

func TestURLs(t *testing.T) {
	for url, ok := range map[string]bool{
		"": true, "ws://127.0.0.1:1": true, "ws://localhost:0": true, "ws://[::1]:9080": true, "ws://127.0.0.1:9080/": true,
		"wss://127.0.0.1:9080": false, "http://127.0.0.1:9080": false, "127.0.0.1:9080": false, "ws://127.0.0.1": false,
		"ws://:9080": false, "ws://0.0.0.0:9080": false, "ws://192.168.1.2:9080": false, "ws://u:p@127.0.0.1:9080": false,
		"ws://127.0.0.1:9080?x=1": false, "ws://127.0.0.1:x": false,
	} {
		_, err := bridge.New(bridge.Config{URL: url})
		assert.Equal(t, ok, err == nil, "%s: %v", url, err)
	}
	_, err := bridge.New(bridge.Config{URL: "ws://0.0.0.0:9080", Token: "t"})
	assert.NoError(t, err)
}

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		name, server, editor, header string
		ok                           bool
	}{
		{"none", "", "", "", true},
		{"server unset", "", "x", "", true},
		{"equal message", "secret", "secret", "", true},
		{"equal header", "secret", "", "Bearer secret", true},
		{"both", "secret", "secret", "Bearer secret", true},
		{"missing", "secret", "", "", false},
		{"wrong", "secret", "Secret", "", false},
		{"wrong message after right header", "secret", "other", "Bearer secret", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, n := bridgetest.Start(t, bridge.Config{Token: c.server})
				e := bridgetest.NewEditor(n)
				e.Token = c.editor
				if c.header != "" {
					e.Header = http.Header{"Authorization": {c.header}}
				}
				err := e.Connect(t.Context())
				defer e.Drop()
				if c.ok {
					require.NoError(t, err)
					return
				}
				require.Error(t, err)
				assert.Equal(t, wire.Fail(wire.ReasonAuth), wire.AsError(err))
				assert.False(t, b.Status().Connected)
				assert.Empty(t, e.Commands())
				assert.NotContains(t, b.Status().LastError, "secret")
			})
		})
	}
}

func TestHelloIsChecked(t *testing.T) {
	for name, first := range map[string]string{
		"short session": `{"command":"cmd_peer_hello","session":"1234567"}`,
		"no session":    `{"command":"cmd_peer_hello"}`,
		"not JSON":      `hello`,
		"an array":      `[]`,
		"wrong types":   `{"command":"cmd_peer_hello","session":"12345678","commands":5}`,
		"a reply":       `{"id":"1","ok":true,"result":{}}`,
		"only a token":  `{"command":"cmd_auth","token":"x"}`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, n := bridgetest.Start(t, bridge.Config{})
				c := bridgetest.DialRaw(t, n)
				c.Send([]byte(first))
				if name == "only a token" {
					c.Send([]byte(first))
				}
				<-c.Done()
				require.Len(t, c.Notices(), 1)
				assert.Equal(t, wire.ReasonBadParams, c.Notices()[0].Reason)
				assert.False(t, *c.Notices()[0].OK)
				assert.Equal(t, 1, b.Status().Counters.Refused)
			})
		})
	}
}

func TestWhoIsSilentIsClosedAfterFiveSeconds(t *testing.T) {
	for name, head := range map[string]string{
		"nothing": "", "half a request": "GET / HTTP/1.1\r\nHost: ", "no hello": "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + upgrade + "\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				_, n := bridgetest.Start(t, bridge.Config{})
				conn, err := n.Dial(t.Context())
				require.NoError(t, err)
				begin := time.Now()
				if head != "" {
					_, err = conn.Write([]byte(head))
					require.NoError(t, err)
				}
				waitClosed(conn)
				assert.LessOrEqual(t, time.Since(begin), 6*time.Second)
			})
		})
	}
}

func waitClosed(conn net.Conn) {
	buf := make([]byte, 512)
	for {
		if _, err := conn.Read(buf); err != nil {
			return
		}
	}
}

// A flood of half-open connections neither piles up nor keeps an editor out.
func TestAFloodOfHandshakesIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, n := bridgetest.Start(t, bridge.Config{})
		var conns []net.Conn
		defer func() {
			for _, c := range conns {
				_ = c.Close()
			}
		}()
		for range 100 {
			conn, err := n.Dial(t.Context())
			require.NoError(t, err)
			conns = append(conns, conn)
		}
		synctest.Wait()
		open := 0
		for _, c := range conns {
			if c.SetReadDeadline(time.Now().Add(time.Millisecond)) != nil {
				continue
			}
			if _, err := c.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
				open++
			}
		}
		assert.Equal(t, 16, open)
		e := bridgetest.NewEditor(n)
		require.NoError(t, e.Connect(t.Context()))
		defer e.Drop()
		assert.True(t, b.Do(t.Context(), wire.CmdPing, nil).OK())
	})
}

func TestAHelloCannotBeHuge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, n := bridgetest.Start(t, bridge.Config{})
		c := bridgetest.DialRaw(t, n)
		c.Send([]byte(`{"command":"cmd_peer_hello","session":"` + strings.Repeat("x", 1<<20) + `"}`))
		<-c.Done()
		assert.False(t, b.Status().Connected)
	})
}

// A plain GET says who this is, to a second server that cannot have the port.
func TestIdentity(t *testing.T) {
	for token, project := range map[string]string{"": "/project", "secret": ""} {
		synctest.Test(t, func(t *testing.T) {
			_, n := bridgetest.Start(t, bridge.Config{Token: token, Version: "1.2"})
			e := bridgetest.NewEditor(n)
			e.Token = token
			require.NoError(t, e.Connect(t.Context()))
			defer e.Drop()
			conn, err := n.Dial(t.Context())
			require.NoError(t, err)
			defer func() { _ = conn.Close() }()
			_, err = conn.Write([]byte("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
			require.NoError(t, err)
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err)
			var o bridge.Owner
			require.NoError(t, json.NewDecoder(resp.Body).Decode(&o))
			assert.Equal(t, project, o.Project)
			assert.Equal(t, "1.2", o.Version)
			assert.Equal(t, "godot-mcp", o.Product)
		})
	}
}
