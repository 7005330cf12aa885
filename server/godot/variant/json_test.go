package variant

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var encodings = []struct {
	v               Value
	natural, tagged string // tagged "" where it is the same
}{
	{Nil, `null`, ""}, {Bool(true), `true`, ""}, {Int(7), `7`, ""},
	{Int(1 << 53), `9007199254740992`, ""}, {Int(1<<53 + 1), `{"type":"int","value":"9007199254740993"}`, ""},
	{Int(math.MinInt64), `{"type":"int","value":"-9223372036854775808"}`, ""},
	{Float(1.5), `1.5`, ""}, {Float(2), `2`, `{"type":"float","value":2}`}, {Float(1e300), `1e+300`, `{"type":"float","value":1e+300}`},
	{Float(math.Inf(1)), `{"type":"float","value":"inf"}`, ""}, {Float(math.Inf(-1)), `{"type":"float","value":"-inf"}`, ""},
	{Float(math.NaN()), `{"type":"float","value":"nan"}`, ""}, {Float(math.Copysign(0, -1)), `{"type":"float","value":"-0"}`, ""},
	{String("a\n\"\\\x01\x1b\u00e9\u2028"), `"a\n\"\\\u0001\u001b` + "\u00e9\u2028" + `"`, ""},
	{StringName("x"), `"x"`, `{"type":"StringName","value":"x"}`},
	{NodePath("A/B:x"), `"A/B:x"`, `{"type":"NodePath","value":"A/B:x"}`},
	{Vector2{1, 2.5}.Value(), `{"x":1,"y":2.5}`, `{"type":"Vector2","x":1,"y":2.5}`},
	{Vector2{0.1, float32(math.Inf(-1))}.Value(), `{"x":0.1,"y":"-inf"}`, `{"type":"Vector2","x":0.1,"y":"-inf"}`},
	{Vector3i{1, 2, -3}.Value(), `{"x":1,"y":2,"z":-3}`, `{"type":"Vector3i","x":1,"y":2,"z":-3}`},
	{Color{1, 0.5, 0, 1}.Value(), `{"r":1,"g":0.5,"b":0,"a":1}`, `{"type":"Color","r":1,"g":0.5,"b":0,"a":1}`},
	{Rect2{Vector2{1, 2}, Vector2{3, 4}}.Value(), `{"position":{"x":1,"y":2},"size":{"x":3,"y":4}}`, `{"type":"Rect2","position":{"x":1,"y":2},"size":{"x":3,"y":4}}`},
	{Plane{Vector3{0, 1, 0}, 2}.Value(), `{"normal":{"x":0,"y":1,"z":0},"d":2}`, `{"type":"Plane","normal":{"x":0,"y":1,"z":0},"d":2}`},
	{Basis{Vector3{1, 2, 3}, Vector3{4, 5, 6}, Vector3{7, 8, 9}}.Value(), `{"x":{"x":1,"y":2,"z":3},"y":{"x":4,"y":5,"z":6},"z":{"x":7,"y":8,"z":9}}`,
		`{"type":"Basis","x":{"x":1,"y":2,"z":3},"y":{"x":4,"y":5,"z":6},"z":{"x":7,"y":8,"z":9}}`},
	{PackedByteArray([]byte{1, 2}), `{"type":"PackedByteArray","base64":"AQI="}`, ""},
	{PackedInt64Array([]int64{1, 1<<53 + 1}), `[1,"9007199254740993"]`, `{"type":"PackedInt64Array","value":[1,"9007199254740993"]}`},
	{PackedVector2Array([]Vector2{{1, 2}}), `[{"x":1,"y":2}]`, `{"type":"PackedVector2Array","value":[{"x":1,"y":2}]}`},
	{NewArray(Int(1), Float(1), StringName("n"), Vector2{}.Value()), `[1,{"type":"float","value":1},{"type":"StringName","value":"n"},{"type":"Vector2","x":0,"y":0}]`, ""},
	{NewTypedArray(ContainerType{Type: TypeFloat}, Float(1)), `{"type":"Array[float]","value":[1]}`, ""},
	{NewTypedArray(ContainerType{Type: TypeObject, Class: "Node"}, Nil), `{"type":"Array[Node]","value":[null]}`, ""},
	{NewDictionary(Entry{String("b"), Int(1)}, Entry{String("a"), Float(1)}), `{"b":1,"a":{"type":"float","value":1}}`, ""},
	{NewDictionary(Entry{String("type"), Int(1)}), `{"type":"Dictionary","entries":[["type",1]]}`, ""},
	{NewDictionary(Entry{StringName("a"), Int(1)}), `{"type":"Dictionary","entries":[[{"type":"StringName","value":"a"},1]]}`, ""},
	{NewTypedDictionary(ContainerType{Type: TypeStringName}, ContainerType{}, Entry{StringName("a"), Float(1)}),
		`{"type":"Dictionary[StringName, Variant]","entries":[["a",{"type":"float","value":1}]]}`, ""},
	{Resource("res://a.tres"), `{"resource":"res://a.tres"}`, ""},
	{ResourceRef{Path: "res://m.tscn::Box_ab1cd", Class: "Box"}.Value(), `{"resource":"res://m.tscn::Box_ab1cd","class":"Box"}`, ""},
	{NewObject("RectangleShape2D", Property{"size", Vector2{1, 2}.Value()}), `{"new":"RectangleShape2D","properties":{"size":{"type":"Vector2","x":1,"y":2}}}`, ""},
}

