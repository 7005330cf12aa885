package variant

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Code is the closed list of reasons for which text or JSON is refused.
type Code string

// The closed list, one line each.
const (
	CodeUnexpected    Code = "unexpected_token"   // another token was needed here
	CodeEOF           Code = "unexpected_end"     // the text ends inside a value
	CodeCharacter     Code = "bad_character"      // a character that starts no token
	CodeString        Code = "bad_string"         // unterminated, or a broken escape
	CodeIdentifier    Code = "unknown_identifier" // no such constructor or constant
	CodeArguments     Code = "bad_argument_count" // a constructor with too few or too many numbers
	CodeBytes         Code = "bad_base64"         // text in PackedByteArray that is no base64
	CodeDepth         Code = "too_deep"           // nested deeper than MaxDepth
	CodeSize          Code = "too_large"          // longer than the limit
	CodeType          Code = "type_mismatch"      // a value that the declared type does not take
	CodeUnknownKey    Code = "unknown_key"        // a JSON object with a key that its form does not have
	CodeMissingKey    Code = "missing_key"        // a JSON object without a key that its form needs
	CodeDuplicateKey  Code = "duplicate_key"      // a key given twice
	CodeRange         Code = "out_of_range"       // a number that the type cannot hold
	CodeNotDecodable  Code = "not_decodable"      // RID, Callable, Signal, references that mean something in one file only
	CodeBadJSON       Code = "bad_json"           // no JSON
	CodeUnknownMember Code = "unknown_property"   // a property that the class does not have
)

// Position is a place in a text. Line and column start at 1; the column counts characters.
type Position struct{ Line, Column, Offset int }

// PositionAt finds the line and column of a byte offset.
func PositionAt(src string, offset int) Position {
	offset = min(max(offset, 0), len(src))
	line := strings.Count(src[:offset], "\n")
	start := strings.LastIndexByte(src[:offset], '\n') + 1
	return Position{line + 1, utf8.RuneCountInString(src[start:offset]) + 1, offset}
}

// SyntaxError says where and why a text cannot be read.
type SyntaxError struct {
	Code    Code
	Message string
	Position
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}
