package server

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/approval"
	"godot-mcp/server/catalog/catalogtest"
)

// A call that waits when the process is told to stop is answered: its client may
// still read, and has to know whether the call can have happened.
func TestCallsThatWaitAreAnsweredAtTheEnd(t *testing.T) {
	for name, end := range map[string]func(*client){
		"signal": func(c *client) { c.stop() },
		"closed": func(c *client) { c.server.Close() },
	} {
		t.Run(name+", for a person", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newSlowPerson(time.Hour, approval.Verdict{Approved: true})
				c, e := approved(t, p, nil)
				c.send(undoCall + "}}")
				<-p.asked
				end(c)
				m := c.next()
				assert.Equal(t, "7", string(m.ID))
				assert.Contains(t, string(m.Result), `"isError":true`)
				assert.Contains(t, string(m.Result), `"reason":"shutting_down"`)
				assert.NotContains(t, string(m.Result), "may_have_applied")
				assert.False(t, e.LastOrder().Changing)
				<-c.ended
			})
		})
		t.Run(name+", for the editor", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := connect(t, testConfig(), hungEditor{catalogtest.New()})
				c.initialize()
				c.send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"godot_list_history"}}`)
				synctest.Wait()
				end(c)
				m := c.next()
				assert.Equal(t, "7", string(m.ID))
				assert.Contains(t, string(m.Result), `"isError":true`)
				<-c.ended
			})
		})
	}
}

// A stream for news is no call: nothing waits for it, at a stop as little as at
// the end of input.
func TestAnOpenStreamHoldsNoEnd(t *testing.T) {
	for name, end := range map[string]func(*client){
		"signal":       func(c *client) { c.stop() },
		"end of input": func(c *client) { _ = c.in.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := connect(t, testConfig(), catalogtest.New())
				c.send(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{` +
					`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`)
				assert.Contains(t, c.next().Method, "acknowledged")
				begin := time.Now()
				end(c)
				c.drain()
				assert.Less(t, time.Since(begin), drainLimit)
			})
		})
	}
}

// A client that no longer reads holds the process no longer than others.
func TestAStopDoesNotWaitForAReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, testConfig(), hungEditor{catalogtest.New()})
		c.initialize()
		c.send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"godot_list_history"}}`)
		synctest.Wait()
		begin := time.Now()
		c.stop()
		require.ErrorIs(t, <-c.ended, context.Canceled)
		assert.Equal(t, sessionEndLimit, time.Since(begin))
	})
}
