package isolate

import "golang.org/x/sys/unix"

// oldCalls are forms of refused calls that only this machine has.
var oldCalls = []uint32{unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT, unix.SYS_MKNOD}
