//go:build godot

package variant

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// compareValues is the number of generated values that go through the real engine.
const compareValues = 24_000

// checkScript reads cases.txt, one "kind base64" a line, and writes one base64 text a line. Kind t is text to be read
// and written, j JSON; f and d are the bits of a float and of a double to be written. After the cases come values that the
// engine itself makes.
const checkScript = `extends SceneTree

func _init():
	var input := FileAccess.open("res://cases.txt", FileAccess.READ)
	var output := FileAccess.open("res://answers.txt", FileAccess.WRITE)
	while not input.eof_reached():
		var line := input.get_line()
		if line == "":
			continue
		var data := line.substr(2)
		var value
		match line[0]:
			"t": value = str_to_var(Marshalls.base64_to_utf8(data))
			"f": value = data.hex_decode().decode_float(0)
			"j": value = JSON.parse_string(Marshalls.base64_to_utf8(data))
			"d": value = data.hex_decode().decode_double(0)
		output.store_line(Marshalls.utf8_to_base64(var_to_str(value)))
	output.store_line("own")
	var rng := RandomNumberGenerator.new()
	rng.seed = 20260101
	var own := [InputEventKey.new(), InputEventMouseButton.new(), [InputEventJoypadMotion.new()], Callable(), Signal(),
			Callable(self, "_init"), RID(), PackedByteArray([1, 2, 255]), {&"b": 1, "a": 2, 3: 4, 2.5: 1, null: 0}]
	for i in 3000:
		own.append(rng.randf())
		own.append(rng.randfn(0.0, 1e6))
		own.append(Vector3(rng.randf(), rng.randfn(), rng.randf_range(-1e9, 1e9)))
		own.append(Transform3D(Basis.from_euler(Vector3(rng.randf(), rng.randf(), rng.randf())), Vector3(i, 0.1, -i)))
		own.append(Color.from_hsv(rng.randf(), rng.randf(), rng.randf()))
	var kinds := [InputEventKey, InputEventMouseButton, InputEventMouseMotion, InputEventJoypadButton, InputEventJoypadMotion,
			InputEventScreenTouch, InputEventScreenDrag, InputEventMagnifyGesture, InputEventPanGesture, InputEventMIDI, InputEventAction]
	for i in 1200:
		var events: Array[InputEvent] = []
		for k in 1 + i % 3:
			var event: InputEvent = kinds[rng.randi() % kinds.size()].new()
			for info in event.get_property_list():
				if info.usage & PROPERTY_USAGE_STORAGE == 0 or rng.randi() % 2 == 0:
					continue
				match info.type:
					TYPE_BOOL: event.set(info.name, rng.randi() % 2 == 0)
					TYPE_INT: event.set(info.name, rng.randi() % 300)
					TYPE_FLOAT: event.set(info.name, rng.randf_range(-2, 2))
					TYPE_STRING: event.set(info.name, ["a\"b", "\u05e9\n", ""][rng.randi() % 3])
					TYPE_STRING_NAME: event.set(info.name, StringName(["jump", "a\\b", ""][rng.randi() % 3]))
					TYPE_VECTOR2: event.set(info.name, Vector2(rng.randf_range(-9, 9), i))
			events.append(event)
		match i % 4:
			0: own.append(events[0])
			1: own.append(events)
			2: own.append({"deadzone": rng.randf(), "events": Array(events, TYPE_NIL, &"", null)})
			3: own.append({&"typed": events, i: {&"event": events[0], Vector2i(i, 1): [events]}})
	for value in own:
		var text := var_to_str(value)
		output.store_line(Marshalls.utf8_to_base64(text))
		output.store_line(Marshalls.utf8_to_base64(var_to_str(str_to_var(text))))
	output.close()
	quit()
`

func runEngine(t *testing.T, input string) []string {
	t.Helper()
	bin := os.Getenv("GODOT_BIN")
	require.NotEmpty(t, bin, "GODOT_BIN must name the engine for tests with the godot tag")
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("project.godot", "config_version=5\n")
	write("check.gd", checkScript)
	write("cases.txt", input)
	cmd := exec.Command(bin, "--headless", "--path", dir, "--script", "check.gd")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	answers, err := os.ReadFile(filepath.Join(dir, "answers.txt"))
	require.NoError(t, err, "%s", out)
	return strings.Split(strings.TrimSpace(string(answers)), "\n")
}

