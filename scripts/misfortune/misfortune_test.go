package misfortune

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	firstSeed = flag.Uint64("seed", 1, "the first day to play")
	seeds     = flag.Int("seeds", 100, "how many days to play")
)

// TestMisfortune plays the days and stops at the first that breaks a law.
func TestMisfortune(t *testing.T) {
	calls, effects, lives := 0, 0, 0
	for i := range uint64(*seeds) {
		d := live(t, *firstSeed+i)
		if broken := d.broken(); len(broken) > 0 {
			t.Fatalf("seed %d (play it with -args -seed %d -seeds 1):\n%s\n\n%s", d.seed, d.seed, strings.Join(broken, "\n"), d)
		}
		if *seeds == 1 {
			t.Log(d)
		}
		calls, effects, lives = calls+len(d.answers), effects+len(d.effects), lives+len(d.servers)
	}
	t.Logf("%d days, %d calls, %d effects, %d servers", *seeds, calls, effects, lives)
	if *seeds >= 50 {
		assert.Greater(t, effects, *seeds, "the days are too quiet to prove anything")
		assert.Greater(t, lives, *seeds, "no server ever dies")
	}
}

// TestDaysThatFailed plays days that once showed a fault, of the server or of
// this harness.
func TestDaysThatFailed(t *testing.T) {
	for _, seed := range []uint64{
		160926, // ended in the moment in which a server came to its fatal step
	} {
		d := live(t, seed)
		assert.Empty(t, d.broken(), "seed %d:\n%s", seed, d)
	}
}

// A day is the same whenever it is played.
func TestDaysReplay(t *testing.T) {
	for i := range uint64(10) {
		a, b := live(t, *firstSeed+i), live(t, *firstSeed+i)
		require.Equal(t, a.String(), b.String(), "seed %d", a.seed)
	}
}

// String prints a day: the house, then everything in the order of time.
func (d *day) String() string {
	lines := slices.Clone(d.notes)
	add := func(at time.Duration, format string, args ...any) {
		lines = append(lines, event{at, fmt.Sprintf(format, args...)})
	}
	for _, f := range d.tap.list() {
		add(f.at, "sent %s dry=%v %s", f.command, f.dry, f.params)
	}
	for _, o := range d.person.opinions() {
		add(o.at, "the person on %s %v: approved=%v fault=%v %s", o.tool, o.marks, o.verdict.Approved, o.verdict.Fault, o.verdict.Kind)
	}
	for _, a := range d.answers {
		body, err := json.Marshal(a.body)
		if err != nil {
			body = []byte(err.Error())
		}
		add(a.at, "answer to %d (client %d, server %d) lost=%v error=%v %s", a.call.n, a.call.client, a.life, a.lost, a.error, body)
	}
	slices.SortStableFunc(lines, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	var b strings.Builder
	fmt.Fprintf(&b, "house %+v\n", d.house)
	for _, c := range d.calls {
		args, err := json.Marshal(c.args)
		if err != nil {
			args = []byte(err.Error())
		}
		fmt.Fprintf(&b, "call %d client %d after %v patient %v repeats %d: %s %s\n", c.n, c.client, c.after, c.patient, c.repeats, c.tool, args)
	}
	for _, l := range lines {
		fmt.Fprintf(&b, "%14v  %s\n", l.at, l.text)
	}
	for _, e := range d.effects {
		fmt.Fprintf(&b, "effect %s by %s: %s %v -> %v\n", e.Kind, e.Cause, e.Target, e.Before, e.After)
	}
	return b.String()
}
