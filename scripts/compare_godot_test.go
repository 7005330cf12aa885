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
	started := time.Now()
	steps, different := 0, 0
	for first := 0; first < *compareN && different < *compareMost; {
		var yards []yard
		files := map[string][]byte{"project.godot": []byte(plainProject)}
		for i := range min(yardsPerProject, *compareN-first) {
			y := yardAt(first+i, fmt.Sprintf("y%d", first+i))
			yards = append(yards, y)
			maps.Copy(files, y.files)
		}
		st, err := p.stage(ctx, files)
		require.NoError(t, err)
		for _, y := range yards {
			at := first
			first++
			done, err := st.sequence(ctx, y, stepsPerRun, lookEvery)
			steps += len(done)
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
		t.Errorf("%s seed %d: not repeatable: %v\nlast step: %s", y.name, *compareSeed, err, done[len(done)-1].line())
		return
	}
	lines := ""
	for _, s := range short {
		lines += s.line() + "\n"
	}
	t.Errorf("%s seed %d: %v\nafter\n%s", y.name, *compareSeed, last, lines)
	if *compareOut != "" {
		file := filepath.Join(*compareOut, fmt.Sprintf("s%d_%s.txtar", *compareSeed, y.name))
		require.NoError(t, os.WriteFile(file, []byte(y.scenario(short)), 0o644))
	}
}
