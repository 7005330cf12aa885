//go:build godot

package files

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var updateOrders = flag.Bool("update-orders", false, "write what a real editor does into "+orderFile)

// orderPlugin plays the cases in a real editor and prints, for each, the signals of its
// file system and what every frame sees, with what is there at that moment.
const orderPlugin = `@tool
extends EditorPlugin

var fs: EditorFileSystem
var trace: Array[String] = []
var paths: Array = []
var seen: String = ""

func _enter_tree() -> void:
	fs = EditorInterface.get_resource_filesystem()
	fs.filesystem_changed.connect(note.bind("filesystem_changed"))
	fs.script_classes_updated.connect(note.bind("script_classes_updated"))
	fs.sources_changed.connect(func(exist: bool) -> void: note("sources_changed %s" % exist))
	fs.resources_reimporting.connect(func(p: PackedStringArray) -> void: note("resources_reimporting " + " ".join(p)))
	fs.resources_reimported.connect(func(p: PackedStringArray) -> void: note("resources_reimported " + " ".join(p)))
	fs.resources_reload.connect(func(p: PackedStringArray) -> void: note("resources_reload " + " ".join(p)))
	get_tree().process_frame.connect(look)
	run.call_deferred()

func state() -> String:
	var out: Array[String] = []
	for c in ProjectSettings.get_global_class_list():
		if c["path"] in paths:
			out.append(c["class"])
	out.sort()
	if fs.is_scanning():
		out.push_front("scanning")
	for p: String in paths:
		for e: String in [".uid", ".import"]:
			if FileAccess.file_exists(p + e):
				out.append(p.trim_prefix("res://") + e)
	return " ".join(out)

func note(what: String) -> void:
	seen = ""
	trace.append((what.replace("res://", "") + " | " + state()).strip_edges())

func look() -> void:
	var now := ("~ | " + state()).strip_edges()
	if now != seen:
		seen = now
		trace.append(now)

func frames(n: int) -> void:
	for i in n:
		await get_tree().process_frame

func quiet() -> void:
	await frames(3)
	while fs.is_scanning():
		await frames(1)
	await frames(8)

func run() -> void:
	await frames(30)
	await quiet()
	for c: Dictionary in JSON.parse_string(FileAccess.get_file_as_string("user://job.json")):
		paths = c["paths"]
		trace.clear()
		for op: Dictionary in c["ops"]:
			var of: Array = op["paths"]
			match op["verb"]:
				"write":
					DirAccess.make_dir_recursive_absolute((of[0] as String).get_base_dir())
					var f := FileAccess.open(of[0], FileAccess.WRITE)
					f.store_string(op["text"])
					f.close()
					OS.execute("touch", ["-d", "@%d" % op["time"], ProjectSettings.globalize_path(of[0])])
				"remove":
					DirAccess.remove_absolute(of[0])
				"rename":
					DirAccess.rename_absolute(of[0], of[1])
				"update":
					for p: String in of:
						fs.update_file(p)
				"reimport":
					fs.reimport_files(PackedStringArray(of))
				"scan":
					fs.scan()
				"settle":
					await quiet()
					continue
			trace.append("-- " + op["verb"])
		await quiet()
		print("ORDER " + JSON.stringify(trace))
	get_tree().quit()
`

// A real editor gives the signals of the table, and what its frames see between them
// is something that a command can see in the simulated one.
func TestTheOrderOfSignalsIsTheEngines(t *testing.T) {
	bin := os.Getenv("GODOT_BIN")
	require.NotEmpty(t, bin, "GODOT_BIN names the engine")
	dir, home := t.TempDir(), t.TempDir()
	write := func(p, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.WriteFile(p, []byte(text), 0o644))
	}
	for p, text := range orderProject {
		write(filepath.Join(dir, p), text)
	}
	write(filepath.Join(dir, "project.godot"), orderProject["project.godot"]+"\n[editor_plugins]\n\nenabled=PackedStringArray(\"res://addons/order/plugin.cfg\")\n")
	write(filepath.Join(dir, "addons/order/plugin.cfg"), "[plugin]\n\nname=\"order\"\ndescription=\"\"\nauthor=\"\"\nversion=\"1\"\nscript=\"p.gd\"\n")
	write(filepath.Join(dir, "addons/order/p.gd"), orderPlugin)
	cases := orderCases(t)
	job, err := json.Marshal(cases)
	require.NoError(t, err)
	write(filepath.Join(home, ".local/share/godot/app_userdata/Order/job.json"), string(job))
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute) // an error in the plugin leaves the editor open
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, "--headless", "--editor", "--path", dir)
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	var engine [][]string
	for line := range strings.Lines(string(out)) {
		if text, ok := strings.CutPrefix(line, "ORDER "); ok {
			var trace []string
			require.NoError(t, json.Unmarshal([]byte(text), &trace))
			engine = append(engine, trace)
		}
	}
	require.Len(t, engine, len(cases), "%s", out)
	if *updateOrders {
		var text strings.Builder
		for i, c := range cases {
			for _, line := range c.lines {
				if line != "" {
					text.WriteString(line + "\n")
				}
			}
			for _, line := range signalsOf(engine[i]) {
				text.WriteString("> " + line + "\n")
			}
			text.WriteString("\n")
		}
		require.NoError(t, os.WriteFile(orderFile, []byte(strings.TrimSuffix(text.String(), "\n")), 0o644))
	}
	s := New(NewTree(orderProject), Options{ProjectName: "Order", Seed: 1, Delays: DefaultDelays()})
	for i, c := range orderCases(t) {
		require.Equal(t, c.Trace, signalsOf(engine[i]), c.Name)
		var trace []string
		trace, s = c.play(s)
		var between []string
		for _, line := range engine[i] {
			if !strings.HasPrefix(line, "~") {
				at := slices.Index(trace, line)
				require.GreaterOrEqual(t, at, 0, "%s: %s", c.Name, line)
				between, trace = trace[:at], trace[at+1:]
				continue
			}
			end := slices.IndexFunc(trace, func(l string) bool { return !strings.HasPrefix(l, "~") })
			if end < 0 {
				end = len(trace)
			}
			require.Contains(t, trace[:end], line, "%s: no command of the simulated editor sees this, after %v", c.Name, between)
		}
	}
}
