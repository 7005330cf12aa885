package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"godot-mcp/evals/evidence"
	"godot-mcp/evals/grade"
	"godot-mcp/evals/task"
)

// Manifest is run.json: all that decides what a run measures.
type Manifest struct {
	Schema   string            `json:"schema"`
	Tasks    map[string]string `json:"tasks"` // id → hash
	Agents   []AgentInfo       `json:"agents"`
	Trials   int               `json:"trials"`
	Grader   int               `json:"grader"`
	Contract int               `json:"contract"`
	Server   string            `json:"server"`
	MaxCalls int               `json:"max_calls,omitempty"`
	Shard    Shard             `json:"shard"`
}

// AgentInfo describes an agent. Secrets do not belong into it.
type AgentInfo struct {
	Name   string            `json:"name"`
	Kind   string            `json:"kind"` // script, client or model
	Detail map[string]string `json:"detail,omitempty"`
}

func (o *Options) manifest() Manifest {
	m := Manifest{Schema: "evals-run/1", Tasks: map[string]string{}, Trials: o.Trials, MaxCalls: o.MaxCalls, Grader: grade.Version, Contract: evidence.ContractVersion, Server: o.Version, Shard: o.Shard}
	for _, t := range o.Tasks {
		m.Tasks[t.ID] = t.Hash
	}
	for _, a := range o.Agents {
		m.Agents = append(m.Agents, a.Info)
	}
	return m
}

// Manifest reads run.json.
func (f Folder) Manifest() (Manifest, error) {
	var m Manifest
	b, err := os.ReadFile(f.path("run.json"))
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(b, &m)
}

// begin writes run.json, or finds that it says the same.
func (f Folder) begin(m Manifest) error {
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	b = append(b, '\n')
	old, err := os.ReadFile(f.path("run.json"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(string(f), 0o755); err != nil {
			return err
		}
		return f.replace("run.json", b)
	case err != nil:
		return err
	case !bytes.Equal(old, b):
		return fmt.Errorf("%s holds another run: tasks, agents, trials or versions differ; choose another folder", string(f))
	}
	return nil
}

// Shard is a part of a run: number Index of Of, from 0. The zero Shard is all.
type Shard struct {
	Index int `json:"index"`
	Of    int `json:"of"`
}

// ParseShard reads INDEX/OF.
func ParseShard(s string) (Shard, error) {
	var out Shard
	var rest string
	if n, _ := fmt.Sscanf(s+" .", "%d/%d %s", &out.Index, &out.Of, &rest); n != 3 || rest != "." || out.Of < 1 || out.Index < 0 || out.Index >= out.Of {
		return out, fmt.Errorf("a shard is INDEX/OF with 0 <= INDEX < OF, not %q", s)
	}
	return out, nil
}

// has says whether a trial belongs to the shard. The trials of one task go to
// different shards, so that one broken machine does not spoil a whole task.
func (s Shard) has(t *task.Task, trial int) bool {
	if s.Of <= 1 {
		return true
	}
	h := uint32(2166136261)
	for i := range len(t.ID) {
		h = (h ^ uint32(t.ID[i])) * 16777619
	}
	return (int(h%uint32(s.Of))+trial)%s.Of == s.Index
}
