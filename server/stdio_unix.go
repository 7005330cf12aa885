//go:build unix

package server

import (
	"io"
	"os"
	"syscall"
)

// pollable gives a reader over stdin that waits in the runtime's poller rather
// than in a system call, when stdin is a pipe or socket. Restore undoes it.
func pollable(stdin *os.File) (io.ReadCloser, func()) {
	none := func() {}
	info, err := stdin.Stat()
	if err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return stdin, none
	}
	// A descriptor of our own, so that closing it wakes the reader.
	fd, err := syscall.Dup(int(stdin.Fd()))
	if err != nil {
		return stdin, none
	}
	syscall.CloseOnExec(fd)
	if err := syscall.SetNonblock(fd, true); err != nil {
		_ = syscall.Close(fd)
		return stdin, none
	}
	return os.NewFile(uintptr(fd), "stdin"), func() { _ = syscall.SetNonblock(int(stdin.Fd()), false) }
}

// writable gives a writer over stdout. When stdin and stdout are one socket it
// does not block either, and then writes must wait in the poller too.
func writable(stdout *os.File) io.Writer {
	fd, err := syscall.Dup(int(stdout.Fd()))
	if err != nil {
		return stdout
	}
	syscall.CloseOnExec(fd)
	return os.NewFile(uintptr(fd), "stdout")
}
