package server

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog/catalogtest"
)

const okBody = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// What is refused on its headers is refused before a byte of the body is sent,
// and the connection ends.
func TestGuardsComeBeforeTheBody(t *testing.T) {
	head := func(line string, headers ...string) string {
		return line + "\r\n" + strings.Join(headers, "\r\n") + "\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n"
	}
	for _, c := range []struct {
		name, head string
		status     int
	}{
		{"rebinding", head("POST /mcp HTTP/1.1", "Host: evil.example:9090"), 403},
		{"rebinding in the request line", head("POST http://evil.example/mcp HTTP/1.1", "Host: 127.0.0.1:9090"), 403},
		{"foreign origin", head("POST /mcp HTTP/1.1", "Host: 127.0.0.1:9090", "Origin: https://evil.example"), 403},
		{"null origin", head("POST /mcp HTTP/1.1", "Host: 127.0.0.1:9090", "Origin: null"), 403},
		{"empty origin", head("POST /mcp HTTP/1.1", "Host: 127.0.0.1:9090", "Origin: "), 403},
		{"cross-site image", head("GET /mcp HTTP/1.1", "Host: 127.0.0.1:9090", "Sec-Fetch-Site: cross-site"), 403},
		{"no host in HTTP/1.0", head("POST /mcp HTTP/1.0"), 403},
		{"HTTP/1.0", head("POST /mcp HTTP/1.0", "Host: 127.0.0.1:9090"), 505},
		{"no host in HTTP/1.1", head("POST /mcp HTTP/1.1"), 400},
		{"two hosts", head("POST /mcp HTTP/1.1", "Host: 127.0.0.1", "Host: evil.example"), 400},
		{"other path", head("POST / HTTP/1.1", "Host: 127.0.0.1"), 404},
		{"below", head("POST /mcp/x HTTP/1.1", "Host: 127.0.0.1"), 404},
		{"slash", head("POST /mcp/ HTTP/1.1", "Host: 127.0.0.1"), 404},
		{"two slashes", head("POST //mcp HTTP/1.1", "Host: 127.0.0.1"), 404},
		{"climbing", head("POST /x/../mcp HTTP/1.1", "Host: 127.0.0.1"), 404},
		{"climbing out", head("GET /mcp/../../etc/passwd HTTP/1.1", "Host: 127.0.0.1"), 404},
		{"coded", head("POST /%6dcp HTTP/1.1", "Host: 127.0.0.1"), 404},
		{"coded slash", head("POST /mcp%2f..%2f HTTP/1.1", "Host: 127.0.0.1"), 404},
		{"NUL", head("POST /mcp%00 HTTP/1.1", "Host: 127.0.0.1"), 404},
		{"capitals", head("POST /MCP HTTP/1.1", "Host: 127.0.0.1"), 404},
		{"star", head("OPTIONS * HTTP/1.1", "Host: 127.0.0.1"), 404},
		{"OAuth discovery", head("GET /.well-known/oauth-protected-resource HTTP/1.1", "Host: 127.0.0.1"), 404},
		{"token in the address", head("POST /mcp?token=secret HTTP/1.1", "Host: 127.0.0.1"), 400},
		{"empty query", head("POST /mcp? HTTP/1.1", "Host: 127.0.0.1"), 400},
		{"PUT", head("PUT /mcp HTTP/1.1", "Host: 127.0.0.1"), 405},
		{"TRACE", head("TRACE /mcp HTTP/1.1", "Host: 127.0.0.1"), 405},
		{"CONNECT", head("CONNECT 127.0.0.1:22 HTTP/1.1", "Host: 127.0.0.1"), 404},
		{"OPTIONS without origin", head("OPTIONS /mcp HTTP/1.1", "Host: 127.0.0.1"), 405},
		{"no token", head("POST /mcp HTTP/1.1", "Host: 127.0.0.1"), 401},
		{"wrong token", head("POST /mcp HTTP/1.1", "Host: 127.0.0.1", "Authorization: Bearer Secret"), 401},
		{"half the token", head("POST /mcp HTTP/1.1", "Host: 127.0.0.1", "Authorization: Bearer sec"), 401},
		{"right and wrong token", head("POST /mcp HTTP/1.1", "Host: 127.0.0.1", "Authorization: Bearer secret", "Authorization: Bearer x"), 401},
		{"giant", strings.Replace(head("POST /mcp HTTP/1.1", "Host: 127.0.0.1", "Authorization: Bearer secret"), "1000000", "99999999999", 1), 413},
		{"wrong type", strings.Replace(head("POST /mcp HTTP/1.1", "Host: 127.0.0.1", "Authorization: Bearer secret"), "application/json", "text/plain", 1), 415},
		{"form", strings.Replace(head("POST /mcp HTTP/1.1", "Host: 127.0.0.1", "Authorization: Bearer secret"), "application/json", "application/x-www-form-urlencoded", 1), 415},
		{"GET with a body", head("GET /mcp HTTP/1.1", "Host: 127.0.0.1", "Authorization: Bearer secret"), 400},
		{"length that is none", strings.Replace(head("POST /mcp HTTP/1.1", "Host: 127.0.0.1"), "1000000", "-1", 1), 400},
		{"two lengths", head("POST /mcp HTTP/1.1", "Host: 127.0.0.1", "Content-Length: 5"), 400},
		{"unknown coding", head("POST /mcp HTTP/1.1", "Host: 127.0.0.1", "Transfer-Encoding: gzip, chunked"), 501},
		{"two codings", head("POST /mcp HTTP/1.1", "Host: 127.0.0.1", "Transfer-Encoding: chunked", "Transfer-Encoding: identity"), 501},
		{"space before the colon", head("POST /mcp HTTP/1.1", "Host : 127.0.0.1"), 400},
		{"folded header", head("POST /mcp HTTP/1.1", "Host: 127.0.0.1", "X: a\r\n b"), 401},
		{"no HTTP at all", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400},
		{"headers without end", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", 431},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := &buffer{}
				cfg := testConfig()
				cfg.Log = log
				w := serveWeb(t, cfg, HTTPOptions{Token: "secret"}, catalogtest.New())
				begin := time.Now()
				conn := w.dial()
				defer func() { _ = conn.Close() }()
				go func() { _, _ = io.WriteString(conn, c.head) }()
				r := bufio.NewReader(conn)
				resp, err := http.ReadResponse(r, nil)
				require.NoError(t, err)
				assert.Equal(t, c.status, resp.StatusCode)
				assert.Zero(t, time.Since(begin), "it waits for nothing")
				if c.status == http.StatusMethodNotAllowed {
					assert.NotEmpty(t, resp.Header.Get("Allow"))
				}
				if c.status == http.StatusUnauthorized {
					assert.Contains(t, resp.Header.Get("WWW-Authenticate"), "Bearer")
				}
				assert.NotContains(t, strings.ToLower(text(t, resp)+log.b.String()), "secret")
				_, err = io.Copy(io.Discard, r)
				require.NoError(t, err, "the connection ends")
				assert.Zero(t, w.sessions())
				assert.Zero(t, w.handler.body.Budget.Used())
				w.close()
			})
		})
	}
}

