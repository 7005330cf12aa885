//go:build godot

package files

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rulesPlugin runs operations in a real editor and prints, after each, what the
// editor knows. Every write says the second in which it happens.
const rulesPlugin = `@tool
extends EditorPlugin

func _enter_tree() -> void:
	run.call_deferred()

func frames(n: int) -> void:
	for i in n:
		await get_tree().process_frame

func quiet() -> void:
	await frames(3)
	while EditorInterface.get_resource_filesystem().is_scanning():
		await frames(1)
	await frames(8)

func run() -> void:
	var fs := EditorInterface.get_resource_filesystem()
	await frames(30)
	await quiet()
	var job: Dictionary = JSON.parse_string(FileAccess.get_file_as_string("user://job.json"))
	for op: Dictionary in job["ops"]:
		var p: String = op["path"]
		match op["verb"]:
			"write":
				DirAccess.make_dir_recursive_absolute(p.get_base_dir())
				var f := FileAccess.open(p, FileAccess.WRITE)
				f.store_string(op["text"])
				f.close()
				OS.execute("touch", ["-d", "@%d" % op["time"], ProjectSettings.globalize_path(p)])
			"remove":
				DirAccess.remove_absolute(p)
			"update":
				fs.update_file(p)
			"scan":
				fs.scan()
				await quiet()
			"update_in_walk":
				fs.scan()
				fs.update_file(p)
				await quiet()
			"reimport":
				fs.reimport_files(PackedStringArray([p]))
		var classes: Array[String] = []
		for c in ProjectSettings.get_global_class_list():
			classes.append("%s=%s:%s" % [c["class"], c["path"], c["base"]])
		classes.sort()
		var known: Array[String] = []
		for q: String in job["paths"]:
			var sums := FileAccess.get_file_as_string("res://.godot/imported/%s-%s.md5" % [q.get_file(), q.md5_text()])
			known.append("%s %s %s %s %s" % [q, fs.get_file_type(q) != "", FileAccess.file_exists(q + ".uid"), FileAccess.file_exists(q + ".import"), sums.contains("\"%s\"" % FileAccess.get_md5(q))])
		print("RULES " + JSON.stringify({"classes": classes, "known": known}))
	get_tree().quit()
`

type ruleOp struct {
	Verb string `json:"verb"`
	Path string `json:"path"`
	Text string `json:"text"`
	// Time is when a write happens, in seconds since the first; a write may happen in
	// the same second as the last one of its file.
	Time int64 `json:"time"`
}

type ruleView struct {
	Classes []string `json:"classes"`
	Known   []string `json:"known"`
}

var rulePaths = []string{"res://a.gd", "res://b.gd", "res://old/c.gd", "res://new/d.gd", "res://new/deep/e.gd", "res://p.svg", "res://n.txt", "res://s.gdshader"}

// firstRuleTime is later than when the simulated editor starts and earlier than any
// real one.
const firstRuleTime = epoch + 3600

func ruleOps(seed uint64, n int) []ruleOp {
	r := rand.New(rand.NewPCG(seed, 1))
	var ops []ruleOp
	exists, times := map[string]bool{}, map[string]int64{}
	for i := range n {
		op := ruleOp{Path: rulePaths[r.IntN(len(rulePaths))]}
		switch k := r.IntN(10); {
		case k < 4 || !exists[op.Path] && k < 9:
			op.Verb = "write"
			if r.IntN(3) > 0 || times[op.Path] == 0 {
				times[op.Path] = firstRuleTime + int64(i)
			}
			op.Time = times[op.Path]
			exists[op.Path] = true
			switch Ext(op.Path) {
			case "gd":
				op.Text = fmt.Sprintf("extends Node\n# %d\n", r.IntN(1000))
				if r.IntN(4) > 0 {
					op.Text = fmt.Sprintf("class_name %s\nextends Node\n# %d\n", []string{"Ape", "Bee", "Cat"}[r.IntN(3)], r.IntN(1000))
				}
			case "svg":
				op.Text = fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"8\"/>", 8+r.IntN(50))
			case "gdshader":
				op.Text = fmt.Sprintf("shader_type canvas_item;\n// %d\n", r.IntN(1000))
			default:
				op.Text = fmt.Sprint(r.IntN(1000))
			}
		case k < 6:
			op.Verb = "update"
		case k == 6:
			op.Verb = "remove"
			delete(exists, op.Path)
		case k == 7:
			op.Verb = "update_in_walk"
		default:
			op.Verb = "scan"
		}
		ops = append(ops, op)
		if op.Verb == "write" && r.IntN(2) == 0 {
			ops = append(ops, ruleOp{Verb: "update", Path: op.Path})
		}
		if op.Verb == "remove" && r.IntN(2) == 0 {
			ops = append(ops, ruleOp{Verb: "update", Path: op.Path})
		}
	}
	return ops
}

