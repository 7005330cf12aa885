package scripts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"godot-mcp/addon"
	"godot-mcp/fakeeditor/fault"
	"godot-mcp/scripts/lab"
)

// godotBackend is a headless real editor that stays up between scenarios: its
// project's files are swapped. The addon under test dials a proxy that stays
// too; the lab plugin looks and plays the person.
type godotBackend struct {
	bin     string
	dir     string // holds project/ and home/
	entry   *entrance
	stamp   time.Time // of the file written last
	process *process
	eyes    *eyes
	proxy   *fault.Proxy
	// direct lets the addon dial the server itself; there are no faults then.
	direct bool
	end    context.CancelFunc // ends the scenario's proxy
	served chan error
	// rebooting is closed when the editor is up again after a crash.
	rebooting atomic.Pointer[chan struct{}]
	// marked says that the editor that runs has read what no later project shall have.
	marked atomic.Bool
}

// pluginSection turns both plugins on; it exists on disk only.
const pluginSection = "\n[editor_plugins]\n\nenabled=PackedStringArray(\"res://addons/godot_mcp/plugin.cfg\", \"res://addons/scenario_lab/plugin.cfg\")\n"

// startGodot starts an editor on an empty project. When it does not come up nothing
// of it is left.
func startGodot(ctx context.Context, bin string) (*godotBackend, error) {
	if bin == "" {
		return nil, errors.New("no Godot program was named (GODOT_BIN)")
	}
	dir, err := os.MkdirTemp("", "godot-mcp-scenario-")
	if err != nil {
		return nil, err
	}
	b := &godotBackend{bin: bin, dir: dir}
	err = b.install()
	if err == nil {
		err = b.boot(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, b.quit())
	}
	return b, nil
}

// install makes the project that the editor starts on, and the way in for the addon.
func (b *godotBackend) install() (err error) {
	if b.entry, err = newEntrance(); err != nil {
		return err
	}
	for name, files := range map[string]fs.FS{"godot_mcp": addon.Files(), "scenario_lab": lab.Files()} {
		if err := os.CopyFS(b.path("addons/"+name), files); err != nil {
			return err
		}
	}
	// The lab's scripts are none of the project's: no listing has them.
	if err := b.put("addons/scenario_lab/.gdignore", nil); err != nil {
		return err
	}
	return b.swap(map[string][]byte{"project.godot": []byte(plainProject)})
}

// boot starts the process and waits for the lab. One that does not dial in time is
// ended.
func (b *godotBackend) boot(ctx context.Context) error {
	b.leaveEyes()
	b.marked.Store(b.readAtStart())
	var err error
	if b.eyes, err = newEyes(); err != nil {
		return err
	}
	home := filepath.Join(b.dir, "home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	b.process, err = startProcess(filepath.Join(b.dir, "editor.log"), []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8",
		"GODOT_MCP_BRIDGE_URL=" + b.entry.url(), "GODOT_MCP_LAB_URL=" + b.eyes.url(),
	}, b.bin, "--headless", "--editor", "--path", b.path(""), "--lsp-port", freePort(), "--dap-port", freePort())
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	err = b.eyes.wait(ctx, b.process.exited)
	if err == nil {
		err = b.eyes.do(ctx, "scan", nil, nil)
	}
	if err != nil {
		b.process.kill()
		return fmt.Errorf("the editor did not come up: %w\n%s", err, b.process.tail())
	}
	return nil
}

// readAtStart reports whether the project has what an editor reads when it starts, for
// as long as it runs: settings of its own or audio buses.
func (b *godotBackend) readAtStart() bool {
	settings, err := os.ReadFile(b.path("project.godot"))
	_, noBuses := os.Stat(b.path("default_bus_layout.tres"))
	return err != nil || noBuses == nil || !strings.HasPrefix(string(settings), plainProject)
}

// leaveEyes stops listening for the lab of an editor that is gone.
func (b *godotBackend) leaveEyes() {
	if b.eyes != nil {
		b.eyes.close()
	}
}

func (b *godotBackend) path(rel string) string {
	return filepath.Join(b.dir, "project", filepath.FromSlash(rel))
}

func (b *godotBackend) healthy() bool {
	return b.process != nil && b.process.alive() && b.eyes != nil && b.eyes.open()
}

