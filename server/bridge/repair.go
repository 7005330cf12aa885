package bridge

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Godot 4.6's JSON.stringify leaves U+0001–U+0007 and U+000E–U+001F raw inside
// strings, writes U+000B as \v and infinity as 1e99999; captured log lines hold
// ESC and may hold broken UTF-8. None of it is JSON, all of it has one obvious
// meaning, so it is mended here and never reaches a client.

// needsRepair is a quick look for anything that [repair] changes. Most messages
// need nothing.
func needsRepair(data []byte) bool {
	inString, digits := false, 0
	for i := 0; i < len(data); i++ {
		c := data[i]
		if c < '0' || c > '9' {
			digits = 0
		} else if digits++; digits > 308 && !inString {
			return true // may be beyond what a float holds
		}
		switch {
		case c == '"':
			inString = !inString
		case c == '\\':
			if !inString || i+1 >= len(data) {
				return true
			}
			i++
			switch data[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			default: // \u may be half of a pair
				return true
			}
		case c < 0x20 && inString:
			return true
		case !inString && (c == 'N' || c == 'I' || c == 'n' || c == 'i' || c == 'e' || c == 'E'):
			// true, false and null pass; nan, inf and big exponents do not.
			n, ok := literal(data[i:])
			if !ok {
				return true
			}
			i += n - 1
		}
	}
	return !utf8.Valid(data)
}

// literal reports the length of what is left of a JSON literal at the start.
func literal(b []byte) (int, bool) {
	for _, w := range []string{"null", "e,", "e}", "e]"} {
		if len(b) >= len(w) && string(b[:len(w)]) == w {
			if w == "null" {
				return 4, true
			}
			return 1, true
		}
	}
	return 0, false
}

// repair returns the text with every known break mended. Text that is broken in
// other ways stays broken and is refused by the decoder.
func repair(data []byte) []byte {
	out := make([]byte, 0, len(data)+64)
	for i := 0; i < len(data); {
		switch c := data[i]; {
		case c == '"':
			out, i = repairString(out, data, i)
		case c == '-' || c >= '0' && c <= '9' || isLetter(c):
			end := i + 1
			for end < len(data) && isWord(data[end]) {
				end++
			}
			out = append(out, word(data[i:end])...)
			i = end
		default:
			out = append(out, c)
			i++
		}
	}
	return out
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func isWord(c byte) bool {
	return isLetter(c) || c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' || c == '_'
}

// word turns numbers that JSON cannot hold into strings with Godot's own
// spelling; everything else is returned as it is.
func word(w []byte) []byte {
	switch string(w) {
	case "nan", "NaN", "-nan", "-NaN":
		return []byte(`"nan"`)
	case "inf", "Infinity", "+inf":
		return []byte(`"inf"`)
	case "-inf", "-Infinity", "inf_neg":
		return []byte(`"-inf"`)
	}
	if len(w) > 0 && (w[0] == '-' || w[0] >= '0' && w[0] <= '9') {
		if f, err := strconv.ParseFloat(string(w), 64); err != nil && (f > 1 || f < -1) {
			if f < 0 {
				return []byte(`"-inf"`)
			}
			return []byte(`"inf"`)
		}
	}
	return w
}

// repairString copies the string that begins at data[i] and returns the index
// after it.
func repairString(out, data []byte, i int) ([]byte, int) {
	out = append(out, '"')
	for i++; i < len(data); {
		switch c := data[i]; {
		case c == '"':
			return append(out, '"'), i + 1
		case c == '\\':
			out, i = repairEscape(out, data, i)
		case c < 0x20:
			out = fmt.Appendf(out, `\u%04x`, c)
			i++
		case c < utf8.RuneSelf:
			out = append(out, c)
			i++
		default:
			r, n := utf8.DecodeRune(data[i:])
			out = utf8.AppendRune(out, r) // U+FFFD when broken
			i += n
		}
	}
	return out, i
}

func repairEscape(out, data []byte, i int) ([]byte, int) {
	if i+1 >= len(data) {
		return append(out, '\\'), i + 1
	}
	switch c := data[i+1]; c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return append(out, '\\', c), i + 2
	case 'v':
		return append(out, `\u000b`...), i + 2
	case 'a':
		return append(out, `\u0007`...), i + 2
	case '\'':
		return append(out, '\''), i + 2
	case 'u':
		high, ok := hex4(data, i+2)
		if !ok {
			return append(out, `\\`...), i + 1
		}
		if high < 0xD800 || high > 0xDFFF {
			return append(out, data[i:i+6]...), i + 6
		}
		if low, ok := hex4(data, i+8); ok && high < 0xDC00 && low >= 0xDC00 && low <= 0xDFFF &&
			data[i+6] == '\\' && data[i+7] == 'u' {
			return append(out, data[i:i+12]...), i + 12
		}
		return append(out, `\ufffd`...), i + 6
	default:
		return append(out, `\\`...), i + 1 // a backslash that nobody escaped
	}
}

func hex4(data []byte, i int) (uint64, bool) {
	if i+4 > len(data) {
		return 0, false
	}
	n, err := strconv.ParseUint(string(data[i:i+4]), 16, 16)
	return n, err == nil
}
