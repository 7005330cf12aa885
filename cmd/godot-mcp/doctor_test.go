package main

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server"
)

// fakeGodot is a program that says what Godot says and notes how it was called.
func fakeGodot(t *testing.T, version string) (bin, log string) {
	t.Helper()
	dir := t.TempDir()
	bin, log = filepath.Join(dir, "godot"), filepath.Join(dir, "log")
	require.NoError(t, os.WriteFile(bin, []byte("#!/bin/sh\necho \"$*\" >> "+log+"\necho "+version+"\n"), 0o755))
	return bin, log
}

// freeURL is a bridge address that nobody has.
func freeURL(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, ln.Close()) }()
	return "ws://" + ln.Addr().String()
}

func TestDoctorFindsNothingBroken(t *testing.T) {
	dir := newProject(t)
	_, err := execute(t, "install-addon", dir)
	require.NoError(t, err)
	bin, log := fakeGodot(t, "4.6.3.stable.official.abc")
	out, err := execute(t, "doctor", dir, "--godot-bin", bin, "--bridge-url", freeURL(t))
	require.NoError(t, err, out)
	assert.Contains(t, out, "is free")
	assert.Contains(t, out, "enabled, as this program brings it")
	assert.Contains(t, out, "4.6.3.stable.official.abc")
	assert.Contains(t, out, "Nothing is broken.")
	// B010: the program was asked for its version and nothing else.
	called, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.Equal(t, "--version\n", string(called))
}

// TestDoctorWithoutGodot is B121: each place is listed with what is wrong there.
func TestDoctorWithoutGodot(t *testing.T) {
	home := t.TempDir()
	t.Setenv("PATH", home)
	assert.NotEmpty(t, usualPlaces())
	places = func() []string {
		return []string{filepath.Join(home, "bin", "godot"), filepath.Join(home, "Godot.app", "Godot")}
	}
	t.Cleanup(func() { places = usualPlaces })
	out, err := execute(t, "doctor", newProject(t), "--bridge-url", freeURL(t))
	require.ErrorIs(t, err, errSilent)
	for _, place := range append(places(), "godot", "godot4") {
		assert.Contains(t, out, place)
	}
	assert.Contains(t, out, "not on the PATH")
	assert.Contains(t, out, "there is no such file")
	assert.Contains(t, out, "--godot-bin")
	assert.Contains(t, out, "Broken: addon, godot.")
}

func TestDoctorSaysWhatIsWrongWithAProgram(t *testing.T) {
	old, _ := fakeGodot(t, "4.3.stable.official")
	other, _ := fakeGodot(t, "'echo (GNU coreutils) 9.1'")
	file := filepath.Join(t.TempDir(), "godot")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for bin, says := range map[string]string{
		old: "too old", other: `"echo (GNU coreutils) 9.1"`, file: "may not be executed",
		filepath.Dir(file): "it is a folder", "/no/such/godot": "there is no such file",
	} {
		out, err := execute(t, "doctor", "--godot-bin", bin, "--bridge-url", freeURL(t))
		require.ErrorIs(t, err, errSilent)
		assert.Contains(t, out, says)
	}
}

func TestDoctorLooksAtTheAddon(t *testing.T) {
	bin, _ := fakeGodot(t, "4.4.stable.official")
	url := freeURL(t)
	dir := newProject(t)
	doctor := func() (string, error) { return execute(t, "doctor", dir, "--godot-bin", bin, "--bridge-url", url) }
	out, err := doctor()
	require.ErrorIs(t, err, errSilent)
	assert.Contains(t, out, "not installed; run: godot-mcp install-addon "+dir)

	_, err = execute(t, "install-addon", dir)
	require.NoError(t, err)
	plugin := filepath.Join(dir, "addons", "godot_mcp", "plugin.gd")
	require.NoError(t, os.WriteFile(plugin, []byte("# mine\n"), 0o644))
	out, err = doctor()
	require.NoError(t, err)
	assert.Contains(t, out, "a person changed: plugin.gd")

	require.NoError(t, os.Remove(plugin))
	out, err = doctor()
	require.ErrorIs(t, err, errSilent)
	assert.Contains(t, out, "lacks plugin.gd")

	_, err = execute(t, "install-addon", dir)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "project.godot"), []byte(plainProject), 0o644))
	out, err = doctor()
	require.ErrorIs(t, err, errSilent)
	assert.Contains(t, out, "does not enable it")

	_, err = execute(t, "doctor", filepath.Join(dir, "gone"), "--godot-bin", bin, "--bridge-url", url)
	require.ErrorIs(t, err, errSilent)
}

func TestDoctorSaysWhoHasThePort(t *testing.T) {
	bin, _ := fakeGodot(t, "4.6.stable.official")
	doctor := func(url string) (string, error) {
		return execute(t, "doctor", "--godot-bin", bin, "--bridge-token", "x", "--bridge-url", url)
	}
	t.Run("another server", func(t *testing.T) {
		cfg := server.DefaultConfig()
		cfg.BridgeURL, cfg.Version, cfg.Log = "ws://127.0.0.1:0", "9.9.9", io.Discard
		s, err := server.New(cfg)
		require.NoError(t, err)
		defer s.Close()
		require.NoError(t, s.Start())
		out, err := doctor(s.Bridge().Status().URL)
		require.NoError(t, err, out)
		assert.Contains(t, out, "held by godot-mcp 9.9.9, process "+strconv.Itoa(os.Getpid()))
		assert.Contains(t, out, "no editor is connected")
	})
	t.Run("another program", func(t *testing.T) {
		ln, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer func() { require.NoError(t, ln.Close()) }()
		go func() {
			for {
				c, err := ln.Accept()
				if err != nil {
					return
				}
				_ = c.Close()
			}
		}()
		out, err := doctor("ws://" + ln.Addr().String())
		require.ErrorIs(t, err, errSilent)
		assert.Contains(t, out, "address already in use")
		if runtime.GOOS == "linux" {
			assert.Contains(t, out, "it belongs to process "+strconv.Itoa(os.Getpid()))
		}
		assert.Contains(t, out, "Broken: bridge.")
	})
	t.Run("an address of another machine", func(t *testing.T) {
		// 192.0.2.0/24 is for documentation; no machine has it.
		out, err := doctor("ws://192.0.2.1:9080")
		require.ErrorIs(t, err, errSilent)
		assert.Contains(t, out, "cannot listen on ws://192.0.2.1:9080")
	})
}

// TestSmoke is B124: a whole first minute of a client without any client.
func TestSmoke(t *testing.T) {
	code, stdout, stderr := exitCode(t, "doctor", "--smoke")
	require.Equal(t, 0, code, stderr)
	for _, want := range []string{"serve --simulate", "protocol 20", "tools", `"name":"Sample"`, "The server works."} {
		assert.Contains(t, stdout, want)
	}
	assert.LessOrEqual(t, strings.Count(stdout, "\n"), 8)
}

func TestSmokeFailureNamesTheStep(t *testing.T) {
	err := smokeFailure("initialize", errors.New("no answer"))
	assert.ErrorIs(t, err, errSmoke)
	assert.Contains(t, err.Error(), "initialize")
}

func TestDoctorNamesMisspeltSettings(t *testing.T) {
	t.Setenv("GODOT_MCP_PROFIL", "editor")
	out, err := execute(t, "doctor", "--bridge-url", freeURL(t))
	require.NoError(t, err, out)
	assert.Regexp(t, `note +environment +GODOT_MCP_PROFIL .* did you mean GODOT_MCP_PROFILE\?`, strings.Join(strings.Fields(out), " "))
	assert.Contains(t, out, "Nothing is broken.")
}
