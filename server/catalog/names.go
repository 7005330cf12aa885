package catalog

import (
	"slices"
	"strings"
)

// dropped is the word that a toolset's actions do not repeat.
var dropped = map[string][]string{
	"audio": {"audio"}, "animation": {"animation"}, "particles": {"particles", "particle"},
	"navigation": {"navigation"}, "theme_ui": {"theme"}, "shader": {"shader"},
	"visual_shader": {"visual", "shader"}, "input": {"input"}, "input_map": {"input"},
	"export": {"export"}, "physics": {"physics"}, "editor": {"editor"}, "tilemap": {"tilemap"},
}

// ExposedName is godot_<toolset>_<action>, for core tools godot_<action>. The
// action is the handler without the words its toolset says already; a handler
// that begins with the toolset's name is not doubled. A given action wins.
func ExposedName(toolset, handler, action string) string {
	if action == "" {
		action = actionOf(toolset, handler)
	}
	if toolset == "core" {
		return "godot_" + action
	}
	return "godot_" + toolset + "_" + action
}

func actionOf(toolset, handler string) string {
	if rest, ok := strings.CutPrefix(handler, toolset+"_"); ok {
		return rest
	}
	drop := dropped[toolset]
	if toolset == "scripts" && slices.Contains([]string{"read_script", "write_script", "list_scripts", "patch_script"}, handler) {
		drop = []string{"script", "scripts"}
	}
	var words []string
	for w := range strings.SplitSeq(handler, "_") {
		if !slices.Contains(drop, w) {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return handler
	}
	return strings.Join(words, "_")
}
