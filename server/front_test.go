package server

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/catalogtest"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

type listed struct {
	Tools []struct {
		Name         string          `json:"name"`
		Description  string          `json:"description"`
		InputSchema  json.RawMessage `json:"inputSchema"`
		OutputSchema json.RawMessage `json:"outputSchema"`
		Annotations  map[string]any  `json:"annotations"`
	} `json:"tools"`
}

func (c *client) list(id int) listed {
	c.t.Helper()
	var l listed
	require.NoError(c.t, json.Unmarshal(c.request(id, "tools/list", `{}`).Result, &l))
	return l
}

func (l listed) names() []string {
	var out []string
	for _, t := range l.Tools {
		out = append(out, t.Name)
	}
	return out
}

func TestInitializeWithEveryVersion(t *testing.T) {
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25", "1999-01-01": "2025-11-25",
	} {
		c := connect(t, testConfig(), &catalogtest.Editor{})
		m := c.request(0, "initialize", `{"protocolVersion":"`+asked+`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
		var r struct {
			ProtocolVersion string         `json:"protocolVersion"`
			Capabilities    map[string]any `json:"capabilities"`
			Instructions    string         `json:"instructions"`
		}
		require.NoError(t, json.Unmarshal(m.Result, &r))
		assert.Equal(t, want, r.ProtocolVersion)
		assert.Contains(t, r.Capabilities, "tools")
		assert.Contains(t, r.Capabilities, "resources")
		assert.NotContains(t, r.Capabilities, "logging")
		assert.NotEmpty(t, r.Instructions)
	}
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}`

// The newest revision has no handshake; both eras work on one transport.
func TestModernEra(t *testing.T) {
	c := connect(t, testConfig(), &catalogtest.Editor{})
	m := c.request(1, "server/discover", `{`+modernMeta+`}`)
	require.Nil(t, m.Error)
	assert.Contains(t, string(m.Result), "2026-07-28")
	m = c.request(2, "tools/list", `{`+modernMeta+`}`)
	require.Nil(t, m.Error)
	assert.Contains(t, string(m.Result), `"resultType":"complete"`)
	assert.Contains(t, string(m.Result), `"ttlMs"`)
	assert.Contains(t, string(m.Result), "godot_health_check")
	m = c.request(3, "tools/call", `{"name":"godot_health_check","arguments":{},`+modernMeta+`}`)
	require.Nil(t, m.Error)
	assert.Contains(t, string(m.Result), `"resultType":"complete"`)
	assert.Contains(t, string(m.Result), `"bridge_connected":false`)
	m = c.request(4, "tools/call", `{"name":"godot_nope_at_all",`+modernMeta+`}`)
	assert.Equal(t, -32602, m.Error.Code)
}

func TestUnknownToolNamesNearOnes(t *testing.T) {
	e := catalogtest.New()
	c := connect(t, testConfig(), e)
	c.initialize()
	m := c.request(1, "tools/call", `{"name":"create_nodes","arguments":{}}`)
	require.NotNil(t, m.Error)
	assert.Equal(t, -32602, m.Error.Code)
	assert.Contains(t, m.Error.Message, "godot_scene_edit_create_node")
	assert.LessOrEqual(t, strings.Count(m.Error.Message, "godot_"), 3)
	assert.Empty(t, e.Sent())
	m = c.request(2, "tools/call", `[]`)
	require.NotNil(t, m.Error)
	m = c.request(3, "no/such", `{}`)
	assert.Equal(t, -32601, m.Error.Code)
}

// A name of another profile is a tool's answer that names the flag, listed or not.
func TestClosedToolsSayWhatOpensThem(t *testing.T) {
	e := catalogtest.New()
	c := connect(t, testConfig(), e)
	c.initialize()
	r := c.call(1, "godot_scene_edit_delete_node", `{"node_path":"A","confirm":true}`)
	assert.True(t, r.IsError)
	assert.Contains(t, r.Content[0]["text"], "PERMISSION_DENIED: ")
	assert.Contains(t, r.Content[0]["text"], "--profile")
	assert.Contains(t, r.Content[0]["text"], "[required=profile]")
	assert.Contains(t, string(r.StructuredContent), `"code":"permission_denied"`)
	cfg := testConfig()
	cfg.Profile, cfg.Mode = safety.Full, safety.ModeReadOnly
	c = connect(t, cfg, e)
	c.initialize()
	assert.Contains(t, string(c.call(1, "godot_scene_edit_delete_node", `{"node_path":"A"}`).StructuredContent), `"required":"mode"`)
	assert.Empty(t, e.Sent())
}

func TestToolErrorsAreStructured(t *testing.T) {
	c := connect(t, testConfig(), &catalogtest.Editor{})
	c.initialize()
	r := c.call(1, "godot_describe_class", `{"class":"Node"}`)
	assert.True(t, r.IsError)
	assert.Contains(t, r.Content[0]["text"], "class_name")
	r = c.call(2, "godot_describe_class", `{"class_name":"Node"}`)
	assert.Contains(t, r.Content[0]["text"], "BRIDGE_DISCONNECTED: ")
	assert.Contains(t, string(r.StructuredContent), `"code":"unavailable"`)
}

// Enabling is announced, the list follows, and the tools work at once.
func TestEnableToolsetChangesTheList(t *testing.T) {
	c := connect(t, editing(), catalogtest.New())
	c.initialize()
	before := c.list(1).names()
	assert.NotContains(t, before, "godot_scene_edit_create_node")
	c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"godot_enable_toolset","arguments":{"category":"scene_edit"}}}`)
	var got []string
	for range 2 {
		m := c.next()
		got = append(got, m.Method+string(m.ID))
	}
	assert.ElementsMatch(t, []string{"2", "notifications/tools/list_changed"}, got)
	after := c.list(3).names()
	assert.Contains(t, after, "godot_scene_edit_create_node")
	assert.True(t, slices.IsSorted(after))
	c.call(4, "godot_disable_toolset", `{"category":"scene_edit"}`)
	assert.Equal(t, before, c.list(5).names())
}

func TestFrozenToolsetsNeverChange(t *testing.T) {
	cfg := editing()
	cfg.Toolsets = []string{"scene_edit"}
	c := connect(t, cfg, catalogtest.New())
	m := c.initialize()
	assert.NotContains(t, string(m.Result), `"listChanged":true`)
	before := c.list(1).names()
	assert.Contains(t, before, "godot_scene_edit_create_node")
	assert.NotContains(t, string(c.call(2, "godot_enable_toolset", `{"category":"inspection"}`).StructuredContent), `"changed":true`)
	assert.Equal(t, before, c.list(3).names())
}

// Every tool, as clients see it.
func TestToolListIsWhatStrictClientsAccept(t *testing.T) {
	cfg := editing()
	cfg.Toolsets = []string{"all"}
	c := connect(t, cfg, catalogtest.New())
	c.initialize()
	l := c.list(1)
	assert.Len(t, l.Tools, len(c.server.catalog.Tools()))
	for _, tool := range l.Tools {
		assert.Regexp(t, regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`), tool.Name)
		decl, _ := c.server.catalog.Tool(tool.Name)
		assert.Equal(t, map[string]any{
			"readOnlyHint": decl.Class == safety.ReadOnly, "destructiveHint": decl.Class == safety.Destructive,
			"idempotentHint": decl.Class == safety.ReadOnly, "openWorldHint": false,
		}, tool.Annotations, tool.Name)
		for _, schema := range []json.RawMessage{tool.InputSchema, tool.OutputSchema} {
			var v map[string]any
			require.NoError(t, json.Unmarshal(schema, &v))
			assert.Equal(t, "object", v["type"])
			strictSchema(t, tool.Name, v)
			assert.Empty(t, repeated(schema), tool.Name)
		}
	}
}

