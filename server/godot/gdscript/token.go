package gdscript

// kind is the kind of a token. Operators and keywords have their own text as kind, so that tables and messages can
// use it; the constants are the others, with the engine's names for messages.
type kind string

const (
	kindEOF        kind = "End of file"
	kindNewline    kind = "Newline"
	kindIndent     kind = "Indent"
	kindDedent     kind = "Dedent"
	kindIdentifier kind = "Identifier"
	kindLiteral    kind = "Literal"
	kindAnnotation kind = "Annotation"
	kindConflict   kind = "VCS conflict marker"
	kindError      kind = "Error"
)

// literalType tells literals apart; it is the Variant type's name.
type literalType string

const (
	literalNull       literalType = "null"
	literalBool       literalType = "bool"
	literalInt        literalType = "int"
	literalFloat      literalType = "float"
	literalString     literalType = "String"
	literalStringName literalType = "StringName"
	literalNodePath   literalType = "NodePath"
)

// token is one token. For an error, value is the message; for strings it is the text without quotes and escapes.
type token struct {
	kind       kind
	start, end int
	line, col  int
	endLine    int
	literal    literalType
	value      string
}

var keywords = map[string]bool{
	"as": true, "and": true, "assert": true, "await": true, "break": true, "breakpoint": true, "class": true,
	"class_name": true, "const": true, "continue": true, "elif": true, "else": true, "enum": true, "extends": true,
	"for": true, "func": true, "if": true, "in": true, "is": true, "match": true, "namespace": true, "not": true,
	"or": true, "pass": true, "preload": true, "return": true, "self": true, "signal": true, "static": true,
	"super": true, "trait": true, "var": true, "void": true, "when": true, "while": true, "yield": true,
	"INF": true, "NAN": true, "PI": true, "TAU": true,
}

// operators from long to short, so that the first that fits is the right one.
var operators = []string{
	"**=", "<<=", ">>=", "...", "&&", "||", "**", "<<", ">>", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "%=", "&=",
	"|=", "^=", "->", "..", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "=", "<", ">", "(", ")", "[", "]", "{", "}",
	",", ":", ";", ".", "$",
}

// isIdentifier reports whether the token can stand where a name is declared or used: the engine lets a few keywords
// through because its own API uses them.
func (t token) isIdentifier() bool {
	switch t.kind {
	case kindIdentifier, "match", "when", "INF", "NAN", "PI", "TAU":
		return true
	}
	return false
}

// isNodeName reports whether the token can be a part of a $ path.
func (t token) isNodeName() bool {
	return t.isIdentifier() || t.kind == "_" || keywords[string(t.kind)] || t.kind == kindLiteral && (t.literal == literalBool || t.literal == literalNull)
}

// describe names the token as messages about class bodies do.
func (t token) describe(src string) string {
	if t.kind == kindIdentifier {
		return `identifier "` + src[t.start:t.end] + `"`
	}
	return `"` + string(t.kind) + `"`
}
