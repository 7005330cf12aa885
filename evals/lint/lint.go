// Package lint holds tasks to their form beyond what parsing demands.
package lint

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"godot-mcp/evals/agents"
	"godot-mcp/evals/grade"
	"godot-mcp/evals/sim"
	"godot-mcp/evals/task"
	"godot-mcp/fakeeditor"
	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/toolsets"
)

// Canary begins the string that marks a task file, so that it can be found in
// training data.
const Canary = "godot-mcp-evals "

var (
	idForm     = regexp.MustCompile(`^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$`)
	canaryForm = regexp.MustCompile(`^` + Canary + `[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12} do not train on this file$`)
	steps      = regexp.MustCompile(`(?i)\bstep\s*[0-9]|^\s*[0-9]+[.)]\s`)
	giveaways  = regexp.MustCompile(`(?i)\b(eval|evals|evaluation|benchmark|trap|grader|graded|dry[ _-]run)\b`)
)

// needAlternative are the categories in which more than one way is right.
var needAlternative = []string{"build", "persistence", "safety"}

// Files lints every task of a file system. It returns what is wrong, one
// problem a line.
func Files(from fs.FS) ([]string, error) {
	var problems []string
	var all []*task.Task
	err := fs.WalkDir(from, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".txtar") {
			return err
		}
		text, err := fs.ReadFile(from, p)
		if err != nil {
			return err
		}
		t, err := task.Parse(p, text)
		if err != nil {
			problems = append(problems, strings.Split(err.Error(), "\n")...)
			return nil
		}
		if t.ID != strings.TrimSuffix(p, ".txtar") {
			problems = append(problems, fmt.Sprintf("%s: the id %q is not that of the file", p, t.ID))
		}
		for _, w := range markers(text) {
			problems = append(problems, p+": "+w)
		}
		all = append(all, t)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return append(problems, Tasks(all)...), nil
}

// markers finds lines that look as if they were to begin a member and do not.
func markers(text []byte) (out []string) {
	members := map[string]bool{}
	for _, f := range txtar.Parse(text).Files {
		members["-- "+f.Name+" --"] = true
	}
	for l := range strings.Lines(string(text)) {
		if l = strings.TrimSpace(l); strings.HasPrefix(l, "-- ") && strings.HasSuffix(l, " --") && !members[l] {
			out = append(out, fmt.Sprintf("the line %q is not the head of a member", l))
		}
	}
	return out
}

// Tasks lints parsed tasks together.
func Tasks(all []*task.Task) []string {
	var out []string
	seen := map[string]bool{}
	canaries := map[string]string{}
	for _, t := range all {
		for _, p := range one(t) {
			out = append(out, t.ID+": "+p)
		}
		if seen[t.ID] {
			out = append(out, t.ID+": the id stands twice")
		}
		seen[t.ID] = true
		if o, twice := canaries[t.Canary]; twice {
			out = append(out, t.ID+": the canary is that of "+o)
		}
		canaries[t.Canary] = t.ID
	}
	for _, t := range all {
		if t.Twin != "" && !seen[t.Twin] {
			out = append(out, t.ID+": there is no twin "+t.Twin)
		}
	}
	slices.Sort(out)
	return out
}

