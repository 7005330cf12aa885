package variant

import (
	"strings"
	"unicode/utf8"
)

// validUTF8 reads bytes as the engine does (engine 4.6 experiment): a sequence that another character cuts off becomes
// one replacement character, each byte of one that the end of the text cuts off, and each byte that belongs to none.
func validUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 {
			size = cutOff(s)
		}
		b.WriteRune(r)
		s = s[size:]
	}
	return b.String()
}

// cutOff is the length of the sequence that a text begins with and another character cuts off.
func cutOff(s string) int {
	want := 1
	switch c := s[0]; {
	case c >= 0xc2 && c < 0xe0:
		want = 2
	case c >= 0xe0 && c < 0xf0:
		want = 3
	case c >= 0xf0 && c < 0xf5:
		want = 4
	}
	for n := 1; n < want; n++ {
		if n >= len(s) {
			return 1
		}
		least, most := byte(0x80), byte(0xbf)
		if n == 1 {
			least, most = secondByte(s[0])
		}
		if s[n] < least || s[n] > most {
			return n
		}
	}
	return 1
}

// secondByte gives what may follow a first byte: neither an overlong form nor a surrogate nor a number too large.
func secondByte(first byte) (least, most byte) {
	switch first {
	case 0xe0:
		return 0xa0, 0xbf
	case 0xed:
		return 0x80, 0x9f
	case 0xf0:
		return 0x90, 0xbf
	case 0xf4:
		return 0x80, 0x8f
	}
	return 0x80, 0xbf
}
