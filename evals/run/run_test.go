package run_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/evals/agents"
	"godot-mcp/evals/evidence"
	"godot-mcp/evals/run"
	"godot-mcp/evals/sim"
	"godot-mcp/evals/task"
	"godot-mcp/evals/tasks"
)

func some(t *testing.T, ids ...string) (out []*task.Task) {
	all, err := tasks.All()
	require.NoError(t, err)
	for _, x := range all {
		for _, id := range ids {
			if x.ID == id {
				out = append(out, x)
			}
		}
	}
	require.Len(t, out, len(ids))
	return out
}

func options(t *testing.T, names ...string) run.Options {
	o := run.Options{Tasks: some(t, "timeout/late-apply", "honesty/false-success"), Trials: 3, Parallel: 4, Out: run.Folder(t.TempDir()), Version: "test"}
	for _, n := range names {
		a, err := agents.Pick(n)
		require.NoError(t, err)
		o.Agents = append(o.Agents, a)
	}
	return o
}

var wall = regexp.MustCompile(`"wall_ms":\d+`)

// trials is trials.jsonl without the wall times.
func trials(t *testing.T, f run.Folder) string {
	b, err := os.ReadFile(filepath.Join(string(f), "trials.jsonl"))
	require.NoError(t, err)
	return wall.ReplaceAllString(string(b), "")
}

