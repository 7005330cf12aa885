package toolsets

import (
	"strings"
	"unicode/utf8"

	"godot-mcp/server/catalog"
)

// pageOfText shows the part of a text that begins at a byte offset, ending at
// the end of a line where one is near. Offsets inside a character move back to
// its begin.
func pageOfText(text string, offset int) (string, catalog.Page) {
	offset = min(offset, len(text))
	for offset > 0 && offset < len(text) && !utf8.RuneStart(text[offset]) {
		offset--
	}
	part := text[offset:]
	end, cost := 0, 0
	for end < len(part) {
		r, size := utf8.DecodeRuneInString(part[end:])
		if cost += costInJSON(r, size); cost > room {
			break
		}
		end += size
	}
	if end < len(part) {
		if nl := strings.LastIndexByte(part[:end], '\n'); nl+1 > end/2 {
			end = nl + 1
		}
	}
	p := catalog.Page{Total: len(text), Returned: end, Truncated: offset+end < len(text)}
	if p.Truncated {
		p.NextOffset = offset + end
	}
	return part[:end], p
}

// costInJSON is how many bytes a character takes in an answer.
func costInJSON(r rune, size int) int {
	switch {
	case r == utf8.RuneError && size == 1:
		return 6
	case r == '"' || r == '\\' || r == '\n' || r == '\r' || r == '\t':
		return 2
	case r < 0x20 || r == '\u2028' || r == '\u2029':
		return 6
	}
	return size
}
