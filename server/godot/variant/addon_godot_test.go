//go:build godot

package variant

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// addonPlugin reads cases.txt with the addon's reader of values: a line has the wire form and the natural form of a value,
// in base64. It answers each with what the reader objects to, the Godot text of the value from each form, and the two JSON
// forms of the addon's writer. It is a plugin since the reader needs an editor around it.
const addonPlugin = `@tool
extends EditorPlugin

const In := preload("res://addons/godot_mcp/values_in.gd")
const Out := preload("res://addons/godot_mcp/values_out.gd")
const Safe := preload("res://addons/godot_mcp/json_safe.gd")

func _enter_tree():
	_answer() # an error in it ends it and nothing else
	get_tree().quit()

func _answer():
	var input := FileAccess.open("res://cases.txt", FileAccess.READ)
	var output := FileAccess.open("res://answers.txt", FileAccess.WRITE)
	while not input.eof_reached():
		var line := input.get_line()
		if line == "":
			continue
		var reader := In.new()
		var value = reader.decode(_parsed(line.get_slice(" ", 0)), {})
		var declared = reader.decode(_parsed(line.get_slice(" ", 1)), {"type": typeof(value)}, value)
		for text in [str(reader.problem), var_to_str(value), var_to_str(declared), Safe.text(Out.tagged(value)), Safe.text(Out.natural(value))]:
			output.store_line(Marshalls.utf8_to_base64(text))
	output.close()

func _parsed(text: String):
	var json := JSON.new()
	json.parse(Marshalls.base64_to_utf8(text))
	return json.data
`

const answersPerValue = 5

// askAddon gives the lines of the plugin's answers to the lines of its cases.
func askAddon(t *testing.T, input string) []string {
	t.Helper()
	bin := os.Getenv("GODOT_BIN")
	require.NotEmpty(t, bin, "GODOT_BIN must name the engine for tests with the godot tag")
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "addons"), os.DirFS(filepath.Join("..", "..", "..", "addon"))))
	for name, text := range map[string]string{
		"project.godot":           "config_version=5\n\n[editor_plugins]\n\nenabled=PackedStringArray(\"res://addons/check/plugin.cfg\")\n",
		"addons/check/plugin.cfg": "[plugin]\n\nname=\"Check\"\ndescription=\"\"\nauthor=\"\"\nversion=\"1\"\nscript=\"check.gd\"\n",
		"addons/check/check.gd":   addonPlugin,
		"cases.txt":               input,
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, "--headless", "--editor", "--path", dir)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	answers, err := os.ReadFile(filepath.Join(dir, "answers.txt"))
	require.NoError(t, err, "%s", out)
	return strings.Split(strings.TrimSuffix(string(answers), "\n"), "\n")
}

// TestAddonJSON sends generated values through the addon's two halves of the JSON codec: what this package writes for an
// editor is read there as the same value, and what is written there is what this package writes and reads.
func TestAddonJSON(t *testing.T) {
	g := gen{picker: newSeeded(4_6_4), textOnly: true}
	values := make([]Value, 0, compareValues)
	var input strings.Builder
	for range compareValues {
		v := g.value(3)
		values = append(values, v)
		for _, form := range []json.RawMessage{EncodeWire(v), EncodeJSON(v)} {
			input.WriteString(base64.StdEncoding.EncodeToString(form) + " ")
		}
		input.WriteByte('\n')
	}
	answers := askAddon(t, input.String())
	require.Len(t, answers, answersPerValue*len(values))
	differences := 0
	for i, v := range values {
		sent, lines := string(EncodeWire(v)), answers[answersPerValue*i:]
		tagged := decodeLine(t, lines[3])
		back, err := DecodeAnswer(json.RawMessage(tagged), Hint{})
		if !assert.NoError(t, err, tagged) {
			continue
		}
		declared := decodeLine(t, lines[2])
		if strings.Contains(sent, `"0x`) { // no decimal text gives the engine such a double
			declared = v.String()
		}
		for _, pair := range [][2]string{
			{"{  }", decodeLine(t, lines[0])},
			{v.String(), decodeLine(t, lines[1])},
			{v.String(), declared},
			{v.String(), back.Value.String()},
			{sameJSON(t, string(EncodeTagged(v))), sameJSON(t, tagged)},
			{sameJSON(t, string(EncodeJSON(v))), sameJSON(t, decodeLine(t, lines[4]))},
		} {
			want, got := pair[0], pair[1]
			if got != want {
				if differences++; differences <= 15 {
					showDifference(t, want, got, sent)
				}
			}
		}
	}
	assert.Zero(t, differences, "of %d values", len(values))
}

// sameJSON is JSON with its numbers as every reader takes them: 1e+16 is 10000000000000000.
func sameJSON(t *testing.T, text string) string {
	t.Helper()
	var parsed any
	require.NoError(t, json.Unmarshal([]byte(text), &parsed), text)
	out, err := json.Marshal(parsed)
	require.NoError(t, err)
	return string(out)
}
