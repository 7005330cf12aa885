package console_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/approval"
)

type detail struct {
	Phrase, Raw string
	Parts       []part
}

type part struct {
	Tool    string
	Preview bool
	Notes   []struct {
		Warning     bool
		Text, Quote string
	}
	Changes []struct {
		Object, Name  string
		Before, After *string
		New           bool
	}
	Lists []struct {
		Title, Tone string
		Items       []string
		More        int
	}
	Diffs []struct {
		Path, Title string
		Lines       []string
		Cut         int
	}
	Facts     []struct{ Name, Value string }
	Arguments []struct{ Name, JSON, Text string }
}

// see asks a question and fetches what the page shows of it.
func see(t *testing.T, q approval.Question) detail {
	t.Helper()
	b := newBench(t).signIn()
	b.ask(t.Context(), q)
	w := b.do(b.get("/question?id=" + q.ID))
	require.Equal(t, http.StatusOK, w.Code)
	var d detail
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &d))
	return d
}

func sample(t *testing.T, id string) detail {
	t.Helper()
	for _, q := range samples() {
		if q.ID == id {
			return see(t, q)
		}
	}
	t.Fatalf("no sample %s", id)
	return detail{}
}

// call describes one call.
func call(t *testing.T, args, preview string) part {
	t.Helper()
	return see(t, approval.Question{ID: "q", Tool: "t", Class: "mutating", Arguments: json.RawMessage(args), Preview: json.RawMessage(preview)}).Parts[0]
}

func TestDescribeSetProperty(t *testing.T) {
	p := sample(t, "q-set").Parts[0]
	require.Len(t, p.Changes, 1)
	c := p.Changes[0]
	assert.Equal(t, []string{"Player", "position", `{"x":64,"y":128}`, `{"x":10,"y":20}`}, []string{c.Object, c.Name, *c.Before, *c.After})
	assert.Empty(t, p.Notes)
	assert.Len(t, p.Facts, 1, "undo")
}

func TestDescribeClose(t *testing.T) {
	d := sample(t, "q-close")
	assert.Equal(t, "res://level.tscn", d.Phrase)
	require.Len(t, d.Parts[0].Notes, 1)
	assert.True(t, d.Parts[0].Notes[0].Warning)
	assert.Contains(t, d.Parts[0].Notes[0].Text, "unsaved")
	assert.Contains(t, d.Raw, `"had_unsaved": true`)
}

func TestDescribePatch(t *testing.T) {
	p := sample(t, "q-patch").Parts[0]
	require.Len(t, p.Diffs, 1)
	assert.Equal(t, "res://player.gd", p.Diffs[0].Path)
	signs := ""
	for _, l := range p.Diffs[0].Lines {
		signs += l[:1]
	}
	assert.Equal(t, "@-++ ", signs)
}

func TestDescribeMany(t *testing.T) {
	p := sample(t, "q-many").Parts[0]
	assert.Len(t, p.Changes, 4)
	assert.Nil(t, p.Changes[0].Before)
	require.Len(t, p.Lists, 1)
	assert.Equal(t, []string{"Enemy/Sprite"}, p.Lists[0].Items)
	assert.Contains(t, p.Notes[0].Quote, "not editable")
}

func TestDescribeBatch(t *testing.T) {
	d := sample(t, "q-batch")
	require.Len(t, d.Parts, 2)
	require.Len(t, d.Parts[0].Lists, 1)
	assert.Equal(t, "removed", d.Parts[0].Lists[0].Tone)
	assert.Equal(t, []string{"Player/Shape"}, d.Parts[0].Lists[0].Items)
	assert.Equal(t, 1, d.Parts[0].Lists[0].More)
	assert.Equal(t, "path", d.Parts[1].Facts[0].Name)
}