func TestEncodeJSON(t *testing.T) {
	for _, c := range encodings {
		tagged := c.tagged
		if tagged == "" {
			tagged = c.natural
		}
		assert.Equal(t, c.natural, string(EncodeJSON(c.v)))
		assert.Equal(t, tagged, string(EncodeTagged(c.v)))
		for _, form := range []struct {
			raw  string
			hint Hint
		}{{tagged, Hint{}}, {c.natural, Hint{Type: c.v.Type()}}, {tagged, Hint{Type: c.v.Type()}}} {
			got, err := DecodeJSON(json.RawMessage(form.raw), form.hint)
			require.NoError(t, err, "%s as %s", form.raw, form.hint)
			assert.True(t, c.v.Equal(got.Value), "%s as %s gave %s", form.raw, form.hint, got.Value)
			assert.False(t, got.Coerced, form.raw)
		}
	}
	assert.JSONEq(t, `{"type":"Callable","text":"Node::f"}`, string(EncodeJSON(Callable("Node::f"))))
	assert.JSONEq(t, `{"type":"RID","text":"RID(5)"}`, string(EncodeJSON(RID(5))))
}

func TestDecodeLenient(t *testing.T) {
	vec3 := Vector3{-8, 0, 0}.Value()
	rect := Rect2{Vector2{1, 2}, Vector2{3, 4}}.Value()
	for _, c := range []struct {
		hint    Type
		raw     string
		want    Value
		coerced bool
	}{
		{TypeVector3, `[-8,0,0]`, vec3, false}, {TypeVector3, `"[-8, 0, 0]"`, vec3, true}, {TypeVector3, `"{\"x\":-8,\"y\":0,\"z\":0}"`, vec3, true},
		{TypeVector3, `"Vector3(-8, 0, 0)"`, vec3, true}, {TypeVector3, `" Vector3( -8.0,0 , 0 ) "`, vec3, true},
		{TypeVector3, `{"x":"-8","y":0,"z":0}`, vec3, true}, {TypeVector3i, `[-8.0,0,0]`, Vector3i{X: -8}.Value(), false},
		{TypeColor, `"#ff8800"`, Color{1, 0.53333336, 0, 1}.Value(), false}, {TypeColor, `"#F80A"`, Color{1, 0.53333336, 0, 0.6666667}.Value(), false},
		{TypeColor, `[1,0,0]`, Color{1, 0, 0, 1}.Value(), true}, {TypeColor, `{"r":1,"g":0,"b":0}`, Color{1, 0, 0, 1}.Value(), true},
		{TypeColor, `"Color(1, 0, 0)"`, Color{1, 0, 0, 1}.Value(), true},
		{TypeInt, `4.0`, Int(4), false}, {TypeInt, `1e3`, Int(1000), false}, {TypeInt, `"4.0"`, Int(4), true}, {TypeInt, `"1e3"`, Int(1000), true},
		{TypeInt, `"0x10"`, Int(16), true}, {TypeInt, `9223372036854775807`, Int(math.MaxInt64), false}, {TypeInt, `"9007199254740993"`, Int(1<<53 + 1), false},
		{TypeFloat, `"4.0"`, Float(4), true}, {TypeFloat, `4`, Float(4), false}, {TypeFloat, `"inf"`, Float(math.Inf(1)), false}, {TypeFloat, `{"type":"int","value":"4"}`, Float(4), false},
		{TypeBool, `"true"`, Bool(true), true}, {TypeBool, `0`, Bool(false), true},
		{TypeRect2, `[1,2,3,4]`, rect, false}, {TypeRect2, `[[1,2],[3,4]]`, rect, false}, {TypeRect2, `{"position":[1,2],"size":{"x":3,"y":4}}`, rect, false},
		{TypeTransform2D, `[1,0,0,1,5,6]`, Transform2D{Vector2{1, 0}, Vector2{0, 1}, Vector2{5, 6}}.Value(), false},
		{TypeBasis, `[[1,2,3],[4,5,6],[7,8,9]]`, Basis{Vector3{1, 2, 3}, Vector3{4, 5, 6}, Vector3{7, 8, 9}}.Value(), false},
		{TypeBasis, `"Basis(1, 4, 7, 2, 5, 8, 3, 6, 9)"`, Basis{Vector3{1, 2, 3}, Vector3{4, 5, 6}, Vector3{7, 8, 9}}.Value(), true},
		{TypeObject, `"res://a.tres"`, Resource("res://a.tres"), false}, {TypeObject, `"uid://abc"`, Resource("uid://abc"), false}, {TypeObject, `null`, Nil, false},
		{TypeStringName, `"x"`, StringName("x"), false}, {TypeNodePath, `"A//B/"`, NodePath("A/B"), false},
		{TypeArray, `"[1, 2]"`, NewArray(Int(1), Int(2)), true}, {TypeDictionary, `"{\"a\": 1}"`, NewDictionary(Entry{String("a"), Int(1)}), true},
		{TypeDictionary, `{"type":"sword"}`, NewDictionary(Entry{String("type"), String("sword")}), false},
		{TypePackedVector2Array, `[[0,0],[1,2]]`, PackedVector2Array([]Vector2{{}, {1, 2}}), false}, {TypePackedVector2Array, `[0,0,1,2]`, PackedVector2Array([]Vector2{{}, {1, 2}}), false},
		{TypePackedColorArray, `["#f00"]`, PackedColorArray([]Color{{1, 0, 0, 1}}), false}, {TypePackedByteArray, `[1,255]`, PackedByteArray([]byte{1, 255}), false},
		{TypeNil, `2.0`, Int(2), false}, {TypeNil, `{"value":1}`, NewDictionary(Entry{String("value"), Int(1)}), false},
	} {
		got, err := DecodeJSON(json.RawMessage(c.raw), Hint{Type: c.hint})
		require.NoError(t, err, "%s as %s", c.raw, c.hint)
		assert.True(t, c.want.Equal(got.Value), "%s as %s gave %s", c.raw, c.hint, got.Value)
		assert.Equal(t, c.coerced, got.Coerced, "%s as %s", c.raw, c.hint)
	}
}

