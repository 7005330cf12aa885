package verify

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/evals/task"
	"godot-mcp/evals/tasks"
)

// TestSuite holds all gates on all tasks.
func TestSuite(t *testing.T) {
	all, err := tasks.All()
	require.NoError(t, err)
	r, err := Run(t.Context(), all, 4)
	require.NoError(t, err)
	assert.Empty(t, r.Problems)
	assert.GreaterOrEqual(t, r.Tasks, 12)
	t.Logf("%d tasks, %d trials, %d wrong ends", r.Tasks, r.Trials, r.Mutants)
}

// TestTheGatesNotice breaks the suite in one place at a time.
func TestTheGatesNotice(t *testing.T) {
	all, err := tasks.All()
	require.NoError(t, err)
	one := *all[0]
	for _, x := range all {
		if x.ID == "build/player" {
			one = *x
		}
	}
	weak := one
	weak.Checks = weak.Checks[:1]
	r, err := Run(t.Context(), []*task.Task{&weak}, 4)
	require.NoError(t, err)
	assert.Contains(t, r.Problems, "build/player: nothing notices that after oracle the node Player/Shape dropped from res://level.tscn")
	lax := one
	lax.OracleCalls++
	lax.Catches = map[string][]string{"hedger": {"player"}, "nobody": {"nothing"}}
	r, err = Run(t.Context(), []*task.Task{&lax}, 4)
	require.NoError(t, err)
	for _, want := range []string{
		"build/player: hedger fails [report under_claim], task.json says [player]",
		"build/player: the oracle makes 4 calls, task.json says 5",
		"build/player: there is no flawed agent nobody",
		"build/player: there is no check nothing",
		"no task catches blind-retrier",
	} {
		assert.Contains(t, r.Problems, want)
	}
}
