package safety

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"godot-mcp/server/answer"
)

// InProject proves that a clean res:// path stays inside the project folder when
// symbolic links are followed: the editor would follow them. A path that does not
// exist yet is judged by the folders above it. Where the project folder is not on
// this machine nothing can be said, and the path passes.
func InProject(projectDir, resPath string) error {
	root, err := filepath.EvalSymlinks(projectDir)
	if projectDir == "" || err != nil {
		return nil
	}
	rel := filepath.FromSlash(strings.TrimPrefix(resPath, "res://"))
	for at := filepath.Join(root, rel); len(at) > len(root); at = filepath.Dir(at) {
		real, err := filepath.EvalSymlinks(at)
		if err == nil {
			if real == root || strings.HasPrefix(real, root+string(filepath.Separator)) {
				return nil
			}
			return errOutside
		}
		if info, lstatErr := os.Lstat(at); lstatErr == nil && info.Mode()&fs.ModeSymlink != 0 {
			// It leads nowhere; what is written there would come into being at its far end.
			return errors.New("it is a link whose target cannot be found")
		}
	}
	return nil
}

// addonFolder is where this server's own addon lies in a project.
const addonFolder = "res://addons/godot_mcp"

// maxNameBytes leaves room for what editors add to a name while they write a file.
const maxNameBytes = 240

// MayWrite decides whether a tool may write at a clean res:// path: not over the
// addon by which the server reaches the editor, whatever name leads there, and not
// where the file system would refuse it. Like [InProject] it can say more
// where the project folder is on this machine.
func MayWrite(projectDir, resPath string) *answer.Failure {
	if inFolder(resPath, addonFolder) {
		return answer.New(answer.OwnAddon, "path", resPath)
	}
	if len(path.Base(resPath)) > maxNameBytes {
		return answer.New(answer.BadResPath, "param", "path", "path", resPath, "why", "its name is longer than "+strconv.Itoa(maxNameBytes)+" bytes")
	}
	root, err := filepath.EvalSymlinks(projectDir)
	if projectDir == "" || err != nil {
		return nil
	}
	at := filepath.Join(root, filepath.FromSlash(strings.TrimPrefix(resPath, "res://")))
	rest := ""
	for len(at) > len(root) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			at = real
			break
		}
		rest = path.Join(filepath.Base(at), rest)
		at = filepath.Dir(at)
	}
	if rel, err := filepath.Rel(root, at); err == nil && inFolder("res://"+path.Join(filepath.ToSlash(rel), rest), addonFolder) {
		return answer.New(answer.OwnAddon, "path", resPath)
	}
	// A write to a pipe waits for a reader, and one to a device does what the device does.
	if info, err := os.Stat(at); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return answer.New(answer.ReadOnlyPath, "path", resPath, "message", "it is a pipe, a socket or a device")
	}
	if err := canWrite(at); err != nil {
		return answer.New(answer.ReadOnlyPath, "path", resPath, "message", err.Error())
	}
	return nil
}

// inFolder compares without regard to case, as some file systems do.
func inFolder(p, folder string) bool {
	return len(p) >= len(folder) && strings.EqualFold(p[:len(folder)], folder) && (len(p) == len(folder) || p[len(folder)] == '/')
}

var errOutside = errors.New("a link on the way leads out of the project")
