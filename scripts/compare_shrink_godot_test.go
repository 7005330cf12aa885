//go:build godot

package scripts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A rehearsal shortens a sequence in which the editors differ. Each of its tries is
// on a project of its own, which has the yard under another name.
type rehearsal struct {
	pool *pool
	yard yard
	// draw makes the yard anew under another name.
	draw  func(name string) yard
	tries int
}

// most tries of a rehearsal
const mostTries = 40

// play plays steps on the next copy.
func (r *rehearsal) play(ctx context.Context, steps []deed) error {
	r.tries++
	y := r.draw(fmt.Sprintf("%sr%d", r.yard.name, r.tries))
	_, err := r.pool.perform(ctx, y, func(st *stage) ([]deed, error) {
		for i, d := range steps {
			if err := st.step(ctx, y, i, d.at(r.yard.name, y.name), true); err != nil {
				return nil, err
			}
		}
		return nil, st.finish(ctx, y, len(steps))
	})
	return err
}

// shrink drops steps as long as the editors still differ.
func (r *rehearsal) shrink(ctx context.Context, steps []deed) ([]deed, *difference) {
	var best *difference
	try := func(s []deed) bool {
		if r.tries == mostTries {
			return false
		}
		var d *difference
		if err := r.play(ctx, s); errors.As(err, &d) {
			best = d
			return true
		}
		return false
	}
	if !try(steps) {
		return steps, nil
	}
	cut := func() { steps = steps[:min(best.at+1, len(steps))] }
	cut()
	for size := max(1, len(steps)/2); size >= 1; size /= 2 {
		for at := len(steps) - 1 - size; at >= 0; at -= size {
			shorter := slices.Delete(slices.Clone(steps), at, min(at+size, len(steps)-1))
			if len(shorter) < len(steps) && try(shorter) {
				steps = shorter
				cut()
				at = min(at, len(steps)-1)
			}
		}
	}
	return steps, best
}

// at is the deed on a copy of the yard under another name.
func (d deed) at(old, name string) deed {
	swap := strings.NewReplacer("res://"+old+"/", "res://"+name+"/", "Hero_"+old, "Hero_"+name)
	out := deed{Tool: d.Tool}
	for _, w := range d.Human {
		out.Human = append(out.Human, swap.Replace(w))
	}
	out.Args, _ = swapped(d.Args, swap).(map[string]any)
	return out
}

func swapped(v any, swap *strings.Replacer) any {
	switch x := v.(type) {
	case string:
		return swap.Replace(x)
	case map[string]any:
		out := map[string]any{}
		for k, e := range x {
			out[k] = swapped(e, swap)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = swapped(e, swap)
		}
		return out
	}
	return v
}

// scenario is a scenario file that plays the steps.
func (y yard) scenario(steps []deed) string {
	var b strings.Builder
	b.WriteString("# A difference that the random comparison found.\n")
	used := ""
	for _, d := range steps {
		line := d.line()
		used += line
		switch {
		case d.Human != nil:
		case d.Tool == "open_scene" && d.Args["dry_run"] == nil:
			line = "open " + d.Args["scene_path"].(string)
		case d.Tool == "save_scene" && len(d.Args) == 0:
			line = "save"
		default:
			line = "mcp call " + line
		}
		b.WriteString(line + "\n")
	}
	for _, p := range slices.Sorted(maps.Keys(y.files)) {
		fmt.Fprintf(&b, "-- %s --\n%s", p, y.files[p])
	}
	return b.String()
}
