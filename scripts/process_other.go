//go:build !unix

package scripts

import (
	"errors"
	"os/exec"
)

// Without process groups the program ends alone.

func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }

func makePipe(string) error { return errors.New("named pipes need a Unix") }
