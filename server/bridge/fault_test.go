package bridge_test

import (
	"encoding/json"
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

func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

// What an editor may say in answer to a command, ID standing for its id.
func TestReplies(t *testing.T) {
	for _, c := range []struct {
		name, reply string
		result      string      // when it is a success
		reason      wire.Reason // when it is a failure; empty with no result: dropped, so the deadline
	}{
		{"plain", `{"id":"ID","ok":true,"result":{"a":1}}`, `{"a":1}`, ""},
		{"unknown fields", `{"id":"ID","ok":true,"result":{"a":1},"hint":"x","took_ms":3}`, `{"a":1}`, ""},
		{"white space", " {\n\"id\" : \"ID\", \"ok\" : true, \"result\" : { } }\r\n", `{}`, ""},
		{"exact integers", `{"id":"ID","ok":true,"result":{"a":9007199254740993}}`, `{"a":9007199254740993}`, ""},
		{"error", `{"id":"ID","ok":false,"error":"RESOURCE_NOT_FOUND","reason":"node_not_found","details":{"path":"A"}}`, "", wire.ReasonNodeNotFound},
		{"error with a newer reason", `{"id":"ID","ok":false,"error":"CONFLICT","reason":"of_tomorrow"}`, "", "of_tomorrow"},

		{"raw control bytes", "{\"id\":\"ID\",\"ok\":true,\"result\":{\"a\":\"\x00\x01\x1b[31m\n\t\x1f\"}}", `{"a":"\u0000\u0001\u001b[31m\n\t\u001f"}`, ""},
		{"vertical tab as Godot writes it", `{"id":"ID","ok":true,"result":{"a":"x\vy"}}`, `{"a":"x\u000by"}`, ""},
		{"lone surrogates", `{"id":"ID","ok":true,"result":{"a":"\ud800x\udc00","b":"\ud83d\ude00"}}`, `{"a":"\ufffdx\ufffd","b":"😀"}`, ""},
		{"invalid UTF-8", "{\"id\":\"ID\",\"ok\":true,\"result\":{\"a\":\"\xff\xc3\"}}", `{"a":"\ufffd\ufffd"}`, ""},
		{"not numbers", `{"id":"ID","ok":true,"result":{"a":NaN,"b":[inf,-inf,nan],"c":1e99999,"d":-1e99999}}`, `{"a":"nan","b":["inf","-inf","nan"],"c":"inf","d":"-inf"}`, ""},
		{"large and small numbers", `{"id":"ID","ok":true,"result":{"a":1e308,"b":1e-999,"c":true,"d":false,"e":null}}`, `{"a":1e308,"b":1e-999,"c":true,"d":false,"e":null}`, ""},
		{"deep enough", `{"id":"ID","ok":true,"result":{"a":` + nested(500) + `}}`, `{"a":` + nested(500) + `}`, ""},

		{"result is an array", `{"id":"ID","ok":true,"result":[]}`, "", wire.ReasonBadReply},
		{"result is text", `{"id":"ID","ok":true,"result":"x"}`, "", wire.ReasonBadReply},
		{"result is null", `{"id":"ID","ok":true,"result":null}`, "", wire.ReasonBadReply},
		{"no result", `{"id":"ID","ok":true}`, "", wire.ReasonBadReply},
		{"no ok", `{"id":"ID","result":{}}`, "", wire.ReasonBadReply},
		{"ok is text", `{"id":"ID","ok":"true","result":{}}`, "", wire.ReasonBadReply},
		{"ok is null", `{"id":"ID","ok":null,"result":{}}`, "", wire.ReasonBadReply},
		{"no error", `{"id":"ID","ok":false}`, "", wire.ReasonBadReply},
		{"unknown code", `{"id":"ID","ok":false,"error":"PARAM_ERROR"}`, "", wire.ReasonBadReply},
		{"the bridge's own reason", `{"id":"ID","ok":false,"error":"BRIDGE_DISCONNECTED","reason":"not_applied"}`, "", wire.ReasonBadReply},
		{"uncertain", `{"id":"ID","ok":false,"error":"UNCERTAIN","reason":"x"}`, "", wire.ReasonBadReply},
		{"details are text", `{"id":"ID","ok":false,"error":"CONFLICT","details":"x"}`, "", wire.ReasonBadReply},
		{"cut off", `{"id":"ID","ok":true,"result":{"a":`, "", wire.ReasonBadReply},
		{"text after it", `{"id":"ID","ok":true,"result":{}} {}`, "", wire.ReasonBadReply},
		{"id is a number", `{"id":ID,"ok":true,"result":{}}`, "", wire.ReasonBadReply},
		{"id is a float", `{"ok":true,"id":ID.0,"result":{}}`, "", wire.ReasonBadReply},
		{"too deep", `{"result":{"a":` + nested(20000) + `},"id":"ID","ok":true}`, "", wire.ReasonBadReply},
		{"open brackets only", `{"id":"ID","ok":true,"result":` + strings.Repeat(`{"a":`, 20000), "", wire.ReasonBadReply},
		{"too big", `{"id":"ID","ok":true,"result":{"a":"` + strings.Repeat("x", 1<<20) + `"}}`, "", wire.ReasonBadReply},

		{"not JSON", `hello`, "", ""},
		{"empty", ``, "", ""},
		{"array", `[]`, "", ""},
		{"null", `null`, "", ""},
		{"no id", `{"ok":true,"result":{}}`, "", ""},
		{"id inside only", `{"ok":true,"result":{"id":"ID"}`, "", ""},
		{"unknown id", `{"id":"99","ok":true,"result":{}}`, "", ""},
		{"id with a sign", `{"id":"+ID","ok":true,"result":{}}`, "", ""},
		{"a command", `{"id":"ID","command":"cmd_ping"}`, "", ""},
		{"a second hello", `{"command":"cmd_peer_hello","session":"session-9"}`, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			session(t, bridge.Config{FirstID: 1, MaxBytes: 1 << 20}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
				e.Intercept(func(conn *bridgetest.Conn, cmd wire.Command) bool {
					if cmd.Command == wire.CmdSelectNodes {
						conn.Send([]byte(strings.ReplaceAll(c.reply, "ID", cmd.ID)))
						return true
					}
					return false
				})
				out := b.Do(t.Context(), wire.CmdSelectNodes, wire.SelectNodes{}, bridge.Mutating(false))
				switch {
				case c.result != "":
					require.Nil(t, out.Err)
					require.True(t, json.Valid(out.Result))
					assert.JSONEq(t, c.result, string(out.Result))
				case c.reason != "":
					require.NotNil(t, out.Err)
					assert.Equal(t, c.reason, out.Err.Reason)
					if c.reason == wire.ReasonBadReply {
						assert.Equal(t, wire.CmdSelectNodes, out.Err.Details["command"])
						assert.Less(t, len(out.Err.Details["message"].(string)), 300)
						assert.Equal(t, 1, b.Status().Counters.BadReplies)
					}
				default:
					assert.Equal(t, wire.ReasonDeadline, out.Err.Reason)
					assert.Equal(t, 1, b.Status().Counters.Dropped)
				}
				assert.True(t, b.Do(t.Context(), wire.CmdPing, nil).OK(), "the link has not suffered")
			})
		})
	}
}

