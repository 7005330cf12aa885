package scene

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Angles whose sine or cosine the C library does not give as the nearest number
// (glibc 2.43), besides the bounds of its ways.
func TestSinesAreThoseOfTheCLibrary(t *testing.T) {
	for _, c := range [][3]float32{
		{-8.78661156, -0.595723689, -0.803189397},
		{-4.43157864, 0.960831165, -0.277134359},
		{2.2813797, 0.757981479, -0.652276099},
		{-5.91253281, 0.362223715, 0.932091177},
		{-4.96330357, 0.968685746, 0.248290017},
		{1.10883749, 0.895181179, 0.445702463},
		{-8.5375843, -0.775302351, -0.631590307},
		{-5.60824347, 0.624851942, 0.780743301},
		{-0.5233787, -0.49980935, 0.8661354},
		{0, 0, 1}, {1e-5, 1e-5, 1}, {1000, 0.82687956, 0.56237906},
	} {
		require.Equal(t, c[1], sin32(c[0]), "sine of %v", c[0])
		require.Equal(t, c[2], cos32(c[0]), "cosine of %v", c[0])
	}
}
