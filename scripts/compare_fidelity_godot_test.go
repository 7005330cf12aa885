//go:build godot

package scripts

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"

	"godot-mcp/server/wire"
)

var fidelityFile = flag.String("fidelity", "", "write how far the editors agree to this file, if no difference was found")

// A tally counts the commands that the comparison sent, steps and entries included.
type tally struct {
	mu        sync.Mutex
	counts    map[string]int
	sequences int
	calls     int
	engine    string
}

// saw counts a command and what it holds.
func (t *tally) saw(c wire.Command) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count(c)
}

func (t *tally) count(c wire.Command) {
	t.counts[c.Command]++
	var inside struct {
		Steps    []wire.Command `json:"steps"`
		Commands []wire.Command `json:"commands"`
	}
	if c.Command == wire.CmdTransaction || c.Command == wire.CmdRunCommands {
		_ = json.Unmarshal(c.Params, &inside) // a call that is refused holds nothing
	}
	for _, part := range slices.Concat(inside.Steps, inside.Commands) {
		t.count(part)
	}
}

// watch makes a stage's calls count.
func (t *tally) watch(ctx context.Context, st *stage) error {
	info, err := st.sessions[1].mustSucceed(ctx, st.sessions[1].tool("get_project_info"), map[string]any{})
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.engine, _ = info["godot_version"].(string)
	return nil
}

// played counts a sequence.
func (t *tally) played(calls int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sequences++
	t.calls += calls
}

// text is FIDELITY.md.
func (t *tally) text(seed uint64) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# How far the simulated editor agrees with the real one

Written by the random comparison (make compare, flag -fidelity); do not edit. The same calls went to both editors;
answers, live trees, trees after a save and a load, histories and saved files were equal, apart from the loosenings below.

- Engine: %s
- Seed %d, %d sequences, %d calls, no difference

## Commands

%s
## Loosenings

%s`, t.engine, seed, t.sequences, t.calls, t.commands(), looseningsText())
	return b.String()
}

func (t *tally) commands() string {
	var b strings.Builder
	b.WriteString("| Command | Sent | Compared |\n| --- | ---: | --- |\n")
	for _, c := range wire.Commands {
		how := "exact"
		var names []string
		for _, l := range loosenings {
			if slices.Contains(l.Commands, c.Name) {
				names = append(names, l.Name)
			}
		}
		switch {
		case t.counts[c.Name] == 0 && notCompared[c.Name] != "":
			how = "not compared: " + notCompared[c.Name]
		case t.counts[c.Name] == 0:
			how = "not compared: it did not come up"
		case len(names) > 0:
			how = "loose: " + strings.Join(names, ", ")
		}
		fmt.Fprintf(&b, "| %s | %d | %s |\n", c.Name, t.counts[c.Name], how)
	}
	return b.String()
}

func newTally() *tally { return &tally{counts: map[string]int{}} }