func TestDecodeTypedContainers(t *testing.T) {
	hint := Hint{Type: TypeDictionary, Key: ContainerType{Type: TypeInt}, Val: ContainerType{Type: TypeVector2}}
	got, err := DecodeJSON(json.RawMessage(`{"1":[1,2]}`), hint)
	require.NoError(t, err)
	assert.Equal(t, "Dictionary[int, Vector2]({\n1: Vector2(1, 2)\n})", got.Value.String())
	got, err = DecodeJSON(json.RawMessage(`[1,2.5]`), Hint{Type: TypeArray, Elem: ContainerType{Type: TypeFloat}})
	require.NoError(t, err)
	assert.Equal(t, "Array[float]([1.0, 2.5])", got.Value.String())
	_, err = DecodeJSON(json.RawMessage(`{"type":"Array[int]","value":[1]}`), Hint{Type: TypeArray, Elem: ContainerType{Type: TypeFloat}})
	require.Error(t, err)
	got, err = DecodeJSON(json.RawMessage(`{"type":"Array[res://item.gd]","value":[null,{"resource":"res://a.tres"}]}`), Hint{})
	require.NoError(t, err)
	assert.Equal(t, `Array[Resource("res://item.gd")]([null, Resource("res://a.tres")])`, got.Value.String())
}

