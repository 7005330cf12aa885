package toolsets

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog"
)

func TestSchemasAreCurrent(t *testing.T) {
	require.Equal(t, string(catalog.GenerateSchemas(All())), string(schemas), "run go generate ./server/catalog/...")
}

// classTable reads testdata/classes.txt: exposed name and class, one a line.
func classTable(t *testing.T) map[string]string {
	t.Helper()
	raw, err := os.ReadFile("testdata/classes.txt")
	require.NoError(t, err)
	out := map[string]string{}
	for line := range strings.Lines(string(raw)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, class, ok := strings.Cut(strings.TrimSpace(line), " ")
		require.True(t, ok, line)
		require.NotContains(t, out, name)
		out[name] = class
	}
	return out
}

func TestClassTable(t *testing.T) {
	table := classTable(t)
	assert.Len(t, All(), len(table), "tools of the table are missing")
	for _, tool := range Catalog().Tools() {
		want, ok := table[tool.Name]
		if assert.True(t, ok, "%s is not in testdata/classes.txt", tool.Name) {
			assert.Equal(t, want, string(tool.Class), tool.Name)
		}
	}
}

// Hints and descriptions name only tools of the table.
func TestHintsNameToolsThatExist(t *testing.T) {
	table := classTable(t)
	name := regexp.MustCompile(`godot_[a-z_0-9]+`)
	notTools := map[string]bool{"godot_mcp": true, "godot_version": true, "godot_binary": true}
	check := func(where, text string) {
		for _, n := range name.FindAllString(text, -1) {
			assert.True(t, notTools[n] || table[n] != "", "%s names %s", where, n)
		}
	}
	files, err := filepath.Glob("../../answer/*.go")
	require.NoError(t, err)
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		raw, err := os.ReadFile(f)
		require.NoError(t, err)
		check(f, string(raw))
	}
	for _, tool := range All() {
		check(tool.Name, tool.Description)
	}
}
