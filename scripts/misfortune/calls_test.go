package misfortune

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// call is one call that a client will make. Its mark stands in the arguments of
// nothing else, so that its effects and commands are known by it.
type call struct {
	n       int
	client  int
	after   time.Duration // since the client's last answer
	patient time.Duration // then the client cancels; zero: it waits
	tool    string
	args    map[string]any
	marks   []string
	dry     bool
	id      string
	// repeats is the call whose id and arguments this one has; -1 without.
	repeats int
	reused  bool // the id is that of another call
}

// kind is one sort of call; make fills in tool and arguments for a mark.
type kind struct {
	weight int
	make   func(r *rand.Rand, mark string, fresh func() string) (tool string, args map[string]any)
}

func node(r *rand.Rand) string { return []string{".", "A", "A/B", "C"}[r.IntN(4)] }

// consent is what a caller may put into confirm, right and wrong.
func consent(r *rand.Rand, args map[string]any, target string) {
	switch r.IntN(10) {
	case 0:
	case 1:
		args["confirm"] = false
	case 2:
		args["confirm"] = target + " "
	case 3, 4, 5:
		args["confirm"] = target
	default:
		args["confirm"] = true
	}
}

var kinds = []kind{
	{6, func(r *rand.Rand, mark string, _ func() string) (string, map[string]any) {
		return "godot_scene_edit_create_node", map[string]any{"parent_path": node(r), "node_type": "Node2D", "node_name": mark}
	}},
	{3, func(r *rand.Rand, mark string, _ func() string) (string, map[string]any) {
		return "godot_scene_edit_set_node_property", map[string]any{"node_path": node(r), "property": "editor_description", "value": mark}
	}},
	{2, func(r *rand.Rand, mark string, _ func() string) (string, map[string]any) {
		return "godot_scene_edit_add_to_group", map[string]any{"node_path": node(r), "group": mark}
	}},
	{2, func(_ *rand.Rand, mark string, fresh func() string) (string, map[string]any) {
		return "godot_scene_edit_rename_node", map[string]any{"node_path": fresh(), "new_name": mark}
	}},
	{4, func(r *rand.Rand, _ string, fresh func() string) (string, map[string]any) {
		victim := fresh()
		args := map[string]any{"node_path": victim}
		consent(r, args, victim)
		return "godot_scene_edit_delete_node", args
	}},
	{4, func(r *rand.Rand, mark string, _ func() string) (string, map[string]any) {
		folder := []string{"", "", "vendor/"}[r.IntN(3)]
		return "godot_scripts_write", map[string]any{"script_path": "res://" + folder + mark + ".gd", "content": "extends Node\n# " + mark + "\n"}
	}},
	{2, func(r *rand.Rand, mark string, _ func() string) (string, map[string]any) {
		return "godot_scene_edit_create_scene", map[string]any{"scene_path": "res://" + mark + ".tscn", "root_type": "Node2D"}
	}},
	{4, func(r *rand.Rand, mark string, _ func() string) (string, map[string]any) {
		args := map[string]any{"scenes": []string{"res://other.tscn"}, "node_type": "Node2D", "property": "editor_description", "value": mark}
		consent(r, args, "res://other.tscn")
		return "godot_batch_cross_scene_set_property", args
	}},
	{3, func(r *rand.Rand, mark string, fresh func() string) (string, map[string]any) {
		victim := fresh()
		del := map[string]any{"node_path": victim}
		consent(r, del, victim)
		return "godot_composite_run_commands", map[string]any{"commands": []any{
			map[string]any{"command": "create_node", "params": map[string]any{"parent_path": ".", "node_type": "Node", "node_name": mark}},
			map[string]any{"command": "delete_node", "params": del},
		}}
	}},
	{2, func(*rand.Rand, string, func() string) (string, map[string]any) {
		return "godot_scene_edit_save_scene", map[string]any{}
	}},
	{1, func(*rand.Rand, string, func() string) (string, map[string]any) {
		return "godot_undo", map[string]any{"count": 1}
	}},
	{4, func(*rand.Rand, string, func() string) (string, map[string]any) {
		return "godot_inspection_get_scene_tree", map[string]any{}
	}},
	{1, func(*rand.Rand, string, func() string) (string, map[string]any) {
		return "godot_health_check", map[string]any{}
	}},
}

// victims are nodes that are there from the start, each for one call only.
const victims = 60

// plan draws the calls of a day, in the order in which they are numbered.
func plan(r *rand.Rand, n, clients int) []*call {
	total := 0
	for _, k := range kinds {
		total += k.weight
	}
	next := 0
	fresh := func() string {
		next++
		return fmt.Sprintf("Victim%03d", next-1)
	}
	var calls []*call
	for i := range n {
		c := &call{n: i, client: r.IntN(clients), repeats: -1, after: draw(r, 3*time.Second)}
		if r.IntN(12) == 0 {
			c.patient = draw(r, 15*time.Second)
		}
		earlier := slices.DeleteFunc(slices.Clone(calls), func(o *call) bool { return o.id == "" || o.dry || o.reused || o.repeats >= 0 })
		if len(earlier) > 0 && r.IntN(4) == 0 {
			o := earlier[r.IntN(len(earlier))]
			c.repeats, c.tool, c.args, c.id, c.marks = o.n, o.tool, o.args, o.id, o.marks
			calls = append(calls, c)
			continue
		}
		mark := fmt.Sprintf("Mark%03dX", i)
		pick, at := r.IntN(total), 0
		for kinds[at].weight <= pick {
			pick -= kinds[at].weight
			at++
		}
		was := next
		c.tool, c.args = kinds[at].make(r, mark, fresh)
		if raw, err := json.Marshal(c.args); err == nil && len(raw) > 0 && containsMark(raw, mark) {
			c.marks = append(c.marks, mark)
		}
		if next != was {
			c.marks = append(c.marks, fmt.Sprintf("Victim%03d", was))
		}
		if changes(c.tool) {
			if r.IntN(7) == 0 {
				c.dry, c.args["dry_run"] = true, true
			}
			if r.IntN(2) == 0 {
				c.id = fmt.Sprintf("id-%d", i)
				if len(earlier) > 0 && r.IntN(6) == 0 {
					c.id, c.reused = earlier[r.IntN(len(earlier))].id, true
				}
				c.args["idempotencyId"] = c.id
			}
		}
		calls = append(calls, c)
	}
	return calls
}

func changes(tool string) bool {
	return tool != "godot_inspection_get_scene_tree" && tool != "godot_health_check"
}

func containsMark(raw []byte, mark string) bool { return slices.Contains(marksIn(string(raw)), mark) }

// draw is a time up to most, odd to the nanosecond: nothing happens at once.
func draw(r *rand.Rand, most time.Duration) time.Duration {
	return time.Duration(r.Int64N(int64(most))) | 1
}