func TestDecodeNewObject(t *testing.T) {
	hint := Hint{Type: TypeObject, Class: "Shape2D", Property: func(class, property string) (Hint, bool) {
		return Hint{Type: TypeVector2}, class == "RectangleShape2D" && property == "size"
	}}
	got, err := DecodeJSON(json.RawMessage(`{"new":"RectangleShape2D","properties":{"size":[3,4]}}`), hint)
	require.NoError(t, err)
	o, ok := got.Value.Object()
	require.True(t, ok)
	assert.Equal(t, []Property{{"size", Vector2{3, 4}.Value()}}, o.Properties)
	_, err = DecodeJSON(json.RawMessage(`{"new":"RectangleShape2D","properties":{"sizes":[3,4]}}`), hint)
	requireDecodeError(t, err, CodeUnknownMember, ".properties")
}

func requireDecodeError(t *testing.T, err error, code Code, path string) {
	t.Helper()
	var e *DecodeError
	require.True(t, errors.As(err, &e), "%v", err)
	assert.Equal(t, code, e.Code, e.Message)
	assert.Equal(t, path, e.Path, e.Message)
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct {
		hint Type
		raw  string
		code Code
		path string
	}{
		{TypeInt, `3.5`, CodeType, ""}, {TypeInt, `"3.5"`, CodeType, ""}, {TypeInt, `null`, CodeType, ""}, {TypeInt, `1e30`, CodeRange, ""}, {TypeInt, `true`, CodeType, ""},
		{TypeInt, `"1_000"`, CodeType, ""}, {TypeInt, `{"type":"float","value":3.5}`, CodeType, ""}, {TypeFloat, `"0x10"`, CodeType, ""}, {TypeFloat, `1e999`, CodeRange, ""},
		{TypeFloat, `"infinity"`, CodeType, ""}, {TypeVector2, `{"x":1}`, CodeMissingKey, ""}, {TypeVector2, `{"x":1,"y":2,"z":3}`, CodeUnknownKey, ""},
		{TypeVector2, `[1]`, CodeType, ""}, {TypeVector2, `[1,2,3]`, CodeType, ""}, {TypeVector2, `{"x":1,"y":null}`, CodeType, ".y"}, {TypeVector2, `[1,1e99]`, CodeRange, "[1]"},
		{TypeVector2, `"Vector3(1, 2, 3)"`, CodeType, ""}, {TypeVector2, `"Vector2(1)"`, CodeType, ""}, {TypeVector2, `"OS.execute()"`, CodeType, ""}, {TypeVector2, `"Vector2(1, 2) + x"`, CodeType, ""},
		{TypeVector2i, `[1.5,2]`, CodeType, "[0]"}, {TypeVector2i, `[3000000000,2]`, CodeRange, "[0]"}, {TypeVector2i, `"Vector2i(1.5, 2)"`, CodeType, ""},
		{TypeColor, `"#ff88"`, "", ""}, {TypeColor, `"#ff8"`, "", ""}, {TypeColor, `"#ff880"`, CodeType, ""}, {TypeColor, `"red("`, CodeType, ""}, {TypeColor, `[1,2]`, CodeType, ""},
		{TypeBasis, `[1,0,0,0,1,0,0,0,1]`, CodeType, ""}, {TypeRect2, `{"position":{"x":1},"size":[1,2]}`, CodeMissingKey, ".position"},
		{TypeString, `5`, CodeType, ""}, {TypeString, `"a\u0000"`, CodeRange, ""}, {TypeNodePath, `"A::b"`, CodeType, ""}, {TypeBool, `2`, CodeType, ""},
		{TypeObject, `"a.tres"`, CodeType, ""}, {TypeObject, `"Object(Node)"`, CodeType, ""}, {TypeObject, `{"resource":"/etc/passwd"}`, CodeType, ".resource"}, {TypeObject, `{"resource":"res://a","x":1}`, CodeUnknownKey, ""},
		{TypeObject, `{"new":"a b"}`, CodeType, ".new"}, {TypeObject, `{}`, CodeType, ""}, {TypeArray, `{}`, CodeType, ""}, {TypeDictionary, `[]`, CodeType, ""},
		{TypePackedByteArray, `[256]`, CodeRange, "[0]"}, {TypePackedByteArray, `"AQI="`, CodeType, ""}, {TypePackedVector2Array, `[1,2,3]`, CodeType, ""}, {TypePackedInt32Array, `[1,{}]`, CodeType, "[1]"},
		{TypeRID, `5`, CodeNotDecodable, ""}, {TypeNil, `{"type":"Callable","text":"x"}`, CodeNotDecodable, ""}, {TypeNil, `{"type":"ExtResource","id":"1"}`, CodeNotDecodable, ""},
		{TypeNil, `{"type":"sword","damage":3}`, CodeType, ""}, {TypeNil, `{"type":5}`, CodeType, ""}, {TypeNil, `9007199254740993`, CodeRange, ""}, {TypeNil, `1e300`, CodeRange, ""},
		{TypeNil, `{"type":"Array[in t]","value":[]}`, CodeType, ""}, {TypeNil, `{"type":"Array","value":5}`, CodeType, ".value"}, {TypeNil, `{"a":[{"type":"Vector2","x":1}]}`, CodeMissingKey, ".a[0]"},
		{TypeNil, `{"a":1,"a":2}`, CodeDuplicateKey, ""}, {TypeNil, `{"type":"Dictionary","entries":[["a",1],["a",2]]}`, CodeDuplicateKey, ".entries[1]"},
		{TypeNil, `{`, CodeBadJSON, ""}, {TypeNil, ``, CodeBadJSON, ""}, {TypeNil, `01`, CodeBadJSON, ""}, {TypeNil, `NaN`, CodeBadJSON, ""}, {TypeNil, "\"a\nb\"", CodeBadJSON, ""}, {TypeNil, `[1,]`, CodeBadJSON, ""},
		{TypeNil, strings.Repeat("[", 1_000_000), CodeDepth, ""}, {TypeNil, strings.Repeat("[", 150) + strings.Repeat("]", 150), CodeDepth, strings.Repeat("[0]", 101)},
	} {
		_, err := DecodeJSON(json.RawMessage(c.raw), Hint{Type: c.hint})
		if c.code == "" {
			assert.NoError(t, err)
			continue
		}
		require.Error(t, err, "%.60s as %s", c.raw, c.hint)
		requireDecodeError(t, err, c.code, c.path)
	}
	_, err := DecodeJSON(make(json.RawMessage, MaxJSON+1), Hint{})
	requireDecodeError(t, err, CodeSize, "")
}

