package scripts

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"godot-mcp/server/bridge"
	"godot-mcp/server/wire"
)

const benchScene = "[gd_scene format=3 uid=\"uid://cbench0000001\"]\n\n[node name=\"Main\" type=\"Node2D\" unique_id=1]\n"

// nodesScene is a scene of n nodes, in groups of a thousand or less.
func nodesScene(n int) string {
	var b strings.Builder
	b.WriteString("[gd_scene format=3 uid=\"uid://bbench000000" + fmt.Sprint(int(math.Log10(float64(n)))) + "\"]\n\n[node name=\"Big\" type=\"Node2D\" unique_id=1]\n")
	for i := 1; i < n; i++ {
		parent := "."
		if i > 100 {
			parent = fmt.Sprintf("N%d", i%100+1)
		}
		fmt.Fprintf(&b, "\n[node name=\"N%d\" type=\"Node2D\" parent=\"%s\" unique_id=%d]\nposition = Vector2(%d, 2)\n", i, parent, i+1, i)
	}
	return b.String()
}

// A bench is an editor with a server and a client, and where its processor time is read.
type bench struct {
	*session
	cpu func() time.Duration
	mb  func() float64 // resident memory, 0 where it is not known
}

// openBench starts a server for an editor, with scenes of 10,000 and 100,000 nodes.
func openBench(b *testing.B, backend Backend) *bench {
	s := &session{backend: backend, flags: defaultFlags}
	require.NoError(b, s.start(b.Context(), map[string][]byte{
		"project.godot": []byte(plainProject), "main.tscn": []byte(benchScene),
		"big10000.tscn": []byte(nodesScene(10_000)), "big100000.tscn": []byte(nodesScene(100_000)),
	}))
	return &bench{session: s}
}

// must calls a tool, as a client does.
func (e *bench) must(b *testing.B, tool string, args map[string]any) {
	if _, err := e.mustSucceed(b.Context(), e.tool(tool), args); err != nil {
		b.Fatal(err)
	}
}

// ask sends the editor a command, as the server does; scenes of 100,000 nodes take the
// engine longer than a tool waits.
func (e *bench) ask(b *testing.B, command string, params any) {
	if out := e.srv.Bridge().Do(b.Context(), command, params, bridge.Timeout(5*time.Minute)); out.Err != nil {
		b.Fatal(command, out.Err)
	}
}

// work is one thing that editors are timed at. Only do is on the clock; before and
// after prepare each turn and put it back.
type work struct {
	name              string
	scene             string // the scene that is open
	before, do, after func(b *testing.B, e *bench, i int)
}

func moved(i int) map[string]any { return map[string]any{"x": i, "y": 1} }

// works are the calls that people wait for, and scenes of many nodes.
func works() []work {
	out := []work{
		{name: "read", scene: "main", do: func(b *testing.B, e *bench, _ int) {
			e.must(b, "get_node_property", map[string]any{"node_path": "N", "property": "position"})
		}},
		{name: "write", scene: "main", do: func(b *testing.B, e *bench, i int) {
			e.must(b, "set_node_property", map[string]any{"node_path": "N", "property": "position", "value": moved(i)})
		}},
	}
	for _, n := range []int{1000, 10000} {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("B%d", i)
		}
		out = append(out, work{
			name: fmt.Sprintf("create%d", n), scene: "main",
			do: func(b *testing.B, e *bench, _ int) {
				e.must(b, "batch_create_nodes", map[string]any{"parent_path": "N", "node_type": "Node2D", "names": names})
			},
			after: func(b *testing.B, e *bench, _ int) { e.must(b, "undo", map[string]any{}) },
		})
	}
	for _, n := range []int{10_000, 100_000} {
		file := fmt.Sprintf("res://big%d.tscn", n)
		write := func(b *testing.B, e *bench, i int) {
			e.ask(b, wire.CmdSetNodeProperty, wire.SetNodeProperty{NodePath: "N77/N5076", Property: "rotation", Value: fmt.Append(nil, 1+i)})
		}
		open := func(b *testing.B, e *bench, _ int) {
			e.ask(b, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: file})
		}
		settle := func(b *testing.B, e *bench, _ int) { e.ask(b, wire.CmdPing, nil) } // the docks follow in the next frame
		out = append(out,
			work{name: fmt.Sprintf("open%d", n), scene: "main", do: open, after: func(b *testing.B, e *bench, i int) {
				settle(b, e, i)
				e.ask(b, wire.CmdCloseScene, wire.CloseScene{ScenePath: file})
				settle(b, e, i)
			}},
			work{name: fmt.Sprintf("write%d", n), scene: file, do: write},
			work{name: fmt.Sprintf("save%d", n), scene: file, before: write, do: func(b *testing.B, e *bench, _ int) {
				e.ask(b, wire.CmdSaveScene, wire.SaveScene{})
			}, after: settle})
	}
	return out
}

// show opens the scene of a piece of work; main has a node N.
func (e *bench) show(b *testing.B, w work) {
	file := w.scene
	if file == "main" {
		file = "res://main.tscn"
	}
	e.ask(b, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: file})
	if file == "res://main.tscn" {
		if out := e.srv.Bridge().Do(b.Context(), wire.CmdGetNode, wire.GetNode{NodePath: "N"}); out.Err != nil {
			e.must(b, "create_node", map[string]any{"parent_path": ".", "node_type": "Node2D", "node_name": "N"})
		}
	}
}

// turn does a piece of work once and says what it took, by the clock and in processor
// time.
func (e *bench) turn(b *testing.B, w work, i int) (took, cpu time.Duration) {
	b.StopTimer()
	defer b.StartTimer()
	if w.before != nil {
		w.before(b, e, i)
	}
	b.StartTimer()
	spent, start := e.cpu(), time.Now()
	w.do(b, e, i)
	took, cpu = time.Since(start), e.cpu()-spent
	b.StopTimer()
	if w.after != nil {
		w.after(b, e, i)
	}
	return took, cpu
}

// times collects turns.
type times struct{ took, cpu []time.Duration }

func (t *times) add(took, cpu time.Duration) {
	t.took, t.cpu = append(t.took, took), append(t.cpu, cpu)
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func quantile(of []time.Duration, q float64) time.Duration {
	s := slices.Sorted(slices.Values(of))
	return s[int(q*float64(len(s)-1))]
}

// spent is the processor time per turn: it is counted in steps of the kernel, which are
// longer than a short turn.
func (t *times) spent() time.Duration {
	var sum time.Duration
	for _, d := range t.cpu {
		sum += d
	}
	return sum / time.Duration(len(t.cpu))
}

// BenchmarkSim times the works, client to answer, on the simulated editor. MB is the
// memory of the whole process, with server and client. Target with a scene of 100,000
// nodes: 400 MB.
func BenchmarkSim(b *testing.B) {
	e := openBench(b, &simBackend{})
	defer func() { require.NoError(b, e.close()) }()
	e.cpu, e.mb = ownCPU, ownMB
	for _, w := range works() {
		b.Run(w.name, func(b *testing.B) {
			e.show(b, w)
			var t times
			for i := 0; b.Loop(); i++ {
				t.add(e.turn(b, w, i))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(millis(quantile(t.took, 0)), "min-ms")
			b.ReportMetric(millis(quantile(t.took, 0.5)), "p50-ms")
			b.ReportMetric(millis(quantile(t.took, 0.99)), "p99-ms")
			b.ReportMetric(millis(t.spent()), "cpu-ms")
			runtime.GC()
			b.ReportMetric(e.mb(), "MB")
		})
	}
}
