package agents

import (
	"fmt"
	"slices"
	"strings"

	"godot-mcp/evals/run"
	"godot-mcp/evals/task"
)

// Pick finds a scripted agent by name: oracle, altN (where a task has one, else
// the oracle), no-op, refuser, or a flawed one.
func Pick(name string) (run.Agent, error) {
	out := run.Agent{Info: run.AgentInfo{Name: "script:" + name, Kind: "script"}}
	script := Oracle
	var flaw *Flaw
	flaws := append(Flaws(), NoOp(), Refuser(), Tamperer())
	switch i := slices.IndexFunc(flaws, func(f *Flaw) bool { return f.Name == name }); {
	case i >= 0:
		flaw = flaws[i]
	case strings.HasPrefix(name, "alt"):
		script = func(t *task.Task) (task.Script, bool) {
			if s, ok := t.Scripts()[name]; ok {
				return s, true
			}
			return t.Oracle, true
		}
	case name != "oracle":
		names := []string{"oracle", "altN"}
		for _, f := range flaws {
			names = append(names, f.Name)
		}
		return out, fmt.Errorf("there is no scripted agent %q; there are %s", name, strings.Join(names, " "))
	}
	out.New = func() *run.Instance { return &run.Instance{Agent: Scripted(script, flaw)} }
	return out, nil
}
