// Package bench measures the server as a client meets it: the built program as
// a process behind real pipes. Where a figure depends on the machine, the same
// is measured on a bare echo server of the MCP SDK in the same run, turn by
// turn, and reported as a ratio.
//
// The package has no code of its own; see make bench.
package bench
