package gdscript

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"godot-mcp/server/godot/variant"
)

func TestReduce(t *testing.T) {
	names := func(name string) (variant.Value, bool) {
		v, ok := map[string]variant.Value{"K": variant.Vector2{X: 1, Y: 2}.Value(), "E.B": variant.Int(4), "KEY_A": variant.Int(65)}[name]
		return v, ok
	}
	for src, want := range map[string]string{
		"1 + 2 * 3":                              "7",
		"2.0 * 3":                                "6.0",
		"7 / 2":                                  "3",
		"-2 ** 2":                                "-4",
		"1 << 3 | 1":                             "9",
		"not true":                               "false",
		"1 < 2 and 2 != 3":                       "true",
		"1 if false else 2":                      "2",
		"PI":                                     "3.141592653589793",
		"\"a\" + 'b'":                            `"ab"`,
		"Vector2()":                              "Vector2(0, 0)",
		"Vector2i(1.5, 2)":                       "Vector2i(1, 2)",
		"Vector2i(16777217, 1) + Vector2i(0, 1)": "Vector2i(16777217, 2)",
		"-Vector2(1, 2) * 2":                     "Vector2(-2, -4)",
		"Vector2.ONE * 3.0":                      "Vector2(3, 3)",
		"Vector2(3, 4).y":                        "4.0",
		"Color()":                                "Color(0, 0, 0, 1)",
		"Color(Color.RED, 0.5)":                  "Color(1, 0, 0, 0.5)",
		`Color("steel_blue")`:                    "Color(0.27450982, 0.50980395, 0.7058824, 1)",
		`Color("#ff000080")`:                     "Color(1, 0, 0, 0.5019608)",
		"Color.RED":                              "Color(1, 0, 0, 1)",
		"Rect2(Vector2(), Vector2.ONE)":          "Rect2(0, 0, 1, 1)",
		"Transform3D()":                          "Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)",
		"NodePath()":                             `NodePath("")`,
		"PackedStringArray()":                    "PackedStringArray()",
		"Callable()":                             "Callable()",
		"E.B + 1":                                "5",
		"K.x":                                    "1.0",
		"KEY_A | 2":                              "67",
		"deg_to_rad(90)":                         "1.5707963267948966",
		"clampi(5, 0, 3)":                        "3",
		"floorf(2.5)":                            "2.0",
		`"%d of them" % 3`:                       `"3 of them"`,
		"(1 + 1)":                                "2",
	} {
		v, is := Reduce(src, names)
		assert.Equal(t, Folded, is, src)
		assert.Equal(t, want, v.String(), src)
	}
	for src, want := range map[string]string{
		"[Vector2.ZERO, K]":   "[Vector2(0, 0), Vector2(1, 2)]",
		"{\"a\": [1], b = K}": "{\n\"a\": [1],\n\"b\": Vector2(1, 2)\n}",
		"[1, [2, 3]][1][0]":   "2",
		"Array()":             "[]",
	} {
		v, is := Reduce(src, names)
		assert.Equal(t, Listed, is, src)
		assert.Equal(t, want, v.String(), src)
	}
	for _, src := range []string{
		"Resource.new()", `load("res://a.tres")`, `PackedStringArray(["a"])`, "[Resource.new(), 2]", "str(1)", `"a".to_upper()`,
		"Time.get_ticks_msec()", "$Node", "%Node", "func(): pass", "1 if go() else 2", "{\"a\": go()}", "(go())", "max(go(), 1)", "[1] + [2]",
	} {
		_, is := Reduce(src, names)
		assert.Equal(t, AtRuntime, is, src)
	}
	for _, src := range []string{"", "other", `preload("res://a.tres")`, "1 +", "sin(1)", "Vector2(", "{1", "1 / 0", "a.b.c", "[other]", "Node"} {
		_, is := Reduce(src, names)
		assert.Equal(t, Unknown, is, src)
	}
}
