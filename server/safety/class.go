package safety

import "slices"

// Class says what a tool does to project, editor and game, by effect and never
// by verb.
type Class string

// The classes. Reversible, additive and restored by undo is mutating. Removing
// or overwriting data is destructive. Starting or stopping something while
// observing is runtime. Leaving everything byte for byte alone is read_only.
const (
	ReadOnly    Class = "read_only"
	Mutating    Class = "mutating"
	Destructive Class = "destructive"
	Runtime     Class = "runtime"
)

// Classes lists the classes, mildest first.
func Classes() []Class { return []Class{ReadOnly, Runtime, Mutating, Destructive} }

// Worst returns the most severe of two classes.
func Worst(a, b Class) Class {
	if slices.Index(Classes(), a) >= slices.Index(Classes(), b) {
		return a
	}
	return b
}

// Profile is what the server may do at all; fixed at start.
type Profile string

// The profiles. Full is the union of the others and is never declared.
const (
	Core        Profile = "core"
	Editor      Profile = "editor"
	RuntimeProf Profile = "runtime"
	Full        Profile = "full"
)

// Profiles lists the profiles.
func Profiles() []Profile { return []Profile{Core, Editor, RuntimeProf, Full} }

// Need is a precondition, named by its token.
type Need string

// The preconditions. Those the server can decide by itself are checked before
// anything is sent; the others come with the editor's reply.
const (
	NeedBridge Need = "bridge_connected"
	NeedScene  Need = "active_scene"
	NeedNode   Need = "node_exists"
	NeedGodot  Need = "godot_binary"
)

// PathKind says how a path argument is cleaned.
type PathKind int

// The kinds of path arguments.
const (
	// FilePath is a file or folder of the project (res://…).
	FilePath PathKind = iota
	// NodePath is a path below the root of the edited scene.
	NodePath
)

// PathParam is one path argument of a tool. Optional ones may be empty; a list
// parameter is cleaned element by element.
type PathParam struct {
	Name     string
	Kind     PathKind
	Optional bool
}

// Spec is what a tool declares to the safety model, once.
type Spec struct {
	Name    string // exposed name
	Toolset string
	Class   Class
	// Irreversible: destructive and not covered by undo.
	Irreversible bool
	WritesDisk   bool
	ExecutesCode bool
	// Overwrites names a boolean argument by which a call goes over what others
	// wrote: with it the call counts as destructive, and wants confirm.
	Overwrites string
	// Target names the parameters that identify what the call acts on.
	Target []string
	Needs  []Need
	// MinGodot is "major.minor", empty for any.
	MinGodot string
	Profiles []Profile
	Paths    []PathParam
	Args     []string // names of the arguments
	Secret   []string // arguments that hold secrets, never written down
	Values   bool     // some argument takes any value, which may refer to files
	// Commands are the wire commands the tool may send.
	Commands []string
}

// In says whether the spec belongs to a profile. Full is computed.
func (s *Spec) In(p Profile) bool {
	return p == Full && len(s.Profiles) > 0 || slices.Contains(s.Profiles, p)
}

// ProfilesFor is the default membership by class: everybody reads, authoring
// is the editor profile's, runtime tools are the runtime profile's.
func ProfilesFor(c Class) []Profile {
	switch c {
	case ReadOnly:
		return []Profile{Core, Editor, RuntimeProf}
	case Runtime:
		return []Profile{RuntimeProf}
	}
	return []Profile{Editor}
}
