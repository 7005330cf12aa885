package scripts

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

var twiceShare = flag.Int("twice-share", 12, "play every n-th scenario twice")

// unequal is what two runs with the same seed print differently, and why. Scenarios with
// such lines are left out here. Nothing else is: not even durations, or the times in the
// audit file, since the clock of these runs is not the machine's.
var unequal = []struct {
	what *regexp.Regexp
	why  string
}{
	{regexp.MustCompile(`(?m)^(http|intruder|approver) `), "they talk to a port of the machine, which is another one each time, and over which no clock can stand still"},
	{regexp.MustCompile(`(?m)^lines `), "they make several calls at once, whose answers and audit lines come in any order"},
	{regexp.MustCompile(`(?m)^folder\b`), "the project lies in a folder of the machine, whose files have the machine's times"},
}

// TestTwice plays scenarios twice with the same seed, on one processor and on four, and
// compares all that they print and leave: answers, ids and tickets, saved files, trees,
// histories, audit and journal. Each plays in a bubble, whose clock begins at the same
// moment and runs by itself; the random numbers of the server are those of a seed.
func TestTwice(t *testing.T) {
	all, err := Find(".")
	require.NoError(t, err)
	for i, file := range all {
		if i%*twiceShare != 0 || cannotBeEqual(t, file) != "" {
			continue
		}
		t.Run(strings.TrimSuffix(file, ".txtar"), func(t *testing.T) {
			sameText(t, func(t *testing.T) string { return printed(t, file) })
		})
	}
}

// cannotBeEqual says why two runs of a scenario print different things, "" if they do not.
func cannotBeEqual(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, u := range unequal {
		if u.what.Match(text) {
			return u.why
		}
	}
	return ""
}

// sameText runs something twice and demands the same text.
func sameText(t *testing.T, run func(*testing.T) string) {
	t.Helper()
	var texts [2]string
	for i, processors := range []int{1, 4} {
		before := runtime.GOMAXPROCS(processors)
		synctest.Test(t, func(t *testing.T) {
			cryptotest.SetGlobalRandom(t, 1)
			texts[i] = run(t)
		})
		runtime.GOMAXPROCS(before)
	}
	if texts[0] != texts[1] {
		t.Errorf("two runs with the same seed differ:\n%s", lineDiff(texts[0], texts[1]))
	}
}

// printed is what a scenario prints, every step of it, and what it leaves.
func printed(t *testing.T, file string) string {
	var out bytes.Buffer
	r, err := NewRunner(Options{Files: []string{file}, Editors: Sim, inMemory: true, witness: remains})
	require.NoError(t, err)
	terminal := &Terminal{Out: &out, All: true}
	r.Run(terminal)
	require.NoError(t, r.Close())
	require.Empty(t, terminal.Failed(), "%s", out.String())
	return out.String()
}

// remains is what a scenario leaves: scene, histories and journal of the editor, the
// files, and what the server has in its folder.
func remains(sc *scenario) (string, error) {
	var b strings.Builder
	for _, s := range sc.sessions {
		if s.backend.(*simBackend).editor == nil {
			continue
		}
		if err := s.remains(&b); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

func (s *session) remains(b *strings.Builder) error {
	look, err := s.backend.Look(context.Background())
	if err != nil {
		return err
	}
	files, err := s.backend.Files(context.Background())
	if err != nil {
		return err
	}
	for _, v := range []any{look, s.backend.(*simBackend).editor.Journal()} {
		text, err := json.MarshalIndent(v, "", " ")
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "left %s\n", text)
	}
	for _, p := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(b, "file %s\n%s\n", p, files[p])
	}
	if s.state == "" {
		return nil
	}
	return filepath.WalkDir(s.state, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(p)
		fmt.Fprintf(b, "noted %s\n%s\n", strings.TrimPrefix(p, s.state), text)
		return err
	})
}
