package safety

import (
	"slices"
	"strings"

	"godot-mcp/server/answer"
)

func (g *Gate) shape(r *Request, d *Decision) bool {
	if r.Shape != nil {
		d.Failure = r.Shape(r)
	}
	if r.Overwrites {
		r.Spec = r.Spec.overwriting()
	}
	return false
}

// overwriting is the spec of a call that goes over what others wrote: mode, rules
// and confirm take it for what it does.
func (s *Spec) overwriting() *Spec {
	worse := *s
	worse.Class = Destructive
	return &worse
}

func (g *Gate) exposure(r *Request, d *Decision) bool {
	d.Failure = g.Exposure(r.Spec)
	return false
}

// Exposure says why a tool cannot be called at all here, with the flag or call
// that opens it; nil when it is exposed. A tool is listed exactly when this is nil.
func (g *Gate) Exposure(s *Spec) *answer.Failure {
	if f := g.Closed(s); f != nil {
		return f
	}
	if g.Toolsets.Enabled(s.Toolset) {
		return nil
	}
	if g.Toolsets.Frozen() {
		return answer.New(answer.ToolsetFrozen, "tool", s.Name, "toolset", s.Toolset)
	}
	return answer.New(answer.ByToolset, "tool", s.Name, "toolset", s.Toolset)
}

// Closed is Exposure without the toolset state: why no call of this run of the
// server can reach the tool.
func (g *Gate) Closed(s *Spec) *answer.Failure {
	if !s.In(g.Profile) {
		names, wants := []string{}, Full
		for _, p := range s.Profiles {
			names = append(names, string(p))
			wants = p
		}
		return answer.New(answer.ByProfile, "tool", s.Name, "profile", string(g.Profile), "profiles", append(names, string(Full)), "wants", string(wants))
	}
	r := Mildest(g.Layers, s)
	switch {
	case r.Effect == Deny && r.Layer == Preset(g.Mode).Name:
		return g.byMode(s)
	case r.Effect == Deny || r.Effect == Ask && !g.GoOn && g.Approver == "":
		return refusedBy(r, s)
	case s.Irreversible && !g.OpenGate && g.Approver == "":
		return answer.New(answer.ByGate, "tool", s.Name)
	}
	return nil
}

// byMode names the most careful mode that has the tool.
func (g *Gate) byMode(s *Spec) *answer.Failure {
	wants := ModeFull
	for _, m := range Modes() {
		if Mildest([]Layer{Preset(m)}, s).Effect != Deny {
			wants = m
			break
		}
	}
	return answer.New(answer.ByMode, "tool", s.Name, "mode", string(g.Mode), "class", string(s.Class), "wants", string(wants))
}

// refusedBy is the refusal by a rule; one that asks refuses when nobody is there
// to be asked.
func refusedBy(r Ruling, s *Spec) *answer.Failure {
	reason := answer.ByRule
	if r.Effect == Ask {
		reason = answer.NobodyToAsk
	}
	return answer.New(reason, "tool", s.Name, "rule", r.String(), "why", r.Reason)
}

func (g *Gate) rules(r *Request, d *Decision) bool {
	d.Ruling = Evaluate(g.Layers, Facts{Spec: r.Spec, Paths: r.Paths, Args: r.Args})
	d.Ruling.Unasked = d.Ruling.Effect == Ask && g.GoOn && g.Approver == ""
	switch {
	case d.Ruling.Effect == Allow || d.Ruling.Unasked:
	case d.Ruling.Effect == Ask && g.Approver != "": // a person decides, see approval
	default:
		d.Failure = refusedBy(d.Ruling, r.Spec)
	}
	return false
}

// idempotency answers a repeated call from the journal. A preview has no effect
// and so needs no id; it only tells when the id belongs to another call.
func (g *Gate) idempotency(r *Request, d *Decision) bool {
	if r.ID == "" || r.Part {
		if g.RequireID && !r.Part && !r.DryRun && (r.Spec.Class == Mutating || r.Spec.Class == Destructive) {
			d.Failure = answer.New(answer.NeedsID, "tool", r.Spec.Name)
		}
		return false
	}
	if err := plainText(r.ID); err != nil {
		d.Failure = answer.New(answer.BadArguments, "param", "idempotencyId", "message", err.Error())
		return false
	}
	if r.Recall == nil {
		return false
	}
	past, f := r.Recall()
	switch {
	case f != nil:
		d.Failure = f
	case past == nil:
	case !past.Same:
		d.Failure = answer.New(answer.IDReused, "id", r.ID)
	case r.DryRun:
	case past.Uncertain:
		d.Failure = answer.New(answer.LostOutcome, "id", r.ID)
		d.Failure.MayHaveApplied = true
	case past.Open:
		d.Failure = answer.New(answer.Unsettled, "ids", []string{r.ID})
		d.Failure.MayHaveApplied = true
	default:
		d.Outcome = Replay
		return true
	}
	return false
}

func (g *Gate) preconditions(r *Request, d *Decision) bool {
	s := r.Spec
	if !slices.Contains(s.Needs, NeedBridge) {
		return false
	}
	p := r.Peer()
	d.Failure = checkPeer(s, p)
	return false
}

func (g *Gate) dryRun(r *Request, d *Decision) bool {
	if r.DryRun {
		d.Outcome = Preview
	}
	return r.DryRun
}

// confirm is the caller's own guard against accidents, not a person's consent.
func (g *Gate) confirm(r *Request, d *Decision) bool {
	s := r.Spec
	switch {
	case s.Class != Destructive:
	case g.Echo:
		if want := strings.Join(r.Targets, " "); want == "" || r.Echo != want {
			d.Failure = answer.New(answer.NeedsEcho, "tool", s.Name, "target", s.Target)
		}
	case !r.Confirm:
		d.Failure = answer.New(answer.NeedsConfirm, "tool", s.Name, "target", strings.Join(r.Targets, ", "))
	}
	return false
}

// record stops calls that could change something while it cannot be written down
// that they did.
func (g *Gate) record(r *Request, d *Decision) bool {
	_, code := g.executes(r.Spec)
	if (r.Spec.Class != ReadOnly || code) && r.Record != nil {
		d.Failure = r.Record()
	}
	return false
}
