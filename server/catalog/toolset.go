package catalog

import "slices"

// Toolset is one row of the toolset table.
type Toolset struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	MinGodot    string `json:"min_godot,omitempty"`
	// Default says whether it is on when nobody chose.
	Default bool `json:"-"`
}

// Toolsets is the table, in the order in which it is shown.
func Toolsets() []Toolset {
	return []Toolset{
		{"core", "Server and editor state, toolsets, class reference, undo history.", "", true},
		{"inspection", "Read the project, the open scene and its nodes.", "", true},
		{"scene_edit", "Create, change, connect and save nodes and scenes.", "4.4", false},
		{"composite", "Many edits in one call.", "", false},
		{"batch", "Find and change many nodes or scenes.", "", false},
		{"scripts", "Read, write, patch and check scripts.", "", false},
	}
}

// ToolsetNames lists the names in table order.
func ToolsetNames() []string {
	var out []string
	for _, t := range Toolsets() {
		out = append(out, t.Name)
	}
	return out
}

// DefaultToolsets lists those that are on when nobody chose.
func DefaultToolsets() []string {
	var out []string
	for _, t := range Toolsets() {
		if t.Default {
			out = append(out, t.Name)
		}
	}
	return out
}

// FindToolset looks a toolset up.
func FindToolset(name string) (Toolset, bool) {
	all := Toolsets()
	i := slices.IndexFunc(all, func(t Toolset) bool { return t.Name == name })
	if i < 0 {
		return Toolset{}, false
	}
	return all[i], true
}
