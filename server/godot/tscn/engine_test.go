//go:build godot

package tscn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	v "godot-mcp/server/godot/variant"
)

const resaveScript = `extends SceneTree

func _init():
	for file in DirAccess.get_files_at("res://in"):
		var resource := ResourceLoader.load("res://in/" + file, "", ResourceLoader.CACHE_MODE_IGNORE)
		ResourceSaver.save(resource, "res://out/" + file)
	quit()
`

// value makes values that a Resource's metadata can hold, with lengths around the limit of format 4.
func value(r *rand.Rand, depth int) v.Value {
	switch n := r.IntN(14); {
	case n == 0 && depth > 0:
		items := make([]v.Value, r.IntN(5))
		for i := range items {
			items[i] = value(r, depth-1)
		}
		return v.NewArray(items...)
	case n == 1 && depth > 0:
		var b v.DictionaryBuilder
		for range r.IntN(20) {
			b.Set(v.String(text(r)), value(r, depth-1))
		}
		return b.Value()
	case n == 2:
		return v.PackedByteArray(make([]byte, []int{0, 1, 64, 64, 64, 65}[r.IntN(6)]))
	case n == 3:
		return v.Float([]float64{math.Inf(-1), math.Inf(1), math.NaN(), 0.1, 1e-7, 1e15}[r.IntN(6)])
	case n == 4:
		return v.Vector2{X: float32(math.Inf(-1)), Y: r.Float32()}.Value()
	case n == 5:
		return v.StringName(text(r))
	case n == 6:
		return v.NewTypedArray(v.ContainerType{Type: v.TypeString}, v.String(text(r)))
	case n == 7:
		return v.PackedStringArray([]string{text(r), text(r)})
	case n == 8:
		return v.Color{R: r.Float32(), A: 1}.Value()
	case n == 9:
		return v.Int(r.Int64() >> r.IntN(64))
	case n == 10 && r.IntN(6) == 0:
		return v.PackedVector4Array([]v.Vector4{{X: r.Float32()}})
	case n == 11:
		return v.NodePath("A/" + string(rune('a'+r.IntN(26))) + ":x")
	case n == 12:
		// Few digits: the engine does not read all that it writes back to the same double.
		return v.Float(float64(r.IntN(10_000)) / 8)
	}
	return v.String(text(r))
}

func text(r *rand.Rand) string {
	letters := []rune("ab 1;[]=\"'\\\n\téяש日😀")
	var b strings.Builder
	for range r.IntN(8) {
		b.WriteRune(letters[r.IntN(len(letters))])
	}
	return b.String()
}

// TestEngineResave has the engine load and save files that Format wrote; each must come back with the same bytes.
func TestEngineResave(t *testing.T) {
	bin := os.Getenv("GODOT_BIN")
	require.NotEmpty(t, bin, "GODOT_BIN must name the engine for tests with the godot tag")
	dir := t.TempDir()
	for _, sub := range []string{"in", "out"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, sub), 0o755))
	}
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("project.godot", "config_version=5\n")
	write("resave.gd", resaveScript)
	r := rand.New(rand.NewPCG(4, 63))
	const files = 400
	want := make([]string, files)
	for i := range files {
		sub := NewSection(TagSub, Text("type", "Resource"), Text("id", "Resource_ab1cd"))
		sub.Set("metadata/inner", value(r, 2))
		main := NewSection(TagResource)
		main.Set("resource_name", v.String("N"+text(r)))
		main.Set("metadata/sub", v.SubResource("Resource_ab1cd"))
		for k := range 8 {
			main.Set(fmt.Sprintf("metadata/k%d", k), value(r, 3))
		}
		file := &File{Sections: []*Section{NewSection(TagResourceDoc, Text("type", "Resource")), sub, main}}
		want[i] = string(Format(file))
		write(fmt.Sprintf("in/%d.tres", i), want[i])
	}
	cmd := exec.Command(bin, "--headless", "--path", dir, "--script", "resave.gd")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_DATA_HOME=", "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for i := range files {
		got, err := os.ReadFile(filepath.Join(dir, "out", fmt.Sprintf("%d.tres", i)))
		require.NoError(t, err, "%s", out)
		if !assert.Equal(t, want[i], string(got)) {
			return
		}
	}
}
