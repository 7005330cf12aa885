package config

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"godot-mcp/server/godot/variant"
)

const project = `; Engine configuration file.
; written by hand

config_version=5

[application]

config/name="Lab \"x\""   ; the name
config/description="two
lines"
; kept
run/main_scene="res://main.tscn"

[input]

jump={
"deadzone": 0.2,
"events": [Object(InputEventKey,"keycode":32,"script":null)
]
}

[layer_names]

2d_physics/layer_1="World"
"config/Ünï"=1
`

func parse(t *testing.T, src string) *File {
	t.Helper()
	f, err := Parse([]byte(src))
	require.NoError(t, err)
	return f
}

func TestUntouchedFileKeepsItsBytes(t *testing.T) {
	for _, src := range []string{"", project, "[a]\r\nb = 1\r\n", "; x", "a=1", "[a]", "[plugin]\n\nname=\"P\"\nscript=\"p.gd\"\n"} {
		assert.Equal(t, src, string(parse(t, src).Bytes()))
	}
}

func TestGet(t *testing.T) {
	f, err := Read(strings.NewReader(project))
	require.NoError(t, err)
	assert.Equal(t, []string{"", "application", "input", "layer_names"}, f.Sections())
	assert.Equal(t, "Lab \"x\"", f.GetText("application", "config/name"))
	v, ok := f.Setting("layer_names/2d_physics/layer_1")
	require.True(t, ok)
	assert.Equal(t, variant.String("World"), v)
	v, _ = f.Setting("config_version")
	assert.Equal(t, variant.Int(5), v)
	v, _ = f.Setting("input/jump")
	d, _ := v.Dictionary()
	assert.Equal(t, 2, d.Len())
	_, ok = f.Setting("application/none")
	assert.False(t, ok)
}

func TestSetAndUnsetTouchOneLine(t *testing.T) {
	f := parse(t, project)
	f.SetSetting("application/config/name", variant.String("New"))
	want := strings.Replace(project, `"Lab \"x\""`, `"New"`, 1)
	assert.Equal(t, want, string(f.Bytes()))

	f.SetSetting("application/config/icon", variant.String("res://i.svg"))
	want = strings.Replace(want, "main.tscn\"\n", "main.tscn\"\nconfig/icon=\"res://i.svg\"\n", 1)
	assert.Equal(t, want, string(f.Bytes()))
	f.SetSetting("autoload/G", variant.String("*res://g.gd"))
	assert.Equal(t, want+"\n[autoload]\n\nG=\"*res://g.gd\"\n", string(f.Bytes()))

	require.True(t, f.UnsetSetting("autoload/G"))
	require.True(t, f.UnsetSetting("application/config/icon"))
	require.False(t, f.UnsetSetting("application/config/icon"))
	require.True(t, f.UnsetSetting("application/run/main_scene"))
	f.SetSetting("application/config/name", variant.String("Lab \"x\""))
	want = strings.Replace(project, "\nrun/main_scene=\"res://main.tscn\"", "", 1) + "\n[autoload]\n"
	assert.Equal(t, want, string(f.Bytes()), "the comment above stays")
}

func TestFirstKeys(t *testing.T) {
	f := New()
	f.SetSetting("a/b", variant.Int(1))
	assert.Equal(t, "[a]\n\nb=1\n", string(f.Bytes()))
	f.SetSetting("top", variant.Int(2))
	assert.Equal(t, "top=2\n\n[a]\n\nb=1\n", string(f.Bytes()))
	f.UnsetSetting("top")
	assert.Equal(t, "[a]\n\nb=1\n", string(f.Bytes()))
	f = parse(t, "; note\n")
	f.SetSetting("top", variant.Int(2))
	assert.Equal(t, "; note\ntop=2\n", string(f.Bytes()))
	f = parse(t, "[a]\r\n\r\nb=1\r\n")
	f.SetSetting("a/c", variant.Int(2))
	assert.Equal(t, "[a]\r\n\r\nb=1\r\nc=2\r\n", string(f.Bytes()))
}

func TestErrors(t *testing.T) {
	for src, line := range map[string]int{"[a": 1, "[a]\nb": 2, "[a]\nb=[1,\n": 3, "\n\n[a]\nb=foo(": 4, "[a]\nb=\"x": 2} {
		_, err := Parse([]byte(src))
		var e *variant.SyntaxError
		require.ErrorAs(t, err, &e, src)
		assert.Equal(t, line, e.Line, src)
	}
}

