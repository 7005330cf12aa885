//go:build godot

package addon_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/addon/addontest"
	"godot-mcp/server/wire"
)

// limitFiles bounds the size of each file that a process writes from now on, in
// bytes, as a quota does: what is beyond is not written.
func limitFiles(t *testing.T, pid int, most uint64) {
	t.Helper()
	const fsize = 1 // RLIMIT_FSIZE
	limit := syscall.Rlimit{Cur: most, Max: ^uint64(0)}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), fsize, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	require.Zero(t, errno)
}

// diskEditor is a real editor whose disk can become full.
type diskEditor struct {
	t      *testing.T
	dir    string
	editor *addontest.Editor
	link   *addontest.Link
}

func startOnADisk(t *testing.T, project map[string]string) *diskEditor {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	dir := t.TempDir()
	require.NoError(t, addontest.Prepare(dir, project))
	// Without that the signal that comes with the limit ends the editor.
	wrapper := filepath.Join(t.TempDir(), "godot")
	script := fmt.Sprintf("#!/bin/sh\ntrap '' XFSZ\nexec %q \"$@\"\n", os.Getenv("GODOT_BIN"))
	require.NoError(t, os.WriteFile(wrapper, []byte(script), 0o755))
	bridge, err := addontest.Listen()
	require.NoError(t, err)
	editor, err := addontest.Start(ctx, addontest.Options{Bin: wrapper, ProjectDir: dir, BridgeURL: bridge.URL})
	require.NoError(t, err)
	t.Cleanup(func() { _ = editor.Stop(context.Background(), nil) })
	link, err := bridge.Connect(ctx)
	require.NoError(t, err)
	return &diskEditor{t, dir, editor, link}
}

func (d *diskEditor) do(command string, params any) wire.Reply {
	d.t.Helper()
	r, err := d.link.Do(d.t.Context(), command, params)
	require.NoError(d.t, err, tail(d.editor.Log(), 40))
	return r
}

func (d *diskEditor) must(command string, params any) {
	d.t.Helper()
	r := d.do(command, params)
	require.True(d.t, r.OK, describe(r))
}

func (d *diskEditor) file(name string) string {
	d.t.Helper()
	b, err := os.ReadFile(filepath.Join(d.dir, name))
	require.NoError(d.t, err)
	return string(b)
}

// TestSaveOnAFullDisk saves a scene that the disk takes only a part of. The engine
// says OK to that, in the place of the old file is the beginning of the new one, and
// the scene counts as saved (engine 4.6 experiment).
func TestSaveOnAFullDisk(t *testing.T) {
	d := startOnADisk(t, map[string]string{
		"main.tscn": "[gd_scene format=3 uid=\"uid://cfull00000001\"]\n\n[node name=\"Main\" type=\"Node2D\" unique_id=1]\n",
	})
	do, must := d.do, d.must
	add := func(count int) {
		t.Helper()
		var steps []wire.StepParam
		for range count {
			raw, err := json.Marshal(wire.CreateNode{ParentPath: ".", Type: "Node2D", Name: "Node"})
			require.NoError(t, err)
			steps = append(steps, wire.StepParam{Command: wire.CmdCreateNode, Params: raw})
		}
		must(wire.CmdTransaction, wire.Transaction{Name: "many", Steps: steps})
	}
	file := func() string {
		t.Helper()
		return d.file("main.tscn")
	}
	refused := func(saved string) {
		t.Helper()
		r := do(wire.CmdSaveScene, wire.SaveScene{})
		require.False(t, r.OK, "%s", r.Result)
		assert.Equal(t, wire.ReasonSaveFailed, r.Reason)
		assert.Equal(t, "res://main.tscn", r.Details["path"])
		assert.NotContains(t, r.Details, "lost")
		assert.Equal(t, saved, file(), "the file on disk is as before")
		names, err := filepath.Glob(filepath.Join(d.dir, "main.tscn?*"))
		require.NoError(t, err)
		assert.Empty(t, names, "nothing is left beside it")
		var active wire.GetActiveSceneResult
		require.NoError(t, json.Unmarshal(do(wire.CmdGetActiveScene, nil).Result, &active))
		assert.True(t, active.Modified, "the scene is not saved")
	}

	must(wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: "res://main.tscn"})
	add(200)
	must(wire.CmdSaveScene, wire.SaveScene{})
	saved := file()
	require.Greater(t, len(saved), 8<<10)

	// No room for what is there already: nothing is begun.
	add(1)
	limitFiles(t, d.editor.PID(), 4<<10)
	refused(saved)

	// Room, but not for all that has come to it: the engine cuts it off.
	limitFiles(t, d.editor.PID(), uint64(len(saved)+80<<10))
	add(3000)
	refused(saved)

	limitFiles(t, d.editor.PID(), ^uint64(0))
	must(wire.CmdSaveScene, wire.SaveScene{})
	assert.Equal(t, 3202, strings.Count(file(), "[node "))
}

