package safety

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestLayersTightenAndOnlyOverridesLoosen(t *testing.T) {
	s := spec(Destructive)
	full, reads := Preset(ModeFull), Preset(ModeReadOnly)
	allow := Rule{ID: "a", Effect: Allow}
	ask := Rule{ID: "k", Effect: Ask, Class: Destructive, Line: 7}
	deny := Rule{ID: "d", Effect: Deny, Path: "res://secret/*"}
	over := Rule{ID: "o", Effect: Allow, Overrides: true}
	on := func(preset Layer, f Facts, rules ...Rule) Ruling {
		f.Spec = s
		return Evaluate([]Layer{{"file", rules}, preset}, f)
	}
	secret := Facts{Paths: []string{"res://a", "res://secret/b/c"}}
	assert.Equal(t, Ruling{Effect: Ask, Layer: "file", Rule: "k", Line: 7}, on(full, Facts{}, allow, deny, ask))
	assert.Equal(t, "file line 7, k", on(full, Facts{}, ask).String())
	assert.Equal(t, "d", on(full, secret, allow, deny, ask, over).Rule)
	assert.Equal(t, Allow, on(full, Facts{}, deny).Effect)
	assert.Equal(t, Deny, on(reads, Facts{}, allow).Effect, "a file does not loosen by itself")
	assert.Equal(t, "mode read-only", on(reads, Facts{}, ask).Layer)
	assert.Equal(t, Ruling{Effect: Allow, Layer: "file", Rule: "o", Overrides: true}, on(reads, Facts{}, allow, over))
	assert.Equal(t, Deny, on(reads, Facts{}, over, ask).Effect, "the strictest rule of the file decides, and it does not override")
	assert.Equal(t, Deny, Evaluate(nil, Facts{Spec: s}).Effect)
}

// One fitting path is enough to refuse; to allow, every path has to fit.
func TestConditionsOnArguments(t *testing.T) {
	s := spec(Mutating)
	holds := func(r Rule, f Facts) bool {
		f.Spec = s
		return r.onTool(s) && r.onCall(f)
	}
	two := Facts{Paths: []string{"res://tmp/a", "res://Main.tscn"}, Args: map[string][]string{"list": {"A", "B"}, "name": {"Abc"}}}
	for _, tc := range []struct {
		rule  Rule
		deny  bool
		allow bool
	}{
		{Rule{Path: "res://tmp/*"}, true, false},
		{Rule{Path: "res://main.tscn"}, true, false},
		{Rule{Path: "res://*"}, true, true},
		{Rule{Path: "user://*"}, false, false},
		{Rule{Args: map[string]Match{"list": {"A", false}}}, true, false},
		{Rule{Args: map[string]Match{"list": {"[AB]", true}}}, true, true},
		{Rule{Args: map[string]Match{"name": {"A*", false}}}, false, false},
		{Rule{Args: map[string]Match{"name": {"A*", true}}}, true, true},
		{Rule{Args: map[string]Match{"other": {"*", true}}}, false, false},
		{Rule{Class: Runtime}, false, false},
		{Rule{Toolset: "x", Tool: "godot_x_*", Gated: new(bool)}, true, true},
	} {
		tc.rule.Effect = Deny
		assert.Equal(t, tc.deny, holds(tc.rule, two), "%+v", tc.rule)
		tc.rule.Effect = Allow
		assert.Equal(t, tc.allow, holds(tc.rule, two), "%+v", tc.rule)
	}
	assert.False(t, holds(Rule{Effect: Allow, Path: "res://*"}, Facts{}), "no path, nothing that fits")
}

// A call that comes to a file by itself comes there with its arguments.
func TestReachedLooksAtArgumentsToo(t *testing.T) {
	s := spec(ReadOnly)
	both := Rule{ID: "both", Path: "res://secret/*", Args: map[string]Match{"node_path": {"A", false}}}
	facts := func(path, node string) Facts {
		return Facts{Spec: s, Paths: []string{path}, Args: map[string][]string{"node_path": {node}}}
	}
	for _, effect := range []Effect{Deny, Ask} {
		both.Effect = effect
		g := NewGate(Full, ModeFull, nil, Layer{Name: "file", Rules: []Rule{both}})
		assert.NotNil(t, g.Reached(facts("res://secret/a.gd", "A")), effect)
		assert.Nil(t, g.Reached(facts("res://secret/a.gd", "B")), effect)
		assert.Nil(t, g.Reached(facts("res://open.gd", "A")), effect)
	}
	both.Effect = Allow
	all := Layer{Name: "file", Rules: []Rule{both}}
	g := &Gate{Profile: Full, Layers: []Layer{all}}
	assert.Nil(t, g.Reached(facts("res://secret/a.gd", "A")))
	assert.NotNil(t, g.Reached(facts("res://secret/a.gd", "B")), "nothing allows it")
}

func genRule(t *rapid.T) Rule {
	r := Rule{Effect: rapid.SampledFrom(Effects()).Draw(t, "effect"), Overrides: rapid.Bool().Draw(t, "overrides")}
	if rapid.Bool().Draw(t, "has class") {
		r.Class = rapid.SampledFrom(Classes()).Draw(t, "class")
	}
	if rapid.Bool().Draw(t, "has path") {
		r.Path = rapid.SampledFrom([]string{"res://a", "res://b", "res://*"}).Draw(t, "path")
	}
	if rapid.Bool().Draw(t, "has arg") {
		r.Args = map[string]Match{"x": {rapid.SampledFrom([]string{"1", "2", "*"}).Draw(t, "arg"), true}}
	}
	return r
}

