//go:build godot

package addon_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/wire"
)

func TestFiles(t *testing.T) {
	fixture(t, "main.tscn")
	closeAll(t)
	w := ask[wire.WriteFileResult](t, wire.CmdWriteFile, wire.WriteFile{Path: "res://v/made.gd", Content: "class_name MadeThing\nextends Node\n"})
	assert.True(t, w.Created)
	assert.True(t, w.Undoable)
	assert.False(t, w.RescanPending)
	assert.Equal(t, true, eval(t, "return ProjectSettings.get_global_class_list().any(func(c): return c['class'] == &'MadeThing')"))
	f := ask[wire.ReadFileResult](t, wire.CmdReadFile, wire.ReadFile{Path: "res://v/made.gd"})
	assert.Equal(t, wire.ReadFileResult{Path: "res://v/made.gd", Content: "class_name MadeThing\nextends Node\n", Size: 34, SHA256: w.SHA256}, f)
	e := refuse(t, wire.ReasonChanged, wire.CmdWriteFile, wire.WriteFile{Path: "res://v/made.gd", Content: "x", ExpectedSHA256: strings.Repeat("0", 64)})
	assert.Equal(t, w.SHA256, e.Details["sha256"])
	refuse(t, wire.ReasonFileExists, wire.CmdWriteFile, wire.WriteFile{Path: "res://v/made.gd", Content: "x", MustBeNew: true})
	refuse(t, wire.ReasonBadPath, wire.CmdWriteFile, wire.WriteFile{Path: "res://../x.gd", Content: "x"})
	same := ask[wire.WriteFileResult](t, wire.CmdWriteFile, wire.WriteFile{Path: "res://v/made.gd", Content: f.Content, ExpectedSHA256: w.SHA256})
	assert.False(t, same.Changed)
	assert.False(t, same.Undoable)
	dry := ask[wire.WriteFileResult](t, wire.CmdWriteFile, wire.WriteFile{Path: "res://fresh/deep/x.gd", Content: "extends Node\n", DryRun: true})
	assert.NoDirExists(t, shared.project+"/fresh")
	fresh := ask[wire.WriteFileResult](t, wire.CmdWriteFile, wire.WriteFile{Path: "res://fresh/deep/x.gd", Content: "extends Node\n"})
	assert.Equal(t, dry, fresh)
	assert.True(t, fresh.RescanPending)
	settle(t)
	assert.FileExists(t, shared.project+"/fresh/deep/x.gd.uid")

	refuse(t, wire.ReasonFileNotFound, wire.CmdReadFile, wire.ReadFile{Path: "res://nope.gd"})
	put(t, "v/binary.bin", "a\x00b")
	refuse(t, wire.ReasonBinary, wire.CmdReadFile, wire.ReadFile{Path: "res://v/binary.bin"})
	put(t, "v/latin.txt", "caf\xe9")
	refuse(t, wire.ReasonBinary, wire.CmdReadFile, wire.ReadFile{Path: "res://v/latin.txt"})
	put(t, "v/odd.txt", "a\x0b\x01\\v\u00e9\u2028\U0001F600 \"q\"\t\n")
	assert.Equal(t, "a\x0b\x01\\v\u00e9\u2028\U0001F600 \"q\"\t\n", ask[wire.ReadFileResult](t, wire.CmdReadFile, wire.ReadFile{Path: "res://v/odd.txt"}).Content)

	l := ask[wire.ListFilesResult](t, wire.CmdListFiles, wire.ListFiles{Directory: "res://fresh", Extensions: []string{"gd"}, Limit: 10})
	assert.Equal(t, wire.ListFilesResult{Files: []string{"res://fresh/deep/x.gd"}, Total: 1}, l)
	refuse(t, wire.ReasonFolderMissing, wire.CmdListFiles, wire.ListFiles{Directory: "res://nope", Limit: 1})

	fixture(t, "main.tscn")
	d := ask[wire.GetDependenciesResult](t, wire.CmdGetDependencies, wire.GetDependencies{Path: "res://v/main.tscn"})
	assert.Equal(t, wire.Dependency{Raw: "res://v/base.tscn", Path: "res://v/base.tscn", Type: "PackedScene", Exists: true}, d.Dependencies[0])
	refuse(t, wire.ReasonFileNotFound, wire.CmdGetDependencies, wire.GetDependencies{Path: "res://nope.tscn"})
	undo(t, 2)
}

