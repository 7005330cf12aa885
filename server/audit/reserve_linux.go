package audit

import (
	"errors"
	"os"
	"syscall"
)

const keepSize = 1 // FALLOC_FL_KEEP_SIZE

// reserve asks the file system to set blocks aside. Those that cannot say so;
// then the first line that does not fit is the one that tells.
func reserve(f *os.File, end, n int64) error {
	var err error
	for {
		if err = syscall.Fallocate(int(f.Fd()), keepSize, end, n); !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	for _, full := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EIO, syscall.EROFS} {
		if errors.Is(err, full) {
			return err
		}
	}
	return nil
}
