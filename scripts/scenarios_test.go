package scripts

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	update = flag.Bool("update", false, "rewrite the members that scenarios compare with")
	only   = flag.String("only", "", "run only this scenario file")
)

// shim makes a *testing.T a [T].
type shim struct{ *testing.T }

func (s shim) Run(name string, f func(T)) { s.T.Run(name, func(t *testing.T) { f(shim{t}) }) }
func (shim) Verbose() bool                { return testing.Verbose() }

func runAll(t *testing.T, o Options) {
	o.Dir, o.Update = ".", *update
	if *only != "" {
		o.Files = []string{*only}
	}
	r, err := NewRunner(o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.Close()) })
	r.Run(shim{t})
}

// TestScenarios runs every scenario on the simulated editor.
func TestScenarios(t *testing.T) { runAll(t, Options{Editors: Sim}) }
