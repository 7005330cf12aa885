package addontest

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"godot-mcp/addon"
)

//go:embed addon_lab
var labFiles embed.FS

// Prepare makes a project folder: the files (slash paths), the addon and the lab
// plugin, both enabled in project.godot.
func Prepare(dir string, files map[string]string) error {
	lab, err := fs.Sub(labFiles, "addon_lab")
	if err != nil {
		return err
	}
	for name, files := range map[string]fs.FS{"godot_mcp": addon.Files(), "addon_lab": lab} {
		if err := os.CopyFS(filepath.Join(dir, "addons", name), files); err != nil {
			return err
		}
	}
	project := files["project.godot"]
	if project == "" {
		project = "config_version=5\n\n[application]\n\nconfig/name=\"Addon test\"\n"
	}
	if strings.Contains(project, "[editor_plugins]") {
		return fmt.Errorf("project.godot has a section [editor_plugins] of its own")
	}
	project += "\n[editor_plugins]\n\nenabled=PackedStringArray(\"" + addon.ConfigPath + "\", \"res://addons/addon_lab/plugin.cfg\")\n"
	if err := write(dir, "project.godot", project); err != nil {
		return err
	}
	for name, text := range files {
		if name == "project.godot" {
			continue
		}
		if err := write(dir, name, text); err != nil {
			return err
		}
	}
	return nil
}

func write(dir, name, text string) error {
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
