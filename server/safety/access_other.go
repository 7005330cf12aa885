//go:build !linux

package safety

// canWrite knows nothing here: the editor's own answer has to do.
func canWrite(string) error { return nil }