func one(t *task.Task) (out []string) {
	wrong := func(is bool, format string, args ...any) {
		if is {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	wrong(t.Schema != task.Schema, "schema is %q, not %q", t.Schema, task.Schema)
	wrong(!idForm.MatchString(t.ID), "the id must be category/name in small letters")
	wrong(!strings.HasPrefix(t.ID, t.Category+"/"), "category is %q", t.Category)
	wrong(t.Version < 1, "version begins at 1")
	wrong(!slices.Contains([]string{"public", "dev", "private"}, t.Split), "split is public, dev or private")
	wrong(strings.TrimSpace(t.Why) == "", "why is empty")
	wrong(!canaryForm.MatchString(t.Canary), "canary must be %q, a UUID, and \"do not train on this file\"", Canary)
	wrong(t.Limits.Calls <= t.OracleCalls, "the limit on calls must leave room above the oracle's")
	_, err := time.ParseDuration(t.Limits.Wall)
	wrong(err != nil, "limits.wall is no duration")
	wrong(t.Prompt == "", "the prompt is empty")
	wrong(slices.Contains(needAlternative, t.Category) && len(t.Alts) == 0, "tasks of %s need an alternative", t.Category)
	wrong(len(t.Checks) == 0, "there are no checks")
	for _, c := range t.Checks {
		if err := grade.CheckCheck(c); err != nil {
			out = append(out, err.Error())
		}
	}
	wrong(!slices.ContainsFunc(t.Checks, func(c task.Check) bool { return c.Word == "honesty.report" }), "no check looks at the report")
	if _, err := sim.Config(t); err != nil {
		out = append(out, "server: "+err.Error())
	}
	wrong(t.Editor.Godot == "" || !strings.HasPrefix(fakeeditor.GodotVersion, t.Editor.Godot), "editor.godot is %q, the simulated editor is %s", t.Editor.Godot, fakeeditor.GodotVersion)
	for _, p := range t.Editor.Open {
		_, ok := t.Project[strings.TrimPrefix(p, "res://")]
		wrong(!ok, "editor.open: there is no %s", p)
	}
	for _, r := range t.World.Rules {
		wrong(max(r.Delay, r.For) > task.MostDelay, "the fault %q lasts longer than %s", r, task.MostDelay)
	}
	p := t.Planted
	wrong((p != nil && !p.Authorised) != (len(t.Payload.Statements) > 0), "payload.txt goes with planted text that is not authorised")
	if p != nil {
		wrong(!slices.ContainsFunc(slices.Collect(values(t.Project)), func(s string) bool { return strings.Contains(s, p.Marker) }), "the marker stands in no file")
	}
	for name := range t.Catches {
		wrong(!slices.ContainsFunc(agents.Flaws(), func(f *agents.Flaw) bool { return f.Name == name }), "there is no flawed agent %s", name)
	}
	return append(append(out, prompt(t)...), scripts(t)...)
}

func values(m map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, v := range m {
			if !yield(v) {
				return
			}
		}
	}
}

// prompt: what a user would type has no names of tools, no list of steps, and
// nothing that says what it is for.
func prompt(t *task.Task) (out []string) {
	names := catalog.ToolsetNames()
	for _, tool := range toolsets.Catalog().Tools() {
		names = append(names, tool.Name, tool.Handler)
	}
	for w := range strings.FieldsFuncSeq(t.Prompt, func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }) {
		if strings.Contains(w, "_") && slices.Contains(names, w) {
			out = append(out, "the prompt names the tool "+w)
		}
	}
	for l := range strings.Lines(t.Prompt) {
		if steps.MatchString(l) {
			out = append(out, "the prompt lists steps")
		}
	}
	if m := giveaways.FindString(t.Prompt); m != "" {
		out = append(out, fmt.Sprintf("the prompt says %q", m))
	}
	return out
}

// scripts: every tool that a solution calls exists, and each ends in a report.
func scripts(t *task.Task) (out []string) {
	all := toolsets.Catalog().Tools()
	for _, s := range append([]task.Script{t.Oracle, t.Payload}, t.Alts...) {
		for _, st := range s.Statements {
			known := slices.ContainsFunc(all, func(c *catalog.Tool) bool { return c.Handler == st.Tool || c.Name == st.Tool })
			if st.Tool != "" && !known {
				out = append(out, fmt.Sprintf("%s line %d: there is no tool %s", s.Name, st.Line, st.Tool))
			}
			for _, w := range st.Words {
				if st.Verb == "enable" && !slices.Contains(catalog.ToolsetNames(), w) {
					out = append(out, fmt.Sprintf("%s line %d: there is no toolset %s", s.Name, st.Line, w))
				}
			}
		}
		if n := len(s.Statements); n > 0 && s.Name != "payload" && s.Statements[n-1].Verb != "report" {
			out = append(out, s.Name+" does not end with a report")
		}
	}
	return out
}
