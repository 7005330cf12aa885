package variant

import (
	"math"
	"strings"
)

// parseEngineFloat reads a decimal number as the engine does, which is not always the nearest double: at most 18
// digits are kept, in two integers, and one power of ten is multiplied or divided in. Engine 4.6: 1e23 reads as
// 9.999999999999999e+22, and 2.2250738585072014e-308 as 0, since the divisor overflows.
func parseEngineFloat(s string) float64 {
	i, negative := 0, false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		negative = s[i] == '-'
		i++
	}
	start, point := i, -1
	for ; i < len(s); i++ {
		if s[i] == '.' && point < 0 {
			point = i - start
		} else if !isDigit(s[i]) {
			break
		}
	}
	size := i - start
	if point < 0 {
		point = size
	} else {
		size--
	}
	kept := min(size, 18)
	exp := point - kept
	var high, low int64
	for j, n := start, kept; n > 0; j++ {
		if s[j] == '.' {
			continue
		}
		if n > 9 {
			high = high*10 + int64(s[j]-'0')
		} else {
			low = low*10 + int64(s[j]-'0')
		}
		n--
	}
	if kept == 0 {
		return 0
	}
	exp += parseExponent(s[i:])
	f := scale(float64(1e9*float64(high))+float64(low), exp)
	if negative {
		return -f
	}
	return f
}

func parseExponent(s string) int {
	if len(s) < 2 || s[0] != 'e' && s[0] != 'E' {
		return 0
	}
	negative := s[1] == '-'
	if s[1] == '-' || s[1] == '+' {
		s = s[1:]
	}
	e := 0
	for i := 1; i < len(s) && isDigit(s[i]); i++ {
		e = min(e*10+int(s[i]-'0'), 1_000_000)
	}
	if negative {
		return -e
	}
	return e
}

var binaryPowers = [...]float64{1e1, 1e2, 1e4, 1e8, 1e16, 1e32, 1e64, 1e128, 1e256}

// scale multiplies by a power of ten that is put together bit by bit; each step rounds, as in the engine.
func scale(f float64, exp int) float64 {
	n := min(max(exp, -exp), 511)
	power := 1.0
	for i := 0; n != 0; i, n = i+1, n>>1 {
		if n&1 != 0 {
			power *= binaryPowers[i]
		}
	}
	if exp < 0 {
		return f / power
	}
	return f * power
}

// parseEngineInt reads decimal digits with an optional sign. The engine looks before each digit whether there is room
// for any more, and ends at the limits of 64 bits if there is none: 9223372036854775808 alone comes out negative.
func parseEngineInt(s string) int64 {
	digits, negative := strings.CutPrefix(s, "-")
	var n int64
	for i := 0; i < len(digits); i++ {
		if n > math.MaxInt64/10 {
			if negative {
				return math.MinInt64
			}
			return math.MaxInt64
		}
		n = n*10 + int64(digits[i]-'0')
	}
	if negative {
		return -n
	}
	return n
}

// appendFloat writes a float the way the engine writes components: shortest digits of the 32-bit float if the number
// is one, else of the double; no sign on zero. format 3 has a word of its own for -inf.
func appendFloat(dst []byte, f float64, format Format) []byte {
	switch {
	case f == 0:
		return append(dst, '0')
	case f != f:
		return append(dst, "nan"...)
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	case math.IsInf(f, -1):
		if format == Format4 {
			return append(dst, "-inf"...)
		}
		return append(dst, "inf_neg"...)
	}
	if narrow := float32(f); float64(narrow) == f {
		return appendShortest32(dst, narrow)
	}
	return appendShortest64(dst, f)
}

// appendScalarFloat writes a float value: like a component, but never like an int.
func appendScalarFloat(dst []byte, f float64, format Format) []byte {
	n := len(dst)
	dst = appendFloat(dst, f, format)
	for _, c := range dst[n:] {
		if c == '.' || c == 'e' || c == 'n' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

// toInt converts as the engine's C++ does for constructor arguments; out of range is defined there only by the
// processor, so the result of x86-64 is given.
func toInt(f float64) int64 {
	if f != f || f >= math.MaxInt64 || f < math.MinInt64 {
		return math.MinInt64
	}
	return int64(f)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isAlpha(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' }

func hexValue(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
