package safety

import "syscall"

// canWrite asks the system whether this user may write a file, or into a folder.
func canWrite(path string) error {
	const write = 2
	return syscall.Access(path, write)
}
