package safety

import (
	"fmt"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/answer"
	"godot-mcp/server/wire"
)

func spec(class Class, needs ...Need) *Spec {
	return &Spec{Name: "godot_x_" + string(class), Toolset: "x", Class: class, Profiles: ProfilesFor(class), Needs: needs, Target: []string{"node_path"}}
}

func gate(p Profile, m Mode, on ...string) *Gate {
	state, _ := NewToolsets([]string{"core", "x", "y"}, on, false)
	return NewGate(p, m, state)
}

// The doc comment lists what the code runs, in its order.
func TestOrderIsWhatTheDocSays(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	require.NoError(t, err)
	var documented []string
	for line := range strings.Lines(f.Doc.Text()) {
		if fields := strings.Fields(line); strings.HasPrefix(line, "\t") && len(fields) > 1 {
			documented = append(documented, fields[0]+" "+fields[1])
		}
	}
	var run []string
	for _, s := range Order {
		run = append(run, fmt.Sprintf("%d %s", s.Number, s.Name))
	}
	t.Log(strings.Join(run, "\n"))
	require.Equal(t, documented, run)
}

// A refusal names the first stage that objects, and later stages do not run.
func TestStagesStopAtTheFirstObjection(t *testing.T) {
	asked := 0
	req := func() *Request {
		return &Request{Spec: spec(Destructive, NeedBridge), Shape: func(*Request) *answer.Failure { return nil }, Peer: func() Peer { asked++; return Peer{} }}
	}
	r := req()
	r.Shape = func(*Request) *answer.Failure { return answer.New(answer.BadArguments) }
	d := gate(Core, ModeReadOnly).Check(r)
	assert.Equal(t, "shape", d.Stage)
	d = gate(Core, ModeReadOnly).Check(req())
	assert.Equal(t, "exposure", d.Stage)
	assert.Equal(t, "profile", d.Failure.Required)
	g := gate(Editor, ModeFull, "x")
	g.Layers = append([]Layer{{Name: "file", Rules: []Rule{{ID: "1", Effect: Deny, Tool: "godot_x_*", Path: "res://a"}}}}, g.Layers...)
	r = req()
	r.Paths = []string{"res://a"}
	d = g.Check(r)
	assert.Equal(t, "rules", d.Stage)
	assert.Zero(t, asked)
	d = gate(Editor, ModeFull, "x").Check(req())
	assert.Equal(t, "preconditions", d.Stage)
	assert.Equal(t, wire.BridgeDisconnected, d.Failure.ErrorCode)
	assert.Equal(t, 1, asked)
}

func TestConfirmAndDryRun(t *testing.T) {
	g := gate(Editor, ModeFull, "x")
	for _, tc := range []struct {
		class           Class
		dryRun, confirm bool
		want            Outcome
	}{
		{Mutating, false, false, Proceed}, {Mutating, true, false, Preview},
		{Destructive, false, false, Refuse}, {Destructive, false, true, Proceed},
		{Destructive, true, false, Preview}, {Destructive, true, true, Preview},
	} {
		d := g.Check(&Request{Spec: spec(tc.class), DryRun: tc.dryRun, Confirm: tc.confirm, Targets: []string{"Player"}})
		assert.Equal(t, tc.want, d.Outcome, "%+v", tc)
		if tc.want == Refuse {
			assert.Equal(t, "confirm", d.Failure.Required)
			assert.Contains(t, d.Failure.Hint, "Player")
		}
	}
}

func TestPreconditionsThatNeedNoRoundTrip(t *testing.T) {
	g := gate(Editor, ModeFull, "x")
	s := spec(Mutating, NeedBridge)
	s.MinGodot, s.Commands = "4.4", []string{"cmd_a", "cmd_b"}
	check := func(p Peer) *answer.Failure {
		return g.Check(&Request{Spec: s, Peer: func() Peer { return p }}).Failure
	}
	all := []string{"cmd_a", "cmd_b"}
	assert.Nil(t, check(Peer{Connected: true, GodotVersion: "4.6.3-stable (official)", Commands: all}))
	assert.Nil(t, check(Peer{Connected: true, GodotVersion: "5.0-dev", Commands: all}))
	assert.Equal(t, "bridge_connected", check(Peer{URL: "ws://x"}).Required)
	assert.Equal(t, "godot_version", check(Peer{Connected: true, GodotVersion: "4.3.stable", Commands: all}).Required)
	assert.Equal(t, "bridge_connected", check(Peer{Connected: true, GodotVersion: "dev", Commands: all}).Required)
	assert.Equal(t, "addon_commands", check(Peer{Connected: true, GodotVersion: "4.4.1", Commands: all[:1]}).Required)
}

// Listing and calling agree for every class, profile, mode and toolset state,
// and each refusal says which flag or call opens the tool.
func TestExposureMatrix(t *testing.T) {
	for _, p := range Profiles() {
		for _, m := range Modes() {
			for _, on := range []bool{false, true} {
				for _, frozen := range []bool{false, true} {
					enabled := []string{}
					if on {
						enabled = []string{"x"}
					}
					state, _ := NewToolsets([]string{"core", "x"}, enabled, frozen)
					g := NewGate(p, m, state)
					for _, c := range Classes() {
						s := spec(c)
						f := g.Exposure(s)
						d := g.Check(&Request{Spec: s, Confirm: true})
						assert.Equal(t, f == nil, d.Outcome == Proceed, "%s %s %s %v", p, m, c, on)
						inMode := Evaluate([]Layer{Preset(m)}, Facts{Spec: s}).Effect == Allow
						assert.Equal(t, s.In(p) && inMode && on, f == nil)
						switch {
						case f == nil:
						case !s.In(p):
							assert.Equal(t, "profile", f.Required)
							assert.Contains(t, f.Hint, "--profile ")
						case !inMode:
							assert.Equal(t, "mode", f.Required)
							assert.Contains(t, f.Hint, "--mode ")
						case frozen:
							assert.Contains(t, f.Hint, "--toolsets")
						default:
							assert.Contains(t, f.Hint, "godot_enable_toolset")
						}
					}
				}
			}
		}
	}
}

func TestToolsetState(t *testing.T) {
	state, unknown := NewToolsets([]string{"core", "x", "y"}, []string{"x", "nope"}, false)
	assert.Equal(t, []string{"nope"}, unknown)
	var told [][]string
	state.OnChange(func(l []string) { told = append(told, l) })
	assert.True(t, state.Set("y", true))
	assert.False(t, state.Set("y", true))
	assert.False(t, state.Set("core", false))
	assert.False(t, state.Set("nope", true))
	assert.True(t, state.Set("x", false))
	assert.Equal(t, [][]string{{"core", "x", "y"}, {"core", "y"}}, told)
	frozen, _ := NewToolsets([]string{"core", "x"}, []string{"all"}, true)
	assert.Equal(t, []string{"core", "x"}, frozen.List())
	assert.False(t, frozen.Set("x", false))
}
