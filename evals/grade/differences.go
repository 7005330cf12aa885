package grade

import "godot-mcp/evals/evidence"

// Differences lists in words how the end of a trial differs from its start.
func Differences(ev *evidence.Evidence) []string {
	var out []string
	for _, d := range differences(ev.Start, ev.Final) {
		where := "on disk"
		if d.live {
			where = "in the editor"
		}
		out = append(out, d.key+": "+d.why+" ("+where+")")
	}
	return out
}
