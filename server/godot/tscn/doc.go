// Package tscn reads and writes the engine's text scenes and resources (.tscn, .tres) and other files of tagged
// sections.
//
// [Parse] gives a [File] that keeps the text of all it does not change: writing an untouched file gives the same bytes,
// and an edit touches only the entry it names. Keys and tags that are not known are kept in place. [Format] instead
// lays a whole file out as the editor of engine 4.6 saves it.
//
// Binary scenes and resources give [ErrUnsupported]; text that cannot be read a [*variant.SyntaxError] with line and
// column.
package tscn
