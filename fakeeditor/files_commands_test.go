package fakeeditor_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/fakeeditor"
	"godot-mcp/server/wire"
)

func editor(t *testing.T, project map[string]string) *fakeeditor.Editor {
	e, err := fakeeditor.New(fakeeditor.Config{Project: project, Seed: 1, OpenScenes: []string{}})
	require.NoError(t, err)
	return e
}

func do[R any](t *testing.T, e *fakeeditor.Editor, command string, params any) R {
	t.Helper()
	raw, err := e.Do(command, params)
	require.NoError(t, err)
	var r R
	require.NoError(t, json.Unmarshal(raw, &r))
	return r
}

func sha256Hex(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func refused(t *testing.T, e *fakeeditor.Editor, want wire.Reason, command string, params any) *wire.Error {
	t.Helper()
	before := e.Disk()
	_, err := e.Do(command, params)
	require.Error(t, err)
	got := wire.AsError(err)
	assert.Equal(t, want, got.Reason, "%v", got)
	assert.Equal(t, before.Map(), e.Disk().Map(), "a refusal changes nothing")
	return got
}

func TestReadFile(t *testing.T) {
	e := editor(t, map[string]string{"a.txt": "höhe\n", "b.bin": "a\x00b", "c.bin": "\xff", "sub/x.gd": ""})
	r := do[wire.ReadFileResult](t, e, wire.CmdReadFile, wire.ReadFile{Path: "res:///a.txt"})
	assert.Equal(t, wire.ReadFileResult{
		Path: "res://a.txt", Content: "höhe\n", Size: 6, SHA256: sha256Hex("höhe\n"),
	}, r)
	refused(t, e, wire.ReasonBinary, wire.CmdReadFile, wire.ReadFile{Path: "res://b.bin"})
	refused(t, e, wire.ReasonBinary, wire.CmdReadFile, wire.ReadFile{Path: "res://c.bin"})
	refused(t, e, wire.ReasonFileNotFound, wire.CmdReadFile, wire.ReadFile{Path: "res://none.gd"})
	refused(t, e, wire.ReasonIsFolder, wire.CmdReadFile, wire.ReadFile{Path: "res://sub"})
	for _, bad := range []string{"", "a.txt", "res://", "res://../a.txt", `res://sub\x.gd`, "user://a"} {
		refused(t, e, wire.ReasonBadPath, wire.CmdReadFile, wire.ReadFile{Path: bad})
	}
}

func TestWriteFile(t *testing.T) {
	e := editor(t, map[string]string{"old.txt": "old", "b.png": "\x89PNG\x00", "sub/x.gd": "extends Node\n"})
	r := do[wire.WriteFileResult](t, e, wire.CmdWriteFile, wire.WriteFile{Path: "res://sub/new.gd", Content: "class_name New extends Node\n"})
	assert.True(t, r.Created && r.Changed && r.Undoable && !r.RescanPending)
	assert.Empty(t, r.PreviousSHA256)
	_, ok := e.State().Files.Class("New")
	assert.True(t, ok, "registered with the answer")
	assert.Equal(t, 1, e.State().Global.Depth())

	again := do[wire.WriteFileResult](t, e, wire.CmdWriteFile, wire.WriteFile{Path: "res://sub/new.gd", Content: "class_name New extends Node\n"})
	assert.False(t, again.Created || again.Changed || again.Undoable)
	assert.Equal(t, r.SHA256, again.PreviousSHA256)
	assert.Equal(t, 1, e.State().Global.Depth())

	far := do[wire.WriteFileResult](t, e, wire.CmdWriteFile, wire.WriteFile{Path: "res://far/away/f.gd", Content: "class_name Far extends Node\n"})
	assert.True(t, far.RescanPending, "its folder is new")
	assert.True(t, do[wire.ScanState](t, e, wire.CmdGetScanState, nil).Scanning)
	e.Settle()
	_, ok = e.State().Files.Class("Far")
	assert.True(t, ok)

	refused(t, e, wire.ReasonFileExists, wire.CmdWriteFile, wire.WriteFile{Path: "res://old.txt", Content: "x", MustBeNew: true})
	failed := refused(t, e, wire.ReasonChanged, wire.CmdWriteFile, wire.WriteFile{Path: "res://old.txt", Content: "x", ExpectedSHA256: "beef"})
	assert.Equal(t, "beef", failed.Details["expected_sha256"])
	refused(t, e, wire.ReasonBinary, wire.CmdWriteFile, wire.WriteFile{Path: "res://b.png", Content: "x"})
	refused(t, e, wire.ReasonIsFolder, wire.CmdWriteFile, wire.WriteFile{Path: "res://sub", Content: "x"})
	refused(t, e, wire.ReasonBadPath, wire.CmdWriteFile, wire.WriteFile{Path: "res://old.txt/x", Content: "x"})
}

func TestWriteFilePreviewIsTheRealThing(t *testing.T) {
	for _, path := range []string{"res://sub/a.gd", "res://new/a.gd", "res://old.txt", "res://v.svg"} {
		e := editor(t, map[string]string{"old.txt": "old", "sub/x.gd": "extends Node\n"})
		before := e.State()
		p := wire.WriteFile{Path: path, Content: "class_name A extends Node\n", DryRun: true}
		preview := do[wire.WriteFileResult](t, e, wire.CmdWriteFile, p)
		after := e.State()
		assert.Equal(t, before.Files.Disk(), after.Files.Disk(), path)
		assert.Equal(t, before.Files.StaleFiles(), after.Files.StaleFiles(), path)
		assert.Equal(t, before.Global, after.Global, path)
		assert.False(t, after.Files.Scanning(), path)
		assert.Equal(t, before.Journal.Len(), e.State().Journal.Len())
		p.DryRun = false
		assert.Equal(t, preview, do[wire.WriteFileResult](t, e, wire.CmdWriteFile, p), path)
	}
}

func TestWriteSourceImportsIt(t *testing.T) {
	e := editor(t, nil)
	r := do[wire.WriteFileResult](t, e, wire.CmdWriteFile, wire.WriteFile{Path: "res://v.svg", Content: square("")})
	assert.False(t, r.RescanPending)
	assert.Equal(t, "CompressedTexture2D", e.State().Files.ImportedType("res://v.svg"))
}

func TestListFiles(t *testing.T) {
	e := editor(t, map[string]string{"b.gd": "", "a/c.gd": "", "a/d.TSCN": "", ".hidden/x.gd": "", "ign/.gdignore": "", "ign/y.gd": "", "z.txt": ""})
	list := func(p wire.ListFiles) wire.ListFilesResult {
		return do[wire.ListFilesResult](t, e, wire.CmdListFiles, p)
	}
	assert.Equal(t, wire.ListFilesResult{Files: []string{"res://a/c.gd", "res://b.gd"}, Total: 2}, list(wire.ListFiles{Directory: "res://", Extensions: []string{"gd"}, Limit: 10}))
	assert.Equal(t, wire.ListFilesResult{Files: []string{"res://b.gd"}, Total: 2}, list(wire.ListFiles{Directory: "res://", Extensions: []string{"gd"}, Offset: 1, Limit: 1}))
	assert.Equal(t, wire.ListFilesResult{Files: []string{}, Total: 2}, list(wire.ListFiles{Directory: "res://", Extensions: []string{"gd"}, Offset: 9, Limit: 1}))
	assert.Equal(t, []string{"res://a/c.gd", "res://a/d.TSCN"}, list(wire.ListFiles{Directory: "res://a/", Extensions: []string{"gd", "tscn"}, Limit: 9}).Files)
	refused(t, e, wire.ReasonFolderMissing, wire.CmdListFiles, wire.ListFiles{Directory: "res://none", Limit: 1})
	refused(t, e, wire.ReasonBadPath, wire.CmdListFiles, wire.ListFiles{Directory: "/etc", Limit: 1})
	refused(t, e, wire.ReasonBadParams, wire.CmdListFiles, wire.ListFiles{Directory: "res://"})
}

func TestCheckScript(t *testing.T) {
	e := editor(t, map[string]string{"ok.gd": "extends Node\n", "bad.gd": "extends Node\nfunc f(:\n\tpass\n", "x.txt": ""})
	check := func(p string) wire.CheckScriptResult {
		return do[wire.CheckScriptResult](t, e, wire.CmdCheckScript, wire.CheckScript{Path: p})
	}
	ok := check("res://ok.gd")
	assert.True(t, ok.Ready)
	assert.Equal(t, "tokens", ok.Level)
	assert.Empty(t, ok.Errors)
	bad := check("res://bad.gd")
	require.NotEmpty(t, bad.Errors)
	assert.Equal(t, 2, bad.Errors[0].Line)
	refused(t, e, wire.ReasonBadExtension, wire.CmdCheckScript, wire.CheckScript{Path: "res://x.txt"})
	refused(t, e, wire.ReasonFileNotFound, wire.CmdCheckScript, wire.CheckScript{Path: "res://none.gd"})

	// B097: the consumer is written first.
	require.NoError(t, e.DiskWrite("enemy.gd", "extends Node\nvar w: Waypoint\n"))
	assert.NotEmpty(t, check("res://enemy.gd").Errors)
	require.NoError(t, e.DiskWrite("waypoint.gd", "class_name Waypoint extends Node\n"))
	r := check("res://enemy.gd")
	assert.Empty(t, r.Errors)
	assert.Equal(t, []string{"Waypoint"}, r.Pending)
	assert.Equal(t, []string{"Waypoint"}, check("res://waypoint.gd").Pending, "its own class too")
	do[wire.ScanState](t, e, wire.CmdRescanFilesystem, nil)
	e.Settle()
	r = check("res://enemy.gd")
	assert.Empty(t, r.Errors)
	assert.Empty(t, r.Pending)
}

// B101: three callers, one further scan.
func TestRescanQueuesOnce(t *testing.T) {
	e := editor(t, map[string]string{"a.gd": ""})
	require.NoError(t, e.DiskWrite("p.svg", square("")))
	for range 3 {
		assert.True(t, do[wire.ScanState](t, e, wire.CmdRescanFilesystem, nil).Scanning)
	}
	e.Settle()
	s := do[wire.ScanState](t, e, wire.CmdGetScanState, nil)
	assert.Equal(t, 2, s.Generation)
	assert.False(t, s.Scanning)
	assert.Empty(t, s.Importing)
}

func TestProjectInfoAndScenes(t *testing.T) {
	e := editor(t, map[string]string{
		"project.godot": `config_version=5

[application]

config/name="Named"
run/main_scene="uid://cecaux1sm7mo0"

[autoload]

Zed="*res://z.gd"
Ann="res://ann.tscn"

[input]

jump={
"deadzone": 0.2,
"events": []
}
ui_accept={
"deadzone": 0.5,
"events": []
}
attack={
"deadzone": 0.2,
"events": []
}
`,
		"main.tscn":   "[gd_scene format=3 uid=\"uid://cecaux1sm7mo0\"]\n\n[node name=\"Main\" type=\"Node2D\"]\n",
		"b.tscn":      "[gd_scene format=3]\n\n[node name=\"B\" type=\"Node2D\"]\n",
		"game.csproj": "",
	})
	r := do[wire.GetProjectInfoResult](t, e, wire.CmdGetProjectInfo, nil)
	assert.Equal(t, wire.GetProjectInfoResult{
		Name: "Named", ProjectPath: "/simulated/project", GodotVersion: fakeeditor.GodotVersion, MainScene: "res://main.tscn",
		Autoloads:    []wire.Autoload{{Name: "Ann", Path: "res://ann.tscn"}, {Name: "Zed", Path: "res://z.gd", Singleton: true}},
		InputActions: []string{"attack", "jump"}, CSharpFiles: true,
	}, r)
	s := do[wire.ListScenesResult](t, e, wire.CmdListScenes, nil)
	assert.Equal(t, wire.ListScenesResult{MainScene: "res://main.tscn", Scenes: []wire.SceneFile{
		{Path: "res://b.tscn"}, {Path: "res://main.tscn", IsMain: true},
	}}, s)
	require.NoError(t, e.DiskWrite("project.godot", "config_version=5\n"))
	assert.Equal(t, "Named", do[wire.GetProjectInfoResult](t, e, wire.CmdGetProjectInfo, nil).Name, "the editor does not look again")
}
