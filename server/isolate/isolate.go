// Package isolate bounds what the server's own process can do, whatever is asked
// of it and whatever is wrong with it: a fault in the server, or in a file it
// reads, then reaches no further than the project.
//
// It is the kernel that holds the bounds (Linux: Landlock, and for [Strict] a
// system call filter beside it), for every thread and every program started
// later, and nothing takes them off again.
//
// It is not about what tools may do: the editor runs outside, and what it is
// sent is decided by the safety package.
package isolate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// Mode says how narrow the bounds are.
type Mode string

// Modes.
const (
	// Off bounds nothing.
	Off Mode = ""
	// On: files can be changed in the folders of the [Plan] only, and read there
	// and where the system keeps its programs and settings.
	On Mode = "on"
	// Strict: as On, with fewer places to read, and no program can be started,
	// nothing dialled, and no port bound but those of the plan.
	Strict Mode = "strict"
)

// entered is the mode of this process.
var entered atomic.Value

// Entered is the mode that this process is in.
func Entered() Mode {
	m, _ := entered.Load().(Mode)
	return m
}

// Enter draws the bounds, for good. After an error some of them may be drawn, and
// the process must not go on.
func (p Plan) Enter() error {
	if err := p.Check(); err != nil || p.Mode == Off {
		return err
	}
	if Entered() != Off {
		return fmt.Errorf("--isolate=%s: the process is isolated already", p.Mode)
	}
	if err := p.enter(); err != nil {
		return fmt.Errorf("--isolate=%s: %w", p.Mode, err)
	}
	entered.Store(p.Mode)
	return nil
}

// Parse reads a mode.
func Parse(s string) (Mode, error) {
	switch m := Mode(s); m {
	case On, Strict:
		return m, nil
	case "off", "false":
		return Off, nil
	case "true":
		return On, nil
	}
	return Off, fmt.Errorf("must be on or strict, not %q", s)
}

// Plan is what stays possible.
type Plan struct {
	Mode Mode
	// Project and State are folders that stay writable. State is made if it
	// does not exist.
	Project, State string
	// Audit is the audit file; its folder stays writable, so that the file can be
	// made again.
	Audit string
	// Programs stay readable and, when On, can be started.
	Programs []string
	// Ports can be bound; 0 is a free one.
	Ports []uint16
}

// Check says whether a plan can be carried out here. It changes nothing.
func (p Plan) Check() error {
	if p.Mode == Off {
		return nil
	}
	if p.Project == "" {
		return fmt.Errorf("--isolate=%s needs --project-dir: the bounds are drawn before any editor says which project it has", p.Mode)
	}
	home, _ := os.UserHomeDir()
	for what, dir := range map[string]string{"project folder": p.Project, "state folder": p.State, "audit file's folder": p.auditDir()} {
		if dir == "" {
			continue
		}
		real := resolved(dir)
		if real == "/" || home != "" && within(real, resolved(home)) {
			return fmt.Errorf("--isolate=%s: the %s (%s) holds the home directory, which would stay writable; give it a folder of its own", p.Mode, what, dir)
		}
	}
	if info, err := os.Stat(p.Project); err != nil || !info.IsDir() {
		return fmt.Errorf("--isolate=%s: the project folder %s cannot be used", p.Mode, p.Project)
	}
	return Available(p.Mode)
}

func (p Plan) auditDir() string {
	if p.Audit == "" {
		return ""
	}
	return filepath.Dir(p.Audit)
}

// writable are the folders that stay so.
func (p Plan) writable() ([]string, error) {
	dirs := []string{p.Project}
	if p.State != "" {
		if err := os.MkdirAll(p.State, 0o700); err != nil {
			return nil, err
		}
		dirs = append(dirs, p.State)
	}
	if dir := p.auditDir(); dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
		dirs = append(dirs, dir)
	}
	return dirs, nil
}

func resolved(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return filepath.Clean(dir)
}

// within says whether path is dir or lies below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
