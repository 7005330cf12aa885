package isolate

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Mode{"on": On, "strict": Strict, "true": On, "off": Off, "false": Off} {
		m, err := Parse(text)
		require.NoError(t, err)
		assert.Equal(t, want, m)
	}
	for _, text := range []string{"", "ON", "yes", "landlock"} {
		_, err := Parse(text)
		require.Error(t, err, text)
	}
}

// Bounds that bound nothing are refused.
func TestPlansThatBoundNothing(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	project := filepath.Join(home, "game")
	require.NoError(t, os.Mkdir(project, 0o700))
	good := Plan{Mode: On, Project: project, State: filepath.Join(home, ".local/state/godot-mcp"), Audit: filepath.Join(home, "log/audit")}
	if Available(On) == nil {
		require.NoError(t, good.Check())
	}
	require.NoError(t, os.Symlink(home, filepath.Join(project, "home")))
	for says, change := range map[string]func(*Plan){
		"needs --project-dir":         func(p *Plan) { p.Project = "" },
		"the project folder (/)":      func(p *Plan) { p.Project = "/" },
		"project folder (" + home:     func(p *Plan) { p.Project = home },
		"state folder (":              func(p *Plan) { p.State = filepath.Dir(home) },
		"project folder (" + project:  func(p *Plan) { p.Project = filepath.Join(project, "home") },
		"audit file's folder":         func(p *Plan) { p.Audit = filepath.Join(home, "audit.jsonl") },
		"cannot be used":              func(p *Plan) { p.Project = filepath.Join(home, "none") },
		"project.godot cannot be use": func(p *Plan) { p.Project = filepath.Join(project, "project.godot") },
	} {
		p := good
		change(&p)
		err := p.Check()
		require.ErrorContains(t, err, says)
		require.EqualError(t, p.Enter(), err.Error())
	}
	require.NoError(t, Plan{}.Check())
	require.NoError(t, Plan{}.Enter())
}
