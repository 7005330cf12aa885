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

func (p Plan) enter() error { return Available(p.Mode) }
