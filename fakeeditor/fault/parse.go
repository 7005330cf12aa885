package fault

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"godot-mcp/server/wire"
)

// option reads one key=value into a rule.
type option func(r *Rule, v string) error

func durationOption(at func(*Rule) *time.Duration) option {
	return func(r *Rule, v string) error {
		d, err := time.ParseDuration(v)
		if err != nil || d < 0 {
			return fmt.Errorf("%q is not a duration such as 31s or 250ms", v)
		}
		*at(r) = d
		return nil
	}
}

func textOption(at func(*Rule) *string, allowed ...string) option {
	return func(r *Rule, v string) error {
		if v == "" {
			return fmt.Errorf("it is empty")
		}
		if len(allowed) > 0 && !slices.Contains(allowed, v) {
			return fmt.Errorf("%q is none of %s", v, strings.Join(allowed, ", "))
		}
		*at(r) = v
		return nil
	}
}

var (
	optDelay = durationOption(func(r *Rule) *time.Duration { return &r.Delay })
	optFor   = durationOption(func(r *Rule) *time.Duration { return &r.For })
	optFrame = durationOption(func(r *Rule) *time.Duration { return &r.Frame })
	optWhen  = textOption(func(r *Rule) *string { return &r.When }, Before, After)
	optAs    = textOption(func(r *Rule) *string { return &r.As }, Malformations()...)
	optBytes = option(func(r *Rule, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > 1<<30 {
			return fmt.Errorf("%q is not a number of bytes from 1 to %d", v, 1<<30)
		}
		r.Bytes = n
		return nil
	})
)

// grammar is what each word takes: its defaults and its options.
var grammar = map[Kind]struct {
	defaults Rule
	options  map[string]option
}{
	DelayApply:     {Rule{Delay: 31 * time.Second}, map[string]option{"delay": optDelay}},
	DelayDrop:      {Rule{Delay: 31 * time.Second}, map[string]option{"delay": optDelay}},
	DropCommand:    {},
	DropReply:      {},
	DuplicateReply: {},
	ReorderReply:   {Rule{For: 2 * time.Second}, map[string]option{"for": optFor}},
	OversizedReply: {Rule{Bytes: wire.MaxMessageBytes + 1}, map[string]option{"bytes": optBytes}},
	MalformedReply: {Rule{As: "not-json"}, map[string]option{"as": optAs}},
	Disconnect:     {Rule{For: time.Second, When: After}, map[string]option{"for": optFor, "when": optWhen}},
	Crash:          {Rule{For: 3 * time.Second, When: After}, map[string]option{"for": optFor, "when": optWhen}},
	Hang:           {Rule{For: 5 * time.Second}, map[string]option{"for": optFor}},
	Slow:           {Rule{For: 10 * time.Second, Frame: 100 * time.Millisecond}, map[string]option{"for": optFor, "frame": optFrame}},
	WrongVersion: {Rule{}, map[string]option{
		"godot":      textOption(func(r *Rule) *string { return &r.Godot }),
		"addon":      textOption(func(r *Rule) *string { return &r.Addon }),
		"vocabulary": textOption(func(r *Rule) *string { return &r.Vocab }),
	}},
	SecondEditor: {Rule{For: 5 * time.Second}, map[string]option{"for": optFor}},
	Clear:        {},
}

// ParseLine reads one line of the text form; values with blanks stand in single
// quotes, a doubled quote is one, and # begins a comment.
func ParseLine(line string) (Rule, error) {
	words, err := split(line)
	if err != nil {
		return Rule{}, err
	}
	return Parse(words)
}

// Parse reads the words of one rule.
func Parse(words []string) (Rule, error) {
	if len(words) == 0 {
		return Rule{}, fmt.Errorf("a fault begins with one of %s", known(grammar))
	}
	kind := Kind(words[0])
	g, ok := grammar[kind]
	if !ok {
		return Rule{}, fmt.Errorf("unknown fault %q; it must be one of %s", words[0], known(grammar))
	}
	r := g.defaults
	r.Kind = kind
	fail := func(word, format string, args ...any) (Rule, error) {
		return Rule{}, fmt.Errorf("fault %s, %q: %s", kind, word, fmt.Sprintf(format, args...))
	}
	takesCommand := kind != Clear && kind != WrongVersion
	given := map[string]bool{}
	for _, w := range words[1:] {
		key, value, hasValue := strings.Cut(w, "=")
		if given[key] {
			return fail(w, "given twice")
		}
		given[key] = true
		switch {
		case !takesCommand && (!hasValue || key == "nth" || strings.HasPrefix(key, "arg.")):
			return fail(w, "it concerns no command; options: %s", known(g.options))
		case !hasValue && key == "every":
			r.Every = true
		case !hasValue:
			if _, ok := wire.Lookup(w); !ok {
				return fail(w, "not a command of the vocabulary (as %s), nor \"every\"", wire.CmdTransaction)
			}
			if r.Command != "" {
				return fail(w, "one command is enough; there is %s already", r.Command)
			}
			r.Command = w
		case key == "nth":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 {
				return fail(w, "nth counts from 1")
			}
			r.Nth = n
		case strings.HasPrefix(key, "arg.") && len(key) > len("arg."):
			r.Args = append(r.Args, Arg{strings.TrimPrefix(key, "arg."), value})
		default:
			opt, ok := g.options[key]
			if !ok {
				return fail(w, "unknown option; %s takes %s", kind, strings.Join(append(selectors(takesCommand), keys(g.options)...), ", "))
			}
			if err := opt(&r, value); err != nil {
				return fail(w, "%v", err)
			}
		}
	}
	if r.Every && r.Nth > 0 {
		return fail("every", "cannot stand with nth")
	}
	if kind == WrongVersion && r.Godot == "" && r.Addon == "" && r.Vocab == "" {
		return fail(words[0], "wants at least one of %s", known(g.options))
	}
	if kind == Slow && r.Frame <= 0 {
		return fail(words[0], "frame must be positive")
	}
	if r.selecting() && !r.Every && r.Nth == 0 {
		r.Nth = 1
	}
	return r, nil
}

func selectors(ok bool) []string {
	if !ok {
		return nil
	}
	return []string{"a command", "nth", "every", "arg.NAME"}
}

func keys[K ~string, V any](m map[K]V) []string {
	var out []string
	for k := range m {
		out = append(out, string(k))
	}
	slices.Sort(out)
	return out
}

func known[K ~string, V any](m map[K]V) string {
	if len(m) == 0 {
		return "none"
	}
	return strings.Join(keys(m), ", ")
}

// split parts a line at blanks; single quotes keep blanks.
func split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, inQuote := false, false
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case inQuote && c == '\'' && i+1 < len(line) && line[i+1] == '\'':
			word.WriteByte(c)
			i++
		case c == '\'':
			inQuote, inWord = !inQuote, true
		case inQuote:
			word.WriteByte(c)
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		case c == '#' && !inWord:
			return words, nil
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if inQuote {
		return nil, fmt.Errorf("a quote is not closed in %q", line)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
