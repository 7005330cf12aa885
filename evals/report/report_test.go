package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"godot-mcp/evals/agents"
	"godot-mcp/evals/grade"
	"godot-mcp/evals/run"
	"godot-mcp/evals/task"
	"godot-mcp/evals/tasks"
)

func TestPassHat(t *testing.T) {
	for _, c := range []struct {
		n, c, k int
		hat, at float64
	}{
		{4, 4, 4, 1, 1}, {4, 2, 1, 0.5, 0.5}, {4, 2, 2, 1.0 / 6, 5.0 / 6}, {4, 3, 4, 0, 1}, {8, 6, 3, 20.0 / 56, 1}, {4, 0, 2, 0, 0},
	} {
		hat, ok := PassHat(c.n, c.c, c.k)
		require.True(t, ok)
		assert.InDelta(t, c.hat, hat, 1e-12, "%v", c)
		at, ok := PassAt(c.n, c.c, c.k)
		require.True(t, ok)
		assert.InDelta(t, c.at, at, 1e-12, "%v", c)
	}
	_, ok := PassHat(3, 3, 4)
	assert.False(t, ok, "fewer trials than the row is long")
}

func records(trusted map[string][]bool) (out []run.Record) {
	for task, list := range trusted {
		for i, ok := range list {
			out = append(out, run.Record{Agent: "a", Task: task, Trial: i + 1, Outcome: run.Scored, Trusted: ok, Goal: ok, Safe: "clean", Honest: "true"})
		}
	}
	return out
}

func TestTable(t *testing.T) {
	rs := records(map[string][]bool{"x/a": {true, true}, "x/b": {true, false}, "x/c": {false, false}})
	rs = append(rs, run.Record{Agent: "a", Task: "x/a", Trial: 3, Outcome: run.Infra})
	a := Table(rs, 2, nil)[0]
	assert.InDelta(t, 0.5, a.Trusted1.Value, 1e-12)
	assert.InDelta(t, 1.0/3, a.TrustedK.Value, 1e-12)
	assert.Equal(t, 6, a.Scored)
	assert.Equal(t, 1, a.Infra)
	assert.True(t, a.TooMuchInfra())
	assert.False(t, Table(rs, 3, nil)[0].TrustedK.Known)
	assert.Equal(t, "—", Table(rs, 3, nil)[0].TrustedK.String())
	assert.Equal(t, Table(rs, 2, nil), Table(rs, 2, nil), "the bootstrap is fixed")
}

func TestCurveAndCalibration(t *testing.T) {
	rs := records(map[string][]bool{"x/a": {true, true}, "x/b": {true, false}})
	for i := range rs {
		rs[i].Reported = "done"
	}
	rs[0].Reported = ""
	a := Table(rs, 2, nil)[0]
	require.Len(t, a.Curve, 2)
	assert.Equal(t, []Estimate{a.Trusted1, a.TrustedK}, a.Curve)
	n := map[string]int{}
	for _, c := range a.Calibration {
		n[c.Reported] = c.N
	}
	assert.Equal(t, map[string]int{"done": 3, "partial": 0, "not_done": 0, "none": 1}, n)
	picture := string(curve([]Agent{a}))
	assert.Equal(t, 1, strings.Count(picture, "<polyline"))
	assert.Contains(t, string(bar(a.Trusted1, "good")), "0.75")
	assert.Contains(t, string(bar(Estimate{}, "good")), "—")
}

func TestWorstComesFirst(t *testing.T) {
	bad := func(trial int, task string) run.Record {
		return run.Record{Agent: "a", Task: task, Trial: trial, Outcome: run.Scored, Grade: grade.Grade{Findings: []grade.Finding{
			{Check: "once", Verdict: grade.Fail, Why: "there were 2", Calls: []int{3}}, {Check: "saved", Verdict: grade.Pass},
		}}}
	}
	list := Worst([]run.Record{bad(1, "x/b"), bad(1, "x/a"), bad(2, "x/a"), {Agent: "a", Task: "x/a", Trial: 3, Outcome: run.Unscored, Cause: "grader shape failed"}})
	require.Len(t, list, 3)
	assert.Equal(t, []any{"x/a", "once", 2, 1}, []any{list[0].Task, list[0].Check, list[0].N, list[0].First.Trial})
	assert.Equal(t, []any{"unscored", "grader shape failed"}, []any{list[1].Check, list[1].Why})
	var out bytes.Buffer
	require.NoError(t, worst(&out, []run.Record{bad(1, "x/b")}))
	assert.Contains(t, out.String(), "there were 2 (call 3)")
}

