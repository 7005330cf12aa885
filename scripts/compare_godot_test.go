//go:build godot

package scripts

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	compareN    = flag.Int("compare-n", 20, "sequences of the random comparison")
	compareFrom = flag.Int("compare-from", 0, "number of the first sequence")
	compareSeed = flag.Uint64("compare-seed", 1, "seed of the random comparison")
	compareOut  = flag.String("compare-out", "", "folder for scenario files of differences")
	compareMost = flag.Int("compare-most", 3, "differences after which the comparison ends")
)

// Yards per project, steps per sequence, and how often the trees are compared.
const (
	yardsPerProject = 25
	stepsPerRun     = 30
	lookEvery       = 7
)

// TestCompareRandomRuns plays random sequences on both editors, which must agree
// in answers, trees, histories and files. A difference is shrunk and printed as a
// scenario.
func TestCompareRandomRuns(t *testing.T) {
	ctx := context.Background()
	p := newPool(godotBin(t), 1)
	t.Cleanup(func() { require.NoError(t, p.close()) })
	counted := newTally()
	p.observe = counted.saw
	started := time.Now()
	steps, different := 0, 0
	for first, end := *compareFrom, *compareFrom+*compareN; first < end && different < *compareMost; {
		var yards []yard
		files := map[string][]byte{"project.godot": []byte(plainProject)}
		for i := range min(yardsPerProject, end-first) {
			y := yardAt(first+i, fmt.Sprintf("y%d", first+i))
			yards = append(yards, y)
			maps.Copy(files, y.files)
		}
		st, err := p.stage(ctx, files)
		require.NoError(t, err)
		require.NoError(t, counted.watch(ctx, st))
		for _, y := range yards {
			at := first
			first++
			done, err := st.sequence(ctx, y, stepsPerRun, lookEvery)
			steps += len(done)
			counted.sequences++
			if err != nil {
				different++
				if g := st.sessions[1].backend.(*godotBackend); !g.healthy() || !g.process.alive() {
					t.Log(g.process.tail())
				}
				require.NoError(t, st.close())
				st = nil
				report(t, &rehearsal{pool: p, yard: y, draw: func(name string) yard { return yardAt(at, name) }}, done, err)
				break
			}
		}
		if st != nil {
			require.NoError(t, st.close())
		}
	}
	counted.calls = steps
	if *fidelityFile != "" && different == 0 {
		require.NoError(t, os.WriteFile(*fidelityFile, []byte(counted.text(*compareSeed)), 0o644))
	}
	t.Logf("%d steps, %d differences, %v", steps, different, time.Since(started).Round(time.Second))
}

// yardAt is the yard of the n-th sequence.
func yardAt(n int, name string) yard { return drawYard(name, seeded(*compareSeed, uint64(n))) }

func report(t *testing.T, r *rehearsal, done []deed, err error) {
	y := r.yard
	var d *difference
	if !errors.As(err, &d) {
		t.Errorf("%s seed %d: %v", y.name, *compareSeed, err)
		return
	}
	defer func() { require.NoError(t, r.end()) }()
	short, last := r.shrink(t.Context(), done)
	if last == nil {
		t.Errorf("%s seed %d: not repeatable: %v\nafter\n%s", y.name, *compareSeed, err, lines(done))
		return
	}
	t.Errorf("%s seed %d: %v\nafter\n%s", y.name, *compareSeed, last, lines(short))
	if *compareOut != "" {
		file := filepath.Join(*compareOut, fmt.Sprintf("s%d_%s.txtar", *compareSeed, y.name))
		require.NoError(t, os.WriteFile(file, []byte(y.scenario(short)), 0o644))
	}
}

// lines are steps as lines of a scenario.
func lines(steps []deed) string {
	out := ""
	for _, s := range steps {
		out += s.line() + "\n"
	}
	return out
}
