// Package files is the disk of the simulated editor and what the editor knows of
// it: which files it has seen, which scripts it has registered, which sources it
// has imported, and which scan is under way.
//
// A [System] is an immutable value; every method gives a new one. What happens
// later (the walk of a scan, registration, imports) is decided by the seed in
// [Options] and happens in [System.Tick], so a schedule can be replayed. The order
// of events is the engine's (4.6 experiments): is_scanning is false before scripts
// are registered and before anything is imported; a file in a known folder can be
// registered at once, one in a new folder only by a scan; a scan that begins while
// another runs is queued once.
package files
