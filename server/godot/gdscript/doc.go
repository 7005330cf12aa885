// Package gdscript reads GDScript files without an engine: what a script declares ([Scan]) and whether it can be
// parsed ([Check]).
//
// Both rest on one reading: a tokenizer that handles indentation as Godot 4.6 does and a parser of declarations,
// statements and expressions that keeps declarations and names only. It knows the grammar and what names mean, but no
// types of expressions, values or overloads: a script without findings may still be refused by the engine's analyzer.
package gdscript

import (
	"strings"
	"unicode/utf8"
)

// Script is what a file declares. Lines and columns count from 1; columns count code points.
type Script struct {
	Class
	Tool         bool
	StaticUnload bool
	// Icon is the path given to @icon.
	Icon string
	// Loads are the preload and load calls with a literal path, in the order of the file.
	Loads []Load
}

// Class is the script itself or an inner class. Name is empty for a script without class_name.
type Class struct {
	Name string
	Line int
	// EndLine is the last line of the class; of the script, its last line.
	EndLine   int
	Abstract  bool
	Extends   Extends
	Signals   []Signal
	Functions []Function
	Enums     []Enum
	Constants []Constant
	Variables []Variable
	Classes   []*Class
}

// Extends names a base class: a path of a script, or a class name, and possibly inner classes of it. All is empty if
// the script does not say; the base is then RefCounted.
type Extends struct {
	Path  string
	Names []string
	Line  int
}

// Signal is a declared signal.
type Signal struct {
	Name   string
	Line   int
	Params []Param
}

// Param is a parameter. Type is empty if it is not declared; Default is source text, empty if there is none.
type Param struct {
	Name    string
	Type    string
	Default string
	// Rest marks the last parameter of a function that takes any number of arguments.
	Rest bool
}

// Function is a declared function. ReturnType is empty if it is not declared.
type Function struct {
	Name       string
	Line       int
	EndLine    int
	Static     bool
	Abstract   bool
	Params     []Param
	ReturnType string
}

// Enum is a declared enum; Name is empty for an anonymous one.
type Enum struct {
	Name   string
	Line   int
	Values []EnumValue
}

// EnumValue is a constant of an enum. Text is the source of its value, empty if it counts on from the one before.
type EnumValue struct {
	Name string
	Line int
	Text string
}

// Constant is a declared constant. Type is empty if it is not declared.
type Constant struct {
	Name  string
	Line  int
	Type  string
	Value Value
}

// Variable is a declared member variable.
type Variable struct {
	Name string
	Line int
	// Annotations are all of the variable's own, in order.
	Annotations []Annotation
	Static      bool
	Onready     bool
	// Export is the name of its export annotation, such as "@export_range"; empty if it is not exported.
	Export string
	// Type is the declared type, or the type of the literal after ":="; empty if neither is known.
	Type string
	// Inferred marks a declaration with ":=".
	Inferred bool
	Value    Value
}

// Exported reports whether scene files keep the variable.
func (v Variable) Exported() bool { return v.Export != "" }

// Annotation is an annotation with the source text of its arguments. Name includes the "@".
type Annotation struct {
	Name string
	Line int
	Args []string
}

// Value is an initial value.
type Value struct {
	// Source is the source text, empty if there is no initial value.
	Source string
	// Literal is the value as Godot text, the form that var_to_str uses, if the source is a literal: numbers, strings,
	// true, false, null, arrays and dictionaries of literals, and builtin constructors of literals. Empty otherwise.
	Literal string
	// Type is the type of the literal, such as "int"; empty if it is no literal, or null.
	Type string
}

// Load is a preload or load call with a literal path.
type Load struct {
	Path         string
	Line, Column int
	Preload      bool
}

// Scan reads a script. It never fails: what it cannot understand it passes over.
func Scan(src string) *Script {
	p := parse(src)
	return &p.script
}

// Finding is a fault of a script, with the engine's own words where the engine reports it too.
//
// Line and Column are where the language server of Godot 4.6 puts it: the first character of the line that is no blank.
// The engine often sees a fault one token late or early; TokenColumn is the column of the token it names.
type Finding struct {
	Line, Column int
	TokenColumn  int
	Message      string
}

// Known tells Check about names that a script may use besides those of the engine.
type Known struct {
	// Class reports whether name is a global script class or an autoload.
	Class func(name string) bool
	// File reports whether a res:// path exists; paths are not checked if it is nil.
	File func(path string) bool
	// Base gives the script that a class extends, by the path or the first name that it
	// says, and the path of its file; nil if there is none. From is the file of the class,
	// empty for the one that is checked. Without it, nothing is said of identifiers in
	// classes that extend scripts.
	Base func(x Extends, from string) (script *Script, path string)
}

// Check finds faults in a script. Syntax is always checked; base classes, declared types and identifiers are checked
// against what the engine has and known only if known is not nil and the syntax has no fault, like the engine does.
func Check(src string, known *Known) []Finding {
	if !utf8.ValidString(src) {
		return []Finding{{Line: 1, Column: 1, TokenColumn: 1, Message: "Script is not valid UTF-8."}}
	}
	p := parse(src)
	findings := p.findings
	if len(findings) == 0 {
		findings = append(findings, p.script.exportFaults()...)
		for _, name := range p.bodyless {
			findings = append(findings, Finding{Line: name.line, TokenColumn: name.col,
				Message: `A function must either have a ":" followed by a body, or be marked as "@abstract".`})
		}
	}
	if len(findings) == 0 && known != nil {
		findings = p.checkNames(known)
	}
	lines := strings.Split(p.src(), "\n")
	for i := range findings {
		line := lines[min(findings[i].Line, len(lines))-1]
		findings[i].Column = len(line) - len(strings.TrimLeft(line, " \t")) + 1
	}
	return findings
}
