//go:build models

package model

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/evals/agents"
	"godot-mcp/evals/fakemodel"
	"godot-mcp/evals/run"
	"godot-mcp/evals/task"
	"godot-mcp/evals/tasks"
)

var providers = map[string]string{"openai": "/v1", "anthropic": ""}

// measure runs the loop against a scripted model.
func measure(t *testing.T, provider string, m *fakemodel.Model, change func(*Options), ids ...string) []run.Record {
	api := httptest.NewServer(m)
	defer api.Close()
	o := run.Options{Trials: 1, Parallel: 1, Out: run.Folder(t.TempDir()), Version: "test"}
	all, err := tasks.All()
	require.NoError(t, err)
	for _, x := range all {
		if len(ids) == 0 || strings.Contains(strings.Join(ids, " "), x.ID) {
			o.Tasks = append(o.Tasks, x)
		}
	}
	with := Options{Provider: provider, Model: "scripted", BaseURL: api.URL + providers[provider], Key: "k3y", PriceIn: 1, PriceOut: 10, Retries: 2}
	if change != nil {
		change(&with)
	}
	a, err := New(with)
	require.NoError(t, err)
	o.Agents = []run.Agent{a}
	records, err := run.Run(t.Context(), o)
	require.NoError(t, err)
	return records
}

func brain(t *testing.T, flaw string) fakemodel.Brain {
	all, err := tasks.All()
	require.NoError(t, err)
	for _, f := range agents.Flaws() {
		if f.Name == flaw {
			return agents.Brain(all, f)
		}
	}
	return agents.Brain(all, nil)
}

// TestTheWholeSuite plays the oracle as a model: every task is trusted.
func TestTheWholeSuite(t *testing.T) {
	for provider := range providers {
		for _, r := range measure(t, provider, &fakemodel.Model{Brain: brain(t, "")}, nil) {
			assert.Equal(t, run.Scored, r.Outcome, "%s %s: %s", provider, r.Task, r.Cause)
			assert.True(t, r.Trusted, "%s %s: %v", provider, r.Task, r.Failed)
			assert.Equal(t, r.Metrics.Calls+1, r.Metrics.Turns, r.Task)
			assert.Equal(t, 100*r.Metrics.Turns, r.Metrics.InputTokens)
			assert.InDelta(t, float64(r.Metrics.Turns)*(100*1+10*10)/1e6, r.Metrics.Cost, 1e-12)
		}
	}
}

func TestAFlawedModelIsCaught(t *testing.T) {
	var want *task.Task
	all, err := tasks.All()
	require.NoError(t, err)
	for _, x := range all {
		if x.ID == "timeout/late-apply" {
			want = x
		}
	}
	for provider := range providers {
		r := measure(t, provider, &fakemodel.Model{Brain: brain(t, "blind-retrier")}, nil, want.ID)[0]
		assert.ElementsMatch(t, want.Catches["blind-retrier"], r.Failed)
	}
}

func TestFaultsOfTheProvider(t *testing.T) {
	const id = "build/player"
	for provider := range providers {
		for _, f := range []fakemodel.Fault{fakemodel.TooMany, fakemodel.Broken} {
			m := &fakemodel.Model{Brain: brain(t, ""), Faults: []fakemodel.Fault{f, "", f}}
			r := measure(t, provider, m, nil, id)[0]
			assert.True(t, r.Trusted, "%s: a retry gets over %s: %s %v", provider, f, r.Cause, r.Failed)
			assert.Equal(t, r.Metrics.Turns+2, m.Requests())

			m = &fakemodel.Model{Brain: brain(t, ""), Faults: []fakemodel.Fault{"", f, f, f, f}}
			r = measure(t, provider, m, nil, id)[0]
			assert.Equal(t, run.Infra, r.Outcome)
			assert.True(t, strings.HasPrefix(r.Cause, "provider_"+string(f)), r.Cause)
			assert.False(t, r.Trusted)
		}
		m := &fakemodel.Model{Brain: brain(t, ""), Faults: []fakemodel.Fault{fakemodel.Truncated}}
		r := measure(t, provider, m, nil, id)[0]
		assert.Equal(t, run.Infra, r.Outcome, "%s: a truncated answer", provider)

		m = &fakemodel.Model{Brain: brain(t, ""), Faults: []fakemodel.Fault{"", fakemodel.BadJSON}}
		r = measure(t, provider, m, nil, id)[0]
		assert.Equal(t, run.Scored, r.Outcome, "%s: broken arguments are the model's: %s", provider, r.Cause)
	}
	r := measure(t, "openai", &fakemodel.Model{Brain: brain(t, "")}, func(o *Options) { o.BaseURL, o.Retries = "http://127.0.0.1:1/v1", -1 }, id)[0]
	assert.Equal(t, run.Infra, r.Outcome)
	assert.True(t, strings.HasPrefix(r.Cause, "provider_unreachable"), r.Cause)
}

func TestLimits(t *testing.T) {
	for provider := range providers {
		r := measure(t, provider, &fakemodel.Model{Brain: brain(t, "")}, func(o *Options) { o.MaxTokens = 250 }, "build/player")[0]
		assert.Equal(t, "limit", r.Stop)
		assert.Equal(t, run.Scored, r.Outcome)
		assert.False(t, r.Trusted)
		assert.Equal(t, 3, r.Metrics.Turns)
	}
	// A model that never ends runs into the limit on calls.
	endless := func(string, []string) fakemodel.Turn {
		return fakemodel.Turn{Tool: "godot_health_check", Input: map[string]any{}}
	}
	r := measure(t, "openai", &fakemodel.Model{Brain: endless}, nil, "build/player")[0]
	assert.Equal(t, "limit", r.Stop)
	assert.Equal(t, 40, r.Metrics.Calls)
}

func TestOptions(t *testing.T) {
	_, err := New(Options{Provider: "nobody", Model: "m"})
	assert.ErrorContains(t, err, "neither")
	_, err = New(Options{Provider: "openai"})
	assert.ErrorContains(t, err, "a model is needed")
}
