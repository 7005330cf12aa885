package fault

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"godot-mcp/server/wire"
)

// Kind is what goes wrong; its value is the word of the text form.
type Kind string

// The kinds; the package comment says what they do.
const (
	DelayApply     Kind = "delay-apply"
	DelayDrop      Kind = "delay-drop"
	DropCommand    Kind = "drop-command"
	DropReply      Kind = "drop-reply"
	DuplicateReply Kind = "duplicate-reply"
	ReorderReply   Kind = "reorder-reply"
	OversizedReply Kind = "oversized-reply"
	MalformedReply Kind = "malformed-reply"
	Disconnect     Kind = "disconnect"
	Crash          Kind = "crash"
	Hang           Kind = "hang"
	Slow           Kind = "slow"
	WrongVersion   Kind = "wrong-version"
	SecondEditor   Kind = "second-editor"
	Clear          Kind = "clear"
)

// When a rule with an option "when" takes effect.
const (
	Before = "before" // the command does not run
	After  = "after"  // the command ran, its answer is lost
)

// Rule is one fault. Fields that its kind does not use are zero; [Parse] fills
// in defaults.
type Rule struct {
	Kind Kind
	// Command is the command waited for; empty: any, or none (see [Rule.Immediate]).
	Command string
	Nth     int  // counts from 1; 0 with Every
	Every   bool // every match
	Args    []Arg

	Delay time.Duration // delay-*
	For   time.Duration // disconnect, crash, hang, slow, second-editor, reorder-reply
	Frame time.Duration // slow
	When  string        // disconnect, crash
	As    string        // malformed-reply
	Bytes int           // oversized-reply
	Godot string        // wrong-version
	Addon string        // wrong-version
	Vocab string        // wrong-version
}

// Arg matches one parameter: Path is dotted, Value JSON or text.
type Arg struct{ Path, Value string }

// Immediate says whether the rule happens when it is armed and not at a command.
func (r Rule) Immediate() bool {
	switch r.Kind {
	case Clear:
		return true
	case Disconnect, Crash, Hang, Slow, SecondEditor:
		return r.Command == "" && r.Nth == 0 && !r.Every && len(r.Args) == 0
	}
	return false
}

// selecting says whether a command decides when the rule happens.
func (r Rule) selecting() bool { return r.Kind != WrongVersion && !r.Immediate() }

// String is the text form; [Parse] reads it back.
func (r Rule) String() string {
	words := []string{string(r.Kind)}
	add := func(k, v string) {
		if v != "" {
			words = append(words, k+"="+v)
		}
	}
	duration := func(k string, d time.Duration) {
		if d != 0 {
			add(k, d.String())
		}
	}
	if r.Command != "" {
		words = append(words, r.Command)
	}
	if r.Every {
		words = append(words, "every")
	} else if r.Nth > 0 {
		add("nth", strconv.Itoa(r.Nth))
	}
	for _, a := range r.Args {
		words = append(words, "arg."+a.Path+"="+a.Value)
	}
	duration("delay", r.Delay)
	duration("for", r.For)
	duration("frame", r.Frame)
	add("when", r.When)
	add("as", r.As)
	if r.Bytes != 0 {
		add("bytes", strconv.Itoa(r.Bytes))
	}
	add("godot", r.Godot)
	add("addon", r.Addon)
	add("vocabulary", r.Vocab)
	for i := range words {
		words[i] = quote(words[i])
	}
	return strings.Join(words, " ")
}

func quote(v string) string {
	if !strings.ContainsAny(v, " \t\r\n'#") {
		return v
	}
	return "'" + strings.ReplaceAll(v, "'", "''") + "'"
}

// matches says whether a command is one the rule waits for.
func (r Rule) matches(c wire.Command) bool {
	if !r.selecting() {
		return false
	}
	if r.Command == "" || r.Command == c.Command {
		return argsMatch(r.Args, c.Params)
	}
	info, _ := wire.Lookup(r.Command)
	if c.Command != wire.CmdTransaction || info.Kind != wire.KindStep {
		return false
	}
	var tx struct{ Steps []wire.StepParam }
	if json.Unmarshal(c.Params, &tx) != nil {
		return false
	}
	return slices.ContainsFunc(tx.Steps, func(s wire.StepParam) bool {
		return s.Command == r.Command && argsMatch(r.Args, s.Params)
	})
}

func argsMatch(args []Arg, params json.RawMessage) bool {
	if len(args) == 0 {
		return true
	}
	root, ok := decode(params)
	if !ok {
		return false
	}
	for _, a := range args {
		v, ok := Dig(root, a.Path)
		if !ok {
			return false
		}
		if text, isText := v.(string); isText && text == a.Value {
			continue
		}
		if want, ok := decode([]byte(a.Value)); !ok || !reflect.DeepEqual(v, want) {
			return false
		}
	}
	return true
}

func decode(text []byte) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return nil, false
	}
	return v, true
}

// Dig follows a dotted path with indices into a JSON value.
func Dig(v any, path string) (any, bool) {
	for part := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			var ok bool
			if v, ok = x[part]; !ok {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(x) {
				return nil, false
			}
			v = x[i]
		default:
			return nil, false
		}
	}
	return v, true
}
