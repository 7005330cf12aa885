package client

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"godot-mcp/evals/evidence"
	"godot-mcp/evals/run"
	"godot-mcp/evals/sim"
	"godot-mcp/evals/task"
)

// Options of a client under test.
type Options struct {
	Model   string
	BaseURL string
	// Self is this program, which the client starts as its server.
	Self string
	// Getenv reads what PassEnv names.
	Getenv func(string) string
	// Idle ends a client that says nothing for so long; zero takes two minutes.
	Idle time.Duration
}

const (
	defaultIdle = 2 * time.Minute
	killAfter   = 5 * time.Second // from the polite end to the other one
)

// New makes an agent of an adapter.
func New(a Adapter, o Options) run.Agent {
	name := a.Name
	if o.Model != "" {
		name += ":" + o.Model
	}
	if o.Idle == 0 {
		o.Idle = defaultIdle
	}
	worlds := &front{}
	detail := map[string]string{"argv": strings.Join(a.Argv, " "), "model": o.Model, "base_url": o.BaseURL}
	if a.FixedTools {
		detail["tools"] = "fixed"
	}
	return run.Agent{
		Info: run.AgentInfo{Name: name, Kind: "client", Detail: detail},
		New: func() *run.Instance {
			t := &trial{adapter: a, options: o, token: newToken(), output: &output{}}
			t.way = t.stdio(sim.NewLines())
			if a.HTTP() {
				t.way = t.http(sim.NewWeb(t.token), worlds)
			}
			return &run.Instance{
				Agent: t.way.agent, Begin: t.begin, Gate: t.gateCheck, Taint: t.taint,
				Log: t.output.bytes, Use: func() run.Metrics { return t.seen.use }, FixedTools: a.FixedTools,
			}
		},
	}
}

// way is how a client reaches its world.
type way struct {
	agent  sim.Agent
	finish func(final string, stop evidence.Stop, err error)
	gone   <-chan struct{}
	// open makes it reachable, and says what adapters put into place of names.
	// hangUp ends that; wait waits for what is left then.
	open func() (values map[string]string, hangUp, wait func(), err error)
}

// stdio: the client starts "eval attach" as its server.
func (t *trial) stdio(l *sim.Lines) way {
	return way{l.Agent, l.Finish, l.Gone(), func() (map[string]string, func(), func(), error) {
		g, err := openGate(l, t.token, t.output.touch)
		if err != nil {
			return nil, nil, nil, err
		}
		return map[string]string{"address": g.ln.Addr().String()}, g.hangUp, g.wg.Wait, nil
	}}
}

// http: the client is given an address and the token.
func (t *trial) http(w *sim.Web, worlds *front) way {
	return way{w.Agent, w.Finish, w.Gone(), func() (map[string]string, func(), func(), error) {
		url, end, err := worlds.add(t.token, w, t.output.touch)
		return map[string]string{"url": url}, end, func() {}, err
	}}
}

type trial struct {
	adapter Adapter
	options Options
	token   string
	way     way
	output  *output
	secrets []string
	seen    seen
}

// begin starts the client's process.
func (t *trial) begin(ctx context.Context, x *task.Task, dir string) (func(), error) {
	values, hangUp, wait, err := t.way.open()
	if err != nil {
		return nil, err
	}
	cmd, err := t.command(values, x, dir)
	if err != nil {
		hangUp()
		return nil, &run.Infrastructure{Cause: "client_not_started", Err: err}
	}
	limited, cancel := context.WithTimeoutCause(ctx, x.Limits.WallTime(), errWall)
	if err := cmd.Start(); err != nil {
		cancel()
		hangUp()
		return nil, &run.Infrastructure{Cause: "client_not_started", Err: err}
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer cancel()
		err, why := t.watch(limited, cmd, ended)
		hangUp()
		t.finish(err, why)
		wait()
	}()
	return func() { <-done }, nil
}

var (
	errWall = errors.New("wall time")
	errIdle = errors.New("idle")
)

