//go:build linux && !amd64

package isolate

// oldCalls are forms of refused calls that only older machines have.
var oldCalls []uint32
