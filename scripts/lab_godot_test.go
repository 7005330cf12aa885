//go:build godot

package scripts

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The lab itself: a project is opened, looked at and changed by the person.
func TestLabOnARealEditor(t *testing.T) {
	ctx := t.Context()
	b, err := startGodot(ctx, godotBin(t))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.quit()) })
	files := drawProjectFor(t)
	require.NoError(t, b.Open(ctx, files, "ws://127.0.0.1:1", ""))
	t.Cleanup(func() { require.NoError(t, b.Reset(ctx)) })
	require.NoError(t, b.Human(ctx, []string{"tab", "res://main.tscn"}))
	one, err := b.Look(ctx)
	require.NoError(t, err)
	require.Contains(t, one.Live, ". Node2D owner=-")
	require.Contains(t, one.Session, "active res://main.tscn")
	again, err := b.Look(ctx)
	require.NoError(t, err)
	require.Equal(t, one, again)
	require.NoError(t, b.Human(ctx, []string{"add", ".", "Timer", "Clock"}))
	two, err := b.Look(ctx)
	require.NoError(t, err)
	require.Contains(t, two.Live, "Clock Timer owner=.")
	require.Equal(t, one.Steps+1, two.Steps)
	require.NotEqual(t, one.Saved, two.Saved)
	require.NoError(t, b.Human(ctx, []string{"undo"}))
	back, err := b.Look(ctx)
	require.NoError(t, err)
	require.Equal(t, one.Live, back.Live)
	require.Equal(t, one.Saved, back.Saved)
}

func drawProjectFor(t *testing.T) map[string][]byte {
	var files map[string][]byte
	rapid.Check(t, func(rt *rapid.T) { files = drawProject(rt) })
	return files
}
