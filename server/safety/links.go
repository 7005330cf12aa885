package safety

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

var errOutside = errors.New("a link on the way leads out of the project")
