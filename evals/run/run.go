package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"godot-mcp/evals/evidence"
	"godot-mcp/evals/grade"
	"godot-mcp/evals/sim"
	"godot-mcp/evals/task"
)

// Agent is an agent to measure.
type Agent struct {
	Info AgentInfo
	// New makes the agent of one trial.
	New func() *Instance
}

// Instance is an agent in one trial. After the trial Log is what it wrote, and
// Use what the model cost.
type Instance struct {
	Agent sim.Agent
	// Begin, when set, starts what the agent has outside of its world, such as a
	// process; dir is an empty folder. It must not wait for the trial's end, and
	// end waits for what was started.
	Begin func(ctx context.Context, t *task.Task, dir string) (end func(), err error)
	// Gate, when set, says why the trial did not come about; nil when it did.
	Gate func(ev *evidence.Evidence) *Infrastructure
	Log  func() []byte
	Use  func() Metrics
	// Taint says why the trial does not count, empty when it does.
	Taint func() string
	// FixedTools: it reads the list of tools once. The toolsets that the task's
	// solutions switch on are then on from the start.
	FixedTools bool
}

// Options of a run.
type Options struct {
	Tasks    []*task.Task
	Agents   []Agent
	Trials   int
	Parallel int
	Out      Folder
	Shard    Shard
	Version  string
	// RetryInfra makes trials again that ended with a fault of the infrastructure.
	RetryInfra bool
	// MaxCalls ends a trial after so many tool calls, where the task allows more; 0
	// for the tasks' own limits.
	MaxCalls int
	// MaxCost ends the run when the models have cost so much; 0 for no limit.
	MaxCost float64
	// Progress is told after every trial.
	Progress func(done, all int, r Record)
}

// GCPercent is the garbage collector's setting that suits many trials: each
// makes much that is dropped soon, and little is kept.
const GCPercent = 400

// Infrastructure is an error that is no fault of the agent. Cause is a short
// stable name such as never_connected or provider_500.
type Infrastructure struct {
	Cause string
	Err   error
}

// Error implements error.
func (e *Infrastructure) Error() string {
	if e.Err == nil {
		return e.Cause
	}
	return e.Cause + ": " + e.Err.Error()
}

// Unwrap gives the error behind it.
func (e *Infrastructure) Unwrap() error { return e.Err }

// ErrCost ends a run whose models have cost what they may.
var ErrCost = errors.New("the limit on cost is reached; what was measured is stored, and the run can go on")

type plan struct {
	agent Agent
	task  *task.Task
	trial int
}

func (p plan) record() Record {
	return Record{Agent: p.agent.Info.Name, Task: p.task.ID, Trial: p.trial, Hash: p.task.Hash}
}

// plans lists the trials of a run. Trials of one task come far apart.
func (o *Options) plans() (out []plan) {
	for trial := 1; trial <= o.Trials; trial++ {
		for _, t := range o.Tasks {
			for _, a := range o.Agents {
				if o.Shard.has(t, trial) {
					out = append(out, plan{a, t, trial})
				}
			}
		}
	}
	return out
}

// Run makes the trials that are not stored yet. A trial is complete when its
// line is in trials.jsonl; at the end the file is put in order.
func Run(ctx context.Context, o Options) ([]Record, error) {
	if err := o.Out.begin(o.manifest()); err != nil {
		return nil, err
	}
	records, err := o.Out.Records()
	if err != nil {
		return nil, err
	}
	if o.RetryInfra {
		records = slices.DeleteFunc(records, func(r Record) bool { return r.Outcome == Infra })
	}
	if err := o.Out.write(records); err != nil { // also drops a line that was cut off
		return nil, err
	}
	complete := map[string]bool{}
	for _, r := range records {
		complete[r.Key()] = true
	}
	file, err := os.OpenFile(o.Out.path(trialsFile), os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	plans := o.plans()
	var mu sync.Mutex
	cost := 0.0
	store := func(r Record) error {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if _, err := file.Write(append(line, '\n')); err != nil {
			return err
		}
		records = append(records, r)
		cost += r.Metrics.Cost
		if o.Progress != nil {
			o.Progress(len(records), len(plans), r)
		}
		if o.MaxCost > 0 && cost >= o.MaxCost {
			return ErrCost
		}
		return nil
	}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, o.Parallel))
	for _, p := range plans {
		if complete[p.record().Key()] {
			continue
		}
		g.Go(func() error {
			if gctx.Err() != nil {
				return gctx.Err()
			}
			r, err := o.one(gctx, p)
			if err != nil {
				return err
			}
			return store(r)
		})
	}
	err = errors.Join(g.Wait(), file.Close())
	return records, errors.Join(err, o.Out.write(records))
}

