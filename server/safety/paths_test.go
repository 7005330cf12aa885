package safety

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestResPath(t *testing.T) {
	for in, want := range map[string]string{
		"res://a//b/./c":         "res://a/b/c",
		"res://main.tscn":        "res://main.tscn",
		"res://":                 "res://",
		"res://./":               "res://",
		"res://dir/":             "res://dir",
		"res:///a":               "res://a",
		"res://with space/é.gd":  "res://with space/é.gd",
		"res://.hidden/a":        "res://.hidden/a",
		"res://a...b/c":          "res://a...b/c",
		"res://addons/x/plug.gd": "res://addons/x/plug.gd",
	} {
		got, err := ResPath(in)
		if assert.NoError(t, err, in) {
			assert.Equal(t, want, got)
		}
	}
	for _, bad := range []string{
		"main.tscn", "/etc/passwd", `C:\x`, "C:/x", "res://../x", "res://a/../../x", "res://a/../b", "res://%2e%2e/x", "res://%2E%2E/project.godot",
		"user://x", "uid://abc", "", "res:/x", "RES://x", "file:///etc/passwd", `res://a\..\b`, "res://a\x00.gd", "res://a\nb", "res://c:/x",
		"res://a/.../b", "res://a/.. /b", "res://\u202egp.dg", "res://a\u200b.gd", "res://" + strings.Repeat("a", maxPathBytes), "res://\xff", " res://x",
	} {
		got, err := ResPath(bad)
		assert.Error(t, err, "%q became %q", bad, got)
	}
}

func TestCleanNodePath(t *testing.T) {
	for in, want := range map[string]string{
		"": ".", ".": ".", "/": ".", "/root": ".", "/root/": ".", "./A": "A", "A": "A", "A/B": "A/B", "A//B/": "A/B",
		"/A/B": "A/B", "/root/A": "A", "/root/Main": ".", "/root/Main/A": "A", "/Main/A": "/Main/A", "A/../B": "B", "%Player": "%Player", "root/A": "root/A", `A\B/C`: `A\B/C`,
		"/rooted/A": "rooted/A", ":made": ":made", ":made/Child": ":made/Child", "A/Größe": "A/Größe",
	} {
		if in == "/Main/A" {
			want = "Main/A"
		}
		got, err := CleanNodePath(in, "Main")
		if assert.NoError(t, err, in) {
			assert.Equal(t, want, got, in)
		}
	}
	for _, bad := range []string{"..", "../A", "A/../../B", "/root/..", "A:position", "A\x00", "A\nB", "A\u202e", "\xff", strings.Repeat("a/", maxPathBytes)} {
		got, err := CleanNodePath(bad, "Main")
		assert.Error(t, err, "%q became %q", bad, got)
	}
}

func FuzzResPath(f *testing.F) {
	for _, s := range []string{"res://a", "res://../a", "res://a/./b//c", "user://x", "res://%2e", `res://a\b`, "res://a\x00", "res://. ./b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := ResPath(s)
		if err != nil {
			require.Empty(t, got)
			return
		}
		rest, ok := strings.CutPrefix(got, "res://")
		require.True(t, ok)
		require.NotContains(t, got, `\`)
		require.NotContains(t, rest, "//")
		require.False(t, strings.HasPrefix(rest, "/"))
		for part := range strings.SplitSeq(rest, "/") {
			if part == ".." || part == "." {
				t.Fatalf("%q became %q", s, got)
			}
		}
		again, err := ResPath(got)
		require.NoError(t, err)
		require.Equal(t, got, again)
	})
}

func FuzzNodePath(f *testing.F) {
	for _, s := range []string{"", "/root/Main/A", "A/..", "../A", ":ref/B", "%U", "A//B", "./.", "A:b"} {
		f.Add(s, "Main")
	}
	f.Fuzz(func(t *testing.T, s, root string) {
		got, err := CleanNodePath(s, root)
		if err != nil {
			require.Empty(t, got)
			return
		}
		require.NotEmpty(t, got)
		if strings.HasPrefix(got, ":") {
			require.Equal(t, s, got)
			return
		}
		require.False(t, strings.HasPrefix(got, "/"))
		for part := range strings.SplitSeq(got, "/") {
			if part == ".." || part == "" {
				t.Fatalf("%q became %q", s, got)
			}
		}
		again, err := CleanNodePath(got, "")
		require.NoError(t, err)
		require.Equal(t, got, again)
	})
}
