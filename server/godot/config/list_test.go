package config

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"godot-mcp/server/godot/variant"
)

// TestListKeepsItsLayout adds an element to lists as people write them, and takes it out again.
func TestListKeepsItsLayout(t *testing.T) {
	for name, c := range map[string]struct{ before, with string }{
		"one line":     {`k=PackedStringArray("a", "b")`, `k=PackedStringArray("a", "b", "x")`},
		"tight":        {`k=["a","b"]`, `k=["a","b","x"]`},
		"one element":  {`k = [ "a" ]`, `k = [ "a", "x" ]`},
		"several":      {"k=PackedStringArray(\n\t\"a\",\n\t\"b\"\n)", "k=PackedStringArray(\n\t\"a\",\n\t\"b\",\n\t\"x\"\n)"},
		"last comma":   {"k=[\n\"a\",\n\"b\",\n]", "k=[\n\"a\",\n\"b\",\n\"x\",\n]"},
		"windows":      {"k=[\r\n\"a\",\r\n\"b\"\r\n]", "k=[\r\n\"a\",\r\n\"b\",\r\n\"x\"\r\n]"},
		"comments":     {"k=[\n\"a\", ; one, \"y\"\n\"b\" ; two\n]", "k=[\n\"a\", ; one, \"y\"\n\"b\",\n\"x\" ; two\n]"},
		"odd strings":  {`k=["a\"]", "b"]`, `k=["a\"]", "b", "x"]`},
		"single lines": {"k=PackedStringArray(\"a\",\n\"b\")", "k=PackedStringArray(\"a\",\n\"b\",\n\"x\")"},
	} {
		t.Run(name, func(t *testing.T) {
			const around = "; head\n[s]\n%\nother=1 ; tail\n"
			file := func(entry string) string {
				return around[:len("; head\n[s]\n")] + entry + around[len("; head\n[s]\n%"):]
			}
			f, err := Parse([]byte(file(c.before)))
			require.NoError(t, err)
			require.True(t, f.AppendString("s", "k", "x"))
			assert.Equal(t, file(c.with), string(f.Bytes()))
			require.True(t, f.RemoveString("s", "k", "x"))
			assert.Equal(t, file(c.before), string(f.Bytes()))
			assert.False(t, f.RemoveString("s", "k", "x"))
		})
	}
}

func TestListRemovesFromAnywhere(t *testing.T) {
	for before, after := range map[string]string{
		`k=["x", "a"]`:                        `k=["a"]`,
		"k=[\n\"x\",\n\"a\"\n]":               "k=[\n\"a\"\n]",
		"k=[\n\"a\", ; why\n\"x\"\n]":         "k=[\n\"a\" ; why\n]",
		"k=[\n\"a\", ; why\n\"x\"]":           "k=[\n\"a\" ; why\n]",
		"k=[\"x\", \"a\", \"x\", \"b\"]":      `k=["a", "b"]`,
		"k=PackedStringArray(\"a\", \"x\", )": `k=PackedStringArray("a", )`,
	} {
		f, err := Parse([]byte(before))
		require.NoError(t, err)
		require.True(t, f.RemoveString("", "k", "x"), before)
		assert.Equal(t, after, string(f.Bytes()))
	}
}

func TestOtherValuesAreNoLists(t *testing.T) {
	for _, text := range []string{"k=1", "k=[]", "k=PackedStringArray()", "k=[1, 2]", `k=[["a"]]`, `k=Array[String](["a"])`, `k="a"`, `k={"a": "b"}`, `k=[&"a"]`} {
		f, err := Parse([]byte(text))
		require.NoError(t, err, text)
		assert.False(t, f.AppendString("", "k", "x"), text)
		assert.False(t, f.RemoveString("", "k", "x"), text)
		assert.Equal(t, text, string(f.Bytes()))
	}
	assert.False(t, New().AppendString("", "k", "x"))
}

// TestListHoldsWhatWasAdded says that the value follows the text, whatever the strings.
func TestListHoldsWhatWasAdded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[a-c"\\;,)\n]{0,4}`)
		f := New()
		list := rapid.SliceOfN(word, 1, 4).Draw(t, "list")
		f.Set("s", "k", variant.PackedStringArray(list))
		f, err := Parse(f.Bytes())
		require.NoError(t, err)
		before, text := string(f.Bytes()), "x"+word.Draw(t, "text")
		require.True(t, f.AppendString("s", "k", text))
		again, err := Parse(f.Bytes())
		require.NoError(t, err)
		v, _ := again.Get("s", "k")
		got, _ := v.Strings()
		assert.Equal(t, append(list, text), got)
		require.True(t, f.RemoveString("s", "k", text))
		assert.Equal(t, before, string(f.Bytes()))
	})
}
