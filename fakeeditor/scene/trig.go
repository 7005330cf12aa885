package scene

import "math"

// The engine's sines of 32 bits are those of the C library that its builds for Linux run
// on: a polynomial in 64 bits, rounded once. That is not always the nearest number, and
// the last digit of an angle shows in scene files. Its arcs are the nearest numbers
// (engine 4.6.3 with glibc 2.43; equal for 300,000 angles).

// farAngle is where the library takes the remainder of an angle in another way. There
// the nearest number is given here, which differs for one angle in some hundred.
const farAngle = 120

func sin32(a float32) float32 { return trig32(a, 0) }
func cos32(a float32) float32 { return trig32(a, 1) }

// trig32 gives the sine of an angle (turn 0) or its cosine (turn 1).
func trig32(a float32, turn int) float32 {
	x := float64(a)
	switch size := math.Abs(x); {
	case size < 0x1p-12 && turn == 0:
		return a
	case size < 0x1p-12:
		return 1
	case size < math.Pi/4:
		return near32(x, x*x, 1, turn)
	case !(size < farAngle) && turn == 0:
		return float32(math.Sin(x))
	case !(size < farAngle):
		return float32(math.Cos(x))
	}
	const perQuarter, quarter = 0x1.45f306dc9c883p+23, 0x1.921fb54442d18p0
	n := (int(x*perQuarter) + 0x800000) >> 24
	x -= float64(n) * quarter
	sign := [4]float64{1, -1, -1, 1}[n&3]
	mirror := 1.0
	if n&2 != 0 {
		mirror = -1
	}
	return near32(x*sign, x*x, mirror, n^turn)
}

// near32 is the polynomial near zero: of the sine for an even part, else of the cosine.
func near32(x, square, mirror float64, part int) float32 {
	if part&1 == 0 {
		const s1, s2, s3 = -0x1.555545995a603p-3, 0x1.1107605230bc4p-7, -0x1.994eb3774cf24p-13
		cube := x * square
		return float32(x + cube*s1 + cube*square*(s2+square*s3))
	}
	const c1, c2, c3, c4 = -0x1.ffffffd0c621cp-2, 0x1.55553e1068f19p-5, -0x1.6c087e89a359dp-10, 0x1.99343027bf8c3p-16
	fourth := square * square
	return float32(mirror*(1+square*c1) + fourth*(mirror*c2) + fourth*square*(mirror*c3+square*(mirror*c4)))
}
