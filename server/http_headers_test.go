package server

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"godot-mcp/server/catalog/catalogtest"
)

// In the newest revision three headers repeat what the body says, and have to
// agree with it.
func TestHeadersAgreeWithTheBody(t *testing.T) {
	const call, health = "tools/call", "godot_health_check"
	params := `"name":"` + health + `","arguments":{}`
	good := modern(call, health, params)
	change := func(from, to string) string { return strings.Replace(good, from, to, 1) }
	for name, c := range map[string]struct {
		request      string
		status, code int
	}{
		"all agree":            {good, 200, 0},
		"discover":             {modern("server/discover", "", ""), 200, 0},
		"list":                 {modern("tools/list", "", ""), 200, 0},
		"name in Base64":       {change("Mcp-Name: "+health, "Mcp-Name: =?base64?Z29kb3RfaGVhbHRoX2NoZWNr?="), 200, 0},
		"resource":             {modern("resources/read", "godot://scene/tree", `"uri":"godot://scene/tree"`), 200, 0},
		"a session is ignored": {modern(call, health, params, "Mcp-Session-Id", "whatever"), 200, 0},
		"so is resuming":       {modern(call, health, params, "Last-Event-ID", "x_1"), 200, 0},

		"no version":             {change("MCP-Protocol-Version: 2026-07-28\r\n", ""), 400, codeHeaderMismatch},
		"older version":          {change("MCP-Protocol-Version: 2026-07-28", "MCP-Protocol-Version: 2025-11-25"), 400, codeHeaderMismatch},
		"other version":          {change("MCP-Protocol-Version: 2026-07-28", "MCP-Protocol-Version: 2026-07-29"), 400, codeHeaderMismatch},
		"version that is none":   {change("MCP-Protocol-Version: 2026-07-28", "MCP-Protocol-Version: zero"), 400, codeHeaderMismatch},
		"two versions":           {change("MCP-Protocol-Version: 2026-07-28", "MCP-Protocol-Version: 2026-07-28\r\nMCP-Protocol-Version: 2026-07-28"), 400, codeHeaderMismatch},
		"no method":              {change("Mcp-Method: tools/call\r\n", ""), 400, codeHeaderMismatch},
		"other method":           {change("Mcp-Method: tools/call", "Mcp-Method: tools/list"), 400, codeHeaderMismatch},
		"method in capitals":     {change("Mcp-Method: tools/call", "Mcp-Method: Tools/Call"), 400, codeHeaderMismatch},
		"two methods":            {change("Mcp-Method: tools/call", "Mcp-Method: tools/call\r\nMcp-Method: tools/list"), 400, codeHeaderMismatch},
		"no name":                {change("Mcp-Name: "+health+"\r\n", ""), 400, codeHeaderMismatch},
		"other name":             {change("Mcp-Name: "+health, "Mcp-Name: godot_undo"), 400, codeHeaderMismatch},
		"name of another call":   {modern(call, health, `"name":"godot_undo"`), 400, codeHeaderMismatch},
		"name twice in the body": {modern(call, health, params+`,"name":"godot_undo"`), 400, -32600},
		"Base64 of another name": {change("Mcp-Name: "+health, "Mcp-Name: =?base64?Z29kb3RfdW5kbw==?="), 400, codeHeaderMismatch},
		"Base64 that is none":    {change("Mcp-Name: "+health, "Mcp-Name: =?base64?%%%?="), 400, codeHeaderMismatch},
		"Base64 without end":     {change("Mcp-Name: "+health, "Mcp-Name: =?base64?Z29kb3RfaGVhbHRoX2NoZWNr"), 400, codeHeaderMismatch},
		"Base64 of no text":      {change("Mcp-Name: "+health, "Mcp-Name: =?base64?/w==?="), 400, codeHeaderMismatch},
		"no metadata":            {post(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list"), 400, -32602},
		"a later version":        {strings.ReplaceAll(good, "2026-07-28", "2099-01-01"), 400, -32022},
		"unknown method":         {modern("no/such", "", ""), 404, -32601},
		"a method of older ones": {modern("ping", "", ""), 404, -32601},
		"a batch":                {post("["+okBody+"]", "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "ping"), 400, 0},
		"malformed":              {post("{", "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "ping"), 400, -32700},
		"GET":                    {"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\r\n", 405, 0},
		"DELETE":                 {"DELETE /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nMCP-Protocol-Version: 2026-07-28\r\n\r\n", 405, 0},
		"initialize":             {modern("initialize", "", `"protocolVersion":"2026-07-28","capabilities":{},"clientInfo":{"name":"t","version":"1"}`), 404, -32601},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := serveWeb(t, testConfig(), HTTPOptions{}, catalogtest.New())
				r := w.raw(c.request)
				assert.Equal(t, c.status, r.StatusCode)
				if c.code != 0 {
					assert.Equal(t, c.code, rpcCode(t, r))
				} else {
					t.Log(text(t, r))
				}
				if c.status == http.StatusMethodNotAllowed {
					assert.Equal(t, "POST", r.Header.Get("Allow"))
				}
				assert.Empty(t, r.Header.Get("Mcp-Session-Id"))
				w.close()
			})
		})
	}
}
