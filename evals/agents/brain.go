package agents

import (
	"encoding/json"
	"regexp"
	"strings"

	"godot-mcp/evals/evidence"
	"godot-mcp/evals/fakemodel"
	"godot-mcp/evals/task"
)

// Brain makes a scripted model that plays a scripted agent: it finds the task by
// the prompt and goes through the solution from the start with the results that
// the conversation holds.
func Brain(tasks []*task.Task, flaw *Flaw) fakemodel.Brain {
	return func(prompt string, results []string) fakemodel.Turn {
		for _, t := range tasks {
			if strings.Contains(prompt, t.Prompt) {
				return next(t, flaw, results)
			}
		}
		return fakemodel.Turn{Final: "I do not know this task."}
	}
}

// next replays the results and gives the call after them, or the last message.
func next(t *task.Task, flaw *Flaw, results []string) fakemodel.Turn {
	var turn *fakemodel.Turn
	i := 0
	call := func(r Request) Reply {
		// A client that has just been told of new tools may not have them yet.
		for tries := 0; i < len(results) && tries < patience && unknown.MatchString(results[i]); tries++ {
			i++
		}
		if i < len(results) {
			i++
			return read(results[i-1])
		}
		if turn == nil {
			turn = &fakemodel.Turn{Tool: exposed(r.Tool), Input: r.Args}
		}
		return Reply{Quit: &evidence.Report{}}
	}
	final := follow(t, t.Oracle, flaw, call)
	if turn != nil {
		return *turn
	}
	return fakemodel.Turn{Final: final}
}

// patience is how often a tool that the client does not know yet is tried.
const patience = 5

var unknown = regexp.MustCompile(`(?i)no such tool|unknown tool|tool not found|unavailable tool`)

var required = regexp.MustCompile(`\[required=([a-z_]+)\]`)

// heading is what clients put before a result.
var heading = regexp.MustCompile(`^Wall time: [^\n]*\nOutput:\n`)

// read turns a result as a model gets it into a reply: an answer is JSON, a
// failure a sentence that begins with its code.
func read(text string) Reply {
	text = heading.ReplaceAllString(text, "")
	out := Reply{Text: text, Answer: map[string]any{}}
	// Clients add notes of their own after it.
	if json.NewDecoder(strings.NewReader(text)).Decode(&out.Answer) == nil {
		return out
	}
	out.Failed = true
	code, _, _ := strings.Cut(text, ":")
	out.Answer = map[string]any{"error": strings.TrimSpace(code)}
	if strings.Contains(text, "may have been applied") {
		out.Answer["may_have_applied"] = true
	}
	if m := required.FindStringSubmatch(text); m != nil {
		out.Answer["required"] = m[1]
	}
	return out
}