// Without overrides a file only tightens; and no call is milder than Mildest.
func TestRuleInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file := Layer{"file", rapid.SliceOfN(rapid.Custom(genRule), 0, 6).Draw(t, "rules")}
		preset := Preset(rapid.SampledFrom(Modes()).Draw(t, "mode"))
		s := spec(rapid.SampledFrom(Classes()).Draw(t, "class of the tool"))
		s.Args, s.Paths = []string{"x"}, []PathParam{{Name: "p", Kind: FilePath}}
		f := Facts{Spec: s, Args: map[string][]string{"x": {rapid.SampledFrom([]string{"1", "2"}).Draw(t, "x")}}}
		if rapid.Bool().Draw(t, "a path is given") {
			f.Paths = []string{rapid.SampledFrom([]string{"res://a", "res://b"}).Draw(t, "p")}
		}
		got := Evaluate([]Layer{file, preset}, f)
		mild := Mildest([]Layer{file, preset}, s)
		if strength(got.Effect) < strength(mild.Effect) {
			t.Fatalf("%v is milder than %v", got, mild)
		}
		for i := range file.Rules {
			file.Rules[i].Overrides = false
		}
		base, tight := Evaluate([]Layer{preset}, f), Evaluate([]Layer{file, preset}, f)
		if strength(tight.Effect) < strength(base.Effect) {
			t.Fatalf("%v loosens %v", tight, base)
		}
	})
}

// Each mode is its preset and nothing else: allowed classes are allowed, the
// rest is denied.
func TestModesArePresets(t *testing.T) {
	want := map[Mode]string{
		ModeReadOnly:       "allow deny deny deny",
		ModeNonDestructive: "allow allow allow deny",
		ModeFull:           "allow allow allow allow",
	}
	for m, effects := range want {
		got := ""
		for _, c := range Classes() {
			got += " " + string(Evaluate([]Layer{Preset(m)}, Facts{Spec: spec(c)}).Effect)
		}
		assert.Equal(t, " "+effects, got, m)
	}
}

func TestGateAndAsk(t *testing.T) {
	s := spec(Destructive)
	s.Irreversible = true
	g := gate(Editor, ModeFull, "x")
	assert.Equal(t, "gate", g.Exposure(s).Required)
	assert.Contains(t, g.Exposure(s).Hint, "--allow-destructive")
	assert.Equal(t, "exposure", g.Check(&Request{Spec: s, Confirm: true}).Stage)
	over := Layer{"file", []Rule{{Effect: Allow, Overrides: true}}}
	g.Layers = append([]Layer{over}, g.Layers...)
	assert.Equal(t, "gate", g.Exposure(s).Required, "no rule opens the gate")
	g.OpenGate = true
	assert.Equal(t, Proceed, g.Check(&Request{Spec: s, Confirm: true}).Outcome)

	g.Layers[0] = Layer{"file", []Rule{{ID: "ask", Effect: Ask, Args: map[string]Match{"x": {"1", false}}}}}
	s.Args = []string{"x"}
	asked := &Request{Spec: s, Confirm: true, Args: map[string][]string{"x": {"1"}}}
	d := g.Check(asked)
	assert.Equal(t, "rules", d.Stage)
	assert.Equal(t, "approver", d.Failure.Required)
	assert.Nil(t, g.Exposure(s), "other calls of the tool are allowed")
	g.GoOn = true
	d = g.Check(asked)
	assert.Equal(t, Proceed, d.Outcome)
	assert.True(t, d.Ruling.Unasked)
	g.GoOn = false
	g.Layers[0].Rules[0].Args = nil
	assert.Equal(t, "approver", g.Exposure(s).Required, "no call of the tool is allowed")
}

// Confirm repeats the target byte for byte.
func TestEcho(t *testing.T) {
	g := gate(Editor, ModeFull, "x")
	g.Echo = true
	s := spec(Destructive)
	for echo, fits := range map[string]bool{"A/B": true, "": false, "a/b": false, "A/B ": false, " A/B": false, "A/B\n": false, "true": false, "A": false, "\u0410/B": false} {
		d := g.Check(&Request{Spec: s, Targets: []string{"A/B"}, Echo: echo, Confirm: true})
		assert.Equal(t, fits, d.Outcome == Proceed, "%q", echo)
		if !fits {
			assert.Equal(t, "confirm", d.Failure.Required)
			assert.NotContains(t, d.Failure.Hint, "A/B", "the hint does not hand the answer over")
		}
	}
	s.Target = []string{"a", "b"}
	assert.Equal(t, Proceed, g.Check(&Request{Spec: s, Targets: []string{"1", "2"}, Echo: "1 2"}).Outcome)
	assert.Equal(t, Refuse, g.Check(&Request{Spec: s, Echo: ""}).Outcome, "without a target nothing is confirmed")
	assert.Equal(t, Preview, g.Check(&Request{Spec: s, DryRun: true}).Outcome)
	assert.Equal(t, Proceed, g.Check(&Request{Spec: spec(Mutating)}).Outcome)
}
