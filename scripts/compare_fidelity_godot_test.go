//go:build godot

package scripts

import (
	"context"
	"encoding/json"
	"flag"
	"slices"
	"sync"

	"godot-mcp/server/wire"
)

var fidelityFile = flag.String("fidelity", "", "write how far the editors agree to this file, if no difference was found")

// counting is a tally that several stages count in.
type counting struct {
	tally
	mu sync.Mutex
}

// saw counts a command and what it holds.
func (t *counting) saw(c wire.Command) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count(c)
}

func (t *counting) count(c wire.Command) {
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
func (t *counting) watch(ctx context.Context, st *stage) error {
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
func (t *counting) played(calls int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sequences++
	t.calls += calls
}

func newTally() *counting { return &counting{tally: tally{counts: map[string]int{}}} }
