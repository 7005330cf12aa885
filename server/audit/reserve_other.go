//go:build !linux

package audit

import "os"

func reserve(*os.File, int64, int64) error { return nil }
