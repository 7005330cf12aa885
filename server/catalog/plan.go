package catalog

import (
	"encoding/json"
	"fmt"

	"godot-mcp/server/answer"
	"godot-mcp/server/wire"
)

// Applied says how a command was carried out.
type Applied struct {
	DryRun bool
	// Committed: something changed. Undoable: one undo takes it back.
	Committed bool
	Undoable  bool
	Action    string // name in the undo history
}

// Edited is embedded in the output of undoable edits.
type Edited struct {
	DryRun   bool `json:"dry_run"`
	Undoable bool `json:"undoable"`
	answer.Lasting
}

// Edited gives the common output fields of an edit of node.
func (a Applied) Edited(v wire.Verdict, node string) Edited {
	return Edited{DryRun: a.DryRun, Undoable: a.Undoable, Lasting: answer.Lasts(v, node)}
}

// Plan is one wire command and how its result becomes Out. Make one with
// [Command], [Edit] or [Edits].
type Plan[Out any] struct{ *planned }

// Command plans a read or a session command. The catalogue adds dry_run to a
// session command of a preview.
func Command[Out, R any](command string, params any, shape func(R, Applied) (Out, error)) Plan[Out] {
	return Plan[Out]{planCommand(command, params, finishOne(shape))}
}

// Edit plans one undoable step. Label is what the undo history shows.
func Edit[Out, R any](label string, step wire.StepParam, shape func(R, Applied) (Out, error)) Plan[Out] {
	return Plan[Out]{planSteps(label, []wire.StepParam{step}, finishOne(shape))}
}

// Edits plans several steps as one undo action, all or nothing. Shape gets one
// raw result per step; [Result] decodes one.
func Edits[Out any](label string, steps []wire.StepParam, shape func([]json.RawMessage, Applied) (Out, error)) Plan[Out] {
	return Plan[Out]{planSteps(label, steps, func(raw []json.RawMessage, a Applied) (any, error) { return shape(raw, a) })}
}

// Step makes one step of an edit.
func Step(command string, params any) wire.StepParam {
	info, ok := wire.Lookup(command)
	if !ok || info.Kind != wire.KindStep {
		panic("catalog: " + command + " is not a step")
	}
	raw, err := json.Marshal(params)
	if err != nil {
		// Parameters are structs of the wire package with JSON taken from the
		// call; only broken raw JSON could fail, and that was parsed before.
		raw = json.RawMessage(`{}`)
	}
	return wire.StepParam{Command: command, Params: raw}
}

// Result decodes the raw result of one step.
func Result[R any](raw json.RawMessage) (r R, err error) {
	err = decodeResult(raw, &r)
	return r, err
}

func decodeResult(raw json.RawMessage, result any) error {
	if err := json.Unmarshal(raw, result); err != nil {
		return answer.New(answer.BadResult, "message", err.Error())
	}
	return nil
}

// finish shapes the raw results of the steps, or of the one command.
type finish func([]json.RawMessage, Applied) (any, error)

func finishOne[Out, R any](shape func(R, Applied) (Out, error)) finish {
	return func(raw []json.RawMessage, a Applied) (any, error) {
		var r R
		if err := decodeResult(raw[0], &r); err != nil {
			return nil, err
		}
		return shape(r, a)
	}
}

// planned is a Plan without its type.
type planned struct {
	command string // read or session; empty for steps
	params  json.RawMessage
	label   string
	steps   []wire.StepParam
	finish  finish
}

func planCommand(command string, params any, f finish) *planned {
	info, ok := wire.Lookup(command)
	if !ok || info.Kind == wire.KindStep {
		panic("catalog: " + command + " is not a read or session command")
	}
	raw, err := json.Marshal(params)
	if err != nil || params == nil {
		raw = json.RawMessage(`{}`)
	}
	return &planned{command: command, params: raw, finish: f}
}

func planSteps(label string, steps []wire.StepParam, f finish) *planned {
	return &planned{label: label, steps: steps, finish: f}
}

// outgoing is the command that carries the plan when it runs alone.
func (p *planned) outgoing(dryRun bool) (string, any) {
	if p.command == "" {
		return wire.CmdTransaction, wire.Transaction{Name: p.label, Steps: p.steps, DryRun: dryRun}
	}
	return p.command, withDryRun(p.command, p.params, dryRun)
}

// commands are all that the editor has to know for the plan.
func (p *planned) commands() []string {
	if p.command != "" {
		return []string{p.command}
	}
	out := []string{wire.CmdTransaction}
	for _, s := range p.steps {
		out = append(out, s.Command)
	}
	return out
}

// entry is the command that carries the plan inside a batch.
func (p *planned) entry() wire.StepParam {
	command, params := p.outgoing(false)
	raw, _ := json.Marshal(params)
	return wire.StepParam{Command: command, Params: raw}
}

// result shapes the raw answer of outgoing.
func (p *planned) result(raw json.RawMessage, dryRun bool) (any, error) {
	if p.command != "" {
		return p.finish([]json.RawMessage{raw}, Applied{DryRun: dryRun, Committed: !dryRun})
	}
	tx, err := Result[wire.TransactionResult](raw)
	if err != nil {
		return nil, err
	}
	if len(tx.Results) != len(p.steps) {
		return nil, answer.New(answer.BadResult, "message", fmt.Sprintf("%d results for %d steps", len(tx.Results), len(p.steps)))
	}
	return p.finish(tx.Results, Applied{DryRun: dryRun, Committed: tx.Committed, Undoable: tx.Undoable, Action: tx.Action})
}

func withDryRun(command string, params json.RawMessage, dryRun bool) any {
	if info, ok := wire.Lookup(command); !dryRun || !ok || info.Kind != wire.KindSession {
		return params
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(params, &fields) != nil || fields == nil {
		fields = map[string]json.RawMessage{}
	}
	fields["dry_run"] = json.RawMessage("true")
	return fields
}
