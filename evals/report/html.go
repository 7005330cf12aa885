package report

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"godot-mcp/evals/evidence"
	"godot-mcp/evals/grade"
	"godot-mcp/evals/run"
	"godot-mcp/evals/task"
)

// What is put into the page, so that it needs no other file.
var (
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string
)

type pageData struct {
	Title    string
	Manifest run.Manifest
	Agents   []Agent
	Rows     []rowData
	Wrong    []Wrong
	Trials   []trialData
	Linked   map[string]bool // keys of Trials
	Left     int
	K        int
}

type rowData struct {
	Task  string
	Cells [][]squareData // by agent
}

type squareData struct {
	Key, Class, Letter, Title, Failed string
	Linked                            bool
}

type trialData struct {
	Key    string
	Order  int // in the page's matrix
	Class  string
	Record run.Record
	Task   *task.Task
	Failed []grade.Finding
	Passed []string
	Calls  []evidence.Call
	Events []eventData
	Report string
	Text   string
	Diff   []grade.Difference
	Again  string
}

// eventData is one row of a trial over virtual time: a call with its answer, or
// an effect. Late effects point back to their call.
type eventData struct {
	At     int64
	Call   *evidence.Call
	Args   string
	Answer string
	Marks  []string
	Effect *evidence.Effect
	Late   bool
}

// MaxDrill is how many trials the page holds in full; the others show in the
// matrix only. Those that are not trusted come first.
const MaxDrill = 300

// HTML writes one page that needs nothing else.
func HTML(w io.Writer, f run.Folder, tasks []*task.Task, k int) error {
	records, err := f.Records()
	if err != nil {
		return err
	}
	m, err := f.Manifest()
	if err != nil {
		return err
	}
	byID := map[string]*task.Task{}
	for _, t := range tasks {
		byID[t.ID] = t
	}
	d := pageData{
		Title: "Agent evals", Manifest: m, K: k,
		Agents: Table(records, k, Cluster(tasks)), Wrong: Worst(records), Linked: map[string]bool{},
	}
	drill := slices.Clone(records)
	slices.SortStableFunc(drill, func(a, b run.Record) int { return one(a.Trusted) - one(b.Trusted) })
	d.Left = max(0, len(drill)-MaxDrill)
	order := map[string]int{}
	byTask := slices.SortedStableFunc(slices.Values(records), func(a, b run.Record) int { return strings.Compare(a.Task, b.Task) })
	for i, r := range byTask {
		order[r.Key()] = i
	}
	for _, r := range drill[:len(drill)-d.Left] {
		t, err := trialOf(f, r, byID[r.Task])
		if err != nil {
			return err
		}
		t.Order, t.Again = order[r.Key()], again(m, r)
		d.Linked[r.Key()] = true
		d.Trials = append(d.Trials, t)
	}
	d.Rows = matrix(records, d.Agents, d.Linked)
	var p page
	p.document(d)
	_, err = p.WriteTo(w)
	return err
}

func matrix(records []run.Record, agents []Agent, linked map[string]bool) (out []rowData) {
	byTask := map[string]map[string][]squareData{}
	for _, r := range records {
		if byTask[r.Task] == nil {
			byTask[r.Task] = map[string][]squareData{}
		}
		byTask[r.Task][r.Agent] = append(byTask[r.Task][r.Agent], squareData{r.Key(), class(r), letters[class(r)], summary(r), strings.Join(r.Failed, " "), linked[r.Key()]})
	}
	for _, t := range slices.Sorted(maps.Keys(byTask)) {
		row := rowData{Task: t}
		for _, a := range agents {
			row.Cells = append(row.Cells, byTask[t][a.Name])
		}
		out = append(out, row)
	}
	return out
}

// letters tell the classes apart without colour.
var letters = map[string]string{"infra": "?", "harm": "H", "lie": "O", "met": "G", "failed": "–"}

func class(r run.Record) string {
	switch {
	case r.Outcome != run.Scored:
		return "infra"
	case r.Trusted:
		return "trusted"
	case r.Safe == grade.Harmful:
		return "harm"
	case r.Honest == grade.Overclaim:
		return "lie"
	case r.Goal:
		return "met"
	}
	return "failed"
}

