package shading

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/godot/variant"
)

func files(path string) (string, bool) {
	text, ok := map[string]string{
		"res://a/inc.gdshaderinc":  "#define DEEP\nuniform float from_include;\n#include \"more.gdshaderinc\"\n",
		"res://a/more.gdshaderinc": "uniform float from_more;\n",
		"res://a/self.gdshaderinc": "#include \"self.gdshaderinc\"\n",
	}[path]
	return text, ok
}

func read(text string) Shader {
	return Read(text, "res://a/s.gdshader", Project{Include: files, Globals: map[string]string{"wind": "color"}})
}

func names(s Shader) (out []string) {
	for _, u := range s.Uniforms {
		out = append(out, u.Name)
	}
	return out
}

// What the tests expect is what an engine 4.6.3 without a display says to the same texts.
func TestUniforms(t *testing.T) {
	for text, want := range map[string][]string{
		"uniform float a; // uniform float no;\nuniform sampler2D b : source_color, filter_nearest;":                              {"a", "b"},
		"group_uniforms x;uniform float a;group_uniforms y.z;uniform float b;group_uniforms x;uniform float c;":                   {"a", "c", "b"},
		"uniform float z;group_uniforms x;uniform float a;group_uniforms;uniform float b;":                                        {"z", "b", "a"},
		"global uniform vec4 wind;uniform float b;":                                                                               {"b"},
		"instance uniform float a;uniform float b;":                                                                               {"b"},
		"#ifdef X\nuniform float a;\n#else\nuniform float b;\n#endif":                                                             {"b"},
		"#define X 3\n#if X > 2 && !defined(Y)\nuniform float a;\n#elif X\nuniform float b;\n#endif":                              {"a"},
		"#if CURRENT_RENDERER == RENDERER_FORWARD_PLUS\nuniform float a;\n#endif":                                                 {"a"},
		"#include \"inc.gdshaderinc\"\n#ifdef DEEP\nuniform float a;\n#endif":                                                     {"from_include", "from_more", "a"},
		"#include \"res://a/more.gdshaderinc\"":                                                                                   {"from_more"},
		"#define F(x, y) (x * y)\nconst float k = F(F(1.0, 2.0), 3.0);uniform float a : hint_range(0, k) = 1;":                    {"a"},
		"#pragma disable_preprocessor\nuniform float a;":                                                                          {"a"},
		"struct S { float a; };uniform float b[2];S f(S s) { S t = s; t.a += b[1]; return t; }":                                   {"b"},
		"varying flat int v;void vertex() { float a[2] = {1.0, 2.0}, b = a[0]; for (int i = 0, j = 2; i < j; i++) VERTEX *= b; }": nil,
		"uniform float sin;float f() { return 1.0; }float f(float x) { return x; }":                                               {"sin"},
	} {
		s := read("shader_type spatial;\n" + text)
		assert.Empty(t, s.Fault, text)
		assert.Equal(t, want, names(s), text)
	}
}

func TestFaults(t *testing.T) {
	for _, text := range []string{
		"", "uniform float a;", "shader_type nosuch;", "shader_type spatial;\n;",
		"shader_type spatial;render_mode nosuch;", "shader_type spatial;render_mode blend_add, blend_mix;",
		"shader_type spatial;global uniform float a;", "shader_type spatial;global uniform float wind;", "shader_type spatial;uniform float a", "shader_type spatial;uniform nosuch a;",
		"shader_type spatial;uniform float a : source_color;", "shader_type spatial;uniform float a;uniform float a;",
		"shader_type spatial;uniform vec4 a : hint_color;", "shader_type spatial;uniform int a = 1.0;", "shader_type spatial;uniform float[] a;",
		"shader_type spatial;uniform float a : hint_range(1);", "shader_type spatial;uniform sampler2D a = 1.0;",
		"shader_type spatial;instance uniform sampler2D a;", "shader_type spatial;group_uniforms;", "shader_type spatial;stencil_mode nosuch;",
		"shader_type spatial;varying int a;", "shader_type spatial;void vertex() { discard; }", "shader_type spatial;float f() { }",
		"shader_type spatial;void fragment() { ALBEDO = nosuch; }", "shader_type spatial;void fragment() { ALBEDO = vec3(1.0) }",
		"shader_type spatial;void f() { UV; }", "shader_type canvas_item;void fragment() { COLOR = texture(SCREEN_TEXTURE, UV); }",
		"shader_type spatial;void f() { float a = (1.0; }", "shader_type spatial;void f() { float a = 1; }", "shader_type spatial;void sin() {}",
		"shader_type spatial;\n#if NOSUCH\n#endif", "shader_type spatial;\n#ifdef X", "shader_type spatial;\n#endif", "shader_type spatial;\n#nosuch",
		"shader_type spatial;\n#define A\n#define A", "shader_type spatial;\n#include \"gone.gdshaderinc\"", "shader_type spatial;\n#error no",
		"shader_type spatial;\n#include \"self.gdshaderinc\"", "shader_type spatial;\n#if 1 / 0\n#endif", "shader_type spatial;\n#if (1\n#endif",
	} {
		s := read(text)
		assert.NotEmpty(t, s.Fault, text)
		assert.Empty(t, s.Uniforms, text)
	}
}

func TestTypesAndKinds(t *testing.T) {
	s := read("shader_type canvas_item;uniform vec3 c : source_color;uniform vec3[2] l : source_color;uniform mat2 m;uniform bvec3 b;uniform sampler2D t[2];uniform samplerCube u;")
	require.Empty(t, s.Fault)
	var types []variant.Type
	for _, u := range s.Uniforms {
		types = append(types, u.Type)
	}
	assert.Equal(t, []variant.Type{
		variant.TypeColor, variant.TypePackedColorArray, variant.TypeTransform2D, variant.TypeInt, variant.TypeArray, variant.TypeObject,
	}, types)
	assert.Equal(t, "canvas_item", s.Kind)
	assert.Equal(t, "spatial", read("shader_type nosuch;").Kind)
	assert.Equal(t, "sky", read("/* a */ shader_type sky; oops").Kind)
}

func FuzzRead(f *testing.F) {
	f.Add("shader_type spatial;\n#define F(x) x\nvoid f() { float a = F(1.0); }")
	f.Add("#if defined(A) || (1 + 2 * -3) % 2 << 1\n#endif\nshader_type sky;")
	f.Fuzz(func(_ *testing.T, text string) { read(text) })
}
