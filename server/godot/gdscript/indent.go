package gdscript

import "slices"

// checkIndent is called at the start of a line. It passes empty lines and lines with only a comment, and compares the
// indentation of the first other line with the open levels.
func (t *tokenizer) checkIndent() {
	for !t.atEnd() {
		first, width, mixed := t.peek(), 0, false
		for c := t.peek(); c == ' ' || c == '\t'; c = t.peek() {
			mixed = mixed || c != first
			width++
			if c == '\t' {
				width += tabSize - 1
			}
			t.advance(1)
		}
		if t.peek() == '\r' && t.peekAt(1) == '\n' {
			t.pos++
		}
		if t.peek() == '#' {
			t.skipComment()
		}
		if t.atEnd() {
			break
		}
		if t.peek() == '\n' {
			t.passNewline(false)
			continue
		}
		if !t.multiline && !t.continuation {
			t.indentLine(first, width, mixed)
		}
		return
	}
	t.dedentTo(0)
}

// indentLine compares a line that begins with width columns of blanks with the open levels.
func (t *tokenizer) indentLine(first byte, width int, mixed bool) {
	if width == 0 {
		t.dedentTo(0)
		return
	}
	if mixed {
		t.fail("Mixed use of tabs and spaces for indentation.")
	}
	if t.indentChar == 0 {
		t.indentChar = first
	} else if first != t.indentChar {
		t.fail("Used " + blankName(first) + " character for indentation instead of " + blankName(t.indentChar) +
			" as used before in the file.")
	}
	if width > t.level() {
		t.indents = append(t.indents, width)
		t.pending++
		return
	}
	t.dedentTo(width)
	if t.level() != width {
		t.fail("Unindent doesn't match the previous indentation level.")
		t.indents = append(t.indents, width)
	}
}

// dedentTo closes the levels that are deeper than width.
func (t *tokenizer) dedentTo(width int) {
	for t.level() > width {
		t.indents = t.indents[:len(t.indents)-1]
		t.pending--
	}
}

func (t *tokenizer) level() int {
	if len(t.indents) == 0 {
		return 0
	}
	return t.indents[len(t.indents)-1]
}

// enterBlock is called before the body of a lambda that stands inside brackets, leaveBlock after it: the levels that
// the body opens or closes mean nothing outside.
func (t *tokenizer) enterBlock() { t.saved = append(t.saved, slices.Clone(t.indents)) }

func (t *tokenizer) leaveBlock() {
	t.indents = t.saved[len(t.saved)-1]
	t.saved = t.saved[:len(t.saved)-1]
}

func blankName(c byte) string {
	if c == '\t' {
		return "tab"
	}
	return "space"
}
