//go:build unix

package run_test

import (
	"runtime"
	"runtime/debug"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"godot-mcp/evals/agents"
	"godot-mcp/evals/run"
	"godot-mcp/evals/tasks"
)

// BenchmarkThousandTrials makes a thousand trials of the oracle on eight workers,
// as eval run does. cpu-s is what they cost; wall-s is that over the cores that
// the machine leaves to it. peak-MB is of the whole process.
func BenchmarkThousandTrials(b *testing.B) {
	all, err := tasks.All()
	require.NoError(b, err)
	oracle, err := agents.Pick("oracle")
	require.NoError(b, err)
	defer debug.SetGCPercent(debug.SetGCPercent(run.GCPercent))
	var cpu, wall time.Duration
	ops := 0
	for b.Loop() {
		ops++
		before, start := spent(b), time.Now()
		records, err := run.Run(b.Context(), run.Options{
			Tasks: all[:10], Agents: []run.Agent{oracle}, Trials: 100, Parallel: 8, Out: run.Folder(b.TempDir()), Version: "bench",
		})
		require.NoError(b, err)
		require.Len(b, records, 1000)
		for _, r := range records {
			require.True(b, r.Trusted, "%s: %s %v", r.Key(), r.Cause, r.Failed)
		}
		cpu, wall = cpu+spent(b)-before, wall+time.Since(start)
	}
	b.ReportMetric(cpu.Seconds()/float64(ops), "cpu-s")
	b.ReportMetric(wall.Seconds()/float64(ops), "wall-s")
	b.ReportMetric(peakMB(b), "peak-MB")
}

// spent is the CPU time of this process.
func spent(b *testing.B) time.Duration {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func peakMB(b *testing.B) float64 {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	perMB := 1024.0
	if runtime.GOOS == "darwin" { // there in bytes
		perMB *= 1024
	}
	return float64(u.Maxrss) / perMB
}
