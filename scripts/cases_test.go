package scripts

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/fakeeditor"
	"godot-mcp/fakeeditor/files"
	"godot-mcp/server"
	"godot-mcp/server/safety"
)

// Tests named after the reports in cases/README.md that a scenario cannot express.
// Those that take a Backend run on the real editor too (TestCasesGodot).

func onSimulator(t *testing.T, test func(*testing.T, Backend)) { test(t, &simBackend{}) }

// begin starts a session whose editor has these files open.
func begin(t *testing.T, b Backend, files map[string]string, flags ...string) *session {
	t.Helper()
	if len(flags) == 0 {
		flags = defaultFlags
	}
	project := map[string][]byte{"project.godot": []byte(plainProject)}
	for path, text := range files {
		project[path] = []byte(text)
	}
	s := &session{backend: b, flags: flags}
	require.NoError(t, s.start(t.Context(), project))
	t.Cleanup(func() { require.NoError(t, s.close()) })
	return s
}

func (s *session) must(t *testing.T, tool string, args map[string]any) map[string]any {
	t.Helper()
	answer, err := s.mustSucceed(t.Context(), s.tool(tool), args)
	require.NoError(t, err)
	return answer
}

func hash(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// comments is a script of exactly n bytes.
func comments(n int) string {
	line := "# " + strings.Repeat("x", 77) + "\n"
	return strings.Repeat(line, n/len(line)) + strings.Repeat("#", n%len(line))
}

// The buffers of the engine's socket hold 8 KiB or 64 KiB unless somebody asked
// for more before the connection was made.
func testSizes(t *testing.T, b Backend) {
	s := begin(t, b, nil)
	for _, n := range []int{8191, 8192, 8193, 65535, 65536, 1 << 20, 4<<20 - 1} {
		text := comments(n)
		answer := s.must(t, "godot_scripts_write", map[string]any{"script_path": "res://big.gd", "content": text})
		require.Equal(t, hash(text), answer["sha256"], "%d bytes", n)
		files, err := b.Files(t.Context())
		require.NoError(t, err)
		require.Equal(t, hash(text), hash(string(files["big.gd"])), "%d bytes", n)
	}
	// The link is as it was.
	s.must(t, "list_open_scenes", nil)
}

func TestB052MessagesOfAnySize(t *testing.T) { onSimulator(t, testSizes) }

// A hundred results of 60 KiB at once, with an editor that is slow to poll.
func testManyLargeResults(t *testing.T, b Backend) {
	files, want := map[string]string{}, map[string]string{}
	for i := range 10 {
		name := fmt.Sprintf("r%d.gd", i)
		files[name] = fmt.Sprintf("# %d\n", i) + comments(60<<10)
		want[name] = hash(files[name])
	}
	s := begin(t, b, files)
	require.NoError(t, b.Fault(t.Context(), "slow frame=50ms for=5s"))
	var wg sync.WaitGroup
	errs := make(chan error, 100)
	for i := range 100 {
		wg.Go(func() {
			name := fmt.Sprintf("r%d.gd", i%10)
			answer, err := s.mustSucceed(t.Context(), s.tool("godot_scripts_read"), map[string]any{"script_path": "res://" + name})
			if err == nil && (answer["sha256"] != want[name] || answer["total"] != float64(len(files[name]))) {
				err = fmt.Errorf("%s: %v, %v bytes", name, answer["sha256"], answer["total"])
			}
			errs <- err
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
}

func TestB053ManyLargeResults(t *testing.T) { onSimulator(t, testManyLargeResults) }

// The editor comes after the server, goes and comes again twenty times, and
// nothing is left of the earlier links.
func TestB050TwentyReconnects(t *testing.T) {
	b := &simBackend{}
	s := begin(t, b, map[string]string{"main.tscn": "[gd_scene format=3]\n\n[node name=\"Main\" type=\"Node\"]\n"})
	descriptors := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			return 0
		}
		return len(entries)
	}
	cycle := func() {
		require.NoError(t, s.stopEditor(t.Context()))
		_, err := s.mustSucceed(t.Context(), s.tool("list_scenes"), nil)
		var refused *refusal
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, "BRIDGE_DISCONNECTED", refused.answer["error"])
		require.NoError(t, s.startEditor(t.Context()))
		s.must(t, "list_scenes", nil)
	}
	for range 3 {
		cycle()
	}
	routines, files := runtime.NumGoroutine(), descriptors()
	for range 17 {
		cycle()
	}
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= routines+2 && descriptors() <= files+2 }, 10*time.Second, 10*time.Millisecond,
		"%d goroutines and %d descriptors, %d and %d before", runtime.NumGoroutine(), descriptors(), routines, files)
}