// A bad reply to an edit does not say what became of it.
func TestABadReplyToAnEditIsUncertain(t *testing.T) {
	session(t, bridge.Config{}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		e.Intercept(func(c *bridgetest.Conn, cmd wire.Command) bool {
			c.Send([]byte(`{"id":"` + cmd.ID + `","ok":tru`))
			return true
		})
		out := b.Do(t.Context(), wire.CmdWriteFile, write("res://a"))
		assert.Equal(t, wire.ReasonBadReply, out.Err.Reason)
		assert.True(t, out.MayHaveApplied())
	})
}

func TestDuplicatesAndStraysAreDropped(t *testing.T) {
	late := 0
	session(t, bridge.Config{OnLate: func(bridge.Late) { late++ }}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		e.Intercept(func(c *bridgetest.Conn, cmd wire.Command) bool {
			r := e.Run(cmd)
			c.SendBinary([]byte(`{"id":"` + cmd.ID + `","ok":false,"error":"CONFLICT"}`))
			c.SendJSON(r)
			c.SendJSON(r)
			c.SendJSON(wire.Reply{ID: cmd.ID, Error: wire.Fail(wire.ReasonCyclic)})
			return true
		})
		for range 3 {
			require.Nil(t, b.Do(t.Context(), wire.CmdWriteFile, write("res://a")).Err)
		}
		synctest.Wait()
		assert.Zero(t, late)
		assert.Equal(t, 3, b.Status().Counters.Dropped)
		assert.Equal(t, 3, b.Status().Counters.Replies)
	})
}

// A message that no limit could excuse ends the connection; the editor comes
// back and other calls go on.
func TestAFloodInOneMessage(t *testing.T) {
	session(t, bridge.Config{MaxBytes: 1 << 16}, func(t *testing.T, b *bridge.Bridge, e *bridgetest.Editor) {
		e.Intercept(func(c *bridgetest.Conn, cmd wire.Command) bool {
			if cmd.Command == wire.CmdReadFile {
				c.Send([]byte(`{"id":"` + cmd.ID + `","ok":true,"result":{"a":"` + strings.Repeat("x", 1<<18) + `"}}`))
			}
			return cmd.Command == wire.CmdReadFile
		})
		out := b.Do(t.Context(), wire.CmdReadFile, wire.ReadFile{Path: "res://a"})
		assert.Equal(t, wire.ReasonNoEditor, out.Err.Reason)
		<-time.After(time.Second)
		require.NoError(t, e.Connect(t.Context()))
		assert.True(t, b.Do(t.Context(), wire.CmdPing, nil).OK())
	})
}
