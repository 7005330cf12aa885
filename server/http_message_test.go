package server

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What decides where a body goes is what the SDK reads of it: members in another
// case are others.
func TestBodiesAreReadInTheirCase(t *testing.T) {
	look := func(body string) *webMessage {
		m := &webMessage{r: httptest.NewRequest(http.MethodPost, "/mcp", nil), era: legacyEra}
		m.look([]byte(body))
		return m
	}
	m := look(`{"jsonrpc":"2.0","id":1,"method":"tools/list","METHOD":"initialize","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}},"PARAMS":{}}`)
	assert.Equal(t, "tools/list", m.method)
	assert.Equal(t, modernEra, m.era)
	assert.NotNil(t, m.fault)
	m = look(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/clientInfo":{"name":"a","NAME":"b","version":"1"}},"Params":{}}}`)
	assert.Equal(t, "a 1", m.client)
	assert.Nil(t, m.fault)
	for _, odd := range []string{`{"jsonrpc":"2.0","id":1,"method":7,"params":7}`, `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":[]}}`, `7`, `{}`} {
		assert.Nil(t, look(odd).fault, odd)
	}
}
