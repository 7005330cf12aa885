package misfortune

import (
	"math/rand/v2"
	"slices"
	"strings"

	"godot-mcp/server"
	"godot-mcp/server/catalog/toolsets"
	"godot-mcp/server/safety"
	"godot-mcp/server/safety/rulefile"
)

// house is how the server of a day was set up, and what that must come to. The
// answers of its methods are written down here once more, from the safety model
// and not from the code that they check.
type house struct {
	clients                                            int
	profile, mode, rules                               string
	asks, failOpen, askExecutes, allow, echo, wantsIDs bool
}

var ruleFiles = map[string]string{
	"vendor": "rules:\n  - effect: deny\n    path: res://vendor/*\n",
	"groups": "rules:\n  - effect: ask\n    tool: godot_scene_edit_add_to_group\n",
	"paths":  "rules:\n  - effect: ask\n    path: res://vendor/*\n",
	"safe":   "rules:\n  - effect: deny\n    class: destructive\n",
}

func build(r *rand.Rand) house {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	one := func(in int) bool { return r.IntN(in) == 0 }
	return house{
		clients: 1 + r.IntN(3), profile: pick("full", "full", "editor", "editor", "core"),
		mode: pick("", "", "", "full", "non-destructive", "read-only"), rules: pick("", "", "vendor", "groups", "paths", "safe"),
		asks: one(2), failOpen: one(3), askExecutes: one(4), allow: one(2), echo: one(4), wantsIDs: one(5),
	}
}

func (h house) config() server.Config {
	flags := map[string]string{"profile": h.profile, "toolsets": "all", "bridge-url": bridgeURL}
	if h.mode != "" {
		flags["mode"] = h.mode
	}
	cfg, err := server.Load(flags, func(string) string { return "" })
	if err == nil && h.rules != "" {
		var layer *safety.Layer
		layer, err = rulefile.Parse("rules.yaml", []byte(ruleFiles[h.rules]), toolsets.Catalog())
		cfg.Permissions = layer
	}
	if err != nil {
		panic(err)
	}
	cfg.AskExecutes, cfg.AllowDestructive, cfg.ConfirmEcho, cfg.RequireIdempotency, cfg.Approval.FailOpen = h.askExecutes, h.allow, h.echo, h.wantsIDs, h.failOpen
	cfg.GodotBin = ""
	return cfg
}

const (
	deleteTool = "godot_scene_edit_delete_node"
	crossTool  = "godot_batch_cross_scene_set_property"
	batchTool  = "godot_composite_run_commands"
	groupTool  = "godot_scene_edit_add_to_group"
	writeTool  = "godot_scripts_write"
)

// never says why no call like this one may take effect here; empty when it may.
func (h house) never(c *call) string {
	destructive := c.tool == deleteTool || c.tool == crossTool || c.tool == batchTool
	path, _ := c.args["script_path"].(string)
	vendor := strings.HasPrefix(path, "res://vendor/")
	switch {
	case !changes(c.tool):
		return "it only reads"
	case c.dry:
		return "it is a preview"
	case h.profile == "core":
		return "the profile only reads"
	case h.mode == "read-only":
		return "the mode only reads"
	case h.mode == "non-destructive" && destructive:
		return "the mode is not destructive"
	case c.tool == crossTool && !h.allow && !h.asks:
		return "the gate is closed"
	case h.rules == "vendor" && vendor:
		return "a rule denies the path"
	case h.rules == "safe" && destructive:
		return "a rule denies the class"
	case (h.rules == "groups" && c.tool == groupTool || h.rules == "paths" && vendor) && !h.asks && !h.askExecutes:
		return "nobody can be asked"
	case h.wantsIDs && c.id == "":
		return "it has no id"
	case !h.confirmed(c):
		return "it is not confirmed"
	}
	return ""
}

// confirmed says whether the caller's own guard is off.
func (h house) confirmed(c *call) bool {
	args, target := c.args, ""
	switch c.tool {
	case deleteTool:
		target, _ = args["node_path"].(string)
	case crossTool:
		target = "res://other.tscn"
	case batchTool:
		args = c.args["commands"].([]any)[1].(map[string]any)["params"].(map[string]any)
		target, _ = args["node_path"].(string)
	default:
		return true
	}
	if h.echo {
		return args["confirm"] == target
	}
	return args["confirm"] == true
}

// consented says whether a person's consent to a call was due and given before.
func (h house) consented(c *call, said []opinion, before frame) (due, given bool) {
	if !h.asks {
		return false, true
	}
	for _, o := range said {
		if o.at > before.at || o.tool != c.tool || !slices.Equal(o.marks, c.marksSorted()) {
			continue
		}
		overlooked := o.verdict.Fault && o.verdict.Kind == safety.Unreachable && h.failOpen && (c.tool != crossTool || h.allow)
		if o.verdict.Approved && !o.verdict.Fault || overlooked {
			return true, true
		}
	}
	return true, false
}
