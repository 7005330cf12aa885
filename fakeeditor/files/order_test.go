package files

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// orderFile holds what happens to an editor's files and, after that, which signals a
// real editor gave (engine 4.6.3, headless), each with what was there at that moment:
// the classes and the .uid and .import files of the case. A line is
//
//	# name of the case
//	write|remove|rename|update|reimport|scan|settle ...   what is done, in one frame until settle
//	watch FILE                                            whose state is noted as well
//	> signal or call | state
const orderFile = "testdata/signals.txt"

// orderOp is one thing that is done.
type orderOp struct {
	Verb  string   `json:"verb"`
	Paths []string `json:"paths"`
	Text  string   `json:"text"`
	Time  int64    `json:"time"`
}

type orderCase struct {
	Name  string    `json:"name"`
	Ops   []orderOp `json:"ops"`
	Paths []string  `json:"paths"` // whose state is noted
	Trace []string  `json:"-"`
	lines []string  // of the file, without the trace
}

// orderProject is what the editor opens.
var orderProject = map[string]string{"project.godot": "config_version=5\n\n[application]\n\nconfig/name=\"Order\"\n", "old/keep.txt": "x", "aim.gd": "class_name Aim extends Node\n"}

// orderCases reads the file. Every write is in a second of its own, later than when
// the simulated editor starts and earlier than any real one.
func orderCases(t *testing.T) []*orderCase {
	text, err := os.ReadFile(orderFile)
	require.NoError(t, err)
	var cases []*orderCase
	second := int64(epoch + 3600)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "# "); ok {
			cases = append(cases, &orderCase{Name: name, Paths: []string{}})
		}
		c := cases[len(cases)-1]
		if trace, ok := strings.CutPrefix(line, "> "); ok {
			c.Trace = append(c.Trace, strings.TrimSuffix(trace, " "))
			continue
		}
		c.lines = append(c.lines, line)
		if line == "" || line[0] == '#' {
			continue
		}
		words := strings.Fields(line)
		op := orderOp{Verb: words[0], Paths: words[1:]}
		if op.Verb == "write" {
			second++
			op.Paths, op.Time, op.Text = words[1:2], second, strings.Join(words[2:], " ")+"\n"
			if Ext(words[1]) == "svg" && len(words) == 3 {
				op.Text = fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"8\"/>", words[2])
			}
		}
		for i, p := range op.Paths {
			op.Paths[i] = Root + p
			if path.Ext(p) != "" && !slices.Contains(c.Paths, Root+p) {
				c.Paths = append(c.Paths, Root+p)
			}
		}
		if op.Verb != "watch" {
			c.Ops = append(c.Ops, op)
		}
	}
	return cases
}

// state is what a case notes of a moment.
func (c *orderCase) state(s System) string {
	var out []string
	if s.EngineScanning() {
		out = append(out, "scanning")
	}
	for class := range s.Classes {
		if slices.Contains(c.Paths, class.Path) {
			out = append(out, class.Name)
		}
	}
	for _, p := range c.Paths {
		for _, beside := range []string{p + ".uid", p + ".import"} {
			if s.disk.Has(beside) {
				out = append(out, strings.TrimPrefix(beside, Root))
			}
		}
	}
	return strings.Join(out, " ")
}

func told(what, state string) string {
	return strings.TrimSpace(strings.ReplaceAll(what, Root, "") + " | " + state)
}

// play does what a case says and gives the signals, and among them, as "~", what a
// command could see between them.
func (c *orderCase) play(s System) ([]string, System) {
	var trace []string
	now := c.state(s)
	note := func(next System) {
		before := now
		now = c.state(next)
		for _, e := range next.events {
			what := strings.Join(append([]string{e.Kind}, e.Paths...), " ")
			switch e.Kind {
			case EventSources:
				trace = append(trace, told(what+" false", now))
			case EventReimporting:
				trace = append(trace, told(what, before))
			default:
				trace = append(trace, told(what, now))
			}
		}
		_, s = next.TakeEvents()
		trace = append(trace, told("~", now))
	}
	settle := func() {
		note(s.endFrame())
		for at, ok := s.Next(); ok; at, ok = s.Next() {
			note(s.at(at).advance())
		}
	}
	for _, op := range c.Ops {
		switch op.Verb {
		case "write":
			s.disk = s.disk.At(op.Time).With(op.Paths[0], op.Text)
		case "remove":
			s = s.Remove(op.Paths[0])
		case "rename":
			for p, f := range s.disk.All {
				if p != op.Paths[0] && !strings.HasPrefix(p, op.Paths[0]+"/") {
					continue
				}
				s.disk = s.disk.At(f.Time).With(op.Paths[1]+strings.TrimPrefix(p, op.Paths[0]), f.Data)
			}
			s.disk = s.disk.Without(op.Paths[0]).WithoutFolder(op.Paths[0])
		case "update":
			for _, p := range op.Paths {
				note(s.UpdateFile(p))
			}
		case "reimport":
			next, _ := s.ReimportFiles(op.Paths...)
			note(next)
		case "scan":
			note(s.Scan())
		case "settle":
			settle()
			continue
		}
		trace = append(trace, "-- "+op.Verb)
	}
	settle()
	return trace, s
}

// signalsOf leaves out what was seen between the signals.
func signalsOf(trace []string) []string {
	return slices.DeleteFunc(slices.Clone(trace), func(line string) bool { return strings.HasPrefix(line, "~") })
}

// The signals of the simulated file system come in the engine's order, with the
// engine's state at each, under whatever schedule.
func TestSignalsComeInTheOrderOfTheEngine(t *testing.T) {
	for seed := range uint64(20) {
		s := New(NewTree(orderProject), Options{ProjectName: "Order", Seed: seed, Delays: DefaultDelays()})
		for _, c := range orderCases(t) {
			var trace []string
			trace, s = c.play(s)
			require.Equal(t, c.Trace, signalsOf(trace), "seed %d, %s", seed, c.Name)
		}
	}
}
