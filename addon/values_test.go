//go:build godot

package addon_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/godot/variant"
)

// valueTypes are expressions of every type that a scene file can hold.
var valueTypes = []string{
	"null", "true", "false", "7", "-9007199254740993", "9223372036854775807", "1.5", "2.0", "0.1", "-0.0", "1e300", "1e-30", "123456789.125", "INF", "-INF", "NAN", "1.0 / 3.0", "5e-324",
	`"text"`, `""`, `"q\" \\ \n\t\u000b\u0001 é😀"`, `&"name"`, `^"A/B:position:x"`, `^""`,
	"Vector2(1, 2.5)", "Vector2(0.1, -1e-7)", "Vector2(INF, NAN)", "Vector2(1e20, 3e9)", "Vector2i(1, -2)", "Vector3(0.1, 0.2, 0.3)", "Vector3i(1, 2, 3)", "Vector4(1, 2, 3, 4.5)", "Vector4i(1, 2, 3, 4)",
	"Rect2(1, 2, 3, 4.5)", "Rect2i(1, 2, 3, 4)", "Transform2D(0.5, Vector2(3, 4))", "Plane(0, 1, 0, 2.5)", "Quaternion(0.1, 0.2, 0.3, 0.9)", "AABB(Vector3(1, 2, 3), Vector3(4, 5, 6))",
	"Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9))", "Transform3D(Basis(Vector3(1, 2, 3), Vector3(4, 5, 6), Vector3(7, 8, 9)), Vector3(1, 1, 1))",
	"Projection(Vector4(1, 2, 3, 4), Vector4(5, 6, 7, 8), Vector4(9, 10, 11, 12), Vector4(13, 14, 15, 16))", "Color(1, 0.5, 0.25, 0.1)", "Color(2, 0, 0)",
	"[]", `[1, 2.0, "x", null, &"n", Vector2(1, 2), [1], {"a": 1}]`, "Array([1, 2], TYPE_INT, &\"\", null)", `Array(["a"], TYPE_STRING, &"", null)`, `Array([null], TYPE_OBJECT, &"Texture2D", null)`,
	"{}", `{"a": 1, "b": [Vector2(1, 2)]}`, `{"type": 1}`, `{1: "x", 2.5: "y", &"n": true}`, `Dictionary({"a": 1}, TYPE_STRING, &"", null, TYPE_INT, &"", null)`,
	"PackedByteArray([1, 2, 255])", "PackedByteArray()", "PackedInt32Array([1, -2])", "PackedInt64Array([1, -9007199254740993])", "PackedFloat32Array([0.1, 2, INF])", "PackedFloat64Array([0.1, 1e300, NAN])",
	`PackedStringArray(["a", "b\"c"])`, "PackedVector2Array([Vector2(1, 2), Vector2(0.1, 0)])", "PackedVector3Array([Vector3(1, 2, 3)])", "PackedVector4Array([Vector4(1, 2, 3, 4)])", "PackedColorArray([Color(1, 0, 0, 0.5)])",
}

// The addon's JSON of a value is read by the Go codec as the same Godot text, Go's
// JSON of it is the same JSON, and the addon reads that back as the same value.
func TestValuesCrossBothCodecs(t *testing.T) {
	for _, expr := range valueTypes {
		t.Run(expr, func(t *testing.T) {
			for _, form := range []string{"tagged", "natural"} {
				got := eval(t, fmt.Sprintf(`var v = %s
var out = load("res://addons/godot_mcp/values_out.gd")
return [load("res://addons/godot_mcp/json_safe.gd").text(out.%s(v)), var_to_str(v), typeof(v)]`, expr, form)).([]any)
				text, want, typ := got[0].(string), got[1].(string), variant.Type(int(got[2].(float64)))
				require.True(t, json.Valid([]byte(text)), text)
				var hint variant.Hint
				if form == "natural" {
					hint.Type = typ
				}
				d, err := variant.DecodeAnswer(json.RawMessage(text), hint)
				require.NoError(t, err, text)
				if expr != "5e-324" { // the engine's own reader loses it
					assert.Equal(t, want, d.Value.String(), text)
				}
				encoded := variant.EncodeTagged(d.Value)
				if form == "natural" {
					encoded = variant.EncodeJSON(d.Value)
				}
				assert.JSONEq(t, string(encoded), text)
				back := eval(t, fmt.Sprintf(`var v = %s
var r = load("res://addons/godot_mcp/values_in.gd").new()
var json = JSON.new()
json.parse(%s)
var x = r.decode(json.data, {"type": %d}, v)
return [var_to_str(x), r.problem, typeof(x)]`, expr, gdString(string(encoded)), hint.Type)).([]any)
				assert.Empty(t, back[1], "%s", encoded)
				if expr != "5e-324" {
					assert.Equal(t, want, back[0], "%s", encoded)
				}
				assert.Equal(t, got[2], back[2])
			}
		})
	}
}

