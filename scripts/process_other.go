//go:build !unix

package scripts

import "os/exec"

// Without process groups the program ends alone.

func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
