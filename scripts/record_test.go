package scripts

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/testlist"
)

// TestRecordIsWhole holds each row of RECORD.md to saying what found the defect, in a
// word that the page's head lists, and to naming scenarios and Go tests that exist.
func TestRecordIsWhole(t *testing.T) {
	raw, err := os.ReadFile("RECORD.md")
	require.NoError(t, err)
	head, table, ok := strings.Cut(string(raw), "\n| What was wrong | Where | Found by | Test |\n| --- | --- | --- | --- |\n")
	require.True(t, ok, "the table's head")
	unused := map[string]bool{}
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(head, -1) {
		unused[m[1]] = true
	}
	words := slices.Collect(maps.Keys(unused))
	rows := strings.Split(strings.TrimSuffix(table, "\n"), "\n")
	tests, err := testlist.Below("..")
	require.NoError(t, err)
	require.Greater(t, len(rows), 100)
	for _, row := range rows {
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(row, "| "), " |"), " | ")
		if !assert.Len(t, cells, 4, row) || !assert.NotContains(t, cells, "", row) {
			continue
		}
		i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(strings.ReplaceAll(cells[2], ",", "")+" ", w+" ") })
		if assert.GreaterOrEqual(t, i, 0, "%q is no word of the page's head: %s", cells[2], row) {
			delete(unused, words[i])
		}
		for name := range strings.SplitSeq(cells[3], ", ") {
			if strings.HasPrefix(name, "Test") {
				assert.True(t, tests[name], "there is no %s: %s", name, row)
			} else {
				assert.FileExists(t, filepath.FromSlash(name+".txtar"), row)
			}
		}
	}
	assert.Empty(t, unused, "words of the head that no row has")
}
