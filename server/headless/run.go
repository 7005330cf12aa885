// Package headless runs a project in a Godot process without a window, for a
// bounded time, and reads what it said.
package headless

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxOutput bounds what is kept of each stream; the beginning is kept, since
// the first error is the one that explains.
const maxOutput = 64 << 10

// Options say what to run. Scene may be empty (the main scene).
type Options struct {
	Bin     string
	Project string
	Scene   string
	Limit   time.Duration
	// Home, if set, is where the program keeps what it keeps for its user; it is
	// made if it does not exist. Godot 4.6.3 crashes where it cannot write its log.
	Home string
}

// Result is what a run showed.
type Result struct {
	TimedOut bool // it ran until the limit and was ended
	ExitCode int  // -1 when it was ended
	Errors   []string
	Output   string
	Seconds  float64
}

var errorLine = regexp.MustCompile(`^(?:SCRIPT ERROR|ERROR|USER ERROR|USER SCRIPT ERROR|Parse Error): ?(.*)`)

// Run starts the project and ends it after the limit. The error is one of
// starting the program; a game that fails is a Result.
func Run(ctx context.Context, o Options) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, o.Limit)
	defer cancel()
	args := []string{"--headless", "--path", o.Project}
	if o.Scene != "" {
		args = append(args, o.Scene)
	}
	cmd := exec.CommandContext(ctx, o.Bin, args...)
	out := &head{}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.WaitDelay = time.Second
	cmd.Env = environ(os.Environ())
	if o.Home != "" {
		if err := os.MkdirAll(o.Home, 0o700); err != nil {
			return Result{}, err
		}
		for _, name := range []string{"HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR"} {
			cmd.Env = append(cmd.Env, name+"="+o.Home)
		}
	}
	begin := time.Now()
	err := cmd.Run()
	r := Result{
		TimedOut: errors.Is(ctx.Err(), context.DeadlineExceeded), ExitCode: cmd.ProcessState.ExitCode(),
		Output: out.String(), Seconds: time.Since(begin).Seconds(),
	}
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed && !r.TimedOut {
		return r, err
	}
	r.Errors = errorsIn(r.Output)
	return r, nil
}

// environ leaves out the server's own settings, which hold its tokens: what runs
// is the project's code.
func environ(all []string) []string {
	return slices.DeleteFunc(all, func(v string) bool { return strings.HasPrefix(strings.ToUpper(v), "GODOT_MCP_") })
}

// errorsIn lists the distinct error lines in order, each with the place that
// the engine prints on the line after it.
func errorsIn(output string) []string {
	var found []string
	seen := map[string]bool{}
	lines := strings.Split(output, "\n")
	for i, line := range lines {
		m := errorLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		text := m[1]
		if i+1 < len(lines) {
			if at := strings.TrimSpace(lines[i+1]); strings.HasPrefix(at, "at: ") {
				text += " (" + strings.TrimPrefix(at, "at: ") + ")"
			}
		}
		if !seen[text] {
			seen[text] = true
			found = append(found, text)
		}
	}
	return found
}

// head keeps the first bytes written to it.
type head struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if room := maxOutput - h.buf.Len(); room > 0 {
		h.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.ToValidUTF8(h.buf.String(), "\ufffd")
}
