// Command generate writes the embedded class table of package classdb from the engine that GODOT_BIN names.
//
// It runs generate.gd and --dump-extension-api in a scratch project with a HOME of its own, and writes table.gz and
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
var script []byte

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
	for name, text := range map[string][]byte{"project.godot": []byte("config_version=5\n"), "generate.gd": script} {
		if err := os.WriteFile(filepath.Join(work, name), text, 0o644); err != nil {
			return err
		}
	}
	dump := filepath.Join(work, "classes.jsonl")
	if err := engine(godot, work, "--script", "res://generate.gd", "--", dump); err != nil {
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
	cmd.Env = append(os.Environ(), "HOME="+work)
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w\n%s", godot, args, err, output)
	}
	return nil
}
