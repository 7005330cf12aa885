package scripts

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const benchScene = "[gd_scene format=3 uid=\"uid://cbench0000001\"]\n\n[node name=\"Main\" type=\"Node2D\" unique_id=1]\n"

// BenchmarkSim times tool calls, client to answer, on the simulated editor.
func BenchmarkSim(b *testing.B) {
	benchEditor(b, func(context.Context) (Backend, func()) { return &simBackend{}, func() {} })
}

func benchEditor(b *testing.B, open func(context.Context) (Backend, func())) {
	ctx := b.Context()
	backend, closeIt := open(ctx)
	defer closeIt()
	s := &session{backend: backend, flags: defaultFlags}
	require.NoError(b, s.start(ctx, map[string][]byte{"project.godot": []byte(plainProject), "main.tscn": []byte(benchScene)}))
	defer func() { require.NoError(b, s.close()) }()
	must := func(b *testing.B, tool string, args map[string]any) {
		if _, err := s.mustSucceed(ctx, s.tool(tool), args); err != nil {
			b.Fatal(err)
		}
	}
	must(b, "open_scene", map[string]any{"scene_path": "res://main.tscn"})
	must(b, "create_node", map[string]any{"parent_path": ".", "node_type": "Node2D", "node_name": "N"})

	b.Run("read", func(b *testing.B) {
		timed(b, func(int) { must(b, "get_node_property", map[string]any{"node_path": "N", "property": "position"}) }, nil)
	})
	b.Run("write", func(b *testing.B) {
		timed(b, func(i int) {
			must(b, "set_node_property", map[string]any{"node_path": "N", "property": "position", "value": map[string]any{"x": i, "y": 1}})
		}, nil)
	})
	for _, n := range []int{1000, 10000} {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("B%d", i)
		}
		b.Run(fmt.Sprintf("create%d", n), func(b *testing.B) {
			timed(b, func(int) {
				must(b, "batch_create_nodes", map[string]any{"parent_path": "N", "node_type": "Node2D", "names": names})
			}, func() { must(b, "undo", map[string]any{}) })
		})
	}
}

// timed reports the median and the 99th percentile besides the mean; after
// puts things back between two runs, off the clock.
func timed(b *testing.B, f func(int), after func()) {
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		f(i)
		took = append(took, time.Since(start))
		if after != nil {
			b.StopTimer()
			after()
			b.StartTimer()
		}
	}
	slices.Sort(took)
	at := func(q float64) float64 { return float64(took[int(q*float64(len(took)-1))].Microseconds()) / 1000 }
	b.ReportMetric(at(0.5), "p50-ms")
	b.ReportMetric(at(0.99), "p99-ms")
}
