//go:build !race

package scripts

// simShare is the share of the matrix on the simulated editor: all.
var simShare = share{of: 1}
