package variant

import "strconv"

// appendJSONFloat writes a finite double so that both a correct reader and the engine's own, which may be off by a
// unit in the last place, get the same bits. Mostly that is the shortest text; else one with more digits is searched.
func appendJSONFloat(dst []byte, f float64) []byte {
	n := len(dst)
	dst = appendPlainFloat(dst, f)
	if readsBack(dst[n:], f) {
		return dst
	}
	if text, ok := searchFloat(f); ok {
		return append(dst[:n], text...)
	}
	return dst
}

// appendJSONFloat32 is appendJSONFloat for a component, with the digits of the engine: where several shortest texts mean
// the same 32 bits it does not always take the nearest.
func appendJSONFloat32(dst []byte, f float32) []byte {
	if f == 0 {
		return append(dst, '0')
	}
	n := len(dst)
	dst = appendShortest32(dst, f)
	if text := string(dst[n:]); float32(parseEngineFloat(text)) != f {
		return appendPlainFloat(dst[:n], float64(f))
	}
	return dst
}

func appendPlainFloat(dst []byte, f float64) []byte {
	if a := max(f, -f); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(dst, f, 'e', -1, 64)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, 64)
}

func readsBack(text []byte, f float64) bool {
	if parseEngineFloat(string(text)) != f {
		return false
	}
	g, err := strconv.ParseFloat(string(text), 64)
	return err == nil && g == f
}

// searchFloat tries numbers of 16 to 18 digits around f. Texts of 18 digits can be 90 units away from f and still mean
// f, and the engine's two roundings hit f from some of them.
func searchFloat(f float64) (string, bool) {
	for _, try := range [...]struct{ digits, reach int }{{16, 1}, {17, 12}, {18, 120}} {
		text := strconv.AppendFloat(nil, f, 'e', try.digits-1, 64)
		// d.ddde±xx without the point is an integer with an exponent.
		mantissa, exp := splitFloat(text)
		for d := 1; d <= 2*try.reach+1; d++ {
			m := mantissa + int64(d/2)
			if d%2 != 0 {
				m = mantissa - int64(d/2)
			}
			cand := strconv.AppendInt(nil, m, 10)
			cand = append(cand, 'e')
			cand = strconv.AppendInt(cand, int64(exp-try.digits+1), 10)
			if readsBack(cand, f) {
				return string(cand), true
			}
		}
	}
	return "", false
}

func splitFloat(text []byte) (mantissa int64, exp int) {
	negative := text[0] == '-'
	i := 0
	for ; i < len(text) && text[i] != 'e'; i++ {
		if isDigit(text[i]) {
			mantissa = mantissa*10 + int64(text[i]-'0')
		}
	}
	if negative {
		mantissa = -mantissa
	}
	return mantissa, parseExponent(string(text[i:]))
}
