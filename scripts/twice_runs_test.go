package scripts

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"godot-mcp/server/bridge/memory"
)

// sequencesTwice are the numbers of the sequences that are drawn twice.
var sequencesTwice = []int{0, 1, 2, 700}

// TestSequencesTwice draws and plays sequences of the random comparison twice, on one
// processor and on four: the projects, the calls, the answers and the files are the same,
// whether a sequence comes first or after others. Each is played on two simulated
// editors, as the comparison plays it on a simulated and a real one.
func TestSequencesTwice(t *testing.T) {
	whole := map[int]string{}
	sameText(t, func(t *testing.T) string {
		all := ""
		for _, n := range sequencesTwice {
			whole[n] = played(t, 50, n)
			all += whole[n]
		}
		return all
	})
	last := sequencesTwice[len(sequencesTwice)-1]
	sameText(t, func(t *testing.T) string {
		alone := played(t, 50, last)
		if alone != whole[last] {
			t.Errorf("sequence %d alone is another one:\n%s", last, lineDiff(whole[last], alone))
		}
		require.NotEqual(t, alone, played(t, 51, last), "another seed, another sequence")
		return alone
	})
}

// played is the n-th sequence of a seed: its project, its calls with their answers, and
// the files that it leaves.
func played(t *testing.T, seed uint64, n int) string {
	ctx := context.Background()
	y := drawYard(fmt.Sprintf("y%d", n), seeded(seed, uint64(n)), seeded(seed, ^uint64(n)))
	var b strings.Builder
	for _, p := range slices.Sorted(maps.Keys(y.files)) {
		fmt.Fprintf(&b, "given %s\n%s\n", p, y.files[p])
	}
	files := maps.Clone(y.files)
	files["project.godot"] = []byte(plainProject)
	st := &stage{pool: newPool("", 1), heard: func(answer any) { fmt.Fprintf(&b, "%s\n", pretty(answer)) }}
	for i := range st.sessions {
		network := memory.NewNet()
		st.sessions[i] = &session{backend: &simBackend{network: network}, network: network, flags: defaultFlags}
		require.NoError(t, st.sessions[i].start(ctx, maps.Clone(files)))
	}
	done, err := st.sequence(ctx, y, 30, 7)
	require.NoError(t, err)
	for _, d := range done {
		fmt.Fprintln(&b, d.line())
	}
	left, err := st.sessions[0].backend.Files(ctx)
	require.NoError(t, err)
	for _, p := range slices.Sorted(maps.Keys(left)) {
		fmt.Fprintf(&b, "left %s\n%s\n", p, left[p])
	}
	require.NoError(t, st.close())
	return b.String()
}
