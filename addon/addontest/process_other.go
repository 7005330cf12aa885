//go:build !unix

package addontest

import (
	"os"
	"os/exec"
)

// Without process groups the editor ends alone.

func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }

func killOne(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}