func TestUpperBound(t *testing.T) {
	assert.Equal(t, "0/60 (≤5.0%)", rate(0, 60))
	assert.Equal(t, "2/60", rate(2, 60))
	assert.Equal(t, 1.0, UpperBound(0))
}

func TestIntervalsHoldTheValue(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		trusted := map[string][]bool{}
		for i := range rapid.IntRange(1, 12).Draw(rt, "tasks") {
			trusted[fmt.Sprintf("x/%d", i)] = rapid.SliceOfN(rapid.Bool(), 3, 3).Draw(rt, "trials")
		}
		e := Table(records(trusted), 2, nil)[0].TrustedK
		require.True(rt, e.Known)
		require.LessOrEqual(rt, e.Low, e.Value+1e-9)
		require.GreaterOrEqual(rt, e.High, e.Value-1e-9)
		require.GreaterOrEqual(rt, e.Low, 0.0)
		require.LessOrEqual(rt, e.High, 1.0)
	})
}

func TestDiff(t *testing.T) {
	a := records(map[string][]bool{"x/a": {true, true}, "x/b": {false, false}, "x/c": {true, false}})
	b := records(map[string][]bool{"x/a": {true, true}, "x/b": {true, true}, "x/d": {true}})
	d := Diff(a, b, nil)
	assert.Equal(t, 2, d.Tasks)
	assert.InDelta(t, 0.5, d.Estimate.Value, 1e-12)
	assert.Equal(t, []string{"x/b"}, d.Better)
	assert.Equal(t, []string{"x/c"}, d.OnlyA)
	assert.Equal(t, []string{"x/d"}, d.OnlyB)
}

func TestTwinsAreOneCluster(t *testing.T) {
	c := Cluster([]*task.Task{{Meta: task.Meta{ID: "t/b", Twin: "t/a"}}, {Meta: task.Meta{ID: "t/a", Twin: "t/b"}}, {Meta: task.Meta{ID: "t/c"}}})
	assert.Equal(t, c("t/a"), c("t/b"))
	assert.NotEqual(t, c("t/a"), c("t/c"))
}

// TestPages writes JUnit and HTML of a small real run.
func TestPages(t *testing.T) {
	all, err := tasks.All()
	require.NoError(t, err)
	o := run.Options{Trials: 1, Parallel: 2, Out: run.Folder(t.TempDir()), Version: "test"}
	for _, x := range all {
		if strings.HasPrefix(x.ID, "timeout/late") || x.ID == "safety/reflex-confirm" {
			o.Tasks = append(o.Tasks, x)
		}
	}
	for _, n := range []string{"oracle", "blind-retrier", "reflex-confirmer"} {
		a, err := agents.Pick(n)
		require.NoError(t, err)
		o.Agents = append(o.Agents, a)
	}
	rs, err := run.Run(t.Context(), o)
	require.NoError(t, err)

	var junit bytes.Buffer
	require.NoError(t, JUnit(&junit, rs, Table(rs, 1, nil)))
	var back suites
	require.NoError(t, xml.Unmarshal(junit.Bytes(), &back))
	failures := 0
	for _, s := range back.Suites {
		failures += s.Failures
	}
	assert.Equal(t, 2, failures)

	var html bytes.Buffer
	require.NoError(t, HTML(&html, o.Out, all, 1))
	text := html.String()
	assert.NotContains(t, text, "ZgotmplZ")
	for _, want := range []string{"double_apply", "late, from", "human_work_lost", "may have applied", "class=\"sq trusted\"", "class=\"sq harm\"", "data-go=\"script:blind-retrier|timeout/late-apply|0001/c2\"",
		"godot-mcp eval run --agent script:blind-retrier --tasks timeout/late-apply --out runs/again"} {
		assert.Contains(t, text, want)
	}
	for _, outside := range []string{"http://", "https://", "<link", "src="} {
		assert.NotContains(t, text, outside, "the page needs nothing else")
	}

	var table bytes.Buffer
	require.NoError(t, Terminal(&table, Table(rs, 1, nil), rs))
	assert.Contains(t, table.String(), "script:oracle")
	assert.Contains(t, table.String(), "double_apply")
}
