package safety

import "godot-mcp/server/answer"

// theRun is what refusals call it: the tool itself is not refused.
const theRun = "running the project"

// Run says whether a read_only tool that executes code besides ([Spec].ExecutesCode)
// may do that part here. It is judged as a runtime tool: by profile, mode and
// rules. Where it may not, the rest of the tool stays what it is, a read.
func (g *Gate) Run(s *Spec) (Ruling, *answer.Failure) {
	if g.Profile != RuntimeProf && g.Profile != Full {
		return Ruling{}, answer.New(answer.ByProfile, "tool", theRun, "profile", string(g.Profile), "profiles", []string{string(RuntimeProf), string(Full)}, "wants", string(RuntimeProf))
	}
	runs := *s
	runs.Class = Runtime
	r := Evaluate(g.Layers, Facts{Spec: &runs})
	runs.Name = theRun // for the refusal
	switch {
	case r.Effect == Deny && r.Layer == Preset(g.Mode).Name:
		return r, g.byMode(&runs)
	case r.Effect == Deny || r.Effect == Ask && !g.GoOn && g.Approver == "":
		return r, refusedBy(r, &runs)
	}
	return r, nil
}

// executes says whether calls of a tool run code here, and what the rules say of it.
func (g *Gate) executes(s *Spec) (Ruling, bool) {
	if !s.ExecutesCode || s.Class != ReadOnly {
		return Ruling{}, s.ExecutesCode
	}
	r, f := g.Run(s)
	return r, f == nil
}
