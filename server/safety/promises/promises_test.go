package promises

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const top = "../../.."

// Every test and scenario that is named exists, and the page is current.
func TestPromisesAreProven(t *testing.T) {
	all, err := All()
	require.NoError(t, err)
	require.Greater(t, len(all), 90)
	tests := testNames(t)
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

// testNames are the tests of the whole tree.
func testNames(t *testing.T) map[string]bool {
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	out := map[string]bool{}
	require.NoError(t, filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(p, "_test.go") {
			return err
		}
		source, err := os.ReadFile(p)
		for _, m := range declared.FindAllStringSubmatch(string(source), -1) {
			out[m[1]] = true
		}
		return err
	}))
	return out
}
