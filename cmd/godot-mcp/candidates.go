package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"godot-mcp/server/headless"
)

// oldestGodot is the first engine that the addon runs on.
const oldestMajor, oldestMinor = 4, 4

// candidate is one place where a Godot program was looked for.
type candidate struct {
	Path   string
	Source string // why it was looked at
	// Version is set when it is a Godot that can be used, Problem otherwise.
	Version, Problem string
}

// candidates looks at a chosen program, or else at every place where Godot
// usually is.
func candidates(ctx context.Context, chosen string) []candidate {
	var out []candidate
	seen := map[string]bool{}
	look := func(path, source string) {
		if path == "" || seen[path] {
			return
		}
		seen[path] = true
		c := candidate{Path: path, Source: source}
		c.Version, c.Problem = tryGodot(ctx, path)
		out = append(out, c)
	}
	if chosen != "" {
		look(chosen, "chosen")
		return out
	}
	for _, name := range []string{"godot", "godot4"} {
		path, err := exec.LookPath(name)
		if err != nil {
			out = append(out, candidate{Path: name, Source: "PATH", Problem: "not on the PATH"})
			continue
		}
		look(path, "PATH")
	}
	for _, path := range places() {
		look(path, "usual place")
	}
	return out
}

// places is usualPlaces, but for tests.
var places = usualPlaces

// usualPlaces are where packages and installers put Godot.
func usualPlaces() []string {
	home, _ := os.UserHomeDir()
	var places []string
	switch runtime.GOOS {
	case "darwin":
		places = []string{"/Applications/Godot.app/Contents/MacOS/Godot", filepath.Join(home, "Applications/Godot.app/Contents/MacOS/Godot")}
	case "windows":
		places = []string{
			filepath.Join(os.Getenv("ProgramFiles"), "Godot", "godot.exe"), filepath.Join(home, "scoop", "shims", "godot.exe"),
			filepath.Join(os.Getenv("LOCALAPPDATA"), "Microsoft", "WinGet", "Links", "godot.exe"),
		}
	default:
		places = []string{
			"/usr/bin/godot", "/usr/local/bin/godot", "/usr/bin/godot4", "/snap/bin/godot",
			"/var/lib/flatpak/exports/bin/org.godotengine.Godot", filepath.Join(home, ".local/bin/godot"),
			filepath.Join(home, ".local/share/flatpak/exports/bin/org.godotengine.Godot"),
		}
	}
	if cache, err := os.UserCacheDir(); err == nil {
		// Where make godot of this project installs one.
		places = append(places, filepath.Join(cache, "godot-mcp", "godot", "tree", "usr", "bin", "godot"))
	}
	return places
}

// tryGodot gives the version of a program, or what is wrong with it.
func tryGodot(ctx context.Context, path string) (version, problem string) {
	full, err := exec.LookPath(path)
	if err != nil {
		info, statErr := os.Stat(path)
		switch {
		case errors.Is(statErr, fs.ErrNotExist) || errors.Is(err, exec.ErrNotFound):
			return "", "there is no such file"
		case statErr == nil && info.IsDir():
			return "", "it is a folder; name the program inside"
		case statErr == nil:
			return "", "it may not be executed"
		}
		return "", err.Error()
	}
	version, err = headless.Prove(ctx, full)
	if not, ok := errors.AsType[*headless.NotGodot](err); ok {
		return "", "not Godot: it answered --version with " + strconv.Quote(not.Said)
	}
	if err != nil {
		return "", err.Error()
	}
	if !newEnough(version) {
		return "", "Godot " + version + " is too old; 4.4 or newer is needed"
	}
	return version, ""
}

// newEnough reads the beginning of a proved version.
func newEnough(version string) bool {
	parts := strings.SplitN(version, ".", 3)
	major, _ := strconv.Atoi(parts[0])
	minor, _ := strconv.Atoi(parts[1])
	return major > oldestMajor || major == oldestMajor && minor >= oldestMinor
}
