//go:build misfortune

package misfortune

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mutation is one deliberate fault: old stands once in the file and becomes fault.
type mutation struct{ name, file, old, fault string }

var mutations = []mutation{
	{"nobody has to confirm", "safety/stages.go", "case !r.Confirm:", "case false:"},
	{"an echo is trimmed", "safety/stages.go", `r.Echo != want`, `strings.TrimSpace(r.Echo) != want`},
	{"a faulty yes is a yes", "safety/approval.go", `case v.Approved && !v.Fault && v.Kind == "" && !v.Later:`, `case v.Approved:`},
	{"nobody there is a yes", "safety/approval.go", `v.Kind == Unreachable && g.FailOpen &&`, `v.Kind == Unreachable &&`},
	{"nobody there is a yes to what nothing undoes", "safety/approval.go", `(!concern.Irreversible || g.OpenGate)`, `true`},
	{"a person is asked in vain", "safety/approval.go", `d.Failure = c.refusal(r.Spec, v.Fault)`, `c.Given = true`},
	{"ask means allow", "safety/stages.go", `case d.Ruling.Effect == Allow || d.Ruling.Unasked:`, `case d.Ruling.Effect != Deny:`},
	{"a preview runs", "catalog/plan.go", `Steps: p.steps, DryRun: dryRun}`, `Steps: p.steps, DryRun: false}`},
	{"the gate is open", "safety/stages.go", `case s.Irreversible && !g.OpenGate && g.Approver == "":`, `case false:`},
	{"every profile edits", "safety/stages.go", `if !s.In(g.Profile) {`, `if false {`},
	{"no intent is written", "journal/claim.go", `if err := c.b.put(c.rec); err != nil {`, `if err := error(nil); err != nil {`},
	{"a repeat runs again", "safety/stages.go", "d.Outcome = Replay\n\t\treturn true", "return false"},
	{"an id answers for other arguments", "safety/stages.go", `case !past.Same:`, `case false:`},
	{"ids are not required", "safety/stages.go", `if g.RequireID &&`, `if false &&`},
	{"refusals leave no line", "audit.go", `s.audit.Write(r)`, `if note.decision.Outcome != "refuse" { s.audit.Write(r) }`},
}

// TestMutations plays days against each faulty server: some day must find it.
func TestMutations(t *testing.T) {
	for _, m := range mutations {
		t.Run(strings.ReplaceAll(m.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			out, err := m.play(t)
			var failed *exec.ExitError
			require.ErrorAs(t, err, &failed, "no day found it:\n%s", out)
			assert.Regexp(t, `seed \d+ \(play it with`, out)
		})
	}
}

// play builds this package over the faulty file and plays a thousand days.
func (m mutation) play(t *testing.T) (string, error) {
	file, err := filepath.Abs(filepath.Join("../../server", filepath.FromSlash(m.file)))
	require.NoError(t, err)
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(source), m.old), "%q stands once in %s", m.old, m.file)
	dir := t.TempDir()
	faulty := filepath.Join(dir, "faulty.go")
	require.NoError(t, os.WriteFile(faulty, []byte(strings.Replace(string(source), m.old, m.fault, 1)), 0o600))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{file: faulty}})
	require.NoError(t, err)
	list := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(list, overlay, 0o600))
	bin := filepath.Join(dir, "days")
	built, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-overlay", list, "-o", bin, ".").CombinedOutput()
	require.NoError(t, err, "%s", built)
	days := exec.CommandContext(t.Context(), bin, "-test.run", "^TestMisfortune$", fmt.Sprintf("-seeds=%d", 1000))
	out, err := days.CombinedOutput()
	return string(out), err
}
