// Package classdb is the class table of a real Godot engine: parents, properties with defaults and hints, signals,
// methods and enums of every exposed class, as ClassDB and instances of the classes report them.
//
// The table is generated (see internal/generate) and embedded compressed. It is immutable; all functions are safe for
// concurrent use. The first use unpacks the text and finds the classes in it, and each class is parsed when it is first
// asked for; methods live in a second text that only [Methods] and [Method] unpack.
package classdb

//go:generate go run ./internal/generate

import (
	_ "embed"
	"slices"

	"godot-mcp/server/godot/classdb/internal/format"
)

// ClassInfo says what a class is.
type ClassInfo struct {
	Name string
	// Parent is empty for Object only.
	Parent string
	// Instantiable is what ClassDB.can_instantiate says. It is true for a few classes that are only meant as bases, such
	// as BaseButton, and false for CanvasItem and Viewport.
	Instantiable bool
	// Editor classes exist in the editor only, not in a game.
	Editor bool
}

// EngineVersion is the version string of the engine that the table was made from, such as "4.6.3-stable (official)".
func EngineVersion() string { return load().version }

// Names lists all classes in alphabetical order.
func Names() []string { return slices.Clone(load().names) }

// Class returns what name is; ok is false if there is no such class. Names are case-sensitive.
func Class(name string) (info ClassInfo, ok bool) {
	e := load().classes[name]
	if e == nil {
		return ClassInfo{}, false
	}
	return e.info, true
}

// Exists reports whether name is an engine class.
func Exists(name string) bool { return load().classes[name] != nil }

// Instantiable reports whether a game can create name: it exists, is no editor class and ClassDB can instantiate it.
func Instantiable(name string) bool {
	info, ok := Class(name)
	return ok && info.Instantiable && !info.Editor
}

// Inherits reports whether class is ancestor or descends from it, as ClassDB.is_parent_class does.
func Inherits(class, ancestor string) bool {
	for e := load().classes[class]; e != nil; e = e.parent {
		if e.info.Name == ancestor {
			return true
		}
	}
	return false
}

// Chain lists class and its ancestors up to Object; nil if there is no such class.
func Chain(class string) []string {
	var chain []string
	for e := load().classes[class]; e != nil; e = e.parent {
		chain = append(chain, e.info.Name)
	}
	return chain
}

// Singletons lists the names of the engine's singletons, such as Input.
func Singletons() []string { return slices.Clone(load().engine().Singletons) }

// BuiltinTypes lists the names of the Variant types that are no classes, such as Vector2 and Dictionary.
func BuiltinTypes() []string { return slices.Clone(load().engine().Globals.Builtin) }

// GlobalFunctions lists the functions of @GlobalScope, such as lerp.
func GlobalFunctions() []string { return slices.Clone(load().engine().Globals.Functions) }

// GlobalEnums lists the enums of @GlobalScope, such as Key and Side. Enums of Variant have names like "Variant.Type".
func GlobalEnums() []Enum {
	var out []Enum
	for _, e := range load().engine().Globals.Enums {
		out = append(out, enum(e, ""))
	}
	return out
}

// Signal is a signal of a class.
type Signal struct {
	Name string
	Args []Arg
	// Owner is the class that declares it.
	Owner string
}

// Arg is an argument of a signal or method. ClassName is set for objects; for enums it is the qualified enum name.
type Arg struct {
	Name      string
	Type      Type
	ClassName string
}

// Enum is an enumeration of a class with its constants in the engine's order.
type Enum struct {
	Name     string
	Bitfield bool
	Values   []Constant
	// Owner is the class that declares it, empty for @GlobalScope.
	Owner string
}

// Constant is an integer constant.
type Constant struct {
	Name  string
	Value int64
	// Owner is the class that declares it; empty for constants of an enum of @GlobalScope.
	Owner string
}

// Signals lists the signals of class, those of the base class first, each class in the engine's order.
func Signals(class string, includeInherited bool) []Signal {
	var out []Signal
	for _, e := range baseFirst(class, includeInherited) {
		for _, s := range e.record().Signals {
			out = append(out, Signal{Name: s.Name, Args: args(s.Args), Owner: e.info.Name})
		}
	}
	return out
}

// FindSignal returns the signal of class or of an ancestor that has the given name.
func FindSignal(class, name string) (Signal, bool) {
	for e := load().classes[class]; e != nil; e = e.parent {
		for _, s := range e.record().Signals {
			if s.Name == name {
				return Signal{Name: s.Name, Args: args(s.Args), Owner: e.info.Name}, true
			}
		}
	}
	return Signal{}, false
}

// Enums lists the enums of class, those of the base class first.
func Enums(class string, includeInherited bool) []Enum {
	var out []Enum
	for _, e := range baseFirst(class, includeInherited) {
		for _, v := range e.record().Enums {
			out = append(out, enum(v, e.info.Name))
		}
	}
	return out
}

// Constants lists the integer constants of class that belong to no enum, those of the base class first.
func Constants(class string, includeInherited bool) []Constant {
	var out []Constant
	for _, e := range baseFirst(class, includeInherited) {
		for _, c := range e.record().Constants {
			out = append(out, Constant{Name: c.Name, Value: c.Value, Owner: e.info.Name})
		}
	}
	return out
}

// baseFirst lists the entries of class and, if asked, of its ancestors, from Object down.
func baseFirst(class string, includeInherited bool) []*entry {
	e := load().classes[class]
	if e == nil {
		return nil
	}
	if !includeInherited {
		return []*entry{e}
	}
	var out []*entry
	for ; e != nil; e = e.parent {
		out = append(out, e)
	}
	slices.Reverse(out)
	return out
}

func enum(e format.Enum, owner string) Enum {
	out := Enum{Name: e.Name, Bitfield: e.Bitfield, Owner: owner}
	for _, v := range e.Values {
		out.Values = append(out.Values, Constant{Name: v.Name, Value: v.Value, Owner: owner})
	}
	return out
}

func args(in []format.Arg) []Arg {
	var out []Arg
	for _, a := range in {
		out = append(out, Arg{Name: a.Name, Type: Type(a.Type), ClassName: a.Class})
	}
	return out
}
