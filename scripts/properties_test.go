package scripts

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestLawsHoldForRandomRuns plays random calls on random projects: every answer
// obeys the laws of its class (see laws.go), refusals change nothing, and undo
// to the start gives the start's file.
func TestLawsHoldForRandomRuns(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ctx := context.Background()
		s := &session{backend: &simBackend{}, flags: defaultFlags}
		require.NoError(rt, s.start(ctx, drawProject(rt)))
		defer func() { require.NoError(rt, s.close()) }()
		scene := rapid.SampledFrom([]string{"res://main.tscn", "res://inh.tscn"}).Draw(rt, "scene")
		_, err := s.mustSucceed(ctx, s.tool("open_scene"), map[string]any{"scene_path": scene})
		require.NoError(rt, err)
		start, err := s.backend.Look(ctx)
		require.NoError(rt, err)

		var done []string
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			nodes, err := s.nodes(ctx)
			require.NoError(rt, err)
			st := drawStep(rt, nodes)
			done = append(done, st.String())
			if err := s.play(ctx, st); err != nil {
				rt.Fatalf("%v\nafter %s", err, done)
			}
		}

		now, err := s.backend.Look(ctx)
		require.NoError(rt, err)
		for n := now.Steps - start.Steps; n > 0; n-- {
			_, err := s.mustSucceed(ctx, s.tool("undo"), map[string]any{})
			require.NoError(rt, err)
		}
		back, err := s.backend.Look(ctx)
		require.NoError(rt, err)
		if back.Live != start.Live || back.Saved != start.Saved {
			rt.Fatalf("undo to the start:\n%s\n%s\nafter %s", lineDiff(start.Live, back.Live), lineDiff(start.Saved, back.Saved), done)
		}
	})
}

// play makes one call under the laws; a refusal is fine if it changes nothing.
func (s *session) play(ctx context.Context, st step) error {
	t := s.tool(st.Tool)
	before, err := s.backend.Look(ctx)
	if err != nil {
		return err
	}
	_, err = s.underLaws(ctx, t, st.Args)
	var broken *lawError
	if errors.As(err, &broken) || err == nil {
		return err
	}
	var refused *refusal
	if !errors.As(err, &refused) || refused.answer["error"] == "INTERNAL_ERROR" {
		return err
	}
	after, lookErr := s.backend.Look(ctx)
	if lookErr != nil {
		return lookErr
	}
	if err := same("a refused call changes nothing", before, after); err != nil {
		return fmt.Errorf("%s: %w", st, err)
	}
	return nil
}

// nodes lists the paths of the edited scene.
func (s *session) nodes(ctx context.Context) ([]string, error) {
	answer, err := s.mustSucceed(ctx, s.tool("get_scene_tree"), map[string]any{"lightweight": true})
	if err != nil {
		return nil, err
	}
	var out []string
	var walk func(v any)
	walk = func(v any) {
		m, ok := v.(map[string]any)
		if !ok {
			return
		}
		if p, ok := m["path"].(string); ok {
			out = append(out, p)
		}
		if kids, ok := m["children"].([]any); ok {
			for _, k := range kids {
				walk(k)
			}
		}
	}
	walk(answer["tree"])
	return out, nil
}