// gdString quotes text for GDScript.
func gdString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`).Replace(s) + `"`
}

// The lenient forms mean the same to both codecs, and what one refuses the other
// refuses too.
func TestLenientFormsAgree(t *testing.T) {
	hints := map[variant.Type][]string{
		variant.TypeBool:               {`true`, `"true"`, `1`, `0`, `2`, `"yes"`, `null`, `[]`},
		variant.TypeInt:                {`4`, `4.0`, `"4"`, `"4.0"`, `"0x10"`, `3.5`, `"3.5"`, `"x"`, `null`, `true`, `"9007199254740993"`, `1e30`, `{"type":"int","value":"9007199254740993"}`, `""`},
		variant.TypeFloat:              {`4`, `4.5`, `"4.5"`, `"inf"`, `"x"`, `null`, `{"type":"int","value":3}`, `"1e3"`, `".5"`, `""`},
		variant.TypeString:             {`"a"`, `5`, `null`, `{"type":"StringName","value":"n"}`, `""`},
		variant.TypeVector2:            {`[1,2]`, `[1]`, `[1,2,3]`, `{"x":1,"y":2}`, `{"x":1}`, `{"x":1,"y":2,"z":3}`, `"[1,2]"`, `"{\"x\":1,\"y\":2}"`, `"Vector2(1, 2.5)"`, `"Vector2(1)"`, `"Vector2i(1, 2)"`, `"Vector2(a, b)"`, `"1,2"`, `["1","2"]`, `null`, `5`, `{"type":"Vector2","x":1,"y":2}`, `{"type":"Vector3","x":1,"y":2,"z":3}`},
		variant.TypeVector2i:           {`[1,2]`, `[1.5,2]`, `"Vector2i(1, 2)"`, `"Vector2i(1.5, 2)"`, `[3000000000,1]`},
		variant.TypeRect2:              {`[1,2,3,4]`, `[[1,2],[3,4]]`, `{"position":[1,2],"size":{"x":1,"y":2}}`, `"Rect2(1, 2, 3, 4)"`, `[1,2,3]`},
		variant.TypeColor:              {`"#ff8800"`, `"#f80"`, `"#ff880080"`, `"#f8"`, `"red"`, `[1,0,0]`, `[1,0,0,0.5]`, `{"r":1,"g":0,"b":0}`, `{"r":1,"g":0}`, `"Color(1, 0, 0)"`, `"Color(1, 0, 0, 0.5)"`},
		variant.TypeBasis:              {`[[1,0,0],[0,1,0],[0,0,1]]`, `[1,0,0,0,1,0,0,0,1]`, `"Basis(1, 2, 3, 4, 5, 6, 7, 8, 9)"`},
		variant.TypeNodePath:           {`"A/B"`, `"../X:y"`, `{"type":"NodePath","value":"A"}`, `{"type":"String","value":"A"}`, `7`},
		variant.TypeArray:              {`[1,2.5,"a"]`, `"[1,2]"`, `{}`, `null`, `[{"type":"Nope"}]`, `[{"type":"Vector2","x":1,"y":2}]`},
		variant.TypeDictionary:         {`{"a":1}`, `"{\"a\":1}"`, `[]`, `{"type":"Dictionary","entries":[[1,2]]}`, `{"type":"fire"}`, `{"type":"Dictionary","entries":[[1,2],[1,3]]}`},
		variant.TypePackedInt32Array:   {`[1,2]`, `[1.5]`, `"[1,2]"`, `[3000000000]`, `{"type":"PackedInt32Array","value":[1]}`},
		variant.TypePackedVector2Array: {`[[1,2],[3,4]]`, `[1,2,3,4]`, `[1,2,3]`, `[{"x":1,"y":2}]`, `[]`},
		variant.TypePackedByteArray:    {`[1,255]`, `[256]`, `{"type":"PackedByteArray","base64":"AQI="}`, `"AQI="`},
		variant.TypeNil:                {`1`, `1.5`, `1e20`, `"x"`, `null`, `[1,{"a":2}]`, `{"type":"Vector2","x":1,"y":2}`, `{"type":"Nope"}`, `{"type":5}`, `{"type":"float","value":2}`},
	}
	for typ, forms := range hints {
		for _, form := range forms {
			d, err := variant.DecodeJSON(json.RawMessage(form), variant.Hint{Type: typ})
			got := eval(t, fmt.Sprintf(`var r = load("res://addons/godot_mcp/values_in.gd").new()
var json = JSON.new()
json.parse(%s)
var x = r.decode(json.data, {"type": %d})
return [var_to_str(x), r.failed(), r.coerced]`, gdString(form), typ)).([]any)
			name := fmt.Sprintf("%s as %s", form, typ)
			if assert.Equal(t, err != nil, got[1], "%s: Go says %v", name, err) && err == nil {
				assert.Equal(t, d.Value.String(), got[0], name)
				assert.Equal(t, d.Coerced, got[2], name+": coerced")
			}
		}
	}
}