func strictSchema(t *testing.T, where string, v map[string]any) {
	t.Helper()
	for _, word := range []string{"anyOf", "oneOf", "allOf", "not", "$ref", "$defs", "if"} {
		assert.NotContains(t, v, word, where)
	}
	if v["type"] != nil {
		assert.IsType(t, "", v["type"], where)
	}
	if v["type"] == "array" {
		require.IsType(t, map[string]any{}, v["items"], where)
		strictSchema(t, where+"[]", v["items"].(map[string]any))
	}
	props, _ := v["properties"].(map[string]any)
	for name, p := range props {
		require.IsType(t, map[string]any{}, p, where)
		strictSchema(t, where+"."+name, p.(map[string]any))
	}
}

// repeated finds a sub-schema of 120 bytes or more that stands twice.
func repeated(schema json.RawMessage) string {
	seen := map[string]bool{}
	var twice string
	var walk func(raw json.RawMessage)
	walk = func(raw json.RawMessage) {
		var m map[string]json.RawMessage
		if json.Unmarshal(raw, &m) != nil {
			return
		}
		for k, v := range m {
			if len(v) >= 120 && v[0] == '{' && k != "properties" {
				if seen[string(v)] {
					twice = string(v)
				}
				seen[string(v)] = true
			}
			walk(v)
		}
	}
	walk(schema)
	return twice
}

