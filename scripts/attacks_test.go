package scripts

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The list of attacks has at least sixty, and each says what it would have gained.
func TestAttackList(t *testing.T) {
	files, err := filepath.Glob("attacks/*.txtar")
	require.NoError(t, err)
	assert.GreaterOrEqual(t, len(files), 60)
	for _, f := range files {
		assert.Empty(t, lint(f), f)
	}
}
