package variant

import (
	"math"
	"math/bits"
)

// The engine prints floats with Grisu2 (F. Loitsch, "Printing Floating-Point Numbers Quickly and Accurately with
// Integers", 2010). Grisu2 always reads back to the same number but is not always the shortest text, so strconv gives
// other digits for about one double in a thousand: the algorithm itself has to be repeated here.

type extended struct {
	f uint64
	e int
}

func (x extended) mul(y extended) extended {
	hi, lo := bits.Mul64(x.f, y.f)
	// Rounded to nearest, ties up.
	return extended{hi + lo>>63, x.e + y.e + 64}
}

func (x extended) normalize() extended {
	n := bits.LeadingZeros64(x.f)
	return extended{x.f << n, x.e - n}
}

// shortest returns the digits of significand*2^exponent and the decimal exponent of the last digit. lowerCloser tells
// that the next smaller float is only half a step away.
func shortest(buf []byte, significand uint64, exponent int, lowerCloser bool) (digits []byte, exp10 int) {
	v := extended{significand, exponent}
	plus := extended{2*v.f + 1, v.e - 1}.normalize()
	minus := extended{2*v.f - 1, v.e - 1}
	if lowerCloser {
		minus = extended{4*v.f - 1, v.e - 2}
	}
	minus = extended{minus.f << (minus.e - plus.e), plus.e}

	// A power of ten that brings the binary exponent into [-60, -32]: the integral part then fits 32 bits.
	f := -60 - plus.e - 1
	k := (f * 78913) / (1 << 18)
	if f > 0 {
		k++
	}
	index := (300 + k + 7) / 8
	power := extended{decimalPowers[index].f, decimalPowers[index].e}

	w, low, high := v.normalize().mul(power), minus.mul(power), plus.mul(power)
	// The products are off by less than one unit: shrink the interval by one on both sides.
	low.f++
	high.f--
	digits, n := generate(buf, low, w, high)
	return digits, n - (index*8 - 300)
}

func generate(buf []byte, low, w, high extended) ([]byte, int) {
	delta, dist := high.f-low.f, high.f-w.f
	shift := uint(-high.e)
	mask := uint64(1)<<shift - 1
	integral, fraction := uint32(high.f>>shift), high.f&mask

	n, pow10 := 1, uint32(1)
	for n < 10 && integral/pow10 >= 10 {
		pow10 *= 10
		n++
	}
	for n > 0 {
		buf = append(buf, byte('0'+integral/pow10))
		integral %= pow10
		n--
		if rest := uint64(integral)<<shift + fraction; rest <= delta {
			roundDown(buf, dist, delta, rest, uint64(pow10)<<shift)
			return buf, n
		}
		pow10 /= 10
	}
	for m := 1; ; m++ {
		fraction *= 10
		delta *= 10
		dist *= 10
		buf = append(buf, byte('0'+fraction>>shift))
		fraction &= mask
		if fraction <= delta {
			roundDown(buf, dist, delta, fraction, mask+1)
			return buf, -m
		}
	}
}

// roundDown lowers the last digit as long as that brings the text closer to the number.
func roundDown(buf []byte, dist, delta, rest, unit uint64) {
	for rest < dist && delta-rest >= unit && (rest+unit < dist || dist-rest > rest+unit-dist) {
		buf[len(buf)-1]--
		rest += unit
	}
}

func appendShortest64(dst []byte, f float64) []byte {
	b := math.Float64bits(f)
	if b>>63 != 0 {
		dst = append(dst, '-')
	}
	e, frac := int(b>>52&0x7ff), b&(1<<52-1)
	var buf [32]byte
	var digits []byte
	var exp int
	if e == 0 {
		digits, exp = shortest(buf[:0], frac, 1-1075, false)
	} else {
		digits, exp = shortest(buf[:0], frac|1<<52, e-1075, frac == 0 && e > 1)
	}
	return appendDecimal(dst, digits, exp)
}

func appendShortest32(dst []byte, f float32) []byte {
	b := math.Float32bits(f)
	if b>>31 != 0 {
		dst = append(dst, '-')
	}
	e, frac := int(b>>23&0xff), uint64(b&(1<<23-1))
	var buf [32]byte
	var digits []byte
	var exp int
	if e == 0 {
		digits, exp = shortest(buf[:0], frac, 1-150, false)
	} else {
		digits, exp = shortest(buf[:0], frac|1<<23, e-150, frac == 0 && e > 1)
	}
	return appendDecimal(dst, digits, exp)
}

// appendDecimal lays out digits * 10^exp: plain between 1e-4 and 1e15, else with an exponent of at least two digits.
func appendDecimal(dst, digits []byte, exp int) []byte {
	k := len(digits)
	point := k + exp
	switch {
	case k <= point && point <= 15:
		dst = append(dst, digits...)
		for range point - k {
			dst = append(dst, '0')
		}
		return dst
	case 0 < point && point <= 15:
		dst = append(dst, digits[:point]...)
		dst = append(dst, '.')
		return append(dst, digits[point:]...)
	case -4 < point && point <= 0:
		dst = append(dst, '0', '.')
		for range -point {
			dst = append(dst, '0')
		}
		return append(dst, digits...)
	}
	dst = append(dst, digits[0])
	if k > 1 {
		dst = append(dst, '.')
		dst = append(dst, digits[1:]...)
	}
	return appendExponent(append(dst, 'e'), point-1)
}

func appendExponent(dst []byte, e int) []byte {
	sign := byte('+')
	if e < 0 {
		sign, e = '-', -e
	}
	dst = append(dst, sign)
	if e >= 100 {
		dst = append(dst, byte('0'+e/100))
		e %= 100
	}
	return append(dst, byte('0'+e/10), byte('0'+e%10))
}
