//go:build !unix

package server

import (
	"io"
	"os"
)

func pollable(stdin *os.File) (io.ReadCloser, func()) { return stdin, func() {} }

func writable(stdout *os.File) io.Writer { return stdout }