func (op ruleOp) run(s System) System {
	switch op.Verb {
	case "write":
		s.disk = s.disk.At(op.Time).With(op.Path, op.Text)
		return s
	case "remove":
		return s.Remove(op.Path)
	case "update":
		return s.UpdateFile(op.Path)
	case "update_in_walk":
		return settleRules(s.Scan().UpdateFile(op.Path))
	}
	return settleRules(s.Scan())
}

func settleRules(s System) System {
	for at, ok := s.Next(); ok; at, ok = s.Next() {
		s = s.Tick(at)
	}
	return s
}

func viewOf(s System) ruleView {
	v := ruleView{Classes: []string{}}
	for c := range s.Classes {
		v.Classes = append(v.Classes, c.Name+"="+c.Path+":"+c.Base)
	}
	slices.Sort(v.Classes)
	for _, p := range rulePaths {
		// The engine tells no type of a source that has no .import.
		typed := s.KnowsFile(p) && (!Importable(p) || s.disk.Has(p+".import"))
		f, _ := s.disk.Get(p)
		sums, _ := s.disk.Get(stemOf(p) + ".md5")
		fresh := strings.Contains(sums.Data, sourceMD5(f.Data))
		v.Known = append(v.Known, fmt.Sprintf("%s %v %v %v %v", p, typed, s.disk.Has(p+".uid"), s.disk.Has(p+".import"), fresh))
	}
	return v
}

// Random sequences of writes, removals, update_file and scans: after each step a
// real editor knows the files, classes and uids that the model knows.
func TestTheRulesAreTheEngines(t *testing.T) {
	bin := os.Getenv("GODOT_BIN")
	require.NotEmpty(t, bin, "GODOT_BIN names the engine")
	project := map[string]string{
		"project.godot":           "config_version=5\n\n[application]\n\nconfig/name=\"Rules\"\n\n[editor_plugins]\n\nenabled=PackedStringArray(\"res://addons/rules/plugin.cfg\")\n",
		"addons/rules/plugin.cfg": "[plugin]\n\nname=\"rules\"\ndescription=\"\"\nauthor=\"\"\nversion=\"1\"\nscript=\"p.gd\"\n",
		"addons/rules/p.gd":       rulesPlugin,
		"old/keep.txt":            "x",
	}
	for _, seed := range []uint64{16, 3, 15, 17} {
		ops := ruleOps(seed, 60)
		dir, home := t.TempDir(), t.TempDir()
		for p, text := range project {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, p)), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(dir, p), []byte(text), 0o644))
		}
		user := filepath.Join(home, ".local/share/godot/app_userdata/Rules")
		require.NoError(t, os.MkdirAll(user, 0o755))
		job, err := json.Marshal(map[string]any{"ops": ops, "paths": rulePaths})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(user, "job.json"), job, 0o644))
		cmd := exec.Command(bin, "--headless", "--editor", "--path", dir)
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		var engine []ruleView
		for line := range strings.Lines(string(out)) {
			if text, ok := strings.CutPrefix(line, "RULES "); ok {
				var v ruleView
				require.NoError(t, json.Unmarshal([]byte(text), &v))
				engine = append(engine, v)
			}
		}
		require.Len(t, engine, len(ops), "%s", out)
		s := New(NewTree(project), Options{ProjectName: "Rules", Seed: seed, Delays: DefaultDelays()})
		for i, op := range ops {
			s = op.run(s)
			require.Equal(t, engine[i], viewOf(s), "seed %d, step %d of %v", seed, i, ops[:i+1])
		}
	}
}
