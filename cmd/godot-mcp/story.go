package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/diff"
)

// demoWidth is the longest line of the demo.
const demoWidth = 100

// story plays the demo on a stage. Every answer is held against what it must be.
type story struct {
	ctx    context.Context
	p      *paper
	stage  *stage
	calls  int
	faults []string
}

func (s *story) tell() error {
	s.p.line("%s", s.p.in(bold, "An MCP client, godot-mcp and "+s.stage.editorName+" on a sample project"))
	for _, part := range []struct {
		title string
		play  func() error
	}{
		{"Open a scene and look", s.look},
		{"Preview an edit, then make it", s.edit},
		{"An edit that a save would drop, and how to mend it", s.lose},
		{"A delete needs confirm, and undo takes it back", s.remove},
		{"Save: this is what changed in level.tscn", s.save},
	} {
		s.p.line("%s", s.p.in(bold, part.title))
		if err := part.play(); err != nil {
			return fmt.Errorf("%s: %w", strings.ToLower(part.title), err)
		}
	}
	if len(s.faults) > 0 {
		for _, f := range s.faults {
			s.p.line("%s %s", s.p.in(bad, "WRONG"), f)
		}
		return errors.New("the demo did not go as it must")
	}
	s.p.line("%s", s.p.in(good, fmt.Sprintf("All %d calls answered as they must.", s.calls)))
	return nil
}

// answer is the structured content of a call.
type answer map[string]any

// call makes one call. It must fail exactly if fails is set.
func (s *story) call(fails bool, tool string, args map[string]any) (answer, error) {
	s.calls++
	res, err := s.stage.client.CallTool(s.ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		return nil, err
	}
	var a answer
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, err
	}
	if res.IsError != fails {
		return nil, fmt.Errorf("%s answered %s", tool, raw)
	}
	return a, nil
}

// do shows a call and makes it.
func (s *story) do(tool string, args map[string]any, shown string) (answer, error) {
	s.p.line("  %s", s.p.in(dim, strings.TrimRight("> "+strings.TrimPrefix(tool, "godot_")+" "+shown, " ")))
	return s.call(false, tool, args)
}

func (s *story) say(st style, format string, args ...any) {
	s.p.wrapped(st, "    ", fmt.Sprintf(format, args...), demoWidth)
}

// must notes an answer that is not as it has to be.
func (s *story) must(ok bool, format string, args ...any) {
	if !ok {
		s.faults = append(s.faults, fmt.Sprintf(format, args...))
	}
}

const level = "res://level.tscn"

func (s *story) look() error {
	a, err := s.do("godot_scene_edit_open_scene", map[string]any{"scene_path": level}, level)
	if err != nil {
		return err
	}
	s.must(a["opened"] == true || a["already_open"] == true, "open_scene: opened is %v", a["opened"])
	a, err = s.do("godot_inspection_get_scene_tree", map[string]any{}, "")
	if err != nil {
		return err
	}
	s.must(a["scene_path"] == level, "get_scene_tree: scene_path is %v", a["scene_path"])
	root, _ := a["tree"].(map[string]any)
	n := s.tree(root, "    ")
	s.must(n == 9, "get_scene_tree: %d nodes", n)
	return nil
}

// tree prints nodes and counts them; what an instance brings stays on its line.
func (s *story) tree(node map[string]any, indent string) int {
	children, _ := node["children"].([]any)
	owner, _ := node["owner"].(string)
	text := fmt.Sprintf("%s (%s)", node["name"], node["type"])
	count := 1
	if owner == "" {
		s.p.line("%s%s", indent, text)
		for _, c := range children {
			child, _ := c.(map[string]any)
			count += s.tree(child, indent+"  ")
		}
		return count
	}
	var names []string
	for _, c := range children {
		child, _ := c.(map[string]any)
		names = append(names, fmt.Sprint(child["name"]))
		count++
	}
	s.p.line("%s%s, an instance of %s with %s", indent, text, owner, strings.Join(names, ", "))
	return count
}

func (s *story) edit() error {
	target := map[string]any{"node_path": "Player", "property": "position", "value": map[string]any{"x": 200, "y": 96}}
	preview := map[string]any{"dry_run": true}
	for k, v := range target {
		preview[k] = v
	}
	would, err := s.do("godot_scene_edit_set_node_property", preview, "Player position (200, 96), dry_run")
	if err != nil {
		return err
	}
	s.must(would["set"] == false && would["dry_run"] == true && would["persisted"] == true, "preview: %v", would)
	now, err := s.call(false, "godot_inspection_get_node_property", map[string]any{"node_path": "Player", "property": "position"})
	if err != nil {
		return err
	}
	s.must(vector(now["value"]) == "(64, 128)", "the preview changed the scene: position is %v", now["value"])
	s.say(plain, "would change %s to %s, and a save would keep it; the scene still has %s", vector(would["previous"]), vector(would["value"]), vector(now["value"]))
	did, err := s.do("godot_scene_edit_set_node_property", target, "Player position (200, 96)")
	if err != nil {
		return err
	}
	s.must(did["set"] == true && did["undoable"] == true && vector(did["value"]) == "(200, 96)", "set_node_property: %v", did)
	s.verdict(did, true, "")
	return nil
}

