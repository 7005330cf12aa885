package install

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// project is an open project folder. All access stays inside it.
type project struct {
	dir      string
	root     *os.Root
	settings *settings
}

// open checks that dir is a project and that the addon's place in it is a real one.
func open(dir string) (*project, error) {
	if dir == "" {
		return nil, &Error{Reason: NotAProject}
	}
	full, err := filepath.Abs(dir)
	if err != nil {
		return nil, &Error{Reason: IOFailed, Path: dir, Err: err}
	}
	root, err := os.OpenRoot(full)
	if err != nil {
		return nil, &Error{Reason: NotAProject, Path: full, Err: err}
	}
	p := &project{dir: full, root: root}
	if err := p.check(); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *project) check() error {
	info, err := p.root.Lstat(projectFile)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir():
		return &Error{Reason: NotAProject, Path: p.dir, Err: err}
	case err != nil:
		return p.failed(projectFile, err)
	}
	for _, name := range []string{projectFile, "addons", Folder} {
		info, err := p.root.Lstat(name)
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return &Error{Reason: IsSymlink, Path: p.path(name)}
		}
	}
	p.settings, err = readSettings(p)
	return err
}

func (p *project) close() { _ = p.root.Close() }

func (p *project) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

func (p *project) failed(name string, err error) error {
	return &Error{Reason: IOFailed, Path: p.path(name), Err: err}
}

func (p *project) exists(name string) bool {
	_, err := p.root.Lstat(name)
	return err == nil
}

// recover ends what an interrupted run left: half a copy goes, and an old
// folder that was moved away for a new one that never came goes back.
func (p *project) recover() error {
	staging, swap := path.Join("addons", stagingName), path.Join("addons", swapName)
	if err := p.root.RemoveAll(staging); err != nil {
		return p.failed(staging, err)
	}
	if !p.exists(swap) {
		return nil
	}
	if !p.exists(Folder) {
		if err := p.root.Rename(swap, Folder); err != nil {
			return p.failed(swap, err)
		}
		return nil
	}
	// The new folder is in place, only the end of the run is missing. What a
	// person changed may be in the old one, so it is kept.
	_, err := p.dispose(swap, true)
	return err
}

// list gives the files of the installed addon, sorted, without the manifest.
// Links count as files.
func (p *project) list() ([]string, error) {
	var out []string
	err := fs.WalkDir(p.root.FS(), Folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := strings.TrimPrefix(name, Folder+"/")
		if !d.IsDir() && rel != manifestName {
			out = append(out, rel)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return out, err
}
