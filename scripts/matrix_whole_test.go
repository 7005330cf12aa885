package scripts

import (
	"encoding/json"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/addon"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// A watch notes what arrives at the editor, and which tools are called, while cells of the
// matrix are fired.
type watch struct {
	mu      sync.Mutex
	firing  string // the target of the cell
	dry     bool
	arrived []wire.Command
	// previewed and done are the commands that a cell did so; aimed the targets that a
	// command was fired at; given "command.parameter".
	previewed, done, given, tools map[string]bool
	aimed                         map[string]map[string]bool
}

func newWatch() *watch {
	return &watch{
		previewed: map[string]bool{}, done: map[string]bool{}, given: map[string]bool{}, tools: map[string]bool{},
		aimed: map[string]map[string]bool{},
	}
}

// see is told every command that arrives.
func (w *watch) see(c wire.Command) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.firing != "" {
		w.arrived = append(w.arrived, c)
	}
}

// begin and end enclose one call of a cell. Without a watch nothing is counted.
func (w *watch) begin(target string, dry bool) {
	if w != nil {
		w.mu.Lock()
		w.firing, w.dry, w.arrived = target, dry, nil
		w.mu.Unlock()
	}
}

func (w *watch) end(t tool, ok bool) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.arrived {
		w.count(c.Command, c.Params, ok)
	}
	if ok && !w.dry {
		w.tools[t.name] = true
	}
	w.firing = ""
}

func (w *watch) count(name string, params json.RawMessage, ok bool) {
	if w.aimed[name] == nil {
		w.aimed[name] = map[string]bool{}
	}
	w.aimed[name][w.firing] = true
	if ok {
		map[bool]map[string]bool{true: w.previewed, false: w.done}[w.dry][name] = true
	}
	var given map[string]json.RawMessage
	if json.Unmarshal(params, &given) != nil {
		return
	}
	for key, value := range given {
		if ok && string(value) != `""` && string(value) != "false" {
			w.given[name+"."+key] = true
		}
		if key == "steps" || key == "commands" {
			var steps []wire.StepParam
			if json.Unmarshal(value, &steps) == nil {
				for _, s := range steps {
					w.count(s.Command, s.Params, ok)
				}
			}
		}
	}
}

func (w *watch) add(x *watch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	maps.Copy(w.previewed, x.previewed)
	maps.Copy(w.done, x.done)
	maps.Copy(w.given, x.given)
	maps.Copy(w.tools, x.tools)
	for name, targets := range x.aimed {
		if w.aimed[name] == nil {
			w.aimed[name] = map[string]bool{}
		}
		maps.Copy(w.aimed[name], targets)
	}
}

// unfired are the changing commands of the wire that no cell fires, with the reason.
var unfired = map[string]string{
	wire.CmdUndo:             "it has no target: it takes back what a cell did, after each cell",
	wire.CmdRedo:             "it has no target, as undo; the laws of scenarios and the undo truth repeat every edit",
	wire.CmdSelectNodes:      "the selection is in no file",
	wire.CmdRescanFilesystem: "it has no target, and what it finds depends on the time of day",
}

// unfiredTools are the changing tools that no cell calls.
var unfiredTools = map[string]string{
	"godot_undo":                         unfired[wire.CmdUndo],
	"godot_redo":                         unfired[wire.CmdRedo],
	"godot_scene_edit_select_nodes":      unfired[wire.CmdSelectNodes],
	"godot_scene_edit_rescan_filesystem": unfired[wire.CmdRescanFilesystem],
}

// ungiven are parameters that no cell gives.
var ungiven = map[string]string{
	wire.CmdInstanceScene + ".as": "no tool gives it: what a composite tool names it makes with " + wire.CmdCreateNode,
	wire.CmdDuplicateNode + ".as": "no tool gives it, as for " + wire.CmdInstanceScene,
}

// whole fails a test for each changing command of the wire, each of its parameters and
// each changing tool that no cell fired, in a preview and for real, and for each step
// that some target was spared. Reasons for what was fired are out of date.
func (w *watch) whole(t *testing.T, targets []target) {
	params := wireParams(t)
	for _, c := range wire.Commands {
		if c.Kind == wire.KindRead {
			continue
		}
		fired := w.previewed[c.Name] && w.done[c.Name]
		assert.True(t, fired != (unfired[c.Name] != ""), "%s is fired: %v, left out because: %q", c.Name, fired, unfired[c.Name])
		if !fired {
			continue
		}
		for _, p := range params[c.Name] {
			key := c.Name + "." + p
			assert.True(t, w.given[key] != (ungiven[key] != ""), "%s is given: %v, left out because: %q", key, w.given[key], ungiven[key])
		}
		for _, x := range targets {
			if c.Kind == wire.KindStep {
				assert.True(t, w.aimed[c.Name][x.what], "%s is not fired at %s", c.Name, x.what)
			}
		}
	}
	for _, x := range tools().Tools() {
		if x.Class != safety.ReadOnly {
			assert.True(t, w.tools[x.Name] != (unfiredTools[x.Name] != ""), "%s is called: %v, left out because: %q", x.Name, w.tools[x.Name], unfiredTools[x.Name])
		}
	}
}

// wireParams are the parameters of each command, from the table that is generated for
// the addon, apart from those that every call may have.
func wireParams(t *testing.T) map[string][]string {
	text, err := fs.ReadFile(addon.Files(), "vocabulary.gd")
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(text), "\nconst PARAMS: Dictionary = {\n")
	require.True(t, ok)
	table, _, _ = strings.Cut(table, "\n}")
	out := map[string][]string{}
	row, param := regexp.MustCompile(`^\t"(\w+)": \{(.*)\},$`), regexp.MustCompile(`"(\w+)": "\w+"`)
	for line := range strings.SplitSeq(table, "\n") {
		m := row.FindStringSubmatch(line)
		require.NotNil(t, m, line)
		for _, p := range param.FindAllStringSubmatch(m[2], -1) {
			if !slices.Contains([]string{"dry_run", "expected_version"}, p[1]) {
				out[m[1]] = append(out[m[1]], p[1])
			}
		}
	}
	require.Len(t, out, len(wire.Commands)-noParams(table))
	return out
}

// noParams counts the commands that take none.
func noParams(table string) int { return strings.Count(table, "{},") }