// Two servers want one port: the one that has none says who has it.
func TestB047WhoHasThePort(t *testing.T) {
	s := begin(t, &simBackend{}, nil)
	cfg, err := server.Load(map[string]string{"bridge-url": s.url}, func(string) string { return "" })
	require.NoError(t, err)
	cfg.Log = io.Discard
	loser, err := server.New(cfg)
	require.NoError(t, err)
	t.Cleanup(loser.Close)
	require.Error(t, loser.Start())
	ours, theirs := mcp.NewInMemoryTransports()
	_, err = loser.MCP().Connect(t.Context(), theirs, nil)
	require.NoError(t, err)
	c, err := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil).Connect(t.Context(), ours, nil)
	require.NoError(t, err)
	other := &session{client: c, srv: loser}
	health := other.must(t, "health_check", nil)
	assert.Equal(t, false, health["bridge_connected"])
	assert.Contains(t, health["bridge_problem"], fmt.Sprint(os.Getpid()))
	assert.Contains(t, health["bridge_problem"], "/simulated/project")
	assert.Regexp(t, `since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d`, health["bridge_problem"])
	assert.Equal(t, true, s.must(t, "health_check", nil)["bridge_connected"])
	require.NoError(t, c.Close())
}

// Links are followed by the editor, so a path over one that leads out is refused.
func TestB068LinksOutOfTheProject(t *testing.T) {
	project := filepath.Join(t.TempDir(), "project")
	require.NoError(t, os.MkdirAll(project, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(project, "project.godot"), []byte(plainProject), 0o644))
	s := begin(t, &simBackend{folder: project}, nil)
	testLinks(t, s, project)
}

func testLinks(t *testing.T, s *session, project string) {
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret.gd")
	require.NoError(t, os.WriteFile(secret, []byte("# secret\n"), 0o644))
	require.NoError(t, os.Symlink(outside, filepath.Join(project, "out")))
	received := s.backend.Received()
	for tool, args := range map[string]map[string]any{
		"godot_scripts_read":   {"script_path": "res://out/secret.gd"},
		"godot_scripts_write":  {"script_path": "res://out/new.gd", "content": "extends Node\n"},
		"godot_scripts_list":   {"directory": "res://out"},
		"open_scene":           {"scene_path": "res://out/a.tscn"},
		"create_scene":         {"scene_path": "res://out/b.tscn", "root_type": "Node"},
		"get_dependencies":     {"path": "res://./out/secret.gd"},
		"set_node_property":    {"node_path": ".", "property": "script", "value": "res://out/secret.gd"},
		"godot_scripts_patch":  {"script_path": "res://out/secret.gd", "find": "secret", "replace": "x"},
		"instance_scene":       {"parent_path": ".", "scene_path": "res://out/a.tscn"},
		"attach_script":        {"node_path": ".", "script_path": "res://out/secret.gd"},
		"godot_debug_workflow": {"scene": "res://out/a.tscn"},
	} {
		answer, err := s.mustFail(t.Context(), s.tool(tool), args)
		require.NoError(t, err, tool)
		assert.Equal(t, "PERMISSION_DENIED", answer.(map[string]any)["error"], "%s: %v", tool, answer)
	}
	assert.Equal(t, received, s.backend.Received(), "nothing was sent")
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}

// slowScanner is a simulated editor whose scans take hours.
type slowScanner struct{ simBackend }

func (b *slowScanner) Open(_ context.Context, project map[string][]byte, url, _ string) (err error) {
	disk := map[string]string{}
	for path, content := range project {
		disk[path] = string(content)
	}
	hour := files.Range{Min: time.Hour, Max: time.Hour}
	b.editor, err = fakeeditor.New(fakeeditor.Config{
		Project: disk, BridgeURL: url, Seed: 1, OpenScenes: []string{}, Delays: &files.Delays{Folder: hour, Register: hour, Settle: hour},
	})
	if err != nil {
		return err
	}
	b.editor.Settle()
	b.run()
	return nil
}

// Every schema is one that the strictest client takes.
func TestB130SchemasOfTheStrictSubset(t *testing.T) {
	name := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	var walk func(t *testing.T, at string, v any)
	walk = func(t *testing.T, at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			if v["type"] == "array" {
				assert.Contains(t, v, "items", at)
			}
			assert.NotContains(t, v, "$ref", at)
			for k, e := range v {
				walk(t, at+"."+k, e)
			}
		case []any:
			for i, e := range v {
				walk(t, fmt.Sprint(at, "[", i, "]"), e)
			}
		}
	}
	for _, tool := range listed(t) {
		assert.Regexp(t, name, tool.Name)
		for which, schema := range map[string]any{"in": tool.InputSchema, "out": tool.OutputSchema} {
			m := plain(t, schema)
			assert.Equal(t, "object", m["type"], "%s %s", tool.Name, which)
			for _, k := range []string{"anyOf", "oneOf", "allOf", "enum", "not"} {
				assert.NotContains(t, m, k, "%s %s", tool.Name, which)
			}
			walk(t, tool.Name+" "+which, m)
		}
	}
}