// Requests that are let through, and what the protocol makes of them.
func TestServedRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serveWeb(t, testConfig(), HTTPOptions{Hosts: []string{"godot.lan"}, Origins: []string{"https://app.example"}}, catalogtest.New())
		id := w.open()
		host := func(request, host string) string { return strings.Replace(request, "127.0.0.1:9090", host, 1) }
		for name, c := range map[string]struct {
			request string
			status  int
		}{
			"missing origin":        {post(okBody, "Mcp-Session-Id", id), 200},
			"own origin":            {post(okBody, "Mcp-Session-Id", id, "Origin", "http://127.0.0.1:9090"), 200},
			"listed origin":         {post(okBody, "Mcp-Session-Id", id, "Origin", "https://app.example"), 200},
			"listed host":           {host(post(okBody, "Mcp-Session-Id", id), "godot.lan"), 200},
			"localhost":             {host(post(okBody, "Mcp-Session-Id", id), "localhost:1234"), 200},
			"chunked":               {legacyHead + "Mcp-Session-Id: " + id + "\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n" + okBody[:16] + "\r\n" + fmt.Sprintf("%x", len(okBody)-16) + "\r\n" + okBody[16:] + "\r\n0\r\n\r\n", 200},
			"chunk that lies":       {legacyHead + "Mcp-Session-Id: " + id + "\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n" + okBody + "\r\n0\r\n\r\n", 400},
			"chunk too long":        {legacyHead + "Mcp-Session-Id: " + id + "\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n" + okBody + "\r\n0\r\n\r\n", 400},
			"chunk of many digits":  {legacyHead + "Mcp-Session-Id: " + id + "\r\nTransfer-Encoding: chunked\r\n\r\n" + strings.Repeat("f", 17) + "\r\nx", 400},
			"chunked and a length":  {legacyHead + "Mcp-Session-Id: " + id + "\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
			"no body":               {post("", "Mcp-Session-Id", id), 400},
			"no JSON":               {post("{", "Mcp-Session-Id", id), 400},
			"no UTF-8":              {post("{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}", "Mcp-Session-Id", id), 400},
			"a number":              {post("5", "Mcp-Session-Id", id), 400},
			"an empty batch":        {post("[]", "Mcp-Session-Id", id), 400},
			"deep":                  {post(strings.Repeat("[", 20_000)+strings.Repeat("]", 20_000), "Mcp-Session-Id", id), 400},
			"a batch too long":      {post("["+strings.Repeat(okBody+",", maxBatch)+okBody+"]", "Mcp-Session-Id", id), 400},
			"a member twice":        {post(`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}`, "Mcp-Session-Id", id), 400},
			"an id above 53 bits":   {post(`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, "Mcp-Session-Id", id), 400},
			"no Accept":             {strings.Replace(post(okBody, "Mcp-Session-Id", id), "Accept", "X-Accept", 1), 400},
			"other session":         {post(okBody, "Mcp-Session-Id", "x"+id[1:]), 404},
			"no session":            {post(okBody), 400},
			"two sessions":          {post(okBody, "Mcp-Session-Id", id, "Mcp-Session-Id", "other"), 400},
			"two versions":          {post(okBody, "Mcp-Session-Id", id, "MCP-Protocol-Version", "2025-11-25", "MCP-Protocol-Version", "2026-07-28"), 400},
			"two types":             {post(okBody, "Mcp-Session-Id", id, "Content-Type", "text/plain"), 400},
			"unknown version":       {post(okBody, "Mcp-Session-Id", id, "MCP-Protocol-Version", "1999-01-01"), 400},
			"initialize in a batch": {post("[" + initializeBody + "]"), 400},
			"a notification":        {post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "Mcp-Session-Id", id), 202},
			"GET without session":   {"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n", 400},
			"GET of another":        {"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nMcp-Session-Id: x\r\n\r\n", 404},
			"DELETE of another":     {"DELETE /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nMcp-Session-Id: x\r\n\r\n", 404},
		} {
			r := w.raw(c.request)
			assert.Equal(t, c.status, r.StatusCode, "%s: %s", name, text(t, r))
		}
		assert.Equal(t, 1, w.sessions(), "none of them opened a session")
		r := w.raw("OPTIONS /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://app.example\r\nAccess-Control-Request-Method: POST\r\n\r\n")
		assert.Equal(t, http.StatusNoContent, r.StatusCode)
		assert.Equal(t, "https://app.example", r.Header.Get("Access-Control-Allow-Origin"))
		assert.Contains(t, r.Header.Get("Access-Control-Allow-Headers"), "Authorization")
		assert.Empty(t, w.raw(post(okBody, "Mcp-Session-Id", id)).Header.Get("Access-Control-Allow-Origin"))
		w.close()
	})
}

// A body that does not come, comes drop by drop or has no end costs its sender
// the connection, in bounded time and memory.
func TestSlowAndEndlessRequests(t *testing.T) {
	for name, c := range map[string]struct {
		head  string
		piece string
		every time.Duration
		limit time.Duration
	}{
		"silence":           {"", "", 0, 6 * time.Second},
		"half a line":       {"POST /mc", "", 0, 6 * time.Second},
		"slow headers":      {"POST /mcp HTTP/1.1\r\n", "X: y\r\n", time.Second, 6 * time.Second},
		"no body":           {legacyHead + "Content-Length: 100\r\n\r\n", "", 0, 16 * time.Second},
		"slow body":         {legacyHead + "Content-Length: 4000000\r\n\r\n", " ", time.Second, 16 * time.Second},
		"slow chunks":       {legacyHead + "Transfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n", time.Second, 16 * time.Second},
		"chunks of nothing": {legacyHead + "Transfer-Encoding: chunked\r\n\r\n1;", "x", time.Millisecond, 16 * time.Second},
		"no end":            {legacyHead + "Transfer-Encoding: chunked\r\n\r\n", "8000\r\n" + strings.Repeat(" ", 0x8000) + "\r\n", time.Millisecond, time.Second},
		"refused, slow":     {strings.Replace(legacyHead, "127.0.0.1", "evil", 1) + "Content-Length: 4000000\r\n\r\n", " ", time.Second, time.Second},
		"idle":              {post(initializeBody), "", 0, httpKeepAlive + time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := serveWeb(t, testConfig(), HTTPOptions{}, catalogtest.New())
				conn := w.dial()
				defer func() { _ = conn.Close() }()
				begin := time.Now()
				sent := make(chan struct{})
				go func() {
					defer close(sent)
					_, err := io.WriteString(conn, c.head)
					for err == nil && c.piece != "" {
						<-time.After(c.every)
						_, err = io.WriteString(conn, c.piece)
					}
				}()
				_, err := io.Copy(io.Discard, conn)
				require.NoError(t, err)
				<-sent
				assert.LessOrEqual(t, time.Since(begin), c.limit)
				synctest.Wait()
				assert.Zero(t, w.handler.body.Budget.Used())
				w.close()
			})
		})
	}
}

// Many bodies at once take a bounded amount of memory, and what is over it is
// told to come again.
func TestBodiesShareABudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := serveWeb(t, testConfig(), HTTPOptions{}, catalogtest.New())
		w.handler.body.Budget.Max = 1 << 20
		id := w.open()
		const piece = 900_000
		slow := w.dial()
		defer func() { _ = slow.Close() }()
		go func() {
			_, _ = io.WriteString(slow, legacyHead+"Content-Length: 4000000\r\n\r\n"+strings.Repeat(" ", piece))
		}()
		synctest.Wait()
		assert.EqualValues(t, piece, w.handler.body.Budget.Used())
		big := strings.Replace(okBody, "{", "{"+strings.Repeat(" ", 200_000), 1)
		assert.Equal(t, http.StatusServiceUnavailable, w.raw(post(big, "Mcp-Session-Id", id)).StatusCode)
		assert.Equal(t, http.StatusOK, w.raw(post(okBody, "Mcp-Session-Id", id)).StatusCode)
		_, err := io.Copy(io.Discard, slow)
		require.NoError(t, err)
		assert.Equal(t, http.StatusOK, w.raw(post(big, "Mcp-Session-Id", id)).StatusCode)
		w.close()
	})
}
