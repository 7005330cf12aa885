package promises

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/testlist"
)

const top = "../../.."

// Every test and scenario that is named exists, and the page is current.
func TestPromisesAreProven(t *testing.T) {
	all, err := All()
	require.NoError(t, err)
	require.Greater(t, len(all), 90)
	tests, err := testlist.Below(top)
	require.NoError(t, err)
	for _, p := range all {
		for _, proof := range p.Proof {
			if strings.HasPrefix(proof, "Test") {
				assert.True(t, tests[proof], "there is no %s, which is to prove: %s", proof, p.Text)
			} else {
				assert.FileExists(t, filepath.Join(top, filepath.FromSlash(proof)), p.Text)
			}
		}
	}
	want, err := Markdown()
	require.NoError(t, err)
	page, err := os.ReadFile("../PROMISES.md")
	require.NoError(t, err)
	assert.Equal(t, want, string(page), "run go generate ./server/safety/...")
}
