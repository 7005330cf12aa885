package headless

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProve is B010: a program that is not Godot is found out, and it is only
// ever asked for its version.
func TestProve(t *testing.T) {
	for _, said := range []string{"4.6.3.stable.official.9b2b9c9d8", "4.4.stable.mono.official", "4.6.3.stable.debian4.6.3+ds-3", "4.7.dev", "4.5.beta2.official.abc"} {
		v, err := Prove(t.Context(), program(t, "echo 'warning: something'\necho '"+said+"'\nexit 255"))
		require.NoError(t, err)
		require.Equal(t, said, v)
	}
	log := filepath.Join(t.TempDir(), "args")
	_, err := Prove(t.Context(), program(t, `echo "$*" >>`+log+"\necho 'echo (GNU coreutils) 9.1'"))
	not, ok := errors.AsType[*NotGodot](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, "echo (GNU coreutils) 9.1", not.Said)
	args, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, "--version\n", string(args))
	_, err = Prove(t.Context(), "/no/such/program")
	require.Error(t, err)
	_, err = Prove(t.Context(), "/bin/true")
	require.ErrorContains(t, err, "not Godot")
}
