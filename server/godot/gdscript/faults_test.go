package gdscript_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"godot-mcp/server/godot/gdscript"
)

var nothingKnown = &gdscript.Known{}

// TestFaultsAreTheEngines compares every finding with what the engine's language server says about the same script.
func TestFaultsAreTheEngines(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/faults.txtar")
	require.NoError(t, err)
	require.Greater(t, len(archive.Files), 600)
	for i := 0; i < len(archive.Files); i += 2 {
		script, want := archive.Files[i], archive.Files[i+1]
		name := strings.TrimSuffix(script.Name, ".gd")
		require.Equal(t, name+".want", want.Name)
		t.Run(name, func(t *testing.T) {
			var got strings.Builder
			for _, f := range gdscript.Check(string(script.Data), nothingKnown) {
				fmt.Fprintf(&got, "%d:%d: %s\n", f.Line, f.Column, f.Message)
			}
			assert.Equal(t, string(want.Data), got.String(), string(script.Data))
		})
	}
}

func messages(src string, known *gdscript.Known) []string {
	var out []string
	for _, f := range gdscript.Check(src, known) {
		out = append(out, f.Message)
	}
	return out
}

func TestCheckBytesThatATextFileCannotHold(t *testing.T) {
	assert.Empty(t, messages("\uFEFFextends Node\r\nfunc f():\r\n\tpass\r\n", nothingKnown), "byte order mark and CRLF")
	assert.Empty(t, messages("var a = 1 \\\r\n + 2\r\n", nil))
	assert.Equal(t, "Stray carriage return character in source code.", messages("extends Node\rvar a\n", nil)[0])
	assert.Equal(t, []string{"Script is not valid UTF-8."}, messages("var a = \"\xff\"\n", nil))
	assert.Equal(t, "Unterminated string.", messages("var a = \"\x00\"\n", nil)[0])
	assert.Empty(t, messages("func f():\n\tpass", nil), "no line end at the end")
	assert.Empty(t, messages("", nil))
}

func TestCheckNames(t *testing.T) {
	script := "class_name Mine\nextends Base\nvar a: Enemy\nvar b: Nope\n"
	assert.Equal(t, []string{`Could not find base class "Base".`, `Could not find type "Enemy" in the current scope.`,
		`Could not find type "Nope" in the current scope.`},
		messages(strings.Replace(script, "extends Base", "class Inner extends Base:\n\tpass", 1), nothingKnown))
	known := &gdscript.Known{Class: func(name string) bool { return name == "Base" || name == "Enemy" }}
	assert.Empty(t, messages(script, known), "a script as base may declare the type")
	assert.Empty(t, messages(script, nil), "syntax only")
	assert.Equal(t, []string{`Could not find type "Nope" in the current scope.`},
		messages(strings.Replace(script, "extends Base", "extends Node", 1), known))
	assert.Empty(t, messages("extends Control\nvar a: LayoutPreset\nvar b: Key\nvar c: Dictionary[String, Side]\n", nothingKnown))
}

func TestCheckFiles(t *testing.T) {
	known := &gdscript.Known{File: func(path string) bool { return path == "res://there.gd" }}
	assert.Empty(t, messages("extends \"res://there.gd\"\nconst A = preload(\"res://there.gd\")\n", known))
	found := gdscript.Check("extends Node\nvar a = preload(\"res://gone.png\")\nvar b = load(\"res://gone.png\")\n", known)
	require.Len(t, found, 1)
	assert.Equal(t, gdscript.Finding{Line: 2, Column: 1, TokenColumn: 9, Message: `Preload file "res://gone.png" does not exist.`}, found[0])
}

// Nesting and size have limits, so that no input can exhaust the stack or take more than a moment.
func TestCheckDeepNesting(t *testing.T) {
	for _, open := range []string{"(", "[", "{a:", "-", "not ", "func(): ", "1 if "} {
		assert.NotEmpty(t, messages("var a = "+strings.Repeat(open, 100000)+"\n", nil), open)
	}
	var blocks strings.Builder
	blocks.WriteString("func f():\n")
	for i := 1; i < 2000; i++ {
		blocks.WriteString(strings.Repeat("\t", i) + "if true:\n")
	}
	assert.NotEmpty(t, messages(blocks.String(), nil))
}
