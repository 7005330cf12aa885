package safety

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/answer"
)

// A read that runs the project besides does so only as a runtime tool might, and then
// a person and the audit see it.
func TestRunOfARead(t *testing.T) {
	report := spec(ReadOnly)
	report.ExecutesCode = true
	rule := func(e Effect) Layer {
		return Layer{Name: "f", Rules: []Rule{{ID: "r", Effect: e, Class: Runtime}}}
	}
	for _, tc := range []struct {
		profile  Profile
		mode     Mode
		layers   []Layer
		required string // of the refusal to run without a person; empty: it runs
		why      string // a person is asked, where there is one
	}{
		{Full, ModeFull, nil, "", "it runs code"},
		{RuntimeProf, ModeFull, nil, "", "it runs code"},
		{Core, ModeFull, nil, "profile", ""},
		{Editor, ModeFull, nil, "profile", ""},
		{Full, ModeReadOnly, nil, "mode", ""},
		{Full, ModeFull, []Layer{rule(Deny)}, "rule", ""},
		{Full, ModeFull, []Layer{rule(Ask)}, "approver", "f, r"},
	} {
		g := NewGate(tc.profile, tc.mode, gate(Full, ModeFull, "x").Toolsets, tc.layers...)
		_, f := g.Run(report)
		recorded := false
		r := &Request{Spec: report, Record: func() *answer.Failure { recorded = true; return nil }}
		g.Check(r)
		assert.Equal(t, f == nil, recorded, "%+v", tc)
		if tc.required == "" {
			assert.Nil(t, f, "%+v", tc)
		} else {
			require.NotNil(t, f, "%+v", tc)
			assert.Equal(t, tc.required, f.Required, "%+v", tc)
			assert.NotContains(t, f.Hint, report.Name, "the tool itself is not refused")
		}
		g.Approver = "console"
		c, needed := g.Concern(report, Ruling{Effect: Allow})
		assert.Equal(t, tc.why, c.Why, "%+v", tc)
		assert.Equal(t, tc.why != "", needed)
		if needed {
			assert.Equal(t, Runtime, c.Class)
		}
	}
}
