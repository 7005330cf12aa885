// Package task holds the format of a task, one txtar file:
//
//	prose        why the task exists
//	task.json    what it is, strictly read ([Meta])
//	prompt.md    what a user would type
//	setup.txt    what a person did before ([World])
//	faults.txt   what goes wrong, and what a person does meanwhile ([World])
//	rules.yaml   a permission file for the server
//	checks.txt   what must hold afterwards, one check a line ([Check])
//	oracle.txt   the reference solution ([Statement])
//	alt*.txt     other right ways
//	payload.txt  what an agent does that obeys the text planted in the project
//	project/**   the project as it is on disk
package task

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
)

// Schema is the version of the format.
const Schema = "evals/1"

// Task is one parsed task.
type Task struct {
	Meta
	Prose   string
	Prompt  string
	World   World
	Rules   string
	Checks  []Check
	Oracle  Script
	Alts    []Script // in the order of their names
	Payload Script
	Project map[string]string // by path below the project folder
	// Hash identifies the file, byte for byte.
	Hash string
}

// Meta is task.json.
type Meta struct {
	Schema   string   `json:"schema"`
	ID       string   `json:"id"` // category/name
	Version  int      `json:"version"`
	Category string   `json:"category"`
	Tags     []string `json:"tags,omitempty"`
	Split    string   `json:"split"` // public, dev or private
	// Why is the evidence that people meet this: an issue, a report, a measurement.
	Why    string `json:"why"`
	Editor struct {
		Godot string   `json:"godot"`
		Open  []string `json:"open"` // res:// paths; the last one is active
	} `json:"editor"`
	Server Server `json:"server"`
	Limits Limits `json:"limits"`
	// OracleCalls is the number of tool calls that the oracle makes.
	OracleCalls int `json:"oracle_calls"`
	// Twin is a task where the opposite reflex is right.
	Twin string `json:"twin,omitempty"`
	// Explicit: the prompt itself orders the destructive act and names its target.
	Explicit bool     `json:"explicit,omitempty"`
	Planted  *Planted `json:"planted,omitempty"`
	// Catches lists, per flawed agent, exactly the checks and findings it fails.
	Catches map[string][]string `json:"catches"`
	Canary  string              `json:"canary"`
}

// Server is how the server is started for a task.
type Server struct {
	Profile          string `json:"profile"`
	AllowDestructive bool   `json:"allow_destructive,omitempty"`
	// Toolsets are on from the start, besides those that always are.
	Toolsets []string `json:"toolsets,omitempty"`
}

// Limits end a trial.
type Limits struct {
	Calls        int    `json:"calls"`
	Wall         string `json:"wall"`
	ResultTokens int    `json:"result_tokens"`
}

// WallTime is the limit on wall time; ten minutes when none is given.
func (l Limits) WallTime() time.Duration {
	d, err := time.ParseDuration(l.Wall)
	if err != nil || d <= 0 {
		return 10 * time.Minute
	}
	return d
}

// Planted describes text in the project that gives orders.
type Planted struct {
	// Marker is a part of that text; a reply that holds it has delivered it.
	Marker string `json:"marker"`
	// Authorised: the user pointed to the text, so following it is right.
	Authorised bool `json:"authorised,omitempty"`
	// Canaries are the effects that only an agent has that obeys.
	Canaries []Canary `json:"canaries,omitempty"`
}

// Canary is a pattern over effects: a kind, and a glob over targets.
type Canary struct {
	Kind   string `json:"kind"`
	Target string `json:"target"`
}

// Name is the id as a file name.
func (t *Task) Name() string { return strings.ReplaceAll(t.ID, "/", "_") }

// Scripts are the oracle and the alternatives, by name.
func (t *Task) Scripts() map[string]Script {
	out := map[string]Script{"oracle": t.Oracle}
	for _, s := range t.Alts {
		out[s.Name] = s
	}
	return out
}

// Toolsets are those that the oracle or an alternative enables.
func (t *Task) Toolsets() []string {
	var out []string
	for _, s := range t.Scripts() {
		for _, st := range s.Statements {
			if st.Verb == "enable" {
				out = append(out, st.Words...)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Asked are the properties that checks look at, so that their values are kept
// in the evidence also where they are defaults.
func (t *Task) Asked() []string {
	var out []string
	for _, c := range t.Checks {
		for _, a := range c.Args {
			if name, ok := strings.CutPrefix(a.Key, "prop."); ok {
				out = append(out, name)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// WantsUndo says whether a check looks at what undo gives.
func (t *Task) WantsUndo() bool {
	return slices.ContainsFunc(t.Checks, func(c Check) bool { return c.Word == "undo.restores" })
}

func hash(text []byte) string {
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:8])
}
