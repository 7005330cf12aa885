package safety

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"godot-mcp/server/answer"
)

func failed(by string, kind FaultKind, reason string) Verdict {
	return Verdict{By: by, Kind: kind, Reason: reason, Fault: true}
}

func asking() *Gate {
	g := gate(Full, ModeFull, "x")
	g.Approver = "console"
	return g
}

func TestWhoIsAskedAboutWhat(t *testing.T) {
	g := asking()
	allow, over := Ruling{Effect: Allow}, Ruling{Effect: Allow, Overrides: true}
	gated := spec(Destructive)
	gated.Irreversible = true
	code, disk := spec(Runtime), spec(Runtime)
	code.ExecutesCode, disk.WritesDisk = true, true
	for _, tc := range []struct {
		spec   *Spec
		ruling Ruling
		why    string
	}{
		{spec(ReadOnly), allow, ""}, {spec(Runtime), allow, ""},
		{spec(Mutating), allow, "it is mutating"}, {spec(Destructive), allow, "it is destructive"},
		{code, allow, "it runs code"}, {disk, allow, "it writes to disk"}, {gated, allow, "nothing undoes it"},
		{spec(Mutating), over, ""}, {spec(Destructive), over, ""}, {code, over, ""}, {gated, over, "nothing undoes it"},
		{spec(ReadOnly), Ruling{Effect: Ask, Layer: "f", Rule: "r", Line: 3}, "f line 3, r"},
	} {
		why, needed := g.Concern(tc.spec, tc.ruling)
		assert.Equal(t, tc.why, why.Why, "%s %v", tc.spec.Name, tc.ruling)
		assert.Equal(t, tc.why != "", needed)
	}
	g.Approver = ""
	_, needed := g.Concern(gated, Ruling{Effect: Ask})
	assert.False(t, needed, "there is nobody")
}

func TestWhatAVerdictMeans(t *testing.T) {
	unreachable := failed("webhook", Unreachable, "connection refused")
	for _, tc := range []struct {
		what               string
		v                  Verdict
		failOpen, gated    bool
		openGate           bool
		want               Outcome
		reason             answer.Reason
		given, unasked, by bool
	}{
		{what: "yes", v: Verdict{Approved: true, By: "webhook"}, want: Proceed, given: true},
		{what: "no", v: Verdict{Reason: "not now"}, want: Refuse, reason: answer.HumanDenied},
		{what: "nothing", v: Verdict{}, failOpen: true, want: Refuse, reason: answer.HumanDenied},
		{what: "down", v: unreachable, want: Refuse, reason: answer.ApprovalFault},
		{what: "down, open", v: unreachable, failOpen: true, want: Proceed, unasked: true},
		{what: "down, open, irreversible", v: unreachable, failOpen: true, gated: true, want: Refuse, reason: answer.ApprovalFault},
		{what: "down, all open", v: unreachable, failOpen: true, gated: true, openGate: true, want: Proceed, unasked: true},
		{what: "late", v: failed("", Expired, ""), failOpen: true, want: Refuse, reason: answer.NoAnswer},
		{what: "malformed", v: failed("", Malformed, ""), failOpen: true, want: Refuse, reason: answer.ApprovalFault},
		{what: "cannot", v: failed("", Unable, ""), failOpen: true, want: Refuse, reason: answer.CannotAsk},
		{what: "stale", v: failed("", Stale, ""), failOpen: true, want: Refuse, reason: answer.StaleApproval},
		{what: "a fault without a kind", v: Verdict{Fault: true}, failOpen: true, want: Refuse, reason: answer.ApprovalFault},
		{what: "yes and a fault", v: Verdict{Approved: true, Fault: true}, failOpen: true, want: Refuse, reason: answer.ApprovalFault},
		{what: "yes and a kind", v: Verdict{Approved: true, Kind: Stale}, want: Refuse, reason: answer.HumanDenied},
		{what: "later", v: Verdict{Later: true}, want: Await},
		{what: "later and yes", v: Verdict{Later: true, Approved: true}, want: Refuse, reason: answer.HumanDenied},
	} {
		g := asking()
		g.FailOpen, g.OpenGate = tc.failOpen, tc.openGate
		s := spec(Destructive)
		s.Irreversible = tc.gated
		recorded := false
		d := g.Check(&Request{
			Spec: s, Confirm: true, Ask: func(Concern) (Verdict, *answer.Failure) { return tc.v, nil },
			Record: func() *answer.Failure { recorded = true; return nil },
		})
		require.Equal(t, tc.want, d.Outcome, tc.what)
		assert.Equal(t, tc.want == Proceed, recorded, tc.what)
		if tc.reason != "" {
			assert.Equal(t, string(tc.reason), d.Failure.Reason, tc.what)
			assert.Equal(t, "approval", d.Stage, tc.what)
		}
		assert.Equal(t, tc.given, d.Consent.Given, tc.what)
		assert.Equal(t, tc.unasked, d.Consent.Unasked, tc.what)
		assert.NotEmpty(t, d.Consent.By, tc.what)
	}
}

// Nobody is asked about a preview, about what the caller did not confirm, or about
// what is refused anyway.
func TestAskedLast(t *testing.T) {
	never := func(Concern) (Verdict, *answer.Failure) {
		t.Error("asked")
		return Verdict{Approved: true}, nil
	}
	g := asking()
	s := spec(Destructive, NeedBridge)
	for what, r := range map[string]*Request{
		"dry_run": {Spec: spec(Destructive), DryRun: true}, "confirm": {Spec: spec(Destructive)},
		"preconditions": {Spec: s, Confirm: true, Peer: func() Peer { return Peer{} }},
		"exposure":      {Spec: &Spec{Name: "t", Class: Mutating, Toolset: "y", Profiles: []Profile{Editor}}},
		"record":        {Spec: spec(ReadOnly)},
	} {
		r.Ask = never
		assert.Equal(t, what, g.Check(r).Stage)
	}
	d := g.Check(&Request{Spec: spec(Mutating)})
	assert.Equal(t, "approver", d.Failure.Required, "who cannot be asked has not said yes")
}

