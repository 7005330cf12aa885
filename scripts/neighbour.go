package scripts

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// neighbour makes the folder beside the project, from the members outside/…, and
// on the simulator the project's own.
func (s *session) neighbour(work string) error {
	dir, err := os.MkdirTemp("", "godot-mcp-beside-")
	if err != nil {
		return err
	}
	s.strange = filepath.Join(dir, "strange")
	if err := os.CopyFS(s.strange, os.DirFS(filepath.Join(work, beside))); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if sim, ok := s.backend.(*simBackend); ok {
		sim.folder = filepath.Join(dir, "project")
	}
	s.kept, err = contents(s.strange)
	return err
}

// untouched holds the scenario to having left the folder beside the project alone.
func (s *session) untouched() error {
	if s.strange == "" {
		return nil
	}
	now, err := contents(s.strange)
	if err == nil && now != s.kept {
		err = broken("nothing outside the project changes", "before:\n%s\nafter:\n%s", s.kept, now)
	}
	return err
}

// leave removes the folders that the session made.
func (s *session) leave() error {
	var errs []error
	if s.strange != "" {
		errs = append(errs, os.RemoveAll(filepath.Dir(s.strange)))
	}
	if s.state != "" {
		errs = append(errs, os.RemoveAll(s.state))
		s.state = ""
	}
	return errors.Join(errs...)
}

// contents is path, mode and digest of everything in a folder, one a line.
func contents(dir string) (string, error) {
	var b strings.Builder
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s %s", p, info.Mode())
		if info.Mode().IsRegular() {
			content, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %x", sha256.Sum256(content))
		}
		b.WriteByte('\n')
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return b.String(), err
}