func TestStoppedRunGoesOn(t *testing.T) {
	whole := options(t, "oracle", "blind-retrier")
	_, err := run.Run(t.Context(), whole)
	require.NoError(t, err)

	o := options(t, "oracle", "blind-retrier")
	ctx, cancel := context.WithCancel(t.Context())
	o.Progress = func(done, _ int, _ run.Record) {
		if done == 5 {
			cancel()
		}
	}
	_, err = run.Run(ctx, o)
	require.ErrorIs(t, err, context.Canceled)
	// The process dies while it writes a line.
	f, err := os.OpenFile(filepath.Join(string(o.Out), "trials.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString(`{"agent":"script:oracle","task":"timeout/la`)
	require.NoError(t, err)
	require.NoError(t, f.Close())

	made := 0
	o.Progress = func(int, int, run.Record) { made++ }
	records, err := run.Run(t.Context(), o)
	require.NoError(t, err)
	assert.Len(t, records, 12)
	assert.Less(t, made, 12, "what is stored is not made again")
	assert.Equal(t, trials(t, whole.Out), trials(t, o.Out))
}

func TestAnotherRunIsRefused(t *testing.T) {
	o := options(t, "oracle")
	_, err := run.Run(t.Context(), o)
	require.NoError(t, err)
	o.Trials = 4
	_, err = run.Run(t.Context(), o)
	assert.ErrorContains(t, err, "holds another run")
}

func TestShardsMakeTheWhole(t *testing.T) {
	whole := options(t, "oracle", "success-claimer")
	_, err := run.Run(t.Context(), whole)
	require.NoError(t, err)
	var parts []run.Folder
	for i := range 3 {
		o := options(t, "oracle", "success-claimer")
		o.Shard = run.Shard{Index: i, Of: 3}
		records, err := run.Run(t.Context(), o)
		require.NoError(t, err)
		assert.Len(t, records, 4, "trials of a task are spread")
		parts = append(parts, o.Out)
	}
	out := run.Folder(t.TempDir())
	n, missing, err := run.Merge(out, append(parts, parts[0]))
	require.NoError(t, err)
	assert.Equal(t, 12, n)
	assert.Empty(t, missing)
	assert.Equal(t, trials(t, whole.Out), trials(t, out))
	_, missing, err = run.Merge(run.Folder(t.TempDir()), parts[1:])
	require.NoError(t, err)
	assert.Len(t, missing, 4)

	other := options(t, "oracle")
	_, err = run.Run(t.Context(), other)
	require.NoError(t, err)
	_, _, err = run.Merge(out, parts)
	assert.ErrorContains(t, err, "holds a run already")
	_, _, err = run.Merge(run.Folder(t.TempDir()), []run.Folder{parts[0], other.Out})
	assert.ErrorContains(t, err, "not shards of one run")
}

func TestGradeAgain(t *testing.T) {
	o := options(t, "oracle", "blind-retrier")
	_, err := run.Run(t.Context(), o)
	require.NoError(t, err)
	changes, n, err := run.Regrade(o.Out, o.Tasks, false)
	require.NoError(t, err)
	assert.Equal(t, 12, n)
	assert.Empty(t, changes)

	before := trials(t, o.Out)
	strict := *o.Tasks[1]
	strict.Checks = append([]task.Check{{ID: "never", Word: "effect.none", Args: []task.Arg{{Value: "node_created"}}}}, strict.Checks...)
	changes, _, err = run.Regrade(o.Out, []*task.Task{o.Tasks[0], &strict}, false)
	require.NoError(t, err)
	assert.Len(t, changes, 6)
	assert.Equal(t, before, trials(t, o.Out), "without write nothing is written")
}

// TestCrashedGraderIsNoVerdict: a check that makes a grader panic leaves the
// trial unscored, with the reason.
func TestCrashedGraderIsNoVerdict(t *testing.T) {
	o := options(t, "oracle")
	broken := *o.Tasks[0]
	broken.Checks = append([]task.Check{{ID: "shape", Word: "disk.shape", Args: []task.Arg{{Value: "res://level.tscn"}, {Value: "*"}}}}, broken.Checks...)
	o.Tasks = []*task.Task{&broken}
	records, err := run.Run(t.Context(), o)
	require.NoError(t, err)
	for _, r := range records {
		assert.Equal(t, run.Unscored, r.Outcome)
		assert.Contains(t, r.Cause, "grader shape failed: covers wants WxH")
		assert.False(t, r.Trusted)
		assert.False(t, r.Goal)
	}
}

// TestLimitOnCalls: an agent that is cut off is graded on what it did.
func TestLimitOnCalls(t *testing.T) {
	o := options(t, "oracle")
	o.Tasks, o.Trials, o.MaxCalls = some(t, "build/player"), 1, 2
	records, err := run.Run(t.Context(), o)
	require.NoError(t, err)
	assert.Equal(t, 2, records[0].Metrics.Calls)
	assert.Equal(t, run.Scored, records[0].Outcome)
	assert.False(t, records[0].Trusted)
	o.MaxCalls = 99
	_, err = run.Run(t.Context(), o)
	assert.ErrorContains(t, err, "holds another run")
}

func TestInfrastructureIsNoFailure(t *testing.T) {
	o := options(t)
	fails := true
	o.Agents = []run.Agent{{Info: run.AgentInfo{Name: "flaky"}, New: func() *run.Instance {
		return &run.Instance{Agent: func(context.Context, *sim.Room) (string, evidence.Stop, error) {
			if fails {
				return "", "", &run.Infrastructure{Cause: "provider_500", Err: errors.New("overloaded")}
			}
			return "Done.", evidence.Done, nil
		}, Log: func() []byte { return []byte("log") }}
	}}}
	records, err := run.Run(t.Context(), o)
	require.NoError(t, err)
	for _, r := range records {
		assert.Equal(t, run.Infra, r.Outcome)
		assert.Equal(t, "provider_500: overloaded", r.Cause)
	}
	fails = false
	o.RetryInfra = true
	records, err = run.Run(t.Context(), o)
	require.NoError(t, err)
	assert.Len(t, records, 6)
	for _, r := range records {
		assert.Equal(t, run.Scored, r.Outcome)
		assert.Equal(t, "no_report", r.Honest)
	}
}

func TestAgentsPanicIsInfrastructure(t *testing.T) {
	o := options(t)
	o.Agents = []run.Agent{{Info: run.AgentInfo{Name: "broken"}, New: func() *run.Instance {
		return &run.Instance{Agent: func(context.Context, *sim.Room) (string, evidence.Stop, error) { panic("boom") }}
	}}}
	records, err := run.Run(t.Context(), o)
	require.NoError(t, err)
	assert.Equal(t, run.Infra, records[0].Outcome)
	assert.Contains(t, records[0].Cause, "boom")
}

func TestParseShard(t *testing.T) {
	s, err := run.ParseShard("2/5")
	require.NoError(t, err)
	assert.Equal(t, run.Shard{Index: 2, Of: 5}, s)
	for _, bad := range []string{"", "5/5", "-1/5", "a/b", "1/0", "1", "1/2/3", "1/2x"} {
		_, err := run.ParseShard(bad)
		assert.Error(t, err, bad)
	}
}

func TestFinalProjectCanBeOpened(t *testing.T) {
	o := options(t, "oracle")
	_, err := run.Run(t.Context(), o)
	require.NoError(t, err)
	b, err := os.ReadFile(filepath.Join(string(o.Out), "t", "timeout_late-apply", "script_oracle", "1", "final.txtar"))
	require.NoError(t, err)
	assert.True(t, bytes.Contains(b, []byte(`[node name="Player" type="CharacterBody2D"`)))
}
