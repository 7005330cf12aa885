package sim

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBubbleCostsNoWallTime(t *testing.T) {
	start := time.Now()
	require.NoError(t, bubble(func() error {
		time.Sleep(1000 * time.Hour)
		return nil
	}))
	assert.Less(t, time.Since(start), time.Hour)
}

func TestBubbleFailures(t *testing.T) {
	boom := errors.New("boom")
	assert.ErrorIs(t, bubble(func() error { return boom }), boom)
	assert.ErrorContains(t, bubble(func() error { panic("boom") }), "the world failed: boom")
	assert.ErrorContains(t, bubble(func() error { <-make(chan int); return nil }), "the world stopped")
}

// TestBubbleStandsStillForTheOutside: a wait for something outside takes no time
// in the bubble.
func TestBubbleStandsStillForTheOutside(t *testing.T) {
	in, out := make(chan int), make(chan time.Duration)
	go func() {
		for i := range 3 {
			in <- i
			<-out
		}
		close(in)
	}()
	require.NoError(t, bubble(func() error {
		for range in {
			start := time.Now()
			time.Sleep(time.Minute)
			out <- time.Since(start)
		}
		return nil
	}))
}

// TestBubbleInABinary runs a bubble in a program that is no test.
func TestBubbleInABinary(t *testing.T) {
	dir := t.TempDir()
	bin := filepath.Join(dir, "lint")
	out, err := exec.Command("go", "build", "-o", bin, "godot-mcp/cmd/godot-mcp").CombinedOutput()
	require.NoError(t, err, "%s", out)
	cmd := exec.Command(bin, "eval", "run", "--agent", "script:oracle", "--tasks", "timeout/late-apply", "--out", filepath.Join(dir, "run"))
	out, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	line, err := os.ReadFile(filepath.Join(dir, "run", "trials.jsonl"))
	require.NoError(t, err)
	assert.Contains(t, string(line), `"trusted":true`)
}