// The default surface is what a client pays for before any work.
func TestDefaultSurfaceIsSmall(t *testing.T) {
	for _, cfg := range []Config{testConfig(), editing()} {
		c := connect(t, cfg, catalogtest.New())
		c.initialize()
		bytes := 0
		l := c.list(1)
		for _, tool := range l.Tools {
			bytes += len(tool.Name) + len(tool.Description) + len(tool.InputSchema)
		}
		t.Logf("profile %s: %d tools, %d bytes", cfg.Profile, len(l.Tools), bytes)
		assert.LessOrEqual(t, bytes, 14_000)
		assert.LessOrEqual(t, len(l.Tools), 40)
	}
}

func TestInstructionsAreShortAndTrue(t *testing.T) {
	for _, profile := range safety.Profiles() {
		for _, frozen := range [][]string{nil, {"all"}, {"core"}} {
			cfg := testConfig()
			cfg.Profile, cfg.Toolsets = profile, frozen
			s := NewWith(cfg, catalogtest.New())
			text := s.instructions()
			assert.LessOrEqual(t, len(text), 2048)
			for _, name := range regexp.MustCompile(`godot_[a-z_]+`).FindAllString(text, -1) {
				_, ok := s.catalog.Tool(name)
				assert.True(t, ok, name)
			}
			s.Close()
		}
	}
}

func TestResourcesAreJSONWhateverHappens(t *testing.T) {
	c := connect(t, testConfig(), &catalogtest.Editor{})
	c.initialize()
	m := c.request(1, "resources/list", `{}`)
	assert.Contains(t, string(m.Result), "godot://scene/tree")
	m = c.request(2, "resources/templates/list", `{}`)
	assert.Contains(t, string(m.Result), "godot://scene/tree/{max_depth}")
	for i, uri := range []string{"godot://project/info", "godot://scene/current", "godot://scene/tree", "godot://scene/tree/3", "godot://node/selected"} {
		m := c.request(10+i, "resources/read", `{"uri":"`+uri+`"}`)
		require.Nil(t, m.Error, uri)
		var r mcp.ReadResourceResult
		require.NoError(t, json.Unmarshal(m.Result, &r))
		var v map[string]any
		require.NoError(t, json.Unmarshal([]byte(r.Contents[0].Text), &v), uri)
		assert.Equal(t, "BRIDGE_DISCONNECTED", v["error"])
		assert.NotEmpty(t, v["hint"])
	}
	assert.NotNil(t, c.request(20, "resources/read", `{"uri":"godot://nope"}`).Error)
}

