package task

import (
	"strconv"
	"strings"
	"time"

	"godot-mcp/fakeeditor/fault"
)

// World is setup.txt and faults.txt:
//
//	human WORDS               setup: what a person did before the agent came
//	clock gap=D               virtual time between two calls of the agent (default 1s)
//	fault WORDS               a rule of package fakeeditor/fault, armed from the start
//	at call N: human WORDS    before the agent's call number N
//	at call N: fault WORDS
//	approver WORDS            what a person says to a call that needs approval ([Decision]):
//	                          approve|deny|silent TOOL [NAME=GLOB...] [after=D] [why=TEXT]
//
// The words of a person are those of fakeeditor.Human.Run.
type World struct {
	Gap   time.Duration
	Setup [][]string // of a person
	Rules []fault.Rule
	At    []Event
	// Approver are the decisions of the person who is asked about calls; without
	// any nobody is there to be asked.
	Approver []Decision
}

// Event happens before the agent's call number Call (from 1).
type Event struct {
	Call  int
	Human []string
	Fault *fault.Rule
}

// DefaultGap is the virtual time between two calls.
const DefaultGap = time.Second

// GapTime is the virtual time between two calls.
func (w World) GapTime() time.Duration {
	if w.Gap > 0 {
		return w.Gap
	}
	return DefaultGap
}

func (w *World) parse(member, text string, setup bool) error {
	all, err := lines(member, text)
	if err != nil {
		return err
	}
	for _, l := range all {
		if err := w.line(l.Words, setup); err != nil {
			return errorf(member, l.Number, "%w", err)
		}
	}
	return nil
}

func (w *World) line(words []string, setup bool) error {
	switch {
	case setup && words[0] != "human":
		return errorText("setup.txt takes lines that begin with human, not %q", words[0])
	case setup:
		if len(words) < 2 {
			return errorText("human wants what the person does")
		}
		w.Setup = append(w.Setup, words[1:])
	case words[0] == "clock" && len(words) == 2:
		text, ok := strings.CutPrefix(words[1], "gap=")
		d, err := time.ParseDuration(text)
		if !ok || err != nil || d <= 0 {
			return errorText("clock wants gap=DURATION")
		}
		w.Gap = d
	case words[0] == "fault":
		r, err := fault.Parse(words[1:])
		if err != nil {
			return err
		}
		w.Rules = append(w.Rules, r)
	case words[0] == "approver":
		d, err := parseDecision(words[1:])
		if err != nil {
			return err
		}
		w.Approver = append(w.Approver, d)
	case words[0] == "at" && len(words) > 4 && words[1] == "call":
		n, err := strconv.Atoi(strings.TrimSuffix(words[2], ":"))
		if err != nil || n < 1 || !strings.HasSuffix(words[2], ":") {
			return errorText("at call wants a number and a colon, not %q", words[2])
		}
		e := Event{Call: n}
		switch words[3] {
		case "human":
			e.Human = words[4:]
		case "fault":
			r, err := fault.Parse(words[4:])
			if err != nil {
				return err
			}
			e.Fault = &r
		default:
			return errorText("at a call there is human or fault, not %q", words[3])
		}
		w.At = append(w.At, e)
	default:
		return errorText("unknown line %q", strings.Join(words, " "))
	}
	return nil
}

// MostDelay is the longest delay that a fault of a task may have: a world is
// given somewhat more to come to rest.
const MostDelay = 2 * time.Minute
