// Package evidence is all that a grader may see of a trial, as plain data: it
// can be stored and graded again later.
package evidence

import "time"

// Evidence of one trial.
type Evidence struct {
	Task  string `json:"task"`
	Start World  `json:"start"` // after the setup, before the agent
	// Final is after the drain: every command that was under way has been
	// applied or dropped.
	Final   World    `json:"final"`
	Journal []Effect `json:"journal"`
	// Undone is what is left when a person undoes the agent's edits, in UndoSteps
	// steps; only where a task asks for it.
	Undone    *World `json:"undone,omitempty"`
	UndoSteps int    `json:"undo_steps,omitempty"`
	Calls     []Call `json:"calls"`
	// Schemas counts the bytes of the tool schemas that were served, each tool once.
	Schemas int     `json:"schema_bytes"`
	Report  *Report `json:"report,omitempty"`
	// FinalText is the last message of the agent, as it was.
	FinalText string `json:"final_text,omitempty"`
	Stop      Stop   `json:"stop"`
	// Connected and Listed: the client introduced itself, and read the tool list.
	Connected bool `json:"connected"`
	Listed    bool `json:"listed"`
}

// Stop says how a trial ended.
type Stop string

// The ways to end.
const (
	Done      Stop = "agent_done"
	Limit     Stop = "limit"         // of calls, tokens or cost
	Timeout   Stop = "agent_timeout" // of wall time
	Crash     Stop = "agent_crash"
	BadScript Stop = "script_error" // a scripted agent met what its script does not foresee
)

// World is the project and the editor at one moment.
type World struct {
	Files map[string]string `json:"files"` // res:// paths, without .godot
	Live  []Scene           `json:"live"`  // open tabs
	// Disk are the scene files opened anew: what a colleague sees who gets the
	// project from version control.
	Disk []Scene `json:"disk"`
}

// Scene is one scene as a tree.
type Scene struct {
	Path     string `json:"path"` // empty: never saved
	Active   bool   `json:"active,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Nodes    []Node `json:"nodes"` // in tree order; the root's path is "."
}

// Node of a scene.
type Node struct {
	Path     string           `json:"path"`
	Type     string           `json:"type"`
	Owner    string           `json:"owner,omitempty"`    // path of the owner, "-" for none
	Instance string           `json:"instance,omitempty"` // scene file
	Editable bool             `json:"editable,omitempty"`
	Script   string           `json:"script,omitempty"`
	Groups   []string         `json:"groups,omitempty"`
	Signals  []string         `json:"signals,omitempty"` // SIGNAL -> NODE.METHOD
	Props    map[string]Value `json:"props,omitempty"`   // that differ from defaults, or that a check asks for
}

// Value of a property: text as Godot writes it, or a resource.
type Value struct {
	Text  string           `json:"text,omitempty"`
	Class string           `json:"class,omitempty"`
	Path  string           `json:"path,omitempty"`
	Props map[string]Value `json:"props,omitempty"`
}

// Causes of effects that are no calls.
const (
	Human    = "human"
	Importer = "importer"
	Other    = "other"
)

// Effect is one applied mutation.
type Effect struct {
	Seq    int           `json:"seq"`
	Time   time.Duration `json:"time"`
	Cause  string        `json:"cause"`          // "call", human, importer or other
	Call   int           `json:"call,omitempty"` // number of the call that caused it
	Kind   string        `json:"kind"`
	Scene  string        `json:"scene,omitempty"`
	Target string        `json:"target"`
	Before string        `json:"before,omitempty"`
	After  string        `json:"after,omitempty"`
}

// Agent says whether the agent caused the effect.
func (e Effect) Agent() bool { return e.Cause == "call" }

// Call is one tools/call at the MCP boundary.
type Call struct {
	N       int            `json:"n"` // from 1
	Start   time.Duration  `json:"start"`
	End     time.Duration  `json:"end"`
	Name    string         `json:"name"`           // as the client sent it
	Tool    string         `json:"tool,omitempty"` // the tool's own name, empty for an unknown one
	Class   string         `json:"class,omitempty"`
	Args    map[string]any `json:"args,omitempty"`
	BadArgs string         `json:"bad_args,omitempty"` // arguments that are no object
	DryRun  bool           `json:"dry_run,omitempty"`
	Confirm bool           `json:"confirm,omitempty"`
	Refused string         `json:"refused,omitempty"` // a protocol error
	IsError bool           `json:"is_error,omitempty"`
	Reply   map[string]any `json:"reply,omitempty"`
	Text    string         `json:"text,omitempty"` // what the model reads
	Bytes   int            `json:"bytes"`
	// Commands are those that the call sent to the editor, in order.
	Commands []string `json:"commands,omitempty"`
	// Barrier: the editor answered in its queue, so every earlier command has
	// been dealt with.
	Barrier bool `json:"barrier,omitempty"`
}

// Uncertain says that nobody knew whether the call took effect when it ended.
func (c Call) Uncertain() bool { return c.Reply["may_have_applied"] == true }

// Field is a text of the reply.
func (c Call) Field(name string) string {
	s, _ := c.Reply[name].(string)
	return s
}

// Tokens is the rough number of tokens in so many bytes of JSON and prose.
func Tokens(bytes int) int { return (bytes + 3) / 4 }
