package addontest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Options say which editor to start.
type Options struct {
	// Bin is the Godot program; empty takes $GODOT_BIN.
	Bin string
	// ProjectDir is the project's folder; see [Prepare].
	ProjectDir string
	// BridgeURL is what the addon dials.
	BridgeURL string
	// Home is the editor's home folder, which keeps its settings and caches; empty
	// makes one that Stop removes.
	Home string
	// Env are further variables, as in os.Environ.
	Env []string
	// Args come after "--headless --editor --path DIR".
	Args []string
}

// Editor is a running editor.
type Editor struct {
	cmd     *exec.Cmd
	output  lockedBuffer
	done    chan struct{}
	err     error
	tmpHome string
}

// Start launches an editor. It does not wait for the addon to dial.
func Start(ctx context.Context, o Options) (*Editor, error) {
	bin := o.Bin
	if bin == "" {
		bin = os.Getenv("GODOT_BIN")
	}
	if bin == "" {
		return nil, errors.New("no Godot program was named: set GODOT_BIN")
	}
	e := &Editor{done: make(chan struct{})}
	home := o.Home
	if home == "" {
		dir, err := os.MkdirTemp("", "addontest-home-")
		if err != nil {
			return nil, err
		}
		home, e.tmpHome = dir, dir
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	// Two editors on one machine would share one port, and only the first has it.
	args := append([]string{"--headless", "--editor", "--path", o.ProjectDir, "--lsp-port", strconv.Itoa(port)}, o.Args...)
	e.cmd = exec.CommandContext(ctx, bin, args...)
	e.cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "HOME=" + home,
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"), "XDG_DATA_HOME=" + filepath.Join(home, "data"),
		"XDG_CACHE_HOME=" + filepath.Join(home, "cache"), "GODOT_MCP_BRIDGE_URL=" + o.BridgeURL,
	}, o.Env...)
	e.cmd.Stdout, e.cmd.Stderr = &e.output, &e.output
	// A group of its own: a signal to the tests is none to the editor.
	ownGroup(e.cmd)
	e.cmd.Cancel = func() error { return e.kill() }
	e.cmd.WaitDelay = 5 * time.Second
	if err := e.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", bin, err)
	}
	go func() {
		e.err = e.cmd.Wait()
		close(e.done)
	}()
	return e, nil
}

// freePort finds a port for the editor's language server.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// PID is the process id of the editor.
func (e *Editor) PID() int { return e.cmd.Process.Pid }

// Done is closed when the process has ended.
func (e *Editor) Done() <-chan struct{} { return e.done }

// Log is what the editor has printed so far, without the colours of its progress lines.
func (e *Editor) Log() string { return stripEscapes(e.output.String()) }

// Stop ends the editor and every game it started, and waits for both. quit asks it
// to end by itself and may be nil; an editor that does not is killed.
func (e *Editor) Stop(ctx context.Context, quit func(context.Context) error) error {
	var err error
	if quit != nil {
		err = quit(ctx)
		select {
		case <-e.done:
		case <-ctx.Done():
			err = errors.Join(err, errors.New("the editor did not quit"))
		}
	}
	select {
	case <-e.done:
	default:
		err = errors.Join(err, e.kill())
		<-e.done
	}
	for _, pid := range e.Games() {
		killOne(pid)
	}
	if e.tmpHome != "" {
		err = errors.Join(err, os.RemoveAll(e.tmpHome))
	}
	return err
}

func (e *Editor) kill() error { return killGroup(e.cmd) }

// Games lists the processes of games that the editor plays or has left behind. A
// game starts a session of its own but names its editor in its arguments.
func (e *Editor) Games() []int {
	mark := "\x00--editor-pid\x00" + strconv.Itoa(e.PID()) + "\x00"
	entries, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	var out []int
	for _, name := range entries {
		text, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(text), mark) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
			out = append(out, pid)
		}
	}
	return out
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// stripEscapes removes terminal colours.
func stripEscapes(s string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(s, "\x1b[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		i := strings.IndexFunc(after, func(r rune) bool { return r >= '@' && r <= '~' })
		if i < 0 {
			return b.String()
		}
		s = after[i+1:]
	}
}
