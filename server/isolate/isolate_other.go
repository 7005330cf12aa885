//go:build !linux

package isolate

import (
	"fmt"
	"runtime"
)

// Available says whether a mode is available on this machine.
func Available(m Mode) error {
	if m == Off {
		return nil
	}
	return fmt.Errorf("--isolate=%s needs Linux, and this is %s", m, runtime.GOOS)
}

// Describe says what the machine offers, for people.
func Describe() string { return "needs Linux" }

// Enter draws the bounds, for good.
func (p Plan) Enter() error { return p.Check() }
