package addon_test

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/addon"
	"godot-mcp/server/wire"
)

// sources are the scripts of the addon by path.
func sources(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, fs.WalkDir(addon.Files(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".gd") {
			return err
		}
		text, err := fs.ReadFile(addon.Files(), path)
		out[path] = string(text)
		return err
	}))
	require.Greater(t, len(out), 20)
	return out
}

// Every command of the contract is registered by one handler, and no other is.
func TestEveryCommandHasAHandler(t *testing.T) {
	registration := regexp.MustCompile(`"(cmd_\w+)": [a-z_]+,?`)
	got := []string{"cmd_get_outcome", "cmd_transaction"} // answered by the router itself
	for path, text := range sources(t) {
		if !strings.HasPrefix(path, "handlers/") {
			continue
		}
		_, body, ok := strings.Cut(text, "func commands() -> Dictionary:")
		require.True(t, ok, path)
		body, _, _ = strings.Cut(body, "\n\n\n")
		for _, m := range registration.FindAllStringSubmatch(body, -1) {
			got = append(got, m[1])
		}
	}
	slices.Sort(got)
	var want []string
	for _, c := range wire.Commands {
		want = append(want, c.Name)
	}
	slices.Sort(want)
	assert.Equal(t, want, got)
}

// Every handler file is in the router's list, and every file of the list is there.
func TestHandlerFilesAreListed(t *testing.T) {
	all := sources(t)
	_, list, _ := strings.Cut(all["router.gd"], "const HANDLERS: PackedStringArray = [")
	list, _, _ = strings.Cut(list, "]")
	var named []string
	for _, m := range regexp.MustCompile(`"(\w+)"`).FindAllStringSubmatch(list, -1) {
		named = append(named, "handlers/"+m[1]+".gd")
	}
	var there []string
	for path := range all {
		if strings.HasPrefix(path, "handlers/") {
			there = append(there, path)
		}
	}
	assert.ElementsMatch(t, there, named)
}

// Reasons and losses that the addon sends are in the closed lists.
func TestLiteralsAreInTheClosedLists(t *testing.T) {
	reasons := wire.Reasons()
	_, list, _ := strings.Cut(sources(t)["vocabulary.gd"], "const LOSSES: PackedStringArray = [")
	list, _, _ = strings.Cut(list, "]")
	var losses []string
	for _, m := range regexp.MustCompile(`"(\w+)"`).FindAllStringSubmatch(list, -1) {
		losses = append(losses, m[1])
	}
	require.Contains(t, losses, string(wire.LossNotOwned))
	fails := regexp.MustCompile(`(?:\bfail\(|&"refuse", |\brefuse\(|_refuse\([^"\n]*, |_failure\([^"\n]*, |"reason": |"stopped_by"\] = |reason: String = )"(\w+)"`)
	lost := regexp.MustCompile(`\blost\("(\w+)"`)
	found := map[string]bool{}
	for path, text := range sources(t) {
		if path == "vocabulary.gd" {
			continue
		}
		for _, m := range fails.FindAllStringSubmatch(text, -1) {
			_, known := reasons[wire.Reason(m[1])]
			assert.True(t, known, "%s: %q is no reason", path, m[1])
			found[m[1]] = true
		}
		for _, m := range lost.FindAllStringSubmatch(text, -1) {
			assert.Contains(t, losses, m[1], "%s: %q is no loss reason", path, m[1])
			found[m[1]] = true
		}
		// Codes follow from reasons; only the notice of a replacement is read.
		for code := range map[wire.Code]bool{wire.ValidationError: true, wire.ResourceNotFound: true, wire.Conflict: true, wire.Unsupported: true} {
			assert.NotContains(t, text, `"`+string(code)+`"`, path)
		}
	}
	assert.Greater(t, len(found), 45)
}

// The generated script says what the contract says.
func TestVocabularyIsCurrent(t *testing.T) {
	text := sources(t)["vocabulary.gd"]
	assert.Contains(t, text, `const HASH := "`+wire.VocabularyHash+`"`)
	for _, c := range wire.Commands {
		assert.Contains(t, text, "\t\""+c.Name+`": "`+c.Kind.String()+`",`)
	}
	for r, c := range wire.Reasons() {
		assert.Contains(t, text, "\t\""+string(r)+`": "`+string(c)+`",`)
	}
}

// plugin.cfg, the hello message and the Go constant agree on the version.
func TestVersionsAgree(t *testing.T) {
	config, err := fs.ReadFile(addon.Files(), "plugin.cfg")
	require.NoError(t, err)
	assert.Contains(t, string(config), `version="`+addon.Version+`"`)
	assert.Contains(t, sources(t)["hub.gd"], `const VERSION := "`+addon.Version+`"`)
}

var untyped = regexp.MustCompile(`(?m)^\s*(?:static )?(?:var \w+ (?:=|:=)|func \w+\([^)]*\):|for \w+ in )`)

// All variables, parameters and results have declared types, every script runs in
// the editor, and none registers a class_name in a person's project.
func TestScriptsAreTyped(t *testing.T) {
	for path, text := range sources(t) {
		assert.True(t, strings.HasPrefix(text, "@tool\n"), "%s must be a tool script", path)
		assert.NotContains(t, text, "\nclass_name ", path)
		assert.Empty(t, untyped.FindString(text), path)
		lines := strings.Count(text, "\n")
		assert.LessOrEqual(t, lines, 500, "%s has %d lines", path, lines)
	}
}
