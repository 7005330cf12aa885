// Package agents holds the scripted agents: an interpreter of the solutions
// that stand in tasks, and flaws, which change how it calls tools and reports.
package agents

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"godot-mcp/evals/evidence"
	"godot-mcp/evals/sim"
	"godot-mcp/evals/task"
	"godot-mcp/fakeeditor/fault"
	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/toolsets"
)

// Request is one call that an agent is about to make.
type Request struct {
	Tool    string // own name
	Args    map[string]any
	Restore bool // it takes back an edit of the agent's own
}

func (r Request) with(key string, value any) Request {
	args := map[string]any{}
	for k, v := range r.Args {
		args[k] = v
	}
	args[key] = value
	if value == nil {
		delete(args, key)
	}
	r.Args = args
	return r
}

// Reply is what came back.
type Reply struct {
	Answer  map[string]any
	Text    string
	Failed  bool
	Refused string           // a protocol error
	Quit    *evidence.Report // a flaw ends the work with this report
}

func (r Reply) text(key string) string { s, _ := r.Answer[key].(string); return s }

// uncertain says that the call may have taken effect.
func (r Reply) uncertain() bool { return r.Answer["may_have_applied"] == true }

// Caller makes a call.
type Caller func(Request) Reply

// Flaw changes an agent. Its methods get the state of one trial.
type Flaw struct {
	Name string
	// Why says what the flaw is, for people.
	Why    string
	Call   func(s *State, next Caller) Caller
	Report func(s *State, r *evidence.Report)
	// End is done after the work and before the report.
	End func(next Caller)
	// Say is put at the end of the last message.
	Say string
}

// State is what a flaw remembers within a trial.
type State struct {
	Task *task.Task
	Did  bool // the flaw has acted, or has hidden something
	seen bool
	run  func(task.Script, Caller)
}

// Scripted is the agent that follows a script, with a flaw or without.
func Scripted(script func(*task.Task) (task.Script, bool), flaw *Flaw) sim.Agent {
	return func(ctx context.Context, room *sim.Room) (string, evidence.Stop, error) {
		s, ok := script(room.Task)
		if !ok {
			return "", "", fmt.Errorf("%s has no such script", room.Task.ID)
		}
		client, err := room.Client(ctx)
		if err != nil {
			return "", "", err
		}
		defer func() { _ = client.Close() }()
		if _, err := client.ListTools(ctx, nil); err != nil {
			return "", "", err
		}
		return play(ctx, client, room.Task, s, flaw)
	}
}

func play(ctx context.Context, client *mcp.ClientSession, t *task.Task, s task.Script, flaw *Flaw) (string, evidence.Stop, error) {
	stop := evidence.Done
	final := follow(t, s, flaw, func(r Request) Reply { return send(ctx, client, r) })
	if strings.HasPrefix(final, cannot) {
		stop = evidence.BadScript
	}
	return final, stop, nil
}

// cannot begins the last message of an agent that meets what its script does
// not foresee.
const cannot = "I cannot go on: "

// follow goes through a script and gives the agent's last message.
func follow(t *task.Task, s task.Script, flaw *Flaw, call Caller) string {
	p := &player{saved: "no"}
	state := &State{Task: t}
	state.run = func(s task.Script, c Caller) {
		inner := &player{saved: "no", call: c}
		_ = inner.play(s)
	}
	if flaw != nil && flaw.Call != nil {
		call = flaw.Call(state, call)
	}
	p.call = call
	if err := p.play(s); err != nil {
		return cannot + err.Error()
	}
	if flaw != nil && flaw.Report != nil && p.report != nil && !p.quit {
		flaw.Report(state, p.report)
	}
	said := "Finished."
	if p.report != nil {
		said += "\n```json\n" + p.report.String() + "\n```"
	}
	if flaw != nil && flaw.End != nil {
		flaw.End(call)
	}
	if flaw != nil {
		said += flaw.Say
	}
	return said
}

// catalogue is made on first use: every server process links this package.
var catalogue = sync.OnceValue(toolsets.Catalog)

// exposed is the name that a tool has for clients; a name that no tool has goes
// out as it is.
func exposed(handler string) string {
	all := catalogue().Tools()
	if i := slices.IndexFunc(all, func(t *catalog.Tool) bool { return t.Handler == handler || t.Name == handler }); i >= 0 {
		return all[i].Name
	}
	return handler
}

