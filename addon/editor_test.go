//go:build godot

package addon_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"godot-mcp/addon/addontest"
	"godot-mcp/server/wire"
)

// shared is the one editor of this package's tests.
var shared struct {
	editor  *addontest.Editor
	link    *addontest.Link
	lab     *addontest.Lab
	bridge  *addontest.Server
	project string
	loading string // what was printed until the addon was there
}

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	if err := start(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		if shared.editor != nil {
			fmt.Fprintln(os.Stderr, shared.editor.Log())
			_ = shared.editor.Stop(ctx, nil)
		}
		return 1
	}
	code := m.Run()
	if path := os.Getenv("ADDON_EDITOR_LOG"); path != "" {
		_ = os.WriteFile(path, []byte(shared.editor.Log()), 0o644)
	}
	if err := shared.editor.Stop(ctx, shared.lab.Quit); err != nil {
		fmt.Fprintln(os.Stderr, "stopping the editor:", err)
		code = 1
	}
	_ = os.RemoveAll(shared.project)
	return code
}

func start(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "addon-project-")
	if err != nil {
		return err
	}
	shared.project = dir
	if err := addontest.Prepare(dir, project()); err != nil {
		return err
	}
	if shared.bridge, err = addontest.Listen(); err != nil {
		return err
	}
	labServer, err := addontest.Listen()
	if err != nil {
		return err
	}
	shared.editor, err = addontest.Start(ctx, addontest.Options{
		ProjectDir: dir, BridgeURL: shared.bridge.URL, Env: []string{"ADDON_LAB_URL=" + labServer.URL},
	})
	if err != nil {
		return err
	}
	wait, cancel := context.WithTimeout(ctx, 90*time.Second)
	defer cancel()
	if shared.lab, err = labServer.ConnectLab(wait); err != nil {
		return fmt.Errorf("the lab plugin: %w", err)
	}
	if shared.link, err = shared.bridge.Connect(wait); err != nil {
		return fmt.Errorf("the addon: %w", err)
	}
	shared.loading = shared.editor.Log()
	return nil
}

func deadline(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// ask sends a command that has to succeed and gives its result.
func ask[R any](t *testing.T, command string, params any) R {
	t.Helper()
	r := reply(t, command, params)
	require.True(t, r.OK, "%s %+v: %s", command, params, describe(r))
	var out R
	d := json.NewDecoder(strings.NewReader(string(r.Result)))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&out), "%s: %s", command, r.Result)
	return out
}

// refuse sends a command that has to fail with the reason and gives the error.
func refuse(t *testing.T, reason wire.Reason, command string, params any) *wire.Error {
	t.Helper()
	r := reply(t, command, params)
	require.False(t, r.OK, "%s %+v succeeded: %s", command, params, r.Result)
	require.Equal(t, reason, r.Reason, "%s %+v: %s", command, params, describe(r))
	require.Equal(t, reason.Code(), r.Code)
	return r.Error
}

func reply(t *testing.T, command string, params any) wire.Reply {
	t.Helper()
	r, err := shared.link.Do(deadline(t), command, params)
	require.NoError(t, err, "%s\n%s", command, tail(shared.editor.Log(), 40))
	return r
}

func describe(r wire.Reply) string {
	if r.Error == nil {
		return "no error"
	}
	return r.Error.Error() + " " + strings.Join(r.Log, " | ")
}

func tail(s string, n int) string {
	lines := strings.Split(s, "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// eval runs a snippet in the editor.
func eval(t *testing.T, code string) any {
	t.Helper()
	raw, err := shared.lab.Eval(deadline(t), code)
	require.NoError(t, err)
	var out any
	if len(raw) > 0 {
		require.NoError(t, json.Unmarshal(raw, &out))
	}
	return out
}

// open opens a scene file as the only one, with the text given.
func open(t *testing.T, path, text string) {
	t.Helper()
	closeAll(t)
	put(t, path, text)
	ask[wire.OpenSceneFileResult](t, wire.CmdOpenSceneFile, wire.OpenSceneFile{ScenePath: "res://" + path})
}

// put writes a project file and lets the editor know.
func put(t *testing.T, path, text string) {
	t.Helper()
	full := filepath.Join(shared.project, filepath.FromSlash(path))
	require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
	require.NoError(t, os.WriteFile(full, []byte(text), 0o644))
	eval(t, fmt.Sprintf("EditorInterface.get_resource_filesystem().update_file(%q)\nif %q.get_extension() in ['tscn', 'tres']:\n\tResourceLoader.load(%q, '', ResourceLoader.CACHE_MODE_REPLACE)", "res://"+path, "res://"+path, "res://"+path))
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(shared.project, filepath.FromSlash(path)))
	require.NoError(t, err)
	return string(b)
}

func closeAll(t *testing.T) {
	t.Helper()
	eval(t, "for i in 20:\n\tif EditorInterface.get_edited_scene_root() == null and EditorInterface.get_open_scenes().is_empty():\n\t\tbreak\n\tEditorInterface.close_scene()\n\tawait plugin.get_tree().process_frame")
}

func project() map[string]string {
	return map[string]string{
		"main.tscn": "[gd_scene format=3]\n\n[node name=\"Main\" type=\"Node2D\"]\n",
		"icon.svg":  `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect width="16" height="16" fill="#f00"/></svg>`,
	}
}

// quiet fails the test if the editor prints an error until its end, apart from the
// one of the missing renderer.
func quiet(t *testing.T) {
	t.Helper()
	start := len(shared.editor.Log())
	t.Cleanup(func() {
		log := shared.editor.Log()[start:]
		for _, line := range strings.Split(log, "\n") {
			if strings.Contains(line, "ERROR") && !strings.Contains(line, `Parameter "t" is null`) {
				t.Errorf("the editor printed an error:\n%s", log)
				return
			}
		}
	})
}
