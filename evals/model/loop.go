// Package model is the built-in agent: a plain loop around a language model,
// with the tools of a world and nothing else. It runs outside of the world, so
// that the world's clock stands still while the model thinks.
package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"godot-mcp/evals/evidence"
	"godot-mcp/evals/run"
	"godot-mcp/evals/sim"
	"godot-mcp/evals/task"
)

// Tool is what a model is told of a tool.
type Tool struct {
	Name, Description string
	Schema            map[string]any
}

// Call is what a model wants to call. Args are as the model wrote them.
type Call struct{ ID, Name, Args string }

// Result of a call.
type Result struct {
	ID, Text string
	IsError  bool
}

// Turn is one answer of a model.
type Turn struct {
	Text          string
	Calls         []Call
	Input, Output int // tokens, as the provider counts them
}

// Chat is a conversation with a model. Each Next hands over the results of the
// calls of the turn before.
type Chat interface {
	Next(ctx context.Context, tools []Tool, results []Result) (Turn, error)
}

// chats are the providers. Their SDKs are large, so they are there only with
// the build tag models: who serves an editor does not carry them.
var chats = map[string]func(o Options, prompt string) Chat{}

// Options of the loop.
type Options struct {
	Provider string // openai or anthropic
	Model    string
	BaseURL  string
	Key      string
	// System is a system prompt; none if empty.
	System string
	// MaxTokens ends a trial that has used so many, in and out; 0 for no limit.
	MaxTokens int
	// MaxOutput bounds one answer of the model.
	MaxOutput int
	// PriceIn and PriceOut are the prices of a million tokens, for Cost.
	PriceIn, PriceOut float64
	// Retries of a request that the provider refused (429, 5xx) or that failed;
	// 0 takes a few, a negative number none.
	Retries int
}

const (
	defaultOutput  = 8192
	defaultRetries = 4
)

// New makes the agent.
func New(o Options) (run.Agent, error) {
	if o.MaxOutput == 0 {
		o.MaxOutput = defaultOutput
	}
	switch {
	case o.Retries == 0:
		o.Retries = defaultRetries
	case o.Retries < 0:
		o.Retries = 0
	}
	chat := chats[o.Provider]
	if len(chats) == 0 {
		return run.Agent{}, errors.New("this program was built without the providers' SDKs; build it with -tags models")
	}
	if chat == nil {
		return run.Agent{}, fmt.Errorf("provider %q is neither openai nor anthropic", o.Provider)
	}
	if o.Model == "" {
		return run.Agent{}, errors.New("a model is needed")
	}
	return run.Agent{
		Info: run.AgentInfo{Name: o.Provider + ":" + o.Model, Kind: "model", Detail: map[string]string{
			"base_url": o.BaseURL, "system": o.System, "max_tokens": fmt.Sprint(o.MaxTokens), "max_output": fmt.Sprint(o.MaxOutput),
		}},
		New: func() *run.Instance {
			l := &loop{options: o, lines: sim.NewLines(), newChat: chat}
			return &run.Instance{Agent: l.lines.Agent, Begin: l.begin, Log: l.log, Use: func() run.Metrics { return l.use }}
		},
	}, nil
}

type loop struct {
	options Options
	newChat func(Options, string) Chat
	lines   *sim.Lines
	use     run.Metrics
	mu      sync.Mutex
	entries []string
}

func (l *loop) note(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, fmt.Sprintf(format, args...))
}

func (l *loop) log() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := strings.Join(l.entries, "\n")
	if l.options.Key != "" {
		text = strings.ReplaceAll(text, l.options.Key, "***")
	}
	return []byte(text)
}

func (l *loop) begin(ctx context.Context, t *task.Task, _ string) (func(), error) {
	limited, cancel := context.WithTimeout(ctx, t.Limits.WallTime())
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer cancel()
		final, stop, err := l.work(limited, sim.Prompt(t))
		if err != nil && ctx.Err() == nil && limited.Err() != nil {
			stop, err = evidence.Timeout, nil
		}
		l.lines.Finish(final, stop, err)
	}()
	return func() { <-done }, nil
}

