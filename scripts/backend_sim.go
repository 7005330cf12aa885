package scripts

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"godot-mcp/fakeeditor"
	"godot-mcp/fakeeditor/fault"
	"godot-mcp/fakeeditor/undo"
	"godot-mcp/fakeeditor/world"
	"godot-mcp/server/bridge/memory"
	"godot-mcp/server/wire"
)

// simBackend is a simulated editor with a project in memory, or in a folder
// when one is named before Open.
type simBackend struct {
	folder  string
	network *memory.Net // where the server is; nil: on a port
	editor  *fakeeditor.Editor
	faults  *fault.Script
	cancel  context.CancelFunc
	done    chan error
	stamp   int64 // the second of the file written last from outside
	// observe is told every command that arrives.
	observe func(wire.Command)
}

// Name implements [Backend].
func (b *simBackend) Name() string { return "sim" }

// Open implements [Backend].
func (b *simBackend) Open(_ context.Context, files map[string][]byte, url, token string) error {
	project := map[string]string{}
	for path, content := range files {
		project[path] = string(content)
	}
	b.faults = &fault.Script{}
	cfg := fakeeditor.Config{Project: project, BridgeURL: url, Token: token, Seed: 1, Faults: b.faults, Observe: b.observe, OpenScenes: []string{}}
	if b.network != nil {
		cfg.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) { return b.network.Dial(ctx) }
	}
	if b.folder != "" {
		cfg.Project, cfg.Folder = nil, b.folder
		for path, content := range files {
			if err := putFile(filepath.Join(b.folder, filepath.FromSlash(path)), content); err != nil {
				return err
			}
		}
	}
	var err error
	b.editor, err = fakeeditor.New(cfg)
	if err != nil {
		return err
	}
	b.editor.Settle()
	b.run()
	return nil
}

func (b *simBackend) run() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	b.cancel, b.done = cancel, done
	go func() { done <- b.editor.Run(ctx) }()
}

// Look implements [Backend].
func (b *simBackend) Look(context.Context) (Look, error) {
	s := b.editor.State()
	l := glance(s)
	l.Live, l.Saved = world.Look(s)
	l.Reloaded = world.Reloaded(s)
	l.Files = digestFiles(b.files())
	return l, nil
}

// Peek implements [Backend].
func (b *simBackend) Peek(context.Context) (Look, error) {
	s := b.editor.State()
	l := glance(s)
	l.Live, l.Reloaded = world.Live(s), world.Reloaded(s)
	return l, nil
}

// Glance implements [Backend].
func (b *simBackend) Glance(context.Context) (Look, error) {
	s := b.editor.State()
	l := glance(s)
	l.Live = world.Live(s)
	return l, nil
}

func glance(s world.State) Look {
	l := Look{Session: world.Session(s)}
	newest := -1
	see := func(name string, h undo.History) {
		l.Steps += h.Depth()
		if a := h.NextUndo(); a != nil {
			l.Tops = append(l.Tops, fmt.Sprintf("%s %d %s", name, h.Depth()-1, a.Name))
			if a.Stamp > newest {
				newest, l.Last = a.Stamp, a.Name
			}
		}
	}
	see("global", s.Global)
	if tab, ok := s.ActiveTab(); ok {
		see("scene", tab.History)
	}
	return l
}

// digestFiles is path and digest of every file, one a line.
func digestFiles(files map[string][]byte) string {
	var b strings.Builder
	for _, p := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "%s %x\n", p, sha256.Sum256(files[p]))
	}
	return b.String()
}

func (b *simBackend) files() map[string][]byte {
	out := map[string][]byte{}
	for path, content := range b.editor.Disk().Map() {
		path = strings.TrimPrefix(path, "res://")
		if !strings.HasPrefix(path, ".godot/") {
			out[path] = []byte(content)
		}
	}
	return out
}

// Load implements [Backend].
func (b *simBackend) Load(_ context.Context, scene string) (string, error) {
	return world.Loaded(b.editor.State(), scene), nil
}

// Human implements [Backend].
func (b *simBackend) Human(_ context.Context, words []string) error {
	return b.editor.Human().Run(words)
}

// Files implements [Backend].
func (b *simBackend) Files(context.Context) (map[string][]byte, error) { return b.files(), nil }

// WriteFile implements [Backend].
func (b *simBackend) WriteFile(_ context.Context, path string, content []byte) error {
	b.stamp = max(b.stamp, b.editor.Disk().Now()) + 1
	return b.editor.DiskWriteAt(path, string(content), b.stamp)
}

// RewriteFile implements [Backend].
func (b *simBackend) RewriteFile(_ context.Context, path string, content []byte) error {
	old, ok := b.editor.Disk().Get("res://" + path)
	if !ok {
		return fmt.Errorf("%s does not exist", path)
	}
	return b.editor.DiskWriteAt(path, string(content), old.Time)
}

// RemoveFile implements [Backend].
func (b *simBackend) RemoveFile(_ context.Context, path string) error {
	return b.editor.DiskRemove("res://" + path)
}

// MakeFolder implements [Backend].
func (b *simBackend) MakeFolder(_ context.Context, path string) error {
	return b.editor.DiskFolder("res://" + path)
}

// Link implements [Backend].
func (b *simBackend) Link(_ context.Context, path, target string) error {
	if b.folder == "" {
		return errors.New("a project in memory holds no links; the scenario needs the verb folder")
	}
	return os.Symlink(target, filepath.Join(b.folder, filepath.FromSlash(path)))
}

// Pipe implements [Backend].
func (b *simBackend) Pipe(_ context.Context, path string) error {
	if b.folder == "" {
		return errors.New("a project in memory holds no pipes; the scenario needs the verb folder")
	}
	return makePipe(filepath.Join(b.folder, filepath.FromSlash(path)))
}

func putFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}

// Fault implements [Backend].
func (b *simBackend) Fault(_ context.Context, line string) error { return b.faults.AddLine(line) }

// Fired lists the faults that took effect, in order.
func (b *simBackend) Fired() []string { return b.faults.Fired() }

// Received implements [Backend].
func (b *simBackend) Received() int {
	if b.editor == nil {
		return 0
	}
	return b.editor.Received()
}

// Stop implements [Backend].
func (b *simBackend) Stop(context.Context) error {
	if b.cancel == nil {
		return errors.New("the editor does not run")
	}
	b.cancel()
	if err := <-b.done; err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, fakeeditor.ErrReplaced) {
		return err
	}
	b.cancel = nil
	return nil
}

// Restart implements [Backend]: the process is a new one, with its session and
// without unsaved scenes.
func (b *simBackend) Restart(context.Context) error {
	b.editor.Crash(0)
	b.run()
	return nil
}

// Reset implements [Backend].
func (b *simBackend) Reset(ctx context.Context) error {
	if b.cancel != nil {
		if err := b.Stop(ctx); err != nil {
			return err
		}
	}
	if b.editor == nil {
		return nil
	}
	return b.editor.Close()
}
