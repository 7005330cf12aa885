package audit

import (
	"fmt"
	"os"
)

// diskFile is the audit file on disk.
type diskFile struct {
	*os.File
	path string
	torn bool // the last write stopped in the middle of a line
}

func openFile(path string) (file, error) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		if err = f.Chmod(0o600); err != nil {
			err = fmt.Errorf("others can read it: %w", err)
		}
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	d := &diskFile{File: f, path: path}
	if info.Size() > 0 {
		d.torn = !endsInNewline(path, info.Size())
	}
	return d, nil
}

// endsInNewline says whether the last line of a file is whole; a crash may have
// cut it.
func endsInNewline(path string, size int64) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, size-1); err != nil {
		return true
	}
	return last[0] == '\n'
}

// Write writes one line. After a line that was cut it begins a new one.
func (d *diskFile) Write(line []byte) (int, error) {
	if d.torn {
		if _, err := d.File.Write([]byte("\n")); err != nil {
			return 0, err
		}
		d.torn = false
	}
	n, err := d.File.Write(line)
	d.torn = n > 0 && n < len(line)
	return n, err
}

// Reserve keeps room on the disk behind the end of the file.
func (d *diskFile) Reserve(n int) error {
	info, err := d.Stat()
	if err != nil {
		return err
	}
	return reserve(d.File, info.Size(), int64(n))
}

// Current compares with what is at the path now: a file that was moved away or
// deleted takes no further lines.
func (d *diskFile) Current() bool {
	mine, err := d.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(d.path)
	return err == nil && os.SameFile(mine, there)
}
