package server

import (
	"os"
	"syscall"
	"unsafe"
)

// readerGone says whether the other end of a pipe or socket was closed, so
// that a server whose client died without closing stdin ends as well.
func readerGone(f *os.File) bool {
	const (
		pollErr  = 0x8
		pollNval = 0x20
	)
	p := struct {
		fd              int32
		events, revents int16
	}{fd: int32(f.Fd())}
	var now syscall.Timespec
	n, _, errno := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p)), 1, uintptr(unsafe.Pointer(&now)), 0, 0, 0)
	return errno == 0 && n == 1 && p.revents&(pollErr|pollNval) != 0
}