// said is the begin of what the editor printed, each line once: what went wrong
// first is followed by the same trouble in every frame.
func (b *godotBackend) said() string {
	text, err := os.ReadFile(b.process.log)
	if err != nil {
		return err.Error()
	}
	var out []string
	seen := map[string]bool{}
	for line := range strings.SplitSeq(string(text), "\n") {
		if !seen[line] && len(out) < 40 {
			seen[line] = true
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// Name implements [Backend].
func (b *godotBackend) Name() string { return "godot" }

// swap replaces the project's files on disk.
func (b *godotBackend) swap(files map[string][]byte) error {
	entries, err := os.ReadDir(b.path(""))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if e.Name() != ".godot" && e.Name() != "addons" {
			if err := os.RemoveAll(b.path(e.Name())); err != nil {
				return err
			}
		}
	}
	addons, err := os.ReadDir(b.path("addons"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range addons {
		if e.Name() != "godot_mcp" && e.Name() != "scenario_lab" {
			if err := os.RemoveAll(b.path("addons/" + e.Name())); err != nil {
				return err
			}
		}
	}
	b.step()
	for rel, content := range files {
		if rel == "project.godot" {
			content = append([]byte(nil), content...)
			content = append(content, pluginSection...)
		}
		if err := b.stamped(rel, content); err != nil {
			return err
		}
	}
	return nil
}

// put writes a file in a second of its own.
func (b *godotBackend) put(rel string, content []byte) error {
	b.step()
	return b.stamped(rel, content)
}

// step goes on to the next second for files that are written from outside. The editor
// takes a file with the same time, in seconds, for the same file, and scenarios follow
// one another within one.
func (b *godotBackend) step() {
	now := time.Now().Truncate(time.Second)
	if !now.After(b.stamp) {
		now = b.stamp
	}
	b.stamp = now.Add(time.Second)
}

func (b *godotBackend) stamped(rel string, content []byte) error {
	if err := putFile(b.path(rel), content); err != nil {
		return err
	}
	return os.Chtimes(b.path(rel), b.stamp, b.stamp)
}

// Open implements [Backend].
func (b *godotBackend) Open(ctx context.Context, files map[string][]byte, url, token string) error {
	if err := b.eyes.do(ctx, "close_all", nil, nil); err != nil {
		return err
	}
	// First without files, so that nothing of the last project is kept in the
	// editor's caches under the same path.
	if err := b.swap(map[string][]byte{"project.godot": files["project.godot"]}); err != nil {
		return err
	}
	if err := b.eyes.do(ctx, "sync", []string{string(files["project.godot"])}, nil); err != nil {
		return err
	}
	if err := b.swap(files); err != nil {
		return err
	}
	if err := b.eyes.do(ctx, "sync", []string{string(files["project.godot"])}, nil); err != nil {
		return err
	}
	script := &fault.Script{OnCrash: func(d time.Duration) {
		// What comes next waits for the new process, see calm.
		back := make(chan struct{})
		b.rebooting.Store(&back)
		b.process.kill()
		time.AfterFunc(d, func() {
			defer close(back)
			_ = b.boot(context.Background())
		})
	}}
	b.proxy = &fault.Proxy{Server: url, Token: token, Script: script}
	pctx, cancel := context.WithCancel(context.Background())
	b.end, b.served = cancel, make(chan error, 1)
	if b.direct {
		b.served <- nil
		return b.eyes.do(ctx, "redial", []string{url, token}, nil)
	}
	// Before anything is served: dialling anew drops the connection that is there,
	// which must not be one that a server has taken already.
	err := b.eyes.do(ctx, "redial", nil, nil)
	ln := b.entry.open()
	go func(p *fault.Proxy, served chan error) { served <- p.Serve(pctx, ln) }(b.proxy, b.served)
	return err
}

// calm waits for an editor that died to be up again.
func (b *godotBackend) calm() {
	if back := b.rebooting.Load(); back != nil {
		<-*back
	}
}

// Look implements [Backend].
func (b *godotBackend) Look(ctx context.Context) (Look, error) {
	var l Look
	b.calm()
	// An editor that is not there holds nothing; its files can still be looked at.
	if b.healthy() {
		if err := b.eyes.do(ctx, "look", nil, &l); err != nil {
			return l, err
		}
	}
	files, err := b.Files(ctx)
	l.Files = digestFiles(files)
	return l, err
}

// Peek implements [Backend].
func (b *godotBackend) Peek(ctx context.Context) (l Look, err error) {
	return l, b.eyes.do(ctx, "peek", nil, &l)
}

// Glance implements [Backend].
func (b *godotBackend) Glance(ctx context.Context) (l Look, err error) {
	return l, b.eyes.do(ctx, "glance", nil, &l)
}

// Load implements [Backend].
func (b *godotBackend) Load(ctx context.Context, scene string) (text string, err error) {
	return text, b.eyes.do(ctx, "load", []string{scene}, &text)
}

// Human implements [Backend].
func (b *godotBackend) Human(ctx context.Context, words []string) error {
	b.calm()
	return b.eyes.do(ctx, "human", words, nil)
}

// Files implements [Backend].
func (b *godotBackend) Files(context.Context) (map[string][]byte, error) {
	out := map[string][]byte{}
	err := filepath.WalkDir(b.path(""), func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(b.path(""), p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if rel == ".godot" || rel == "addons/godot_mcp" || rel == "addons/scenario_lab" {
				return filepath.SkipDir
			}
			return nil
		}
		if d.Type()&fs.ModeSymlink != 0 {
			// One that leads to no file of the project is a test's own.
			end, err := filepath.EvalSymlinks(p)
			info, statErr := os.Stat(p)
			if err != nil || statErr != nil || !info.Mode().IsRegular() || !strings.HasPrefix(end, b.path("")) {
				return nil
			}
		} else if !d.Type().IsRegular() {
			return nil // reading a pipe would wait for a writer
		}
		content, err := os.ReadFile(p)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a file that the editor writes under another name first
		}
		if rel == "project.godot" {
			content = []byte(strings.Replace(string(content), pluginSection, "", 1))
		}
		out[rel] = content
		return err
	})
	return out, err
}

// WriteFile implements [Backend].
func (b *godotBackend) WriteFile(_ context.Context, path string, content []byte) error {
	return b.put(path, content)
}

// RewriteFile implements [Backend].
func (b *godotBackend) RewriteFile(_ context.Context, path string, content []byte) error {
	info, err := os.Stat(b.path(path))
	if err != nil {
		return err
	}
	if err := putFile(b.path(path), content); err != nil {
		return err
	}
	return os.Chtimes(b.path(path), info.ModTime(), info.ModTime())
}

// RemoveFile implements [Backend].
func (b *godotBackend) RemoveFile(_ context.Context, path string) error {
	return os.Remove(b.path(path))
}

// MakeFolder implements [Backend].
func (b *godotBackend) MakeFolder(_ context.Context, path string) error {
	return os.MkdirAll(b.path(path), 0o755)
}

// Link implements [Backend].
func (b *godotBackend) Link(_ context.Context, path, target string) error {
	return os.Symlink(target, b.path(path))
}

// Pipe implements [Backend].
func (b *godotBackend) Pipe(_ context.Context, path string) error { return makePipe(b.path(path)) }

// Fault implements [Backend].
func (b *godotBackend) Fault(_ context.Context, line string) error {
	return b.proxy.Script.AddLine(line)
}

// Fired lists the faults that took effect, in order.
func (b *godotBackend) Fired() []string { return b.proxy.Script.Fired() }

// Received implements [Backend].
func (b *godotBackend) Received() int {
	if b.proxy == nil {
		return 0
	}
	return b.proxy.Received()
}

// Stop implements [Backend].
func (b *godotBackend) Stop(ctx context.Context) error {
	b.calm()
	err := b.eyes.do(ctx, "quit", nil, nil)
	return errors.Join(err, b.process.wait(ctx))
}

// Restart implements [Backend].
func (b *godotBackend) Restart(ctx context.Context) error { return b.boot(ctx) }

// Reset implements [Backend].
func (b *godotBackend) Reset(ctx context.Context) error {
	b.calm()
	if b.end == nil {
		return nil
	}
	b.end()
	if err := <-b.served; err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	b.end = nil
	if b.healthy() && !b.marked.Load() {
		return nil
	}
	var err error
	if b.healthy() {
		err = b.Stop(ctx)
	}
	if err = errors.Join(err, b.swap(map[string][]byte{"project.godot": []byte(plainProject)})); err != nil {
		return err
	}
	return b.boot(ctx)
}

// quit ends the editor for good.
func (b *godotBackend) quit() error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	var err error
	if b.healthy() {
		err = b.Stop(ctx)
	}
	if b.process != nil {
		b.process.kill()
	}
	b.leaveEyes()
	if b.entry != nil {
		b.entry.close()
	}
	return errors.Join(err, os.RemoveAll(b.dir))
}
