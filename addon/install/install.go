package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"godot-mcp/addon"
)

// Source is an addon to install: the files of its folder.
type Source struct{ Files fs.FS }

// Embedded is the addon in this program.
func Embedded() Source { return Source{Files: addon.Files()} }

// Version is the version that the source's plugin.cfg declares, or "".
func (s Source) Version() string {
	text, err := fs.ReadFile(s.Files, "plugin.cfg")
	if err != nil {
		return ""
	}
	return pluginVersion(text)
}

// Report says what a call did.
type Report struct {
	// Version is the installed one; From the one before, empty when there was
	// none or it is not known.
	Version, From string
	Files         int
	// Copied or Removed: the folder changed. Project: project.godot changed.
	Copied, Removed, Project bool
	// Backup is the folder that holds files a person changed, empty when there
	// were none.
	Backup string
}

// Install copies the embedded addon into the project at dir and enables it.
// A second run changes nothing.
func Install(dir string, force bool) (Report, error) { return Embedded().Install(dir, force) }

// Uninstall disables the addon of the project at dir and removes its folder.
func Uninstall(dir string, force bool) (Report, error) { return Embedded().Uninstall(dir, force) }

// Status says what is installed in the project at dir. It changes nothing.
func Status(dir string) (State, error) { return Embedded().Status(dir) }

// Install is [Install] of another source.
func (s Source) Install(dir string, force bool) (Report, error) {
	p, err := open(dir)
	if err != nil {
		return Report{}, err
	}
	defer p.close()
	if err := p.settings.checkVersion(); err != nil {
		return Report{}, err
	}
	if err := p.recover(); err != nil {
		return Report{}, err
	}
	state, err := s.state(p)
	if err != nil {
		return Report{}, err
	}
	if len(state.Changes) > 0 && !force {
		return Report{}, &Error{Reason: Changed, Path: p.path(Folder), Files: state.Changes}
	}
	next, edited, err := p.settings.enable()
	if err != nil {
		return Report{}, err
	}
	m, err := s.manifest()
	if err != nil {
		return Report{}, p.failed(Folder, err)
	}
	r := Report{Version: m.Version, From: state.Version, Files: len(m.Files)}
	m.Project = state.manifest.Project
	if edited {
		m.Project = difference(p.settings.text, next)
	}
	// Written aside first, so that most failures come before anything is changed.
	if edited {
		if err := p.settings.prepare(next); err != nil {
			return Report{}, err
		}
		defer p.settings.abandon()
	}
	hadFolder, hadAddons := p.exists(Folder), p.exists("addons")
	// The manifest is also written when only its note about project.godot is new.
	if !state.Current || edited {
		if r.Backup, err = p.replace(s, m, len(state.Changes) > 0); err != nil {
			return r, err
		}
		r.Copied = !state.Current
	}
	if edited {
		if err := p.settings.commit(next); err != nil {
			if !hadFolder {
				return Report{}, errors.Join(err, p.takeBack(hadAddons))
			}
			return r, err
		}
		r.Project = true
	}
	return r, nil
}

// takeBack removes a folder that was just made.
func (p *project) takeBack(hadAddons bool) error {
	if err := p.root.RemoveAll(Folder); err != nil {
		return p.failed(Folder, err)
	}
	if !hadAddons {
		// It stays when somebody else put something into it.
		_ = p.root.Remove("addons")
	}
	return nil
}

// Uninstall is [Uninstall] with another source to compare with.
func (s Source) Uninstall(dir string, force bool) (Report, error) {
	p, err := open(dir)
	if err != nil {
		return Report{}, err
	}
	defer p.close()
	if err := p.recover(); err != nil {
		return Report{}, err
	}
	state, err := s.state(p)
	if err != nil {
		return Report{}, err
	}
	if len(state.Changes) > 0 && !force {
		return Report{}, &Error{Reason: Changed, Path: p.path(Folder), Files: state.Changes}
	}
	r := Report{From: state.Version}
	next, edited, err := p.settings.disable(state.manifest.Project)
	if err != nil {
		return Report{}, err
	}
	if edited {
		if err := p.settings.write(next); err != nil {
			return r, err
		}
		r.Project = true
	}
	if state.Installed {
		if r.Backup, err = p.discard(len(state.Changes) > 0); err != nil {
			return r, err
		}
		r.Removed = true
	}
	return r, nil
}

// replace puts a new copy of the source in the place of the old folder.
func (p *project) replace(s Source, m manifest, keep bool) (backup string, err error) {
	staging := path.Join("addons", stagingName)
	defer func() {
		if err != nil {
			_ = p.root.RemoveAll(staging)
		}
	}()
	if err := p.stage(s, m, staging); err != nil {
		return "", p.failed(staging, err)
	}
	swap := path.Join("addons", swapName)
	old := p.exists(Folder)
	if old {
		if err := p.root.Rename(Folder, swap); err != nil {
			return "", p.failed(Folder, err)
		}
	}
	if err := p.root.Rename(staging, Folder); err != nil {
		if old {
			_ = p.root.Rename(swap, Folder)
		}
		return "", p.failed(Folder, err)
	}
	if !old {
		return "", nil
	}
	return p.dispose(swap, keep)
}

// discard removes the folder, and addons/ when nothing else is in it.
func (p *project) discard(keep bool) (backup string, err error) {
	swap := path.Join("addons", swapName)
	if err := p.root.Rename(Folder, swap); err != nil {
		return "", p.failed(Folder, err)
	}
	if backup, err = p.dispose(swap, keep); err != nil {
		return "", err
	}
	// It stays when it is not empty.
	_ = p.root.Remove("addons")
	return backup, nil
}

// dispose removes a folder that is out of place already, or keeps it.
func (p *project) dispose(folder string, keep bool) (backup string, err error) {
	if !keep {
		if err := p.root.RemoveAll(folder); err != nil {
			return "", p.failed(folder, err)
		}
		return "", nil
	}
	backup = path.Join("addons", backupName)
	for n := 2; p.exists(backup); n++ {
		backup = path.Join("addons", fmt.Sprint(backupName, n))
	}
	if err := p.root.Rename(folder, backup); err != nil {
		return "", p.failed(folder, err)
	}
	return p.path(backup), nil
}

// stage writes the complete new folder beside the old one.
func (p *project) stage(s Source, m manifest, staging string) error {
	if err := p.root.RemoveAll(staging); err != nil {
		return err
	}
	if err := p.root.MkdirAll(staging, 0o755); err != nil {
		return err
	}
	for name := range m.Files {
		data, err := fs.ReadFile(s.Files, name)
		if err != nil {
			return err
		}
		if err := p.put(path.Join(staging, name), data); err != nil {
			return err
		}
	}
	if err := p.carrySidecars(m, staging); err != nil {
		return err
	}
	return p.put(path.Join(staging, manifestName), m.bytes())
}

// carrySidecars keeps the files that the engine made beside ours, so that
// scripts keep their uids.
func (p *project) carrySidecars(m manifest, staging string) error {
	present, err := p.list()
	if err != nil {
		return err
	}
	for _, name := range present {
		if _, shipped := m.Files[name]; shipped || !m.sidecar(name) {
			continue
		}
		data, err := p.root.ReadFile(path.Join(Folder, name))
		if err != nil {
			return err
		}
		if err := p.put(path.Join(staging, name), data); err != nil {
			return err
		}
	}
	return nil
}

func (p *project) put(name string, data []byte) error {
	if err := p.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := p.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
