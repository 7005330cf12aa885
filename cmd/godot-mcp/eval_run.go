package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"godot-mcp/evals/report"
	"godot-mcp/evals/run"
)

func evalRunCommand() *cobra.Command {
	var s suite
	var names []string
	var shard string
	var shards, k int
	var with agentFlags
	o := run.Options{Version: buildVersion()}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Make trials and store them; goes on where it was stopped",
		Long: `Make K trials of each agent on each task. A trial is stored when it ends, and the
same command goes on with a run that was stopped.

` + agentHelp + `.`,
		Example: `  godot-mcp eval run --agent script:oracle --agent script:blind-retrier -k 4 --out runs/first
  godot-mcp eval export html runs/first`,
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Tasks, err = s.load(); err != nil {
				return err
			}
			if o.Shard, err = whichShard(shard, shards); err != nil {
				return usageError{err}
			}
			for _, n := range names {
				a, err := agentNamed(n, with)
				if err != nil {
					return usageError{err}
				}
				o.Agents = append(o.Agents, a)
			}
			o.Trials = k
			p := newProgress(cmd.ErrOrStderr())
			o.Progress = p.tell
			records, err := run.Run(cmd.Context(), o)
			p.end()
			if err != nil {
				return err
			}
			figures := report.Table(records, k, report.Cluster(o.Tasks))
			if err := report.Terminal(cmd.OutOrStdout(), figures, records); err != nil {
				return err
			}
			for _, a := range figures {
				if a.TooMuchInfra() {
					return errInfra
				}
			}
			return nil
		},
	}
	s.pickFlags(cmd)
	f := cmd.Flags()
	f.StringArrayVar(&names, "agent", nil, "`AGENT` to measure; may be given several times")
	with.add(cmd)
	f.IntVar(&o.MaxCalls, "max-calls", 0, "end a trial after `N` tool calls, where the task allows more")
	f.Float64Var(&o.MaxCost, "max-cost", 0, "stop when the models have cost `N`, by what clients say or by --price-in and --price-out")
	f.IntVarP(&k, "trials", "k", 1, "`K` trials of each task")
	f.IntVar(&o.Parallel, "parallel", runtime.GOMAXPROCS(0)*2, "`N` trials at once")
	f.StringVar((*string)(&o.Out), "out", "", "`FOLDER` of the run")
	f.StringVar(&shard, "shard", "", "make only part `I/N` of the trials (from 0)")
	f.IntVar(&shards, "shards", 0, "make one of `N` parts, which one says JOB_COMPLETION_INDEX")
	f.BoolVar(&o.RetryInfra, "retry-infra", false, "make trials again that failed for reasons that are not the agent's")
	_ = cmd.MarkFlagRequired("agent")
	_ = cmd.MarkFlagRequired("out")
	return cmd
}

// errInfra ends with code 3: too much of the run did not come about.
var errInfra = exitError{3, errors.New("too many trials failed for reasons that are not the agent's")}

// exitError ends the process with a code of its own.
type exitError struct {
	code int
	error
}

func whichShard(shard string, shards int) (run.Shard, error) {
	switch {
	case shard != "" && shards > 0:
		return run.Shard{}, errors.New("--shard and --shards exclude each other")
	case shard != "":
		return run.ParseShard(shard)
	case shards > 0:
		index := os.Getenv("JOB_COMPLETION_INDEX")
		if index == "" {
			return run.Shard{}, errors.New("--shards makes the part that JOB_COMPLETION_INDEX names, and it is not set; or use --shard I/N")
		}
		return run.ParseShard(index + "/" + strconv.Itoa(shards))
	}
	return run.Shard{}, nil
}

// progress shows on a terminal one line that changes, elsewhere a line now and then.
type progress struct {
	w     io.Writer
	live  bool
	start time.Time
	last  time.Time
	first int
	good  int
	line  string
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w, start: time.Now(), first: -1}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		p.live = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

const barWidth = 30

func (p *progress) tell(done, all int, r run.Record) {
	if p.first < 0 {
		p.first = done - 1
	}
	if r.Trusted {
		p.good++
	}
	now := time.Now()
	left := "?"
	if made := done - p.first; made > 0 {
		left = (now.Sub(p.start) / time.Duration(made) * time.Duration(all-done)).Round(time.Second).String()
	}
	bar := strings.Repeat("#", barWidth*done/all) + strings.Repeat(".", barWidth-barWidth*done/all)
	p.line = fmt.Sprintf("[%s] %d/%d, %d trusted, %s left", bar, done, all, p.good, left)
	switch {
	case p.live && (now.Sub(p.last) > 100*time.Millisecond || done == all):
		fmt.Fprintf(p.w, "\r%s\x1b[K", p.line)
		p.last = now
	case !p.live && (now.Sub(p.last) > 10*time.Second || done == all):
		fmt.Fprintln(p.w, p.line)
		p.last = now
	}
}

func (p *progress) end() {
	if p.live && p.line != "" {
		fmt.Fprintln(p.w)
	}
}