// The four hints follow from the class, and every tool says what it answers.
func TestB136AnnotationsFollowTheClass(t *testing.T) {
	all := listed(t)
	require.Len(t, all, len(tools().Tools()))
	for _, tool := range all {
		declared := (&session{}).tool(tool.Name)
		a := tool.Annotations
		require.NotNil(t, a, tool.Name)
		require.NotNil(t, a.DestructiveHint, tool.Name)
		require.NotNil(t, a.OpenWorldHint, tool.Name)
		assert.Equal(t, declared.Class == safety.ReadOnly, a.ReadOnlyHint, tool.Name)
		if !a.ReadOnlyHint {
			assert.Equal(t, declared.Class == safety.Destructive, *a.DestructiveHint, tool.Name)
		}
		assert.NotNil(t, tool.OutputSchema, tool.Name)
	}
}

// What a client is told at the start is short and names only tools that exist.
func TestB137InstructionsAreShortAndTrue(t *testing.T) {
	s := begin(t, &simBackend{}, nil, "--profile", "full")
	text := s.client.InitializeResult().Instructions
	assert.NotEmpty(t, text)
	assert.LessOrEqual(t, len(text), 2<<10)
	for _, word := range regexp.MustCompile(`godot_[a-z_]+`).FindAllString(text, -1) {
		assert.NotNil(t, s.tool(word).Tool, "%s is no tool", word)
	}
}

// The list at the start is small.
func TestB139TheDefaultListIsSmall(t *testing.T) {
	s := begin(t, &simBackend{}, nil, "--profile", "full")
	res, err := s.client.ListTools(t.Context(), nil)
	require.NoError(t, err)
	raw, err := json.Marshal(res)
	require.NoError(t, err)
	assert.LessOrEqual(t, len(raw), 25_000, "bytes of the default list")
	t.Logf("%d tools, %d bytes", len(res.Tools), len(raw))
}

// No part of a schema of more than 120 characters stands twice in one tool.
func TestB143NoRepeatedSchemaParts(t *testing.T) {
	for _, tool := range listed(t) {
		seen := map[string]string{}
		var walk func(at string, v any)
		walk = func(at string, v any) {
			switch v := v.(type) {
			case map[string]any:
				if raw, err := json.Marshal(v); err == nil && len(raw) >= 120 {
					assert.NotContains(t, seen, string(raw), "%s: %s and %s", tool.Name, seen[string(raw)], at)
					seen[string(raw)] = at
				}
				for k, e := range v {
					walk(at+"."+k, e)
				}
			case []any:
				for i, e := range v {
					walk(fmt.Sprint(at, i), e)
				}
			}
		}
		walk("", plain(t, tool.InputSchema))
	}
}

func listed(t *testing.T) []*mcp.Tool {
	s := begin(t, &simBackend{}, nil, "--profile", "full", "--toolsets", "all", "--allow-destructive")
	res, err := s.client.ListTools(t.Context(), nil)
	require.NoError(t, err)
	return res.Tools
}

func plain(t *testing.T, v any) map[string]any {
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	var m map[string]any
	require.NoError(t, json.Unmarshal(raw, &m))
	return m
}

// flatScene is a scene of n nodes, the root included.
func flatScene(n int) string {
	var b strings.Builder
	b.WriteString("[gd_scene format=3]\n\n[node name=\"Main\" type=\"Node3D\"]\n")
	for i := range n - 1 {
		fmt.Fprintf(&b, "\n[node name=\"Thing%05d\" type=\"MeshInstance3D\" parent=\".\" groups=[\"things\"]]\nvisible = false\n", i)
	}
	return b.String()
}

// A large tree comes in bounded pages that together are all of it.
func testBigTree(t *testing.T, b Backend, nodes int) {
	s := begin(t, b, map[string]string{"main.tscn": flatScene(nodes)})
	s.must(t, "open_scene", map[string]any{"scene_path": "res://main.tscn"})
	seen, offset := 0, 0.0
	for {
		answer := s.must(t, "get_scene_tree", map[string]any{"lightweight": true, "offset": offset})
		raw, err := json.Marshal(answer)
		require.NoError(t, err)
		require.LessOrEqual(t, len(raw), 25_000)
		require.Equal(t, float64(nodes), answer["total"])
		returned := answer["returned"].(float64)
		require.Positive(t, returned)
		seen += int(returned)
		next, more := answer["next_offset"].(float64)
		require.Equal(t, more, answer["truncated"])
		if !more {
			break
		}
		require.Equal(t, offset+returned, next)
		offset = next
	}
	assert.Equal(t, nodes, seen)
}