// settle waits for the end of the scan.
func settle(t *testing.T) wire.ScanState {
	t.Helper()
	var s wire.ScanState
	require.Eventually(t, func() bool {
		s = ask[wire.ScanState](t, wire.CmdGetScanState, nil)
		return !s.Scanning
	}, 20*time.Second, 20*time.Millisecond)
	return s
}

func TestScanState(t *testing.T) {
	before := settle(t)
	put(t, "scanned/pic.svg", project()["icon.svg"])
	a := ask[wire.ScanState](t, wire.CmdRescanFilesystem, nil)
	assert.True(t, a.Scanning)
	ask[wire.ScanState](t, wire.CmdRescanFilesystem, nil)
	after := settle(t)
	assert.Equal(t, before.Generation+2, after.Generation)
	assert.FileExists(t, shared.project+"/scanned/pic.svg.import")
	assert.Equal(t, true, eval(t, "return load('res://scanned/pic.svg') != null"))
}

func TestCheckScript(t *testing.T) {
	fixture(t, "main.tscn")
	check := func(text string) wire.CheckScriptResult {
		put(t, "v/checked.gd", text)
		var r wire.CheckScriptResult
		first := ask[wire.CheckScriptResult](t, wire.CmdCheckScript, wire.CheckScript{Path: "res://v/checked.gd"})
		assert.False(t, first.Ready)
		assert.Equal(t, wire.ReasonDiagnostics, first.Reason)
		require.Eventually(t, func() bool {
			r = ask[wire.CheckScriptResult](t, wire.CmdCheckScript, wire.CheckScript{Path: "res://v/checked.gd"})
			return r.Ready
		}, 20*time.Second, 20*time.Millisecond)
		assert.Equal(t, "language_server", r.Level)
		return r
	}
	assert.Empty(t, check("extends Node\nvar x: int = 1\n").Errors)
	r := check("extends Node\nfunc a(:\n\tpass\nfunc b()\n\tpass\n")
	assert.GreaterOrEqual(t, len(r.Errors), 2)
	assert.Equal(t, 2, r.Errors[0].Line)
	assert.Positive(t, r.Errors[0].Column)
	r = check("extends Node\nvar x: int = \"a\"\nvar y: Nope = null\n")
	lines := map[int]bool{}
	for _, e := range r.Errors {
		lines[e.Line] = true
	}
	assert.Equal(t, map[int]bool{2: true, 3: true}, lines, "%+v", r.Errors)
	refuse(t, wire.ReasonFileNotFound, wire.CmdCheckScript, wire.CheckScript{Path: "res://nope.gd"})
	refuse(t, wire.ReasonBadExtension, wire.CmdCheckScript, wire.CheckScript{Path: "res://v/ls.tres"})
}

func TestClassesAndProject(t *testing.T) {
	quiet(t)
	c := ask[wire.DescribeClassResult](t, wire.CmdDescribeClass, wire.DescribeClass{ClassName: "Sprite2D"})
	assert.Equal(t, []string{"Node2D", "CanvasItem", "Node", "Object"}, c.InheritsChain)
	assert.Contains(t, c.Properties, wire.ClassProperty{Name: "texture", Type: "Object", Class: "Texture2D", Default: "null"})
	assert.Contains(t, c.Methods, wire.ClassMethod{Name: "is_pixel_opaque", Args: []string{"pos: Vector2"}, ReturnType: "bool"})
	e := refuse(t, wire.ReasonUnknownClass, wire.CmdDescribeClass, wire.DescribeClass{ClassName: "Sprit2D"})
	assert.Equal(t, "Sprite2D", e.Details["near"].([]any)[0])
	p := ask[wire.GetProjectInfoResult](t, wire.CmdGetProjectInfo, nil)
	assert.Equal(t, "Addon test", p.Name)
	assert.Equal(t, shared.project, p.ProjectPath)
	assert.Equal(t, []wire.Autoload{}, p.Autoloads)
	assert.Equal(t, []string{}, p.InputActions)
}
