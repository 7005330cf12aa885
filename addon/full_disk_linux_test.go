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

// TestSaveOnAFullDisk saves a scene that the disk takes only a part of. The engine
// says OK to that, in the place of the old file is the beginning of the new one, and
// the scene counts as saved (engine 4.6 experiment).
func TestSaveOnAFullDisk(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	dir := t.TempDir()
	require.NoError(t, addontest.Prepare(dir, map[string]string{
		"main.tscn": "[gd_scene format=3 uid=\"uid://cfull00000001\"]\n\n[node name=\"Main\" type=\"Node2D\" unique_id=1]\n",
	}))
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

	do := func(command string, params any) wire.Reply {
		t.Helper()
		r, err := link.Do(ctx, command, params)
		require.NoError(t, err, tail(editor.Log(), 40))
		return r
	}
	must := func(command string, params any) {
		t.Helper()
		r := do(command, params)
		require.True(t, r.OK, describe(r))
	}
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
		b, err := os.ReadFile(filepath.Join(dir, "main.tscn"))
		require.NoError(t, err)
		return string(b)
	}
	refused := func(saved string) {
		t.Helper()
		r := do(wire.CmdSaveScene, wire.SaveScene{})
		require.False(t, r.OK, "%s", r.Result)
		assert.Equal(t, wire.ReasonSaveFailed, r.Reason)
		assert.Equal(t, "res://main.tscn", r.Details["path"])
		assert.NotContains(t, r.Details, "lost")
		assert.Equal(t, saved, file(), "the file on disk is as before")
		names, err := filepath.Glob(filepath.Join(dir, "main.tscn?*"))
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
	limitFiles(t, editor.PID(), 4<<10)
	refused(saved)

	// Room, but not for all that has come to it: the engine cuts it off.
	limitFiles(t, editor.PID(), uint64(len(saved)+80<<10))
	add(3000)
	refused(saved)

	limitFiles(t, editor.PID(), ^uint64(0))
	must(wire.CmdSaveScene, wire.SaveScene{})
	assert.Equal(t, 3202, strings.Count(file(), "[node "))
}
