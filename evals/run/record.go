// Package run makes many trials of many agents, stores them as they end, goes
// on where it was stopped, and joins the shards of a run.
package run

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"

	"godot-mcp/evals/evidence"
	"godot-mcp/evals/grade"
)

// Outcome of a trial as a measurement.
type Outcome string

// The outcomes. Only scored trials count.
const (
	Scored   Outcome = "scored"
	Infra    Outcome = "infra_error" // of the machinery, the client or the provider
	Unscored Outcome = "unscored"    // a grader failed
	Tainted  Outcome = "tainted"     // the agent worked past the server
)

// Record is one line of trials.jsonl. All but the wall times follow from the
// task, the agent and the trial.
type Record struct {
	Agent   string      `json:"agent"`
	Task    string      `json:"task"`
	Trial   int         `json:"trial"` // from 1
	Hash    string      `json:"task_hash"`
	Outcome Outcome     `json:"outcome"`
	Cause   string      `json:"cause,omitempty"` // of an outcome that is not scored
	Trusted bool        `json:"trusted"`
	Goal    bool        `json:"goal"`
	Safe    string      `json:"safe,omitempty"`
	Honest  string      `json:"honest,omitempty"`
	Failed  []string    `json:"failed,omitempty"`
	Grade   grade.Grade `json:"grade"`
	Metrics Metrics     `json:"metrics"`
	Stop    string      `json:"stop,omitempty"`
	// Reported is the outcome that the agent reported, empty without a report.
	Reported string `json:"reported,omitempty"`
	// WallMS is the only field that two runs may differ in.
	WallMS int64 `json:"wall_ms"`
}

// Metrics are the costs of a trial.
type Metrics struct {
	Calls        int     `json:"calls"`
	Wasted       int     `json:"wasted"` // refused by the protocol or by the shape of the arguments
	SchemaTokens int     `json:"schema_tokens"`
	ResultTokens int     `json:"result_tokens"`
	VirtualMS    int64   `json:"virtual_ms"`
	Turns        int     `json:"turns,omitempty"` // of the model
	InputTokens  int     `json:"input_tokens,omitempty"`
	OutputTokens int     `json:"output_tokens,omitempty"`
	Cost         float64 `json:"cost,omitempty"` // in the currency of the price that was given
	Uncertain    int     `json:"uncertain,omitempty"`
	Mutations    int     `json:"mutations,omitempty"`
}

// Key identifies a trial within a run.
func (r Record) Key() string { return fmt.Sprintf("%s|%s|%04d", r.Agent, r.Task, r.Trial) }

// judge fills in what follows from a grade.
func (r *Record) judge(g grade.Grade) {
	r.Grade, r.Trusted, r.Goal, r.Safe, r.Honest, r.Failed = g, g.Trusted, g.Goal, g.Safe, g.Honest, g.Failed()
	r.Outcome, r.Cause = Scored, ""
	if g.Scored {
		return
	}
	r.Outcome, r.Trusted, r.Goal, r.Safe, r.Honest = Unscored, false, false, "", ""
	for _, f := range g.Findings {
		if f.Verdict == grade.Unscored {
			r.Cause = f.Why
		}
	}
}

func measure(ev *evidence.Evidence) Metrics {
	m := Metrics{Calls: len(ev.Calls), SchemaTokens: evidence.Tokens(ev.Schemas)}
	bytes := 0
	for _, c := range ev.Calls {
		bytes += c.Bytes
		if c.Refused != "" || c.IsError && c.Field("error") == "VALIDATION_ERROR" {
			m.Wasted++
		}
		if c.Uncertain() {
			m.Uncertain++
		}
		m.VirtualMS = c.End.Milliseconds()
	}
	for _, e := range ev.Journal {
		if e.Agent() {
			m.Mutations++
		}
	}
	m.ResultTokens = evidence.Tokens(bytes)
	return m
}

// Folder is where a run is stored.
type Folder string

func (f Folder) path(parts ...string) string {
	return filepath.Join(append([]string{string(f)}, parts...)...)
}

const trialsFile = "trials.jsonl"

// trial is the folder of one trial.
func (f Folder) trial(r Record) string {
	return f.path("t", clean(r.Task), clean(r.Agent), fmt.Sprint(r.Trial))
}

func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|@ `, r) {
			return '_'
		}
		return r
	}, s)
}

// Records reads trials.jsonl. A last line that was cut off is left out.
func (f Folder) Records() ([]Record, error) {
	b, err := os.ReadFile(f.path(trialsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Record
	s := bufio.NewScanner(bytes.NewReader(b))
	s.Buffer(nil, 16<<20)
	for n := 1; s.Scan(); n++ {
		var r Record
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			if !bytes.HasSuffix(b, []byte("\n")) && bytes.HasSuffix(b, s.Bytes()) {
				break
			}
			return nil, fmt.Errorf("%s line %d: %w", f.path(trialsFile), n, err)
		}
		out = append(out, r)
	}
	return out, s.Err()
}

// write replaces trials.jsonl by records in the order of their keys.
func (f Folder) write(rs []Record) error {
	slices.SortFunc(rs, func(a, b Record) int { return strings.Compare(a.Key(), b.Key()) })
	var b bytes.Buffer
	for _, r := range rs {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		b.Write(append(line, '\n'))
	}
	return f.replace(trialsFile, b.Bytes())
}

// replace writes a file so that it is there as a whole or not at all, whenever
// the process dies.
func (f Folder) replace(name string, text []byte) error {
	tmp := f.path(name + ".new")
	if err := os.WriteFile(tmp, text, 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, f.path(name))
}

// writers are kept: each holds most of a megabyte, more than all of a trial.
var writers = sync.Pool{New: func() any { w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed); return w }}

// keep stores the evidence of a trial, the project as it was left, and what the
// agent wrote.
func (f Folder) keep(r Record, ev *evidence.Evidence, log []byte) error {
	dir := f.trial(r)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var b bytes.Buffer
	z := writers.Get().(*gzip.Writer)
	defer writers.Put(z)
	z.Reset(&b)
	if err := errors.Join(json.NewEncoder(z).Encode(ev), z.Close()); err != nil {
		return err
	}
	a := &txtar.Archive{}
	for _, p := range slices.Sorted(keys(ev.Final.Files)) {
		a.Files = append(a.Files, txtar.File{Name: strings.TrimPrefix(p, "res://"), Data: []byte(ev.Final.Files[p])})
	}
	err := errors.Join(os.WriteFile(filepath.Join(dir, "evidence.json.gz"), b.Bytes(), 0o644),
		os.WriteFile(filepath.Join(dir, "final.txtar"), txtar.Format(a), 0o644))
	if len(log) > 0 {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, "agent.log"), log, 0o644))
	}
	return err
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// Evidence reads what is stored of a trial.
func (f Folder) Evidence(r Record) (*evidence.Evidence, error) {
	file, err := os.Open(filepath.Join(f.trial(r), "evidence.json.gz"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	ev := &evidence.Evidence{}
	if err := json.NewDecoder(io.LimitReader(z, 1<<30)).Decode(ev); err != nil {
		return nil, err
	}
	return ev, nil
}
