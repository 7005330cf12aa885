package grade

import "godot-mcp/evals/evidence"

// Difference is one way in which the end of a trial differs from its start.
type Difference struct {
	// Key is "SCENE NODE", "SCENE NODE:WHAT" or a path.
	Key, Why string
	// Live: in an open tab of the editor; else on disk.
	Live bool
}

// Differences lists how the end of a trial differs from its start.
func Differences(ev *evidence.Evidence) []Difference {
	var out []Difference
	for _, d := range differences(ev.Start, ev.Final) {
		out = append(out, Difference{d.key, d.why, d.live})
	}
	return out
}