func TestEngineText(t *testing.T) {
	g := gen{picker: newSeeded(4_6_3), textOnly: true}
	var input bytes.Buffer
	var sent, want []string
	add := func(kind byte, data, expected, shown string) {
		input.WriteByte(kind)
		input.WriteByte(' ')
		input.WriteString(data)
		input.WriteByte('\n')
		want = append(want, expected)
		sent = append(sent, shown)
	}
	for range compareValues {
		text := string(unsorted(nil, g.value(3)))
		v, err := ParseText(text)
		require.NoError(t, err, "%q", text)
		add('t', base64.StdEncoding.EncodeToString([]byte(text)), v.String(), text)
	}
	for range compareValues / 2 {
		f, d := math.Float32frombits(uint32(g.bits())), g.float()
		if f == f {
			bits := binary.LittleEndian.AppendUint32(nil, math.Float32bits(f))
			add('f', hex.EncodeToString(bits), Float(float64(f)).String(), "float32 bits")
		}
		bits := binary.LittleEndian.AppendUint64(nil, math.Float64bits(d))
		add('d', hex.EncodeToString(bits), Float(d).String(), "float64 bits")
		// Plain JSON numbers have to reach the engine unchanged.
		if raw := EncodeWire(Float(d)); floatName(d) == "" && raw[0] != '{' {
			add('j', base64.StdEncoding.EncodeToString(raw), Float(d).String(), string(raw))
		}
	}
	answers := runEngine(t, input.String())
	require.Greater(t, len(answers), len(want))
	differences := 0
	for i, w := range want {
		got := decodeLine(t, answers[i])
		if got != w {
			if differences++; differences <= 15 {
				showDifference(t, w, got, sent[i])
			}
		}
	}
	assert.Zero(t, differences, "of %d", len(want))
	require.Equal(t, "own", answers[len(want)])
	// What the engine writes it does not always read back to the same double; so the second text is compared.
	own := answers[len(want)+1:]
	for i := 0; i+1 < len(own); i += 2 {
		text, again := decodeLine(t, own[i]), decodeLine(t, own[i+1])
		v, err := ParseText(text)
		require.NoError(t, err, "%s", text)
		if again != v.String() {
			if differences++; differences <= 30 {
				showDifference(t, again, v.String(), text)
			}
		}
	}
	t.Logf("%d values sent, %d values of the engine, %d differences", len(want), len(own)/2, differences)
}

// showDifference cuts long texts down to the place where they part.
func showDifference(t *testing.T, want, got, sent string) {
	t.Helper()
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	cut := func(s string) string { return s[min(len(s), max(0, i-80)):min(len(s), i+120)] }
	t.Errorf("from byte %d\nwant %q\n got %q\nsent %q", i, cut(want), cut(got), sent[:min(len(sent), 300)])
}

func decodeLine(t *testing.T, line string) string {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(line)
	require.NoError(t, err)
	return string(b)
}

// unsorted is the text form with dictionary entries in order of insertion, so that the engine has to sort them.
func unsorted(dst []byte, v Value) []byte {
	switch c := v.ref.(type) {
	case *Array:
		if !c.Elem.IsAny() {
			dst = append(dst, "Array["+c.Elem.String()+"]("...)
		}
		dst = append(dst, '[')
		for i, e := range c.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = unsorted(dst, e)
		}
		dst = append(dst, ']')
		if !c.Elem.IsAny() {
			dst = append(dst, ')')
		}
		return dst
	case *Dictionary:
		if c.IsTyped() {
			dst = append(dst, "Dictionary["+c.Key.String()+","+c.Val.String()+"]("...)
		}
		dst = append(dst, '{')
		for i, e := range c.entries {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = unsorted(append(unsorted(dst, e.Key), ':'), e.Value)
		}
		dst = append(dst, '}')
		if c.IsTyped() {
			dst = append(dst, ')')
		}
		return dst
	}
	return AppendText(dst, v)
}