// watch waits for the end of the process, and brings it about when it takes too
// long, says nothing, or its world is over.
func (t *trial) watch(ctx context.Context, cmd *exec.Cmd, ended <-chan error) (exit, why error) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	gone := t.way.gone
	for {
		select {
		case err := <-ended:
			return err, nil
		case <-ctx.Done():
			why = context.Cause(ctx)
		case <-gone:
			gone = nil // it may still finish its last message
			continue
		case <-tick.C:
			if t.output.quiet() < t.options.Idle {
				continue
			}
			why = errIdle
		}
		terminate(cmd)
		select {
		case err := <-ended:
			return err, why
		case <-time.After(killAfter):
			kill(cmd)
			return <-ended, why
		}
	}
}

// finish reads the output and ends the trial.
func (t *trial) finish(exit, why error) {
	t.seen = parsers[t.adapter.Stream](t.output.stdout())
	stop := evidence.Done
	var infra error
	switch {
	case errors.Is(why, errWall), errors.Is(why, errIdle):
		stop = evidence.Timeout
	case why != nil:
		infra = why
	case t.seen.failed != "":
		infra = &run.Infrastructure{Cause: "client_error", Err: errors.New(t.mask(t.seen.failed))}
	case exit != nil && t.seen.final == "":
		infra = &run.Infrastructure{Cause: "client_crashed", Err: exit}
	case exit != nil:
		stop = evidence.Crash
	}
	t.way.finish(t.seen.final, stop, infra)
}

// gateCheck: a client that never asked for the tools, or that kept calls from
// us, says nothing about its model.
func (t *trial) gateCheck(ev *evidence.Evidence) *run.Infrastructure {
	switch {
	case !ev.Connected:
		return &run.Infrastructure{Cause: "never_connected"}
	case !ev.Listed:
		return &run.Infrastructure{Cause: "never_listed_tools"}
	case len(ev.Calls) == 0 && t.seen.blocked:
		return &run.Infrastructure{Cause: "client_blocked_tools"}
	case len(ev.Calls) == 0 && !t.seen.offered:
		return &run.Infrastructure{Cause: "tools_not_offered"}
	}
	return nil
}

func (t *trial) taint() string {
	if len(t.seen.foreign) == 0 {
		return ""
	}
	return "tools of others were called: " + strings.Join(t.seen.foreign, " ")
}

// command makes the process: own folders, and an environment of nothing but
// what the adapter says.
func (t *trial) command(values map[string]string, x *task.Task, dir string) (*exec.Cmd, error) {
	work, home := filepath.Join(dir, "work"), filepath.Join(dir, "home")
	maps.Copy(values, map[string]string{
		"prompt": sim.Prompt(x), "model": t.options.Model, "base_url": t.options.BaseURL, "dir": work, "home": home,
		"self": t.options.Self, "token": t.token,
	})
	for _, d := range []string{work, home} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	for name, text := range t.adapter.Files {
		p := fill(name, values, false)
		if !filepath.IsLocal(strings.TrimPrefix(p, dir+string(filepath.Separator))) {
			return nil, fmt.Errorf("the file %q is not below {dir} or {home}", name)
		}
		if err := os.WriteFile(p, []byte(fill(text, values, true)), 0o600); err != nil {
			return nil, err
		}
	}
	var argv []string
	for _, a := range t.adapter.Argv {
		argv = append(argv, fill(a, values, false))
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = work, []string{"PATH=" + os.Getenv("PATH")}
	for k, v := range t.adapter.Env {
		if v = fill(v, values, false); v != "" {
			cmd.Env = append(cmd.Env, k+"="+v)
		}
	}
	t.secrets = []string{t.token}
	for _, k := range t.adapter.PassEnv {
		if v := t.options.Getenv(k); v != "" {
			cmd.Env = append(cmd.Env, k+"="+v)
			t.secrets = append(t.secrets, v)
		}
	}
	t.output.secrets = t.secrets
	t.output.touch()
	cmd.Stdout, cmd.Stderr = t.output.writer(false), t.output.writer(true)
	ownGroup(cmd)
	return cmd, nil
}

func (t *trial) mask(s string) string { return maskAll(s, t.secrets) }
