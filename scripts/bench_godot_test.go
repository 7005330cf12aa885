//go:build godot

package scripts

import (
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"godot-mcp/server/wire"
)

// BenchmarkGodot times the works on the simulated and on a real headless editor, turn
// by turn, without the proxy that scenarios put between. The processor time and the
// memory of the simulated one are those of the whole process, with server and client.
func BenchmarkGodot(b *testing.B) {
	bin := os.Getenv("GODOT_BIN")
	require.NotEmpty(b, bin, "GODOT_BIN names the engine")
	g, err := startGodot(b.Context(), bin)
	require.NoError(b, err)
	defer func() { require.NoError(b, g.quit()) }()
	g.direct = true
	godot, sim := openBench(b, g), openBench(b, &simBackend{})
	defer func() { require.NoError(b, sim.close()) }()
	defer func() { require.NoError(b, godot.close()) }()
	pid := strconv.Itoa(g.process.cmd.Process.Pid)
	godot.cpu, godot.mb = func() time.Duration { return cpuOf(pid) }, func() float64 { return mbOf(pid) }
	sim.cpu, sim.mb = ownCPU, ownMB
	for _, w := range works() {
		b.Run(w.name, func(b *testing.B) { onBoth(b, sim, godot, w) })
	}
}

// onBoth does a piece of work on both and reports them side by side.
func onBoth(b *testing.B, sim, godot *bench, w work) {
	sim.show(b, w)
	godot.show(b, w)
	godot.ask(b, wire.CmdPing, nil)
	var s, g times
	for i := 0; b.Loop(); i++ {
		s.add(sim.turn(b, w, i))
		g.add(godot.turn(b, w, i))
	}
	b.ReportMetric(0, "ns/op")
	for name, t := range map[string]*times{"sim": &s, "godot": &g} {
		b.ReportMetric(millis(quantile(t.took, 0)), name+"-min-ms")
		b.ReportMetric(millis(quantile(t.took, 0.5)), name+"-p50-ms")
		b.ReportMetric(millis(t.spent()), name+"-cpu-ms")
	}
	b.ReportMetric(float64(quantile(g.took, 0.5))/float64(quantile(s.took, 0.5)), "times-faster")
	b.ReportMetric(sim.mb(), "sim-MB")
	b.ReportMetric(godot.mb(), "godot-MB")
}
