// Command generate writes the embedded class table of package classdb from the engine that GODOT_BIN names.
//
// It runs generate.gd in an editor and --dump-extension-api, both in a scratch project with a HOME of its own, and writes table.gz and
// methods.gz into the current directory. The same engine always gives the same bytes.
package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

//go:embed generate.gd
var script string

// files are the scratch project: the dump runs as an editor plugin.
var files = map[string]string{
	"project.godot":           "config_version=5\n[editor_plugins]\nenabled=PackedStringArray(\"res://addons/dump/plugin.cfg\")\n",
	"addons/dump/plugin.cfg":  "[plugin]\nname=\"dump\"\ndescription=\"\"\nauthor=\"\"\nversion=\"1\"\nscript=\"generate.gd\"\n",
	"addons/dump/generate.gd": script,
}

func main() {
	if err := run(os.Getenv("GODOT_BIN"), "."); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(godot, out string) error {
	if godot == "" {
		return fmt.Errorf("GODOT_BIN does not name a Godot binary")
	}
	work, err := os.MkdirTemp("", "classdb")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for name, text := range files {
		path := filepath.Join(work, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	dump := filepath.Join(work, "classes.jsonl")
	if err := engine(godot, work, "--editor"); err != nil {
		return err
	}
	if err := engine(godot, work, "--dump-extension-api"); err != nil {
		return err
	}
	return convert(dump, filepath.Join(work, "extension_api.json"), out)
}

// engine runs Godot headless in the scratch project. The exit code says nothing of use, so the output is kept only to
// explain a failure to start; a dump that is missing or short is found by convert.
func engine(godot, work string, args ...string) error {
	cmd := exec.Command(godot, append([]string{"--headless", "--path", work}, args...)...)
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "HOME="+work, "CLASSDB_OUT="+filepath.Join(work, "classes.jsonl"))
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w\n%s", godot, args, err, output)
	}
	return nil
}
