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
//
// A scan tells a change by the time of a file, in whole seconds, against the editor's
// cache: what was written within the second that the cache has is not seen. The cache
// is written at the end of each walk with the tree before it, and after each import;
// so a scan looks once more at what the last one found changed. A source with another
// time is imported if its bytes, or those of its .import, are others than they were
// at its last import, and not at all while the .import says that it failed.
package files