// TestClosedFilesOnAFullDisk writes scenes that are not open, which the engine cuts off
// with an OK as well: a closed file is as before and what others hold of it is still
// that file, and a branch whose file is not whole stays in its scene.
func TestClosedFilesOnAFullDisk(t *testing.T) {
	var many strings.Builder
	for i := range 200 {
		fmt.Fprintf(&many, "\n[node name=\"N%d\" type=\"Node2D\" parent=\"%%s\" unique_id=%d]\n", i, 100+i)
	}
	base := "[gd_scene format=3 uid=\"uid://cfull00000002\"]\n\n[node name=\"Base\" type=\"Node2D\" unique_id=1]\n" + strings.ReplaceAll(many.String(), "%s", ".")
	d := startOnADisk(t, map[string]string{
		"base.tscn": base,
		"main.tscn": "[gd_scene format=3 uid=\"uid://cfull00000001\"]\n\n[ext_resource type=\"PackedScene\" uid=\"uid://cfull00000002\" path=\"res://base.tscn\" id=\"1\"]\n\n" +
			"[node name=\"Main\" type=\"Node2D\" unique_id=1]\n\n[node name=\"Base\" parent=\".\" unique_id=2 instance=ExtResource(\"1\")]\n\n" +
			"[node name=\"Branch\" type=\"Node2D\" parent=\".\" unique_id=3]\n" + strings.ReplaceAll(many.String(), "%s", "Branch"),
	})
	d.must(wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: "res://main.tscn"})
	set := func(text string) wire.CrossSceneResult {
		t.Helper()
		value, err := json.Marshal(text)
		require.NoError(t, err)
		r := d.do(wire.CmdCrossSceneSetProperty, wire.CrossSceneSetProperty{Scenes: []string{"res://base.tscn"}, NodeType: "Node2D", Property: "editor_description", Value: value})
		require.True(t, r.OK, describe(r))
		var out wire.CrossSceneSetPropertyResult
		require.NoError(t, json.Unmarshal(r.Result, &out))
		require.Len(t, out.Results, 1)
		return out.Results[0]
	}
	untouched := func(r wire.CrossSceneResult) {
		t.Helper()
		require.NotNil(t, r.Error)
		assert.Equal(t, wire.ReasonWriteFailed, r.Reason)
		assert.Zero(t, r.Modified)
		assert.Equal(t, base, d.file("base.tscn"), "the file on disk is as before")
	}

	// No room for what is there already, then room but not for all that has come to it.
	limitFiles(t, d.editor.PID(), 4<<10)
	untouched(set("x"))
	limitFiles(t, d.editor.PID(), uint64(len(base)+80<<10))
	untouched(set(strings.Repeat("x", 1000)))

	// A branch of which a part fits.
	longer, err := json.Marshal(strings.Repeat("y", 1000))
	require.NoError(t, err)
	var steps []wire.StepParam
	for i := range 200 {
		raw, err := json.Marshal(wire.SetNodeProperty{NodePath: fmt.Sprintf("Branch/N%d", i), Property: "editor_description", Value: longer})
		require.NoError(t, err)
		steps = append(steps, wire.StepParam{Command: wire.CmdSetNodeProperty, Params: raw})
	}
	d.must(wire.CmdTransaction, wire.Transaction{Name: "long", Steps: steps})
	r := d.do(wire.CmdExtractScene, wire.ExtractScene{NodePath: "Branch", ScenePath: "res://branch.tscn", ReplaceWithInstance: true})
	require.False(t, r.OK, "%s", r.Result)
	assert.Equal(t, wire.ReasonWriteFailed, r.Reason)
	assert.NoFileExists(t, filepath.Join(d.dir, "branch.tscn"))

	limitFiles(t, d.editor.PID(), ^uint64(0))
	d.must(wire.CmdSaveScene, wire.SaveScene{})
	assert.Contains(t, d.file("main.tscn"), "instance=ExtResource(\"1\")", "what was held is still an instance of the file")
	assert.Equal(t, 200, strings.Count(d.file("main.tscn"), "parent=\"Branch\""))
	require.Nil(t, set("z").Error)
	assert.Equal(t, 201, strings.Count(d.file("base.tscn"), "editor_description = \"z\""))
}