// The layout that engine 4.6.3 wrote for these settings.
func TestFormatProject(t *testing.T) {
	f := New()
	f.SetSetting("zeta/x", variant.Int(1))
	f.SetSetting("application/config/name", variant.String("Lab"))
	f.SetSetting("application/config/description", variant.String("a\nb \"q\""))
	f.SetSetting("nosection", variant.Int(2))
	f.SetSetting("application/config/Ünï", variant.Bool(true))
	f.SetSetting("input/jump", variant.NewDictionary(variant.Entry{Key: variant.String("events"), Value: variant.NewArray()},
		variant.Entry{Key: variant.String("deadzone"), Value: variant.Float(0.2)}))
	f.SetSetting("Bsec/a b", variant.PackedByteArray([]byte{1, 2}))
	f.SetSetting("_x/y", variant.Int(2))
	f.SetSetting("deep/a/b/c", variant.Int(2))
	f.SetSetting("config_version", variant.Int(5))
	want := projectHead + `nosection=2

[Bsec]

"a b"=PackedByteArray(1, 2)

[_x]

y=2

[application]

config/name="Lab"
config/description="a
b \"q\""
"config/Ünï"=true

[deep]

a/b/c=2

[input]

jump={
"deadzone": 0.2,
"events": []
}

[zeta]

x=1
`
	assert.Equal(t, want, string(FormatProject(f)))
	assert.Equal(t, want, string(FormatProject(parse(t, want))))
}

// ConfigFile.encode_to_text of engine 4.6.3.
func TestFormatConfig(t *testing.T) {
	f := parse(t, "[a]\nx=1\n[ b c ]\n y = 2\n[a]\nz=3\n\"q\"=4\n;k\n[e]\n")
	assert.Equal(t, "[a]\n\nx=1\nz=3\nq=4\n\n[b c]\n\ny=2\n", string(FormatConfig(f)))
	f.Set("", "k", variant.Int(1))
	assert.Equal(t, "k=1\n\n[a]\n\nx=1\nz=3\nq=4\n\n[b c]\n\ny=2\n", string(FormatConfig(f)))
}

func TestFormatImport(t *testing.T) {
	const src = "[remap]\n\nimporter=\"image\"\nmetadata={\n\"vram_texture\": false\n}\n\n[deps]\n\nsource_file=\"res://a.png\"\n\n[params]\n\n"
	assert.Equal(t, src, string(FormatImport(parse(t, src))))
}

func TestUIDFile(t *testing.T) {
	uid, ok := ParseUIDFile([]byte("uid://d0405ynastrn4\n"))
	require.True(t, ok)
	assert.Equal(t, "uid://d0405ynastrn4", uid)
	assert.Equal(t, "uid://d0405ynastrn4\n", string(FormatUIDFile(uid)))
	_, ok = ParseUIDFile([]byte("extends Node\n"))
	assert.False(t, ok)
}

func TestEditsAgreeWithAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, err := Parse([]byte(rapid.SampledFrom([]string{"", project, "; c\n[a]\nx=1 ; t\n", "x=1\n[b]", "[a]\r\n\r\nx=1\r\n"}).Draw(t, "start")))
		require.NoError(t, err)
		model := map[string]variant.Value{}
		for _, s := range f.Sections() {
			for _, k := range f.Keys(s) {
				model[s+"|"+k], _ = f.Get(s, k)
			}
		}
		for range rapid.IntRange(0, 12).Draw(t, "edits") {
			s := rapid.SampledFrom([]string{"", "a", "b", "application"}).Draw(t, "section")
			k := rapid.SampledFrom([]string{"x", "y z", "config/name", "é"}).Draw(t, "key")
			if rapid.Bool().Draw(t, "unset") {
				_, was := model[s+"|"+k]
				require.Equal(t, was, f.Unset(s, k))
				delete(model, s+"|"+k)
			} else {
				v := variant.String(rapid.SampledFrom([]string{"", "a\nb", "q\"", "; no comment", "[x]"}).Draw(t, "value"))
				f.Set(s, k, v)
				model[s+"|"+k] = v
			}
		}
		again, err := Parse(f.Bytes())
		require.NoError(t, err, "%s", f.Bytes())
		got := map[string]variant.Value{}
		for _, s := range again.Sections() {
			for _, k := range again.Keys(s) {
				got[s+"|"+k], _ = again.Get(s, k)
			}
		}
		require.Len(t, got, len(model), "%s", f.Bytes())
		for k, v := range model {
			require.True(t, v.Equal(got[k]), "%s: %s", k, f.Bytes())
		}
	})
}
