package safety

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCheckValue(t *testing.T) {
	for _, good := range []string{
		`1`, `null`, `"text"`, `"50%: a/../b"`, `{"x":1,"y":2}`, `{"resource":"res://a.tres"}`, `{"resource":"uid://abc123"}`,
		`{"resource":"res://main.tscn::RectangleShape2D_ab1cd","class":"RectangleShape2D"}`, `"res://a.png"`, `"user://save.dat"`,
		`{"new":"AtlasTexture","properties":{"atlas":{"resource":"res://a.png"}}}`, `"{not json"`, `["res://a","res://b"]`, `{"resource":5}`,
		`"See res://../x for details"`,
	} {
		_, err := CheckValue(json.RawMessage(good))
		assert.NoError(t, err, good)
	}
	for _, bad := range []string{
		`{"resource":"user://x.tres"}`, `{"resource":"/etc/passwd"}`, `{"resource":"res://../x"}`, `{"resource":"res://%2e%2e/x"}`, `{"resource":"uid://../x"}`,
		`{"resource":"res://a.tscn::../../x"}`, `{"resource":""}`, `"res://a/../../x"`, `"res://..\\x"`, `" res://../x"`,
		`{"new":"AtlasTexture","properties":{"atlas":{"resource":"file:///x"}}}`, `[{"resource":"user://x"}]`, `"{\"resource\":\"user://x\"}"`,
		`{"\u0072esource":"user://x"}`, `"res:\/\/..\/x"`,
	} {
		_, err := CheckValue(json.RawMessage(bad))
		assert.Error(t, err, bad)
	}
}

func TestCheckValueNamesFiles(t *testing.T) {
	paths, err := CheckValue(json.RawMessage(`{"a":"res://x//y.png","b":[{"resource":"res://m.tscn::Id_1"}],"c":"{\"resource\":\"res://z.tres\"}","d":"user://s"}`))
	assert.NoError(t, err)
	assert.ElementsMatch(t, []string{"res://x/y.png", "res://m.tscn", "res://z.tres"}, paths)
}