// one makes a trial. The error is one of storing it, or of ctx.
func (o *Options) one(ctx context.Context, p plan) (Record, error) {
	r := p.record()
	start := time.Now()
	a := p.agent.New()
	limited, cancel := context.WithTimeout(ctx, p.task.Limits.WallTime()+time.Minute)
	defer cancel()
	ev, err := o.live(limited, p.task, a)
	r.WallMS = time.Since(start).Milliseconds()
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	var log []byte
	if a.Log != nil {
		log = a.Log()
	}
	if err != nil {
		r.Outcome, r.Cause = Infra, "harness: "+err.Error()
		var known *Infrastructure
		if errors.As(err, &known) {
			r.Cause = known.Error()
		}
		return r, o.Out.keep(r, &evidence.Evidence{Task: p.task.ID}, log)
	}
	r.Stop = string(ev.Stop)
	if ev.Report != nil {
		r.Reported = ev.Report.Outcome
	}
	r.judge(grade.Of(p.task, ev))
	r.Metrics = measure(ev)
	if a.Use != nil {
		u := a.Use()
		r.Metrics.Turns, r.Metrics.InputTokens, r.Metrics.OutputTokens, r.Metrics.Cost = u.Turns, u.InputTokens, u.OutputTokens, u.Cost
	}
	why := grade.Tampering(ev)
	if why == "" && a.Taint != nil {
		why = a.Taint()
	}
	if why != "" {
		r.Outcome, r.Cause = Tainted, why
	}
	return r, o.Out.keep(r, ev, log)
}

// live makes the trial itself.
func (o *Options) live(ctx context.Context, t *task.Task, a *Instance) (*evidence.Evidence, error) {
	if a.Begin != nil {
		dir, err := os.MkdirTemp("", "godot-mcp-eval-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		outside, cancel := context.WithCancel(ctx)
		end, err := a.Begin(outside, t, dir)
		if err != nil {
			cancel()
			return nil, err
		}
		defer end()
		defer cancel() // what still runs when the world is over has nothing to do any more
	}
	with := *t
	if a.FixedTools {
		with.Server.Toolsets = t.Toolsets()
	}
	if o.MaxCalls > 0 {
		with.Limits.Calls = min(o.MaxCalls, t.Limits.Calls)
	}
	t = &with
	ev, err := sim.Run(ctx, t, a.Agent)
	if err == nil && a.Gate != nil {
		if f := a.Gate(ev); f != nil {
			return nil, f
		}
	}
	return ev, err
}

// Change is a verdict that another version of the graders gives.
type Change struct {
	Key      string
	Old, New Record
}

// Regrade grades the stored trials again. With write the new verdicts replace
// the old ones.
func Regrade(f Folder, tasks []*task.Task, write bool) (changes []Change, graded int, err error) {
	records, err := f.Records()
	if err != nil {
		return nil, 0, err
	}
	byID := map[string]*task.Task{}
	for _, t := range tasks {
		byID[t.ID] = t
	}
	for i, r := range records {
		if r.Outcome == Infra || r.Outcome == Tainted {
			continue
		}
		t := byID[r.Task]
		if t == nil {
			return nil, graded, fmt.Errorf("there is no task %s any more", r.Task)
		}
		ev, err := f.Evidence(r)
		if err != nil {
			return nil, graded, fmt.Errorf("%s: %w", r.Key(), err)
		}
		next := r
		next.judge(grade.Of(t, ev))
		next.Hash = t.Hash
		graded++
		if next.Trusted != r.Trusted || next.Outcome != r.Outcome || next.Safe != r.Safe || next.Honest != r.Honest || next.Goal != r.Goal || !slices.Equal(next.Failed, r.Failed) {
			changes = append(changes, Change{r.Key(), r, next})
		}
		records[i] = next
	}
	if write {
		err = f.write(records)
	}
	return changes, graded, err
}
