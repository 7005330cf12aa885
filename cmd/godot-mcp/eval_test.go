package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/evals/run"
)

var wallTime = regexp.MustCompile(`"wall_ms":\d+`)

// trialsOf is trials.jsonl of a run without the wall times.
func trialsOf(t *testing.T, out string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(out, "trials.jsonl"))
	require.NoError(t, err)
	return wallTime.ReplaceAllString(string(b), "")
}

// TestKilledRunGoesOn kills the process of a run in the middle, twice, and lets
// the same command go on: the result is that of a run that nobody disturbed.
func TestKilledRunGoesOn(t *testing.T) {
	args := func(out string) []string {
		return []string{"eval", "run", "--agent", "script:oracle", "--agent", "script:blind-retrier", "--tasks", "timeout/late-apply,build/player,undo/only-mine", "-k", "20", "--parallel", "2", "--out", out}
	}
	whole, killed := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "killed")
	_, err := execute(t, args(whole)...)
	require.NoError(t, err)

	lines := func() int {
		b, err := os.ReadFile(filepath.Join(killed, "trials.jsonl"))
		if err != nil {
			return 0
		}
		return bytes.Count(b, []byte("\n"))
	}
	for _, after := range []int{3, 30} {
		cmd := command(context.Background(), args(killed)...)
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool { return lines() >= after }, time.Minute, time.Millisecond)
		require.NoError(t, cmd.Process.Kill())
		assert.ErrorContains(t, cmd.Wait(), "killed")
		records, err := run.Folder(killed).Records()
		require.NoError(t, err)
		require.Less(t, len(records), 120, "it was killed in the middle")
	}
	code, _, stderr := exitCode(t, args(killed)...)
	require.Zero(t, code, stderr)
	want, got := strings.Split(trialsOf(t, whole), "\n"), strings.Split(trialsOf(t, killed), "\n")
	require.Equal(t, len(want), len(got))
	for i := range want {
		require.Equal(t, want[i], got[i])
	}
	records, err := run.Folder(killed).Records()
	require.NoError(t, err)
	require.Equal(t, 3*2*20, len(records))
	for _, r := range records {
		_, err := run.Folder(killed).Evidence(r)
		require.NoError(t, err, r.Key())
	}
}
