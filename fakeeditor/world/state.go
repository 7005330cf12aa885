package world

import (
	"slices"
	"strings"
	"time"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/fakeeditor/scene"
	"godot-mcp/fakeeditor/undo"
	"godot-mcp/server/godot/config"
)

// State is the whole simulated editor at one moment. It is an immutable value:
// a copy is a fork and costs nothing. Only this package and package fakeeditor
// make new ones, through [Tx].
type State struct {
	Project Project
	Files   Files
	Store   scene.Store
	// Tabs are the open scenes in tab order; Active is the index of the edited
	// one, -1 when there is none. The slice is never written in place.
	Tabs   []Tab
	Active int
	Global undo.History
	// Clock is the virtual time since the editor started.
	Clock time.Duration
	// Rand is the state of the generator behind random ids.
	Rand    uint64
	Journal Journal
	// NextTab counts the tabs that were ever opened.
	NextTab int
	// Locked are the files that the editor cannot write, as on a disk that is
	// read-only. The slice is never written in place.
	Locked []string
	// Typed are scripts whose text somebody types and has not saved, sorted by path.
	// The slice is never written in place.
	Typed []TypedScript
	// Marks are what was selected when scene files were saved, sorted by file, which the
	// editor notes beside the project, by paths that hold only for one start of it as a
	// rule (engine 4.6 experiment). The slice is never written in place.
	Marks []Mark
	// Anchoring is the anchor mode of the toolbar of controls.
	Anchoring bool
	// Stamp counts actions over all histories.
	Stamp int
	// Run tells the runs of an editor apart in the versions of scenes.
	Run uint32
}

// TypedScript is a script in the script editor whose text is not saved.
type TypedScript struct {
	Path, Text string
	// Base is the file as the editor read it.
	Base files.File
}

// Type shows a script in the script editor with another text than it has on disk.
func (s *State) Type(path, text string) {
	base, _ := s.Files.Disk().Get(path)
	typed := slices.Clone(s.Typed)
	i, found := slices.BinarySearchFunc(typed, path, func(t TypedScript, path string) int { return strings.Compare(t.Path, path) })
	if !found {
		typed = slices.Insert(typed, i, TypedScript{Path: path, Base: base})
	}
	typed[i].Text = text
	s.Typed = typed
}

// Project is what does not change while the editor runs.
type Project struct {
	Path string // absolute folder on the (real or imagined) machine
	// GodotVersion is what hello and project info report.
	GodotVersion string
	// Settings is project.godot as it was when the editor started.
	Settings *config.File
	// Startup is what it read of other files then.
	Startup scene.Startup
}

// Tab is one open scene.
type Tab struct {
	// ID tells tabs apart for as long as the editor runs.
	ID int
	// Path is empty for a scene that was never saved.
	Path string
	// Base is the file as the editor loaded or saved it last.
	Base    files.File
	Root    scene.NodeID
	History undo.History
	// Others names what others than the addon did to the scene since it was loaded,
	// oldest first, and Loads tells its loads apart.
	Others []string
	Loads  int
	selection
}

// New gives the state of an editor that just opened a project and no scene.
func New(p Project, f Files, seed uint64) State {
	return State{Project: p, Files: f, Active: -1, Global: undo.New(), Rand: seed, Run: uint32(mix(seed))}
}

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// ActiveTab gives the edited scene's tab; ok is false when no scene is open.
func (s *State) ActiveTab() (Tab, bool) {
	if s.Active < 0 || s.Active >= len(s.Tabs) {
		return Tab{}, false
	}
	return s.Tabs[s.Active], true
}

// FindTab gives the index of the tab of a scene file, -1 if it is not open.
func (s *State) FindTab(path string) int {
	for i := range s.Tabs {
		if s.Tabs[i].Path == path && path != "" {
			return i
		}
	}
	return -1
}