func TestErrorNamesTheForm(t *testing.T) {
	_, err := DecodeJSON(json.RawMessage(`"left"`), Hint{Type: TypeVector2})
	require.EqualError(t, err, `expected Vector2 as {"x":..,"y":..}, got the string "left"`)
	_, err = DecodeJSON(json.RawMessage(`[[1,2,3]]`), Hint{Type: TypeArray, Elem: ContainerType{Type: TypeVector2}})
	require.EqualError(t, err, `at [0]: expected Vector2 as {"x":..,"y":..} or an array of 2 numbers, got an array of 3`)
	_, err = DecodeJSON(json.RawMessage(`[1,0,0,0,1,0,0,0,1]`), Hint{Type: TypeBasis})
	require.EqualError(t, err, `expected Basis as {"x":{"x":..,"y":..,"z":..},"y":{"x":..,"y":..,"z":..},"z":{"x":..,"y":..,"z":..}} or an array of these, got an array of 9`)
}

func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := gen{picker: drawn{t}, stable: true}.value(3)
		for _, form := range []struct {
			raw  json.RawMessage
			hint Hint
		}{{EncodeTagged(v), Hint{}}, {EncodeJSON(v), Hint{Type: v.Type()}}} {
			require.True(t, json.Valid(form.raw), "%s", form.raw)
			got, err := DecodeJSON(form.raw, form.hint)
			require.NoError(t, err, "%s", form.raw)
			require.True(t, v.Equal(got.Value), "%s\n%s\n%s", form.raw, v, got.Value)
			require.False(t, got.Coerced, "%s", form.raw)
		}
	})
}

