package ids

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The expected values were read from files that Godot 4.6.3 wrote.
func TestAgainstTheEngine(t *testing.T) {
	f := ForFile("res://c/script_own/main.tscn")
	f.Skip()
	f.Skip()
	f.Skip()
	require.Equal(t, "1_ab5c4", f.Ext(1))
	require.Equal(t, "uid://eb28uk1schkx", ForPath("Lab", "res://copy.tscn", nil, nil).String())
}

func TestAClashIsDrawnAgain(t *testing.T) {
	first := ForFile("res://a.tscn").Sub("BoxMesh")
	require.NotEqual(t, first, ForFile("res://a.tscn", first).Sub("BoxMesh"))
	u := ForPath("P", "res://a.tres", nil, nil)
	require.NotEqual(t, u, ForPath("P", "res://a.tres", nil, func(x UID) bool { return x == u }))
}

func TestUIDTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := UID(rapid.Uint64Range(1, 1<<63-1).Draw(t, "uid"))
		back, ok := ParseUID(u.String())
		if !ok || back != u {
			t.Fatalf("%d -> %s -> %d", u, u, back)
		}
	})
	for _, bad := range []string{"", "uid://", "uid://<invalid>", "uid://A", "res://a"} {
		_, ok := ParseUID(bad)
		require.False(t, ok, bad)
	}
	// The engine reads digits that it never writes.
	for text, canonical := range map[string]string{"uid://bfvwr1ohgw7f9": "uid://bfvwr1ohgw7ga", "uid://z": "uid://0", "uid://fx2v3n4c5d6e7": "uid://b3n1il63k6bng"} {
		u, ok := ParseUID(text)
		require.True(t, ok)
		require.Equal(t, canonical, u.String())
	}
}
