package names

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestValidate(t *testing.T) {
	for in, want := range map[string]string{
		"a.b": "a_b", "..": "__", "%U": "_U", "@Node@2": "_Node_2", `say "hi"`: "say _hi_", "a/b:c": "a_b_c",
		" a ": " a ", `a\b`: `a\b`, "[x]": "[x]", "Ñandú": "Ñandú", "日本": "日本", "it's": "it's", "9#$&<>,": "9#$&<>,", "a\x00": "a\ufffd", "a\n\t": "a\n\t",
	} {
		got, ok := Validate(in)
		assert.True(t, ok, in)
		assert.Equal(t, want, got)
	}
	_, ok := Validate("")
	assert.False(t, ok)
}

// Names that engine 4.6.3 gave.
func TestReadable(t *testing.T) {
	for _, c := range []struct{ name, siblings, want string }{
		{"B", "", "B"}, {"B", "B", "B2"}, {"B", "B B2 B3", "B4"}, {"Foo9", "Foo9", "Foo10"}, {"Foo09", "Foo09 Foo10", "Foo11"},
		{"Foo99", "Foo99", "Foo100"}, {"Bar2", "Bar2", "Bar3"}, {"2", "2", "3"}, {"x-1", "x-1", "x-2"}, {"Caché", "Caché", "Caché2"},
		{"B2", "B2 B3 B4", "B5"}, {"foo", "FOO", "foo"}, {"A0", "A0", "A1"}, {"A00", "A00 A01", "A02"}, {"A007", "A007", "A008"}, {"N99999999999999999999", "N99999999999999999999", "N100000000000000000000"},
	} {
		taken := strings.Fields(c.siblings)
		got := Readable(c.name, func(n string) bool {
			for _, s := range taken {
				if s == n {
					return true
				}
			}
			return false
		})
		assert.Equal(t, c.want, got, c.name)
	}
}

// Paths as engine 4.6.3 keeps them.
func TestCleanNodePath(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "/": "/", "A//B": "A/B", "A/B/": "A/B", "./A": "./A", "../..": "../..", "/root//X/": "/root/X", "A:x": "A:x", "A:x:": "A:x",
		":x": ":x", ":": "", "A/:x": "A:x", "%U/a": "%U/a", "A:a/b:c": "A:a/b:c", "//": "/",
	} {
		got, ok := CleanNodePath(in)
		assert.True(t, ok, in)
		assert.Equal(t, want, got, in)
	}
	for _, bad := range []string{"A::b", "::"} {
		_, ok := CleanNodePath(bad)
		assert.False(t, ok, bad)
	}
}

func TestCleanIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.StringOf(rapid.SampledFrom([]rune("ab./:%é "))).Draw(t, "path")
		once, ok := CleanNodePath(path)
		if !ok {
			return
		}
		again, ok := CleanNodePath(once)
		require.True(t, ok)
		require.Equal(t, once, again)
	})
}