func send(ctx context.Context, client *mcp.ClientSession, r Request) Reply {
	res, err := client.CallTool(ctx, &mcp.CallToolParams{Name: exposed(r.Tool), Arguments: r.Args})
	if err != nil {
		return Reply{Failed: true, Refused: err.Error()}
	}
	out := Reply{Failed: res.IsError}
	if raw, err := json.Marshal(res.StructuredContent); err == nil {
		_ = json.Unmarshal(raw, &out.Answer)
	}
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			out.Text += t.Text
		}
	}
	return out
}

// player goes through a script.
type player struct {
	call    Caller
	last    Reply
	request Request
	saved   string
	answers map[string]any
	report  *evidence.Report
	quit    bool
}

const reads = 4 // at most, to settle what became of a call

func (p *player) play(s task.Script) error {
	for _, st := range s.Statements {
		if st.If != nil && !p.holds(*st.If) {
			continue
		}
		if err := p.do(st); err != nil {
			return fmt.Errorf("%s line %d: %w", s.Name, st.Line, err)
		}
		if p.last.Quit != nil {
			p.report, p.quit = p.last.Quit, true
		}
		if p.report != nil {
			return nil
		}
	}
	return nil
}

func (p *player) make(r Request) {
	p.request = r
	p.last = p.call(r)
}

func (p *player) do(st task.Statement) error {
	switch st.Verb {
	case "enable":
		for _, name := range st.Words {
			if p.make(Request{Tool: "enable_toolset", Args: map[string]any{"category": name}}); p.last.Quit != nil {
				return nil
			}
		}
	case "try", "restore", "call":
		p.make(Request{Tool: st.Tool, Args: st.Args, Restore: st.Verb == "restore"})
		if st.Verb == "call" && p.last.Failed && !p.last.uncertain() && p.last.Quit == nil {
			return fmt.Errorf("%s failed: %s%s", st.Tool, p.last.Refused, p.last.Text)
		}
	case "settle":
		return p.settle(st.Words[0])
	case "save":
		p.make(Request{Tool: "save_scene", Args: map[string]any{}})
		p.saved = "no"
		if p.last.Answer["saved"] == true {
			p.saved = "yes"
		}
	case "answer":
		if p.answers == nil {
			p.answers = map[string]any{}
		}
		p.answers[st.Words[0]] = p.value(st.Words[1])
	case "report":
		p.report = p.say(st.Args)
	}
	return nil
}

// settle finds out what became of the last call when nobody knows.
func (p *player) settle(node string) error {
	if !p.last.uncertain() {
		return nil
	}
	again := p.request
	for range reads {
		p.make(Request{Tool: "get_node_properties", Args: map[string]any{"node_path": node}})
		switch {
		case p.last.Quit != nil || !p.last.Failed:
			return nil
		case p.last.text("error") == "RESOURCE_NOT_FOUND":
			p.make(again)
			if p.last.Failed && p.last.Quit == nil {
				return fmt.Errorf("%s failed again: %s", again.Tool, p.last.Text)
			}
			return nil
		}
	}
	return fmt.Errorf("the editor does not say whether there is a %s", node)
}

func (p *player) say(args map[string]any) *evidence.Report {
	r := &evidence.Report{Answers: p.answers}
	for k, v := range args {
		s, ok := v.(string)
		if !ok {
			s = fmt.Sprint(v)
		}
		switch k {
		case "outcome":
			r.Outcome = s
		case "saved":
			if r.Saved = s; s == "$saved" {
				r.Saved = p.saved
			}
		case "why":
			r.Why = s
		case "unverified":
			r.Unverified = strings.Split(s, ",")
		}
	}
	return r
}

func (p *player) value(word string) any {
	if key, ok := strings.CutPrefix(word, "$"); ok {
		v, _ := fault.Dig(p.last.Answer, key)
		return v
	}
	var v any
	if json.Unmarshal([]byte(word), &v) == nil {
		return v
	}
	return word
}

func (p *player) holds(c task.Condition) bool {
	v, ok := fault.Dig(p.last.Answer, c.Key)
	switch c.Op {
	case "exists":
		return ok
	case "absent":
		return !ok
	case "has":
		return strings.Contains(fmt.Sprint(v), c.Value)
	case "==":
		return fmt.Sprint(v) == c.Value
	}
	return fmt.Sprint(v) != c.Value
}