func TestAPanicIsAnAnswer(t *testing.T) {
	e := catalogtest.New()
	catalogtest.On(e, wire.CmdListHistory, func(wire.ListHistory) (any, error) { panic("boom") })
	c := connect(t, testConfig(), e)
	c.initialize()
	r := c.call(1, "godot_list_history", `{}`)
	assert.True(t, r.IsError)
	assert.Contains(t, string(r.StructuredContent), `"error":"INTERNAL_ERROR"`)
	assert.False(t, c.call(2, "godot_health_check", `{}`).IsError)
}

// A hung editor gives an answer when the call's time is over.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, testConfig(), hungEditor{catalogtest.New()})
		c.initialize()
		r := c.call(1, "godot_list_history", `{}`)
		assert.True(t, r.IsError)
		require.NoError(t, c.in.Close())
		require.NoError(t, <-c.ended)
	})
}

func TestTooManyCallsAreRefusedWithAHint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := testConfig()
		cfg.MaxCalls = 1
		c := connect(t, cfg, hungEditor{catalogtest.New()})
		c.initialize()
		go func() {
			for i := range maxWaitingEach + 2 {
				c.send(`{"jsonrpc":"2.0","id":` + strconv.Itoa(100+i) + `,"method":"tools/call","params":{"name":"godot_list_history"}}`)
			}
		}()
		m := c.next()
		assert.Contains(t, string(m.Result), "too_many_calls")
		assert.Contains(t, string(m.Result), `"retry":true`)
		c.server.stop()
		c.drain()
	})
}

// A cancelled call gets no answer and frees its slot.
func TestCancelFreesTheSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := testConfig()
		cfg.MaxCalls = 1
		c := connect(t, cfg, hungEditor{catalogtest.New()})
		c.initialize()
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"godot_list_history"}}`)
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"changed my mind"}}`)
		c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"godot_list_toolsets"}}`)
		m := c.next()
		assert.Equal(t, "2", string(m.ID))
		assert.Contains(t, string(m.Result), "scene_edit")
		synctest.Wait()
		m = c.request(3, "tools/call", `{"name":"godot_list_toolsets"}`)
		assert.Equal(t, "3", string(m.ID))
		require.NoError(t, c.in.Close())
		require.NoError(t, <-c.ended)
	})
}

func TestLoadConfig(t *testing.T) {
	env := map[string]string{"GODOT_MCP_PROFILE": "editor", "GODOT_MCP_DEFAULT_TOOLSETS": "all", "GODOT_BIN": "/g"}
	c, err := Load(map[string]string{"mode": "allow-writes", "toolsets": "scripts, batch"}, func(k string) string { return env[k] })
	require.NoError(t, err)
	assert.Equal(t, safety.Editor, c.Profile)
	assert.Equal(t, safety.ModeFull, c.Mode)
	assert.Equal(t, []string{"scripts", "batch"}, c.Toolsets)
	assert.Equal(t, "/g", c.GodotBin)
	for flag, bad := range map[string]string{"profile": "x", "mode": "x", "toolsets": "nope", "max-calls": "0", "call-timeout": "NaN", "log-level": "loud"} {
		_, err := Load(map[string]string{flag: bad}, func(string) string { return "" })
		assert.ErrorContains(t, err, "--"+flag)
	}
	_, err = Load(nil, func(k string) string { return map[string]string{"GODOT_MCP_PROFILE": "x"}[k] })
	assert.ErrorContains(t, err, "GODOT_MCP_PROFILE")
	d, err := Load(nil, func(string) string { return "" })
	require.NoError(t, err)
	assert.Equal(t, safety.Core, d.Profile)
	assert.Equal(t, []string{"core", "inspection"}, catalog.DefaultToolsets())
}

// What is listed hangs on the settings alone: with an editor, without one and
// with a broken one it is the same list.
func TestListIndependentOfTheEditor(t *testing.T) {
	var lists []string
	for _, e := range []*catalogtest.Editor{catalogtest.New(), {}} {
		c := connect(t, editing(), e)
		c.initialize()
		lists = append(lists, string(c.request(1, "tools/list", `{}`).Result))
	}
	assert.Equal(t, lists[0], lists[1])
}