func TestDescribeOthers(t *testing.T) {
	p := call(t, `{"node_type":"Sprite2D","node_name":"New"}`, `{"node_path":"New","name":"New","created":false,"properties":{"position":{"x":1}},"children":["New/A"],"dry_run":true,"undoable":true}`)
	assert.Equal(t, []string{"New", "New/A"}, p.Lists[0].Items)
	assert.True(t, p.Changes[0].New)

	p = call(t, `{"node_path":"A"}`, `{"node_path":"B/A","old_path":"A","index":3,"changed":true,"moved":false}`)
	assert.Equal(t, `"A"`, *p.Changes[0].Before)
	assert.Equal(t, `"B/A"`, *p.Changes[0].After)

	p = call(t, `{"scenes":["res://a.tscn","res://b.tscn"]}`, `{"dry_run":true,"results":[{"scene":"res://a.tscn","modified":30,"nodes":["X","Y"]},{"scene":"res://b.tscn","modified":0,"error":"CONFLICT","hint":"open"}],"undoable":false}`)
	assert.Equal(t, 28, p.Lists[0].More)
	assert.Contains(t, p.Notes[0].Text, "res://b.tscn")
	assert.Equal(t, "no", p.Facts[len(p.Facts)-1].Value)

	p = call(t, `{"script_path":"res://n.gd","content":"extends Node\n\nvar a = 1"}`, `{"written":false,"created":false,"would_overwrite":false,"script_path":"res://n.gd"}`)
	assert.Equal(t, []string{"+extends Node", "+", "+var a = 1"}, p.Diffs[0].Lines)
	assert.Equal(t, "New file", p.Diffs[0].Title)

	p = call(t, `{"edits":[{"node_path":"P","properties":{"visible":false,"name":"x"}}]}`, `{"edited":[{"node_path":"P","set":["visible"]}],"skipped":["Q"],"count":1}`)
	assert.Len(t, p.Changes, 2)
	assert.Equal(t, []string{"Q"}, p.Lists[0].Items)

	p = call(t, `{}`, `{"error":"VALIDATION_ERROR","hint":"wrong"}`)
	assert.Contains(t, p.Notes[0].Text, "fails")
	assert.Equal(t, "wrong", p.Notes[0].Quote)

	p = call(t, `{}`, ``)
	assert.False(t, p.Preview)
}

// TestDescribeWithPresentText: where the text that a call replaces is known, the
// page shows what changes in it.
func TestDescribeWithPresentText(t *testing.T) {
	q := approval.Question{
		ID: "q", Tool: "t", Class: "mutating", Present: approval.Present{Files: []approval.File{{Path: "res://a.gd", Text: "one\r\ntwo\r\nthree\r\n"}}},
		Arguments: raw(obj{"script_path": "res://a.gd", "find": "two\n", "replace": "2\n"}), Preview: raw(obj{"replacements": 1}),
	}
	assert.Equal(t, []string{"@@ -1,3 +1,3 @@", " one", "-two", "+2", " three"}, see(t, q).Parts[0].Diffs[0].Lines)
	q.Arguments, q.Preview = raw(obj{"script_path": "res://a.gd", "content": "one\r\nthree\r\n"}), raw(obj{"written": false, "would_overwrite": true})
	d := see(t, q).Parts[0].Diffs[0]
	assert.Equal(t, "Changes", d.Title)
	assert.Equal(t, []string{"@@ -1,3 +1,2 @@", " one", "-two", " three"}, d.Lines)
}

// TestDescribeWithPresentState: names of what goes along, and values of before.
func TestDescribeWithPresentState(t *testing.T) {
	q := approval.Question{
		ID: "q", Tool: "t", Class: "destructive", Arguments: raw(obj{"node_path": "A"}), Preview: raw(obj{"node_path": "A", "removed": 4}),
		Present: approval.Present{Nodes: []approval.Node{{Below: "A", Path: "A/B", Type: "Node"}, {Below: "X", Path: "X/B"}, {Below: "A", Path: "A/C", Type: "Timer"}}},
	}
	l := see(t, q).Parts[0].Lists[0]
	assert.Equal(t, []string{"A", "A/B (Node)", "A/C (Timer)"}, l.Items)
	assert.Equal(t, 1, l.More)

	q.Present = approval.Present{Values: []approval.Value{{Node: "A", Property: "visible", Value: raw(true)}}}
	q.Arguments = raw(obj{"value": false})
	q.Preview = raw(obj{"property": "visible", "applied": []string{"A", "B"}})
	changes := see(t, q).Parts[0].Changes
	assert.Equal(t, "true", *changes[0].Before)
	assert.Nil(t, changes[1].Before)
}

// TestArgumentsStayExact: a person approves what was written, not what a
// browser makes of it.
func TestArgumentsStayExact(t *testing.T) {
	p := call(t, `{"id":9007199254740993,"f":1.0,"e":1e400,"z":"1","n":null,"t":"a\nb","u":"\u202e","m":"\u003cb\u003E \\u003c"}`, ``)
	got := map[string]string{}
	for _, a := range p.Arguments {
		got[a.Name] = a.JSON + a.Text
	}
	assert.Equal(t, map[string]string{"id": "9007199254740993", "f": "1.0", "e": "1e400", "z": `"1"`, "n": "null", "t": "a\nb", "u": `"\u202e"`, "m": `"<b> \\u003c"`}, got)
}

func TestLongTextsAreCutInTheDiffOnly(t *testing.T) {
	text := strings.Repeat("line\n", 10000)
	p := call(t, string(raw(obj{"script_path": "res://a.gd", "content": text})), `{"written":false,"created":true}`)
	assert.Len(t, p.Diffs[0].Lines, 4000)
	assert.Equal(t, 6000, p.Diffs[0].Cut)
	assert.Equal(t, text, p.Arguments[0].Text)
}