func TestB140ATreeOfTenThousandNodes(t *testing.T) { testBigTree(t, &simBackend{}, 10_000) }

// The whole tree has no property values to leave out, so what the light form saves
// is the path and what else a node is; what is left is little more than the names.
func TestB142LightAnswersAreLight(t *testing.T) {
	const nodes = 100
	s := begin(t, &simBackend{}, map[string]string{"main.tscn": flatScene(nodes)})
	s.must(t, "open_scene", map[string]any{"scene_path": "res://main.tscn"})
	size := func(args map[string]any) int {
		raw, err := json.Marshal(s.must(t, "get_scene_tree", args))
		require.NoError(t, err)
		return len(raw)
	}
	light, whole := size(map[string]any{"lightweight": true}), size(nil)
	t.Logf("%d nodes: %d bytes light, %d whole", nodes, light, whole)
	assert.Less(t, light, whole*3/4)
	assert.Less(t, light, nodes*(len("Thing00000MeshInstance3D")+25))
}

// While thousands of files are scanned, reads are answered.
func TestB145ReadsDuringAScan(t *testing.T) {
	project := map[string]string{"main.tscn": flatScene(3)}
	for i := range 5000 {
		project[fmt.Sprintf("d%d/s%d.gd", i%50, i)] = "extends Node\n"
	}
	s := begin(t, &slowScanner{}, project)
	s.must(t, "open_scene", map[string]any{"scene_path": "res://main.tscn"})
	answer := s.must(t, "rescan_filesystem", map[string]any{"wait_ms": 0})
	require.Equal(t, true, answer["scanning"])
	assert.Equal(t, float64(3), s.must(t, "get_scene_tree", nil)["total"])
	assert.Equal(t, true, s.must(t, "rescan_filesystem", map[string]any{"wait_ms": 0})["scanning"])
	created := s.must(t, "create_node", map[string]any{"parent_path": ".", "node_type": "Node", "node_name": "New"})
	assert.Equal(t, true, created["created"])
	assert.Equal(t, float64(5000), s.must(t, "godot_scripts_list", nil)["total"])
}

// The editor is never asked for a whole tree.
func TestB146TheEditorIsAskedForAPart(t *testing.T) {
	s := begin(t, &simBackend{}, map[string]string{"main.tscn": flatScene(2000)})
	s.must(t, "open_scene", map[string]any{"scene_path": "res://main.tscn"})
	answer := s.must(t, "get_scene_tree", nil)
	assert.LessOrEqual(t, answer["returned"], 500.0)
	assert.Equal(t, true, answer["truncated"])
	_, err := s.mustFail(t.Context(), s.tool("get_scene_tree"), map[string]any{"limit": 501})
	require.NoError(t, err)
}

// Five hundred saves between edits, each in one frame of the editor.
func testManySaves(t *testing.T, b Backend) {
	s := begin(t, b, map[string]string{"main.tscn": flatScene(20)})
	s.must(t, "open_scene", map[string]any{"scene_path": "res://main.tscn"})
	for i := range 20 {
		var commands []any
		for j := range 25 {
			commands = append(commands,
				map[string]any{"command": "godot_scene_edit_create_node", "params": map[string]any{"parent_path": ".", "node_type": "Node", "node_name": "Tmp"}},
				map[string]any{"command": "godot_scene_edit_save_scene", "params": map[string]any{}},
				map[string]any{"command": "godot_scene_edit_delete_node", "params": map[string]any{"node_path": "Tmp", "confirm": true}},
			)
			_ = j
		}
		answer := s.must(t, "run_commands", map[string]any{"commands": commands})
		require.Equal(t, true, answer["ok_all"], "%d: %v", i, answer["failed"])
	}
	s.must(t, "save_scene", nil)
	files, err := b.Files(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 20, strings.Count(string(files["main.tscn"]), "[node "))
}

func TestB062SavesBetweenEdits(t *testing.T) { onSimulator(t, testManySaves) }

// What an addon puts into its text, raw, comes out as JSON that any client reads.
func TestB127OddTextFromTheEditor(t *testing.T) {
	odd := "tab\tbell\x07esc\x1b[31m del\x7f nul? line\u2028end \U0001F600"
	s := begin(t, &simBackend{}, map[string]string{"odd.gd": "# " + odd + "\nextends Node\n"})
	answer := s.must(t, "godot_scripts_read", map[string]any{"script_path": "res://odd.gd"})
	assert.Equal(t, "# "+odd+"\nextends Node\n", answer["content"])
	require.NoError(t, s.backend.Fault(t.Context(), "malformed-reply cmd_list_scenes as=control"))
	_, err := s.mustSucceed(t.Context(), s.tool("list_scenes"), nil)
	require.NoError(t, err, "a raw control character in a reply is mended")
}
