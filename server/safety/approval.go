package safety

import "godot-mcp/server/answer"

// Part is a call of a batch, as the rules of its own tool see it.
type Part struct {
	Spec   *Spec
	Ruling Ruling
}

// Concern is why a person is asked about a call.
type Concern struct {
	Class        Class // the worst of a batch
	Irreversible bool
	Why          string
}

// Verdict is what came of a question.
type Verdict struct {
	Approved bool
	// Reason is the person's own, or says why there is no answer.
	Reason string
	// By names who answered: webhook, elicitation or console.
	By string
	// Fault: nobody answered, the way to the person failed. Kind says how, as far
	// as it is known.
	Fault bool
	Kind  FaultKind
	// Later: the caller brings the answer with a further request; this one ends
	// without an effect.
	Later bool
}

// FaultKind is how the way to a person failed.
type FaultKind string

// The kinds of faults. Only Unreachable can be overlooked, and only where the
// server was started so.
const (
	Unreachable FaultKind = "unreachable" // nobody there, or an answer that says it broke
	Expired     FaultKind = "expired"     // the time limit passed
	Malformed   FaultKind = "malformed"   // an answer that cannot be understood
	Unable      FaultKind = "unable"      // the client has no way to ask its user
	Stale       FaultKind = "stale"       // an answer to something else, or one used before
)

// Consent is what came of asking a person about a call.
type Consent struct {
	Concern
	By     string // who was asked
	Given  bool
	Reason string // the person's own, or what went wrong
	Fault  FaultKind
	// Unasked: nobody could be asked, and the server was started to go on then.
	Unasked bool
	// Later: the caller brings the answer with its next request.
	Later bool
}

// Concern says whether a person has to be asked about a call. With somebody who
// approves calls these are all that change something or run the project's code,
// and what a rule says ask about. A rule that allows and overrides spares the
// person, but never for what nothing undoes.
func (g *Gate) Concern(s *Spec, r Ruling) (Concern, bool) {
	n := Concern{Class: s.Class, Irreversible: s.Irreversible}
	run, code := g.executes(s)
	if code {
		n.Class = Worst(s.Class, Runtime)
	}
	switch {
	case g.Approver == "":
		return n, false
	case r.Effect == Ask:
		n.Why = r.String()
	case run.Effect == Ask:
		n.Why = run.String()
	case s.Irreversible:
		n.Why = "nothing undoes it"
	case r.Overrides:
		return n, false
	case code:
		n.Why = "it runs code"
	case s.Class == Mutating, s.Class == Destructive:
		n.Why = "it is " + string(s.Class)
	case s.WritesDisk:
		n.Why = "it writes to disk"
	}
	return n, n.Why != ""
}

// Concerns is [Gate.Concern] of any call; parts are the calls of a batch.
func (g *Gate) Concerns(s *Spec, r Ruling, parts []Part) (Concern, bool) {
	if parts == nil {
		return g.Concern(s, r)
	}
	if g.Approver == "" {
		return Concern{}, false
	}
	return g.concernOfBatch(r, parts)
}

// concernOfBatch asks about a batch as a whole, as the worst of its calls. What the
// batch is by itself does not count, only what a rule says of it.
func (g *Gate) concernOfBatch(own Ruling, parts []Part) (Concern, bool) {
	all := Concern{Class: ReadOnly}
	if own.Effect == Ask {
		all.Why = own.String()
	}
	for _, p := range parts {
		n, needed := g.Concern(p.Spec, p.Ruling)
		all.Class = Worst(all.Class, n.Class)
		all.Irreversible = all.Irreversible || n.Irreversible
		if needed && (all.Why == "" || p.Ruling.Effect == Ask && own.Effect != Ask) {
			all.Why = n.Why + " (" + p.Spec.Name + ")"
		}
	}
	return all, all.Why != ""
}

// approval asks a person. Whatever is not a plain yes is a no; one kind of fault
// may be overlooked, if the server was started so, though not for what nothing
// undoes unless that gate is open without anybody, too.
func (g *Gate) approval(r *Request, d *Decision) bool {
	if g.Approver == "" {
		return false // what the rules wanted asked was decided there
	}
	concern, needed := g.Concern(r.Spec, d.Ruling)
	if r.Parts != nil {
		parts, f := r.Parts()
		if f != nil {
			d.Failure = f
			return false
		}
		concern, needed = g.concernOfBatch(d.Ruling, parts)
	}
	if !needed {
		return false
	}
	if r.Ask == nil {
		d.Failure = answer.New(answer.NobodyToAsk, "tool", r.Spec.Name, "rule", concern.Why)
		return false
	}
	v, f := r.Ask(concern)
	if f != nil {
		d.Failure = f
		if v.Approved {
			// A person said yes, and yet it does not go on.
			d.Consent = &Consent{Concern: concern, By: v.By, Given: true, Reason: v.Reason}
		}
		return false
	}
	c := &Consent{Concern: concern, By: v.By, Reason: v.Reason, Fault: v.Kind}
	if c.By == "" {
		c.By = g.Approver
	}
	d.Consent = c
	switch {
	case v.Later && !v.Approved && !v.Fault:
		c.Later = true
		d.Outcome = Await
		return true
	case v.Approved && !v.Fault && v.Kind == "" && !v.Later:
		c.Given = true
	case v.Fault && v.Kind == Unreachable && g.FailOpen && (!concern.Irreversible || g.OpenGate):
		c.Unasked = true
	default:
		d.Failure = c.refusal(r.Spec, v.Fault)
	}
	return false
}

// refusal is the answer to a call that no person approved.
func (c *Consent) refusal(s *Spec, fault bool) *answer.Failure {
	reason := answer.HumanDenied
	switch {
	case !fault:
	case c.Fault == Expired:
		reason = answer.NoAnswer
	case c.Fault == Unable:
		reason = answer.CannotAsk
	case c.Fault == Stale:
		reason = answer.StaleApproval
	default:
		reason = answer.ApprovalFault
	}
	return answer.New(reason, "tool", s.Name, "by", c.By, "why", c.Reason)
}