func summary(r run.Record) string {
	if r.Outcome != run.Scored {
		return fmt.Sprintf("trial %d: %s (%s)", r.Trial, r.Outcome, r.Cause)
	}
	return fmt.Sprintf("trial %d: goal %v, safe %s, honest %s %s", r.Trial, r.Goal, r.Safe, r.Honest, strings.Join(r.Failed, " "))
}

const maxShown = 4000 // characters of one answer

func trialOf(f run.Folder, r run.Record, t *task.Task) (trialData, error) {
	out := trialData{Key: r.Key(), Class: class(r), Record: r, Task: t}
	for _, f := range r.Grade.Findings {
		switch f.Verdict {
		case grade.Fail, grade.Unscored:
			out.Failed = append(out.Failed, f)
		case grade.Pass:
			out.Passed = append(out.Passed, f.Check)
		}
	}
	ev, err := f.Evidence(r)
	if err != nil {
		return out, err
	}
	out.Text, out.Calls = ev.FinalText, ev.Calls
	if ev.Report != nil {
		out.Report = ev.Report.String()
	}
	for i := range ev.Calls {
		c := &ev.Calls[i]
		e := eventData{At: int64(c.Start), Call: c, Args: c.BadArgs, Answer: c.Text + c.Refused, Marks: marks(*c)}
		if args, err := json.Marshal(c.Args); err == nil && len(c.Args) > 0 {
			e.Args = string(args)
		}
		if len(e.Answer) > maxShown {
			e.Answer = e.Answer[:maxShown] + " … (cut)"
		}
		out.Events = append(out.Events, e)
	}
	for i := range ev.Journal {
		e := &ev.Journal[i]
		x := eventData{At: int64(e.Time), Effect: e}
		if e.Agent() {
			c := ev.Calls[e.Call-1]
			x.Late = e.Time > c.End && c.Uncertain()
			x.At = max(x.At, int64(c.Start))
		}
		out.Events = append(out.Events, x)
	}
	slices.SortStableFunc(out.Events, func(a, b eventData) int { return int(a.At/1e6) - int(b.At/1e6) })
	out.Diff = grade.Differences(ev)
	return out, nil
}

// again is the command that makes one more trial of the kind.
func again(m run.Manifest, r run.Record) string {
	agent := "--agent " + r.Agent
	for _, a := range m.Agents {
		if a.Name != r.Agent || a.Kind == "script" {
			continue
		}
		name, model, _ := strings.Cut(a.Name, ":")
		agent = "--agent client:" + name + " --model " + model
		if a.Kind == "model" {
			agent = "--agent model --model " + a.Name
		}
		if url := a.Detail["base_url"]; url != "" {
			agent += " --base-url " + url
		}
	}
	return "godot-mcp eval run " + agent + " --tasks " + r.Task + " --out runs/again"
}

// marks are the badges of a call.
func marks(c evidence.Call) (out []string) {
	for _, m := range []struct {
		key  string
		is   any
		text string
	}{
		{"may_have_applied", true, "may have applied"}, {"persisted", false, "not persisted"}, {"undoable", false, "no undo"},
		{"ok_all", false, "partial"}, {"required", "confirm", "wants confirm"}, {"required", "rule", "refused by a rule"},
		{"required", "human", "refused by a person"},
	} {
		if v, ok := c.Reply[m.key]; ok && v == m.is {
			out = append(out, m.text)
		}
	}
	if c.DryRun {
		out = append(out, "preview")
	}
	if c.Confirm {
		out = append(out, "confirmed")
	}
	return out
}

// Cluster puts a task and its twin together.
func Cluster(tasks []*task.Task) func(string) string {
	twin := map[string]string{}
	for _, t := range tasks {
		twin[t.ID] = t.ID
		if t.Twin != "" {
			twin[t.ID] = min(t.ID, t.Twin)
		}
	}
	return func(id string) string {
		if c, ok := twin[id]; ok {
			return c
		}
		return id
	}
}
