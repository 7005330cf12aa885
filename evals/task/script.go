package task

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Script is what a scripted agent does, one statement a line:
//
//	enable TOOLSET...            switch toolsets on
//	call TOOL ARG...             a call that must succeed
//	try TOOL ARG...              a call that may fail
//	restore TOOL ARG...          a call that takes back an edit of the agent's own
//	settle NODE                  if it is uncertain whether the last call took effect, read NODE
//	                             until the editor answers, and repeat the call if it is not there
//	if KEY OP VALUE: STATEMENT   on the last answer; OP is == != has exists absent
//	save                         save the scene and note whether that worked in $saved
//	answer KEY VALUE             VALUE may be $KEY, a path into the last answer
//	report KEY=VALUE...          the end: outcome, saved (or $saved), why, unverified (a,b)
//
// TOOL is a tool's own name (create_node); an ARG is key=value, where the value
// is JSON if it parses as JSON and text otherwise.
type Script struct {
	Name       string
	Statements []Statement
}

// Statement is one line of a Script.
type Statement struct {
	Line  int
	If    *Condition
	Verb  string
	Tool  string
	Args  map[string]any
	Words []string // what is neither tool nor arguments
}

// Condition looks at the last answer.
type Condition struct{ Key, Op, Value string }

func parseScript(member, text string) (Script, error) {
	s := Script{Name: strings.TrimSuffix(member, ".txt")}
	all, err := lines(member, text)
	if err != nil {
		return s, err
	}
	for _, l := range all {
		st, err := parseStatement(l.Words)
		if err != nil {
			return s, errorf(member, l.Number, "%w", err)
		}
		st.Line = l.Number
		s.Statements = append(s.Statements, st)
	}
	return s, nil
}

func parseStatement(words []string) (Statement, error) {
	var st Statement
	if words[0] == "if" {
		end := slices.IndexFunc(words, func(w string) bool { return strings.HasSuffix(w, ":") })
		if end < 2 || end > 3 || end+1 >= len(words) {
			return st, errorText("if wants KEY OP VALUE: STATEMENT")
		}
		last := strings.TrimSuffix(words[end], ":")
		st.If = &Condition{Key: words[1], Op: words[2]}
		if end == 2 {
			st.If.Op = last
		} else {
			st.If.Value = last
		}
		ops := map[string]bool{"==": true, "!=": true, "has": true, "exists": false, "absent": false}
		if takes, known := ops[st.If.Op]; !known || takes != (end == 3) {
			return st, errorText("if has no operator %q of that form", st.If.Op)
		}
		words = words[end+1:]
	}
	st.Verb = words[0]
	rest := words[1:]
	wants := func(ok bool, form string) error {
		if !ok {
			return errorText("%s wants %s", st.Verb, form)
		}
		return nil
	}
	switch st.Verb {
	case "call", "try", "restore":
		if err := wants(len(rest) > 0, "TOOL ARG..."); err != nil {
			return st, err
		}
		var err error
		st.Tool = rest[0]
		st.Args, err = parseArgs(rest[1:])
		return st, err
	case "enable":
		st.Words = rest
		return st, wants(len(rest) > 0, "TOOLSET...")
	case "settle":
		st.Words = rest
		return st, wants(len(rest) == 1, "NODE")
	case "save":
		return st, wants(len(rest) == 0, "nothing")
	case "answer":
		st.Words = rest
		return st, wants(len(rest) == 2, "KEY VALUE")
	case "report":
		var err error
		st.Args, err = parseArgs(rest)
		for k := range st.Args {
			if !slices.Contains([]string{"outcome", "saved", "why", "unverified"}, k) {
				return st, errorText("a report has no %q", k)
			}
		}
		return st, err
	}
	return st, errorText("unknown statement %q", st.Verb)
}

func parseArgs(words []string) (map[string]any, error) {
	out := map[string]any{}
	for _, w := range words {
		key, text, ok := strings.Cut(w, "=")
		if !ok || key == "" {
			return nil, errorText("argument %q is not key=value", w)
		}
		if _, twice := out[key]; twice {
			return nil, errorText("argument %q is given twice", key)
		}
		out[key] = loose(text)
	}
	return out, nil
}

// loose is the JSON value of a text, or the text itself.
func loose(text string) any {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return text
	}
	return v
}

// Number is a value of JSON or a text as a number.
func Number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case string:
		f, err := strconv.ParseFloat(v, 64)
		return f, err == nil
	}
	return 0, false
}