// A number is read as the engine reads it, and only what its file gives back is exact.
func TestNumbersAsTheEngineReadsThem(t *testing.T) {
	got, err := DecodeJSON(json.RawMessage("1.3779649082328497e+187"), Hint{Type: TypeFloat})
	require.NoError(t, err)
	require.True(t, got.Value.Equal(Float(1.3779649082328498e+187)))
	require.False(t, ReadsBack(got.Value))
	for _, v := range []Value{Float(0.1), Float(float64(float32(0.1))), Float(math.NaN()), NewArray(Float(0.5)), PackedFloat64Array([]float64{1, 2})} {
		require.True(t, ReadsBack(v), "%s", v)
	}
	const many = 1.3779649082328498e+187
	for _, v := range []Value{Float(many), NewArray(Float(many)), PackedFloat64Array([]float64{5e-324}), NewDictionary(Entry{Key: Int(1), Value: Float(many)})} {
		require.False(t, ReadsBack(v), "%s", v)
	}
}

func TestFloatsForTheEngine(t *testing.T) {
	g := gen{picker: newSeeded(3)}
	words := 0
	for range 50_000 {
		frac, _ := math.Frexp(math.Float64frombits(g.bits()))
		f := frac * math.Ldexp(1, g.n(60)-20)
		if floatName(f) != "" {
			continue
		}
		raw := string(EncodeWire(Float(f)))
		if strings.Contains(raw, "0x") {
			words++
		} else if text := strings.TrimSuffix(strings.TrimPrefix(raw, `{"type":"float","value":`), "}"); !readsBack([]byte(text), f) {
			t.Errorf("%v is written as %s", f, raw)
		}
		got, err := DecodeJSON(json.RawMessage(raw), Hint{})
		require.NoError(t, err)
		require.Equal(t, Float(f), got.Value)
	}
	// Nearly all doubles of usual size have a decimal text that both parsers read exactly.
	assert.Less(t, words, 1000)
	assert.Equal(t, `[0.1,{"type":"float","value":"0x0000000000000001"}]`, string(EncodeWire(NewArray(Float(0.1), Float(5e-324)))))
	assert.Equal(t, `5e-324`, string(EncodeTagged(Float(5e-324))))
}

func FuzzVariantJSON(f *testing.F) {
	for _, c := range encodings {
		f.Add(c.natural, uint8(c.v.Type()))
		f.Add(string(EncodeTagged(c.v)), uint8(0))
	}
	f.Fuzz(func(t *testing.T, raw string, hint uint8) {
		h := Hint{Type: Type(hint) % TypeMax}
		got, err := DecodeJSON(json.RawMessage(raw), h)
		if err != nil {
			require.IsType(t, &DecodeError{}, err)
			return
		}
		once := EncodeTagged(got.Value)
		require.True(t, json.Valid(once), "%s", once)
		again, err := DecodeJSON(once, Hint{})
		require.NoError(t, err, "%s", once)
		require.True(t, got.Value.Equal(again.Value), "%s\n%s", got.Value, again.Value)
		require.Equal(t, string(once), string(EncodeTagged(again.Value)))
	})
}