// verdict prints what an answer says about saving.
func (s *story) verdict(a answer, persisted bool, reason string) {
	got, _ := a["reason"].(string)
	s.must(a["persisted"] == persisted && got == reason, "the verdict is persisted %v, reason %q", a["persisted"], got)
	if a["persisted"] == true {
		s.say(good, "changed; persisted: true")
		return
	}
	s.say(warn, "changed, but persisted: false, reason: %s", got)
	s.say(plain, "hint: %s", a["hint"])
}

func vector(v any) string {
	m, _ := v.(map[string]any)
	return fmt.Sprintf("(%v, %v)", m["x"], m["y"])
}

func (s *story) lose() error {
	paint := map[string]any{"node_path": "Enemy/Sprite", "property": "modulate", "value": "#ff8800"}
	a, err := s.do("godot_scene_edit_set_node_property", paint, "Enemy/Sprite modulate #ff8800")
	if err != nil {
		return err
	}
	s.verdict(a, false, "instanced_child_not_editable")
	hint, _ := a["hint"].(string)
	s.must(strings.Contains(hint, "godot_scene_edit_set_editable_children"), "the hint does not name the way out: %s", hint)
	a, err = s.do("godot_scene_edit_set_editable_children", map[string]any{"node_path": "Enemy"}, "Enemy")
	if err != nil {
		return err
	}
	s.must(a["editable"] == true && a["changed"] == true && a["persisted"] == true, "set_editable_children: %v", a)
	paint["dry_run"] = true
	if a, err = s.call(false, "godot_scene_edit_set_node_property", paint); err != nil {
		return err
	}
	s.must(a["persisted"] == true, "after the mend the verdict is %v", a["persisted"])
	s.say(good, "the same edit, asked about again: persisted: true")
	return nil
}

func (s *story) remove() error {
	s.p.line("  %s", s.p.in(dim, "> scene_edit_delete_node Enemy2"))
	a, err := s.call(true, "godot_scene_edit_delete_node", map[string]any{"node_path": "Enemy2"})
	if err != nil {
		return err
	}
	s.must(a["error"] == "PRECONDITION_FAILED" && a["required"] == "confirm", "delete_node without confirm: %v", a)
	s.say(warn, "%s: %s [required=%s]", a["error"], a["hint"], a["required"])
	a, err = s.do("godot_scene_edit_delete_node", map[string]any{"node_path": "Enemy2", "confirm": true}, "Enemy2, confirm")
	if err != nil {
		return err
	}
	s.must(a["deleted"] == true && a["removed"] == 3.0, "delete_node: %v", a)
	s.say(plain, "%v nodes removed", a["removed"])
	a, err = s.do("godot_undo", map[string]any{}, "")
	if err != nil {
		return err
	}
	s.must(a["undone"] == 1.0, "undo: %v", a)
	back, err := s.call(false, "godot_inspection_get_node_property", map[string]any{"node_path": "Enemy2", "property": "position"})
	if err != nil {
		return err
	}
	s.must(vector(back["value"]) == "(480, 128)", "after undo Enemy2 is at %v", back["value"])
	s.say(good, "took back %q; Enemy2 is at %s again", a["last_action"], vector(back["value"]))
	return nil
}

func (s *story) save() error {
	before, err := os.ReadFile(s.stage.path("level.tscn"))
	if err != nil {
		return err
	}
	a, err := s.do("godot_scene_edit_save_scene", map[string]any{}, "")
	if err != nil {
		return err
	}
	s.must(a["saved"] == true && a["changed"] == true, "save_scene: %v", a)
	after, err := os.ReadFile(s.stage.path("level.tscn"))
	if err != nil {
		return err
	}
	var changed []string
	for line := range strings.Lines(string(diff.Diff("before", before, "after", after))) {
		line = strings.TrimRight(line, "\n")
		header := strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++")
		if len(line) > 1 && !header && (line[0] == '+' || line[0] == '-') {
			s.p.line("    %s", s.p.in(map[byte]style{'+': good, '-': bad}[line[0]], line))
			changed = append(changed, line)
		}
	}
	for _, want := range []string{"-position = Vector2(64, 128)", "+position = Vector2(200, 96)", `+[editable path="Enemy"]`} {
		s.must(slices.Contains(changed, want), "the saved file does not show %q", want)
	}
	s.must(slices.ContainsFunc(changed, func(l string) bool { return strings.HasPrefix(l, "+modulate = Color(1, 0.53") }), "the saved file does not show the colour")
	return nil
}
