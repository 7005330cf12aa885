package bench

import (
	"encoding/json"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"godot-mcp/server/bridge/bridgetest"
	"godot-mcp/server/wire"
)

// samples are durations of one kind.
type samples []time.Duration

func (s *samples) time(f func()) {
	begin := time.Now()
	f()
	*s = append(*s, time.Since(begin))
}

func (s samples) at(q float64) time.Duration {
	if len(s) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(s))
	return sorted[int(q*float64(len(sorted)-1))]
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
func us(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// BenchmarkStart is process start to the answer of initialize. Target: 15 ms.
func BenchmarkStart(b *testing.B) {
	var ours, bare samples
	once := func(s *samples, run func() *process) {
		var p *process
		s.time(func() {
			p = run()
			p.initialize()
		})
		b.StopTimer()
		p.quit()
		b.StartTimer()
	}
	_, err := program() // built off the clock
	require.NoError(b, err)
	for b.Loop() {
		once(&ours, func() *process { return startServer(b) })
		b.StopTimer()
		once(&bare, func() *process { return startEcho(b) })
		b.StartTimer()
	}
	b.ReportMetric(ms(ours.at(0.5)), "p50-ms")
	b.ReportMetric(ms(ours.at(0.99)), "p99-ms")
	b.ReportMetric(ms(bare.at(0.5)), "bare-p50-ms")
}

// BenchmarkExit is input closed to process gone.
func BenchmarkExit(b *testing.B) {
	var took samples
	for b.Loop() {
		b.StopTimer()
		p := startServer(b).ready()
		b.StartTimer()
		took.time(p.quit)
	}
	b.ReportMetric(ms(took.at(0.5)), "p50-ms")
	b.ReportMetric(ms(took.at(0.99)), "p99-ms")
}

// BenchmarkCall is the server's own cost of a call: one that needs no editor,
// against the bare echo, turn by turn. Target: ratio 1.5. The bridge figure is
// the same with an editor that answers at once.
func BenchmarkCall(b *testing.B) {
	ours, linked, bare := startServer(b).ready(), startServer(b).ready(), startEcho(b).ready()
	defer ours.quit()
	defer linked.quit()
	defer bare.quit()
	e := attach(b, linked)
	defer e.Drop()
	var alone, bridged, echo samples
	turn := func() {
		alone.time(func() { ours.call("godot_health_check", `{}`) })
		echo.time(func() { bare.call("echo", `{"text":"hello"}`) })
		bridged.time(func() { linked.call("godot_health_check", `{}`) })
	}
	for range 200 {
		turn()
	}
	alone, bridged, echo = nil, nil, nil
	for b.Loop() {
		turn()
	}
	b.ReportMetric(us(alone.at(0.5)), "p50-µs")
	b.ReportMetric(us(alone.at(0.99)), "p99-µs")
	b.ReportMetric(us(echo.at(0.5)), "bare-p50-µs")
	b.ReportMetric(float64(alone.at(0.5))/float64(echo.at(0.5)), "ratio")
	b.ReportMetric(us(bridged.at(0.5)), "bridged-p50-µs")
	b.ReportMetric(us(bridged.at(0.99)), "bridged-p99-µs")
}

// attach connects a scripted editor.
func attach(b *testing.B, p *process) *bridgetest.Editor {
	e := bridgetest.NewTCPEditor(p.bridge())
	bridgetest.On(e, wire.CmdGetProjectInfo, func(wire.GetProjectInfo) (wire.GetProjectInfoResult, error) {
		return wire.GetProjectInfoResult{Name: "Bench", ProjectPath: "/project", GodotVersion: "4.6.3-stable"}, nil
	})
	require.NoError(b, e.Connect(b.Context()))
	return e
}

// BenchmarkMemory is the resident memory after 10,000 calls. Target: 25 MB.
func BenchmarkMemory(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("reads /proc")
	}
	const calls = 10_000
	for name, tool := range map[string]string{"alone": "godot_health_check", "with-editor": "godot_inspection_get_project_info"} {
		b.Run(name, func(b *testing.B) {
			var before, after float64
			for b.Loop() {
				p := startServer(b).ready()
				if name == "with-editor" {
					defer attach(b, p).Drop()
				}
				before = p.megabytes()
				for range calls {
					p.call(tool, `{}`)
				}
				after = max(after, p.megabytes())
				p.quit()
			}
			b.ReportMetric(before, "start-MB")
			b.ReportMetric(after, "MB")
		})
	}
}

// BenchmarkList is tools/list: its processor time in the server and its size.
// Targets: 10 ms for everything; 14 kB of name, description and input schema
// for the default surface, 130 kB for everything.
func BenchmarkList(b *testing.B) {
	if runtime.GOOS != "linux" {
		b.Skip("reads /proc")
	}
	for name, args := range map[string][]string{"default": nil, "all": {"--profile", "full", "--toolsets", "all"}} {
		b.Run(name, func(b *testing.B) {
			p := startServer(b, args...).ready()
			defer p.quit()
			tools, whole, surface := weigh(b, p.ask("tools/list", `{}`))
			var took samples
			begin, n := p.cpu(), 0
			for b.Loop() {
				took.time(func() { p.ask("tools/list", `{}`) })
				n++
			}
			b.ReportMetric(ms(p.cpu()-begin)/float64(n), "cpu-ms")
			b.ReportMetric(ms(took.at(0.5)), "p50-ms")
			b.ReportMetric(ms(took.at(0.99)), "p99-ms")
			b.ReportMetric(float64(tools), "tools")
			b.ReportMetric(float64(whole), "bytes")
			b.ReportMetric(float64(surface), "surface-bytes")
		})
	}
}

// weigh counts the tools of an answer, its bytes, and the bytes that a client
// keeps in a model's context.
func weigh(b *testing.B, line []byte) (tools, whole, surface int) {
	var m struct {
		Result struct {
			Tools []struct {
				Name, Description string
				InputSchema       json.RawMessage
			}
		}
	}
	require.NoError(b, json.Unmarshal(line, &m))
	for _, t := range m.Result.Tools {
		surface += len(t.Name) + len(t.Description) + len(t.InputSchema)
	}
	return len(m.Result.Tools), len(line), surface
}
