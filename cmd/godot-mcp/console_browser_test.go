//go:build browser

package main

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"

	"godot-mcp/server/approval/console/consoletest"
)

// TestBrowserApprovesCalls: an MCP client calls, a person answers in a browser,
// and the simulated editor does what was approved and nothing else.
func TestBrowserApprovesCalls(t *testing.T) {
	page := consoletest.Browser(t)
	s := startApproved(t, "--confirm", "echo")
	tab := page.Open(t, s.link())
	tab.UntilText("#link-text", "live")
	// decided waits until the page shows that a call is over, before the next one.
	over := 0
	decided := func() {
		over++
		tab.Until(fmt.Sprintf(`document.querySelectorAll("#decided li").length === %d && document.querySelectorAll("#pending li").length === 0`, over))
	}

	set := s.later(setNode, hide)
	tab.UntilText("#detail-title", "set_node_property")
	tab.UntilReady()
	tab.Shot("end-to-end-set")
	tab.Press("a")
	assert.Equal(t, true, answerOf(t, set)["set"])
	decided()
	assert.Equal(t, false, s.visible())

	const level = `{"scene_path":"res://level.tscn","confirm":"res://level.tscn"}`
	denied := s.later(reload, level)
	tab.UntilText("#detail-title", "reload_scene")
	tab.UntilText("#body", "The scene has unsaved edits. They will be lost.")
	tab.UntilReady()
	tab.Shot("end-to-end-reload")
	tab.Press("d")
	tab.Press("I still need them" + kb.Enter)
	no := answerOf(t, denied)
	decided()
	assert.Equal(t, "permission_denied", no["code"])
	assert.Contains(t, no["hint"], "I still need them")
	assert.Equal(t, false, s.visible(), "nothing was sent")

	allowed := s.later(reload, level)
	tab.UntilText("#detail-title", "reload_scene")
	tab.UntilReady()
	tab.Press("a")
	tab.Press("res://level.tscn" + kb.Enter)
	yes := answerOf(t, allowed)
	decided()
	assert.Equal(t, true, yes["reloaded"])
	assert.Equal(t, map[string]any{"by": "console"}, yes["approval"])
	assert.Equal(t, true, s.visible())
	tab.UntilText("#decided", "I still need them")

	script := s.later("godot_scripts_write", `{"script_path":"res://player.gd","content":"class_name Player\nextends CharacterBody2D\n\nsignal died\n\n@export var speed: float = 250.0\n"}`)
	tab.UntilText("#body .diff", "move_and_slide") // which the new text lacks
	tab.UntilText("#body .diff", "250.0")
	tab.UntilReady()
	tab.Shot("end-to-end-script")
	tab.Press("a")
	assert.Equal(t, true, answerOf(t, script)["written"])
	decided()

	batch := s.later("godot_composite_run_commands", `{"commands":[{"command":"rename_node","params":{"node_path":"Enemy2","new_name":"Boss"}},{"command":"delete_node","params":{"node_path":"Enemy","confirm":"Enemy"}}]}`)
	tab.UntilText("#body", "2 of 2")
	tab.UntilText("#body", "Enemy/Sprite (Sprite2D)")
	tab.UntilReady()
	tab.Shot("end-to-end-batch")
	tab.Press("a")
	assert.Equal(t, true, answerOf(t, batch)["ok_all"])
	decided()

	many := s.later("godot_batch_set_property", `{"node_type":"CharacterBody2D","property":"collision_layer","value":4}`)
	tab.UntilText("#body .changes .minus", "1")
	tab.UntilReady()
	tab.Shot("end-to-end-many")
	tab.Press("a")
	assert.EqualValues(t, 2, answerOf(t, many)["count"])
	decided()

	// The client cancels: the call leaves the page, and nothing happens.
	s.id++
	s.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, s.id, setNode, hide))
	tab.UntilText("#detail-title", "set_node_property")
	s.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, s.id))
	tab.UntilText("#decided", "withdrawn")
	decided()
	assert.Equal(t, true, s.visible())
	assert.Empty(t, tab.Messages())
	s.gone()
	tab.UntilText("#link-text", "connection lost")
}
