//go:build race

package scripts

// simShare is the share of the matrix on the simulated editor: the race detector makes
// every cell ten times as long.
var simShare = share{of: 8}
