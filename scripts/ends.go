package scripts

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"
)

// alike compares what a scenario leaves on two editors: every file of the project, and
// the scene that is edited where both are still there. A command that nobody waits for
// any more may come a little later.
func (sc *scenario) alike(ctx context.Context) error {
	if !sc.started || len(sc.sessions) != 2 {
		return nil
	}
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for tries := 50; ; tries-- {
		err := sc.compareEnds(ctx)
		if err == nil || tries == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-tick.C:
		}
	}
}

func (sc *scenario) compareEnds(ctx context.Context) error {
	var ends [2]state
	live := true
	for i, s := range sc.sessions {
		all, err := s.backend.Files(ctx)
		if err != nil {
			return err
		}
		ends[i].files = map[string]string{}
		for p, content := range all {
			ends[i].files[p] = maskIDs(p, string(content))
			if strings.HasSuffix(p, ".translation") {
				ends[i].files[p] = "" // what an import makes, which the simulator does not
			}
		}
		live = live && s.srv.Bridge().Peer() != nil
	}
	for i, s := range sc.sessions {
		if live {
			look, err := s.backend.Glance(ctx)
			if err != nil {
				return err
			}
			ends[i].live = look.Live
		}
	}
	return differ("both editors end alike", ends[0], ends[1])
}

// state is a scene as it is, and the files of its project.
type state struct {
	live  string
	files map[string]string
}

// differ tells the first difference between two states.
func differ(law string, want, got state) error {
	if want.live != got.live {
		return broken(law, "the tree:\n%s", lineDiff(want.live, got.live))
	}
	if diff := diffFiles(want.files, got.files); diff != "" {
		return broken(law, "%s", diff)
	}
	return nil
}

func diffFiles(a, b map[string]string) string {
	var out []string
	for _, p := range slices.Sorted(maps.Keys(a)) {
		if a[p] != b[p] {
			out = append(out, p+":\n"+lineDiff(a[p], b[p]))
		}
	}
	if x, y := slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)); !slices.Equal(x, y) {
		out = append(out, lineDiff(strings.Join(x, "\n"), strings.Join(y, "\n")))
	}
	return strings.Join(out, "\n")
}