// An approver opens the gate and makes rules that ask come true.
func TestAnApproverOpensTheGate(t *testing.T) {
	g := asking()
	s := spec(Destructive)
	s.Irreversible = true
	g.Layers = append([]Layer{{"file", []Rule{{ID: "ask", Effect: Ask}}}}, g.Layers...)
	assert.Nil(t, g.Exposure(s))
	yes := func(c Concern) (Verdict, *answer.Failure) { return Verdict{Approved: true}, nil }
	d := g.Check(&Request{Spec: s, Confirm: true, Ask: yes})
	assert.Equal(t, Proceed, d.Outcome)
	assert.False(t, d.Ruling.Unasked)
	assert.Equal(t, "file, ask", d.Consent.Why)
	g.GoOn = true
	no := func(c Concern) (Verdict, *answer.Failure) { return Verdict{}, nil }
	assert.Equal(t, Refuse, g.Check(&Request{Spec: s, Confirm: true, Ask: no}).Outcome, "--ask execute is for when there is nobody")
}

func TestABatchIsAskedOnceAsItsWorst(t *testing.T) {
	g := asking()
	var asked []Concern
	check := func(parts ...Part) Decision {
		asked = nil
		return g.Check(&Request{
			Spec: spec(Mutating), Parts: func() ([]Part, *answer.Failure) { return parts, nil },
			Ask: func(c Concern) (Verdict, *answer.Failure) {
				asked = append(asked, c)
				return Verdict{Approved: true}, nil
			},
		})
	}
	allow := Ruling{Effect: Allow}
	gated := spec(Destructive)
	gated.Irreversible = true
	assert.Equal(t, Proceed, check(Part{spec(ReadOnly), allow}, Part{spec(ReadOnly), allow}).Outcome)
	assert.Empty(t, asked, "reads need nobody")
	check(Part{spec(ReadOnly), allow}, Part{spec(Mutating), allow}, Part{gated, allow}, Part{spec(Mutating), allow})
	require.Len(t, asked, 1)
	assert.Equal(t, Concern{Class: Destructive, Irreversible: true, Why: "it is mutating (godot_x_mutating)"}, asked[0])
	check(Part{spec(Destructive), Ruling{Effect: Allow, Overrides: true}}, Part{spec(ReadOnly), Ruling{Effect: Ask, Layer: "f", Rule: "r"}})
	require.Len(t, asked, 1)
	assert.Equal(t, "f, r (godot_x_read_only)", asked[0].Why)
	assert.Equal(t, Destructive, asked[0].Class)
	d := g.Check(&Request{Spec: spec(Mutating), Parts: func() ([]Part, *answer.Failure) { return nil, answer.New(answer.NestedBatch) }})
	assert.Equal(t, "nested_batch", d.Failure.Reason)
	g.Layers = append([]Layer{{"file", []Rule{{ID: "ask", Effect: Ask}}}}, g.Layers...)
	check(Part{spec(ReadOnly), allow})
	require.Len(t, asked, 1, "a rule about the batch itself")
}

// Whatever the settings and the verdict: what needs a person goes on only with a
// plain yes, or where faults of that kind may be overlooked.
func TestNoEffectWithoutConsent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := gate(Full, rapid.SampledFrom(Modes()).Draw(t, "mode"), "x")
		if rapid.Bool().Draw(t, "approver") {
			g.Approver = "webhook"
		}
		g.FailOpen, g.OpenGate, g.GoOn = rapid.Bool().Draw(t, "fail open"), rapid.Bool().Draw(t, "open gate"), rapid.Bool().Draw(t, "go on")
		rules := rapid.SliceOfN(rapid.Custom(genRule), 0, 3).Draw(t, "rules")
		g.Layers = append([]Layer{{"file", rules}}, g.Layers...)
		s := spec(rapid.SampledFrom(Classes()).Draw(t, "class"))
		s.Irreversible = s.Class == Destructive && rapid.Bool().Draw(t, "irreversible")
		v := Verdict{
			Approved: rapid.Bool().Draw(t, "approved"), Fault: rapid.Bool().Draw(t, "fault"), Later: rapid.Bool().Draw(t, "later"),
			Kind: rapid.SampledFrom([]FaultKind{"", Unreachable, Expired, Malformed, Stale}).Draw(t, "kind"),
		}
		asked := 0
		r := &Request{Spec: s, Confirm: true, Ask: func(Concern) (Verdict, *answer.Failure) { asked++; return v, nil }}
		d := g.Check(r)
		plain := v.Approved && !v.Fault && !v.Later && v.Kind == ""
		overlooked := v.Fault && v.Kind == Unreachable && g.FailOpen && (!s.Irreversible || g.OpenGate)
		_, needed := g.Concern(s, d.Ruling)
		switch {
		case asked > 1 || asked > 0 && !needed:
			t.Fatal("asked too often")
		case d.Outcome == Proceed && needed && !plain && !overlooked:
			t.Fatalf("%+v went on", v)
		case d.Outcome == Proceed && s.Irreversible && g.Approver == "" && !g.OpenGate:
			t.Fatal("the gate was closed")
		case d.Outcome == Proceed && d.Ruling.Effect == Ask && asked == 0 && !d.Ruling.Unasked:
			t.Fatal("a rule that asks was passed over")
		}
	})
}
