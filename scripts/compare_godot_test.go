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
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var (
	compareN       = flag.Int("compare-n", 200, "sequences of the random comparison")
	compareFrom    = flag.Int("compare-from", 0, "number of the first sequence")
	compareSeed    = flag.Uint64("compare-seed", 50, "seed of the random comparison")
	compareOut     = flag.String("compare-out", "", "folder for scenario files of differences")
	compareEditors = flag.Int("compare-editors", 2, "real editors that the comparison uses at the same time")
	compareMost    = flag.Int("compare-most", 3, "differences after which the comparison ends")
)

// Steps per sequence, and how often the trees are compared.
const (
	stepsPerRun = 30
	lookEvery   = 7
)

// A comparison is a run of sequences, which are independent of each other: each has
// a project, a server and a simulated editor of its own, and names that no other has
// in the real editors, which stay up.
type comparison struct {
	t       *testing.T
	pool    *pool
	counted *counting

	mu        sync.Mutex
	next, end int
	different int
}

// TestCompareRandomRuns plays random sequences on both editors, which must agree
// in answers, trees, histories and files. A difference is shrunk and printed as a
// scenario.
func TestCompareRandomRuns(t *testing.T) {
	c := compareRuns(t)
	if *fidelityFile != "" && !t.Failed() {
		require.NoError(t, os.WriteFile(*fidelityFile, []byte(c.counted.text(*compareSeed)), 0o644))
	}
}

// TestCompareSavesBesideOpenScenes plays sequences that also save beside open scenes
// and change what these instance. They are apart from the others, since each such step
// waits for a new second of the clock.
func TestCompareSavesBesideOpenScenes(t *testing.T) {
	tabs, n, from, seed := *compareTabs, *compareN, *compareFrom, *compareSeed
	t.Cleanup(func() { *compareTabs, *compareN, *compareFrom, *compareSeed = tabs, n, from, seed })
	*compareTabs, *compareN, *compareFrom, *compareSeed = true, 40, 0, 9901
	compareRuns(t)
}

func compareRuns(t *testing.T) *comparison {
	c := &comparison{t: t, pool: newPool(godotBin(t), *compareEditors), counted: newTally(), next: *compareFrom, end: *compareFrom + *compareN}
	t.Cleanup(func() { require.NoError(t, c.pool.close()) })
	c.pool.observe = c.counted.saw
	started := time.Now()
	var working sync.WaitGroup
	for range *compareEditors {
		working.Go(func() {
			for n, more := c.draw(); more; n, more = c.draw() {
				c.play(n)
			}
		})
	}
	working.Wait()
	t.Logf("seed %d from %d: %d sequences, %d calls, %d differences, %v",
		*compareSeed, *compareFrom, c.counted.sequences, c.counted.calls, c.different, time.Since(started).Round(time.Second))
	return c
}

func (p *pool) stage(ctx context.Context, files map[string][]byte) (*stage, error) {
	st := &stage{pool: p}
	for i, kind := range Both.kinds() {
		b, err := p.take(ctx, kind)
		if err != nil {
			return nil, errors.Join(err, st.close())
		}
		st.sessions[i] = &session{backend: b, flags: defaultFlags}
		err = st.sessions[i].start(ctx, maps.Clone(files))
		if err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", kind, err), st.close())
		}
	}
	return st, nil
}

// perform opens the project of a yard in both editors for one play.
func (p *pool) perform(ctx context.Context, y yard, play func(*stage) ([]deed, error)) ([]deed, error) {
	files := maps.Clone(y.files)
	files["project.godot"] = []byte(plainProject)
	st, err := p.stage(ctx, files)
	if err != nil {
		return nil, err
	}
	done, err := play(st)
	return done, errors.Join(err, st.close())
}

// draw gives the number of the next sequence.
func (c *comparison) draw() (n int, more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.next >= c.end || c.different >= *compareMost {
		return 0, false
	}
	c.next++
	return c.next - 1, true
}

// play plays one sequence.
func (c *comparison) play(n int) {
	ctx := context.Background()
	y := yardAt(n, fmt.Sprintf("y%d", n))
	done, err := c.pool.perform(ctx, y, func(st *stage) ([]deed, error) {
		if err := c.counted.watch(ctx, st); err != nil {
			return nil, err
		}
		return st.sequence(ctx, y, stepsPerRun, lookEvery)
	})
	c.counted.played(len(done))
	if err == nil {
		return
	}
	c.mu.Lock()
	c.different++
	c.mu.Unlock()
	c.report(&rehearsal{pool: c.pool, yard: y, draw: func(name string) yard { return yardAt(n, name) }}, done, err)
}

// yardAt is the yard of the n-th sequence.
func yardAt(n int, name string) yard {
	return drawYard(name, seeded(*compareSeed, uint64(n)), seeded(*compareSeed, ^uint64(n)))
}

// report shortens what led to a difference and tells it.
func (c *comparison) report(r *rehearsal, done []deed, err error) {
	t, y := c.t, r.yard
	var d *difference
	if !errors.As(err, &d) {
		t.Errorf("%s seed %d: %v", y.name, *compareSeed, err)
		return
	}
	short, last := r.shrink(t.Context(), done)
	if last == nil {
		t.Errorf("%s seed %d: not repeatable: %v\nafter\n%s", y.name, *compareSeed, err, lines(done))
		return
	}
	t.Errorf("%s seed %d: %v\nafter\n%s", y.name, *compareSeed, last, lines(short))
	if *compareOut != "" {
		file := filepath.Join(*compareOut, fmt.Sprintf("s%d_%s.txtar", *compareSeed, y.name))
		if err := os.WriteFile(file, []byte(y.scenario(short)), 0o644); err != nil {
			t.Error(err)
		}
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
