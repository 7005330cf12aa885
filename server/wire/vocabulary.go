package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// Kind says what a command may do; see the package comment.
type Kind int

// The kinds.
const (
	KindRead Kind = iota
	KindStep
	KindSession
)

// String implements fmt.Stringer.
func (k Kind) String() string { return [...]string{"read", "step", "session"}[k] }

// CommandInfo is one entry of [Commands].
type CommandInfo struct {
	Name string
	Kind Kind
}

// Lookup finds a command by name.
func Lookup(name string) (CommandInfo, bool) {
	i, ok := slices.BinarySearchFunc(Commands, name, func(c CommandInfo, n string) int { return strings.Compare(c.Name, n) })
	if !ok {
		return CommandInfo{}, false
	}
	return Commands[i], true
}

func call[S, P, R any](s S, params json.RawMessage, f func(S, P) (R, error)) (any, error) {
	var p P
	if err := DecodeParams(params, &p); err != nil {
		return nil, err
	}
	r, err := f(s, p)
	if err != nil {
		return nil, AsError(err)
	}
	return r, nil
}

// DecodeParams decodes the params of a command into its struct. Absent params
// are an empty object; unknown names and anything but an object are refused.
func DecodeParams(params json.RawMessage, into any) error {
	if len(bytes.TrimSpace(params)) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(params))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		detail := []any{"message", err.Error()}
		if te, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			detail = append(detail, "param", te.Field)
		}
		return Fail(ReasonBadParams, detail...)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Fail(ReasonBadParams, "message", "text after the object")
	}
	return nil
}