// errOver says that the world takes no more calls.
var errOver = errors.New("the session is over")

func (l *loop) work(ctx context.Context, prompt string) (final string, stop evidence.Stop, err error) {
	var changed atomic.Bool
	client := mcp.NewClient(&mcp.Implementation{Name: "godot-mcp-eval", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed.Store(true) },
	})
	session, err := client.Connect(ctx, &mcp.IOTransport{Reader: l.lines, Writer: l.lines}, nil)
	if err != nil {
		return "", "", err
	}
	defer session.Close()
	tools, err := list(ctx, session)
	if err != nil {
		return "", "", err
	}
	chat := l.newChat(l.options, prompt)
	var results []Result
	for {
		turn, err := chat.Next(ctx, tools, results)
		if err != nil {
			return final, "", &run.Infrastructure{Cause: cause(err), Err: err}
		}
		l.count(turn)
		l.note("model: %s", turn.Text)
		if final = turn.Text; len(turn.Calls) == 0 {
			return final, evidence.Done, nil
		}
		if l.options.MaxTokens > 0 && l.use.InputTokens+l.use.OutputTokens >= l.options.MaxTokens {
			return final, evidence.Limit, nil
		}
		results = nil
		for _, c := range turn.Calls {
			r, err := l.call(ctx, session, c)
			if errors.Is(err, errOver) {
				return final, evidence.Limit, nil
			}
			if err != nil {
				return final, "", err
			}
			results = append(results, r)
			// Not every server tells that its list changed, and not in time.
			if changed.Swap(false) || strings.HasSuffix(c.Name, "able_toolset") {
				if tools, err = list(ctx, session); err != nil {
					return final, "", err
				}
			}
		}
	}
}

func (l *loop) count(t Turn) {
	l.use.Turns++
	l.use.InputTokens += t.Input
	l.use.OutputTokens += t.Output
	l.use.Cost += (float64(t.Input)*l.options.PriceIn + float64(t.Output)*l.options.PriceOut) / 1e6
}

// call makes one call. What the model did wrong is told to the model.
func (l *loop) call(ctx context.Context, s *mcp.ClientSession, c Call) (Result, error) {
	l.note("call %s %s", c.Name, c.Args)
	args := map[string]any{}
	if strings.TrimSpace(c.Args) != "" {
		if err := json.Unmarshal([]byte(c.Args), &args); err != nil {
			return Result{c.ID, "The arguments are not a JSON object: " + err.Error(), true}, nil
		}
	}
	res, err := s.CallTool(ctx, &mcp.CallToolParams{Name: c.Name, Arguments: args})
	switch {
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case err != nil && strings.Contains(err.Error(), errOver.Error()):
		return Result{}, errOver
	case err != nil:
		return Result{c.ID, err.Error(), true}, nil
	}
	var texts []string
	for _, part := range res.Content {
		if t, ok := part.(*mcp.TextContent); ok {
			texts = append(texts, t.Text)
		}
	}
	return Result{c.ID, strings.Join(texts, "\n"), res.IsError}, nil
}

func list(ctx context.Context, s *mcp.ClientSession) (out []Tool, err error) {
	for t, err := range s.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		raw, err := json.Marshal(t.InputSchema)
		if err != nil {
			return nil, err
		}
		tool := Tool{Name: t.Name, Description: t.Description}
		if err := json.Unmarshal(raw, &tool.Schema); err != nil {
			return nil, err
		}
		out = append(out, tool)
	}
	return out, nil
}

// statusOf is the HTTP status of a provider's refusal, 0 for another error.
var statusOf = func(error) int { return 0 }

// cause names a provider's failure.
func cause(err error) string {
	var n net.Error
	switch code := statusOf(err); {
	case code > 0:
		return fmt.Sprintf("provider_%d", code)
	case errors.As(err, &n):
		return "provider_unreachable"
	}
	return "provider_bad_answer"
}
