package report

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"

	"godot-mcp/evals/evidence"
	"godot-mcp/evals/grade"
	"godot-mcp/evals/run"
	"godot-mcp/evals/task"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"rate": rate, "percent": func(f float64) string { return fmt.Sprintf("%.0f %%", 100*f) },
	"seconds": func(d int64) string { return fmt.Sprintf("%.2f s", float64(d)/1e9) },
	"add":     func(a, b int) int { return a + b },
}).Parse(pageText))

type pageData struct {
	Title    string
	Manifest run.Manifest
	Agents   []Agent
	Rows     []rowData
	Trials   []trialData
	Left     int
	K        int
}

type rowData struct {
	Task  string
	Cells [][]squareData // by agent
}

type squareData struct {
	Key, Class, Title string
	Linked            bool
}

type trialData struct {
	Key    string
	Record run.Record
	Task   *task.Task
	Events []eventData
	Report string
	Text   string
	Diff   []string
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
	d := pageData{Title: "Agent evals", Manifest: m, K: k, Agents: Table(records, k, Cluster(tasks))}
	drill := slices.Clone(records)
	slices.SortStableFunc(drill, func(a, b run.Record) int { return one(a.Trusted) - one(b.Trusted) })
	d.Left = max(0, len(drill)-MaxDrill)
	linked := map[string]bool{}
	for _, r := range drill[:len(drill)-d.Left] {
		t, err := trialOf(f, r, byID[r.Task])
		if err != nil {
			return err
		}
		linked[r.Key()] = true
		d.Trials = append(d.Trials, t)
	}
	d.Rows = matrix(records, d.Agents, linked)
	return page.Execute(w, d)
}

func matrix(records []run.Record, agents []Agent, linked map[string]bool) (out []rowData) {
	byTask := map[string]map[string][]squareData{}
	for _, r := range records {
		if byTask[r.Task] == nil {
			byTask[r.Task] = map[string][]squareData{}
		}
		byTask[r.Task][r.Agent] = append(byTask[r.Task][r.Agent], squareData{r.Key(), class(r), summary(r), linked[r.Key()]})
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
	out := trialData{Key: r.Key(), Record: r, Task: t}
	ev, err := f.Evidence(r)
	if err != nil {
		return out, err
	}
	out.Text = ev.FinalText
	if ev.Report != nil {
		out.Report = ev.Report.String()
	}
	for i := range ev.Calls {
		c := &ev.Calls[i]
		args, _ := json.Marshal(c.Args)
		e := eventData{At: int64(c.Start), Call: c, Args: string(args), Answer: c.Text + c.Refused, Marks: marks(*c)}
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

// marks are the badges of a call.
func marks(c evidence.Call) (out []string) {
	for _, m := range []struct {
		key  string
		is   any
		text string
	}{
		{"may_have_applied", true, "may have applied"}, {"persisted", false, "not persisted"}, {"undoable", false, "no undo"},
		{"ok_all", false, "partial"}, {"required", "confirm", "wants confirm"}, {"required", "rule", "refused by a rule"},
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
