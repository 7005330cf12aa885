package gdscript

import (
	"slices"

	"godot-mcp/server/godot/classdb"
)

// Faults of values whose types are seen without evaluating anything. The messages and the
// lines are those of the analyzer of engine 4.6.

func (p *parser) typeFault(at token, message string) {
	p.typeFaults = append(p.typeFaults, Finding{Line: at.line, TokenColumn: at.col, Message: message})
}

// checkReturned finds a function that has a type and may end without a value.
func (p *parser) checkReturned(function token) {
	if p.returns != "" && p.returns != "void" && !p.returned {
		p.typeFault(function, "Not all code paths return a value.")
	}
}

// checkReturn finds a returned value that the function does not declare. The value begins
// at start, and ends with the token read last.
func (p *parser) checkReturn(at, start token) {
	source := ""
	if p.previous.start >= start.start {
		source = p.textFrom(start.start)
	}
	switch {
	case p.returns == "":
	case p.returns == "void":
		// What a call returns may be nothing, too.
		if source != "" && p.previous.kind != ")" {
			p.typeFault(at, "A void function cannot return a value.")
		}
	case source == "":
		if isBuiltinType(p.returns) && p.returns != "Variant" {
			p.typeFault(at, `Cannot return value of type "null" because the function return type is "`+p.returns+`".`)
		}
	default:
		if typ, misfit := misfits(source, p.returns); misfit {
			if isConstant(typ) && isBuiltinType(p.returns) {
				p.typeFault(at, `Cannot return a value of type "`+typ+`" as "`+p.returns+`".`)
			}
			p.typeFault(at, `Cannot return value of type "`+typ+`" because the function return type is "`+p.returns+`".`)
		}
	}
}

// checkAssigned finds an initial value that the declared type of a variable, constant or
// parameter does not take.
func (p *parser) checkAssigned(what, name, declared, source string, at token) {
	typ, misfit := misfits(source, declared)
	if !misfit {
		return
	}
	if isConstant(typ) && isBuiltinType(declared) {
		p.typeFault(at, `Cannot assign a value of type "`+typ+`" as "`+declared+`".`)
	}
	p.typeFault(at, "Cannot assign a value of type "+typ+" to "+what+` "`+name+`" with specified type `+declared+".")
}

// isConstant reports whether the engine folds literals of a type before it checks them.
func isConstant(typ string) bool { return typ != "Array" && typ != "Dictionary" }

// converted are the builtin types that each type of literals is taken for, besides itself.
var converted = map[string][]string{
	"bool": {"int", "float"}, "int": {"bool", "float", "Color"}, "float": {"bool", "int"},
	"String": {"StringName", "NodePath", "Color"}, "StringName": {"String"}, "NodePath": {"String"},
	"Array": {
		"PackedByteArray", "PackedInt32Array", "PackedInt64Array", "PackedFloat32Array", "PackedFloat64Array",
		"PackedStringArray", "PackedVector2Array", "PackedVector3Array", "PackedColorArray", "PackedVector4Array",
	},
	"Dictionary": nil, "null": nil,
}

// misfits reports whether a source text is a literal of a type that a declared type does
// not take.
func misfits(source, declared string) (typ string, misfit bool) {
	if declared == "" || declared == "Variant" || source == "" {
		return "", false
	}
	text, typ := literalText(source)
	if text == "null" {
		typ = "null"
	}
	others, known := converted[typ]
	switch {
	case !known || typ == declared:
		return typ, false
	case isBuiltinType(declared):
		return typ, !slices.Contains(others, declared)
	}
	return typ, typ != "null" && classdb.Exists(declared)
}
