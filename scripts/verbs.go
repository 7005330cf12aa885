package scripts

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// verbs are the commands of a scenario; the package comment is their manual.
var verbs = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"mcp":      positive(verbMCP),
	"expect":   positive(verbExpect),
	"keep":     positive(verbKeep),
	"received": positive(verbReceived),
	"open":     positive(verbOpen),
	"save":     positive(verbSave),
	"undo":     positive(historyVerb("undo")),
	"redo":     positive(historyVerb("redo")),
	"disk":     verbDisk,
	"human":    positive(verbHuman),
	"fault":    positive(verbFault),
	"editor":   positive(verbEditor),
	"server":   positive(verbServer),
	"approver": positive(verbApprover),
	"asked":    positive(verbAsked),
	"question": positive(verbQuestion),
	"folder":   positive(verbFolder),
	"lines":    positive(verbLines),
	"http":     positive(verbHTTP),
	"intruder": positive(verbIntruder),
}

// positive makes a verb that cannot be negated.
func positive(f func(*scenario, *testscript.TestScript, []string) error) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg {
			ts.Fatalf("this verb takes no !")
		}
		if err := f(of(ts), ts, args); err != nil {
			ts.Fatalf("%v", err)
		}
	}
}

func verbMCP(sc *scenario, ts *testscript.TestScript, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("usage: mcp call|fails|preview|refused|read|list …")
	}
	verb, args := args[0], args[1:]
	var ignored []string
	if verb == "call-loose" || verb == "fails-loose" {
		if len(args) == 0 {
			return fmt.Errorf("mcp %s needs the keys to ignore", verb)
		}
		ignored, args = strings.Split(args[0], ","), args[1:]
	}
	if verb == "list" {
		v, err := sc.agree(nil, func(s *session) (any, error) { return s.list(sc.ctx) })
		if err != nil {
			return err
		}
		sc.answer = v
		for _, name := range v.([]any) {
			fmt.Fprintln(ts.Stdout(), name)
		}
		return nil
	}
	if len(args) == 0 {
		return fmt.Errorf("mcp %s needs a name", verb)
	}
	name := args[0]
	if verb == "read" {
		v, err := sc.agree(nil, func(s *session) (any, error) { return s.read(sc.ctx, name) })
		if err != nil {
			return err
		}
		return sc.show(ts, v)
	}
	arguments, err := parseArgs(args[1:])
	if err != nil {
		return err
	}
	if strings.HasSuffix(name, "list_history") {
		// The global history's version counts on in an editor that is reused.
		ignored = append(ignored, "version")
	}
	for _, s := range sc.sessions {
		s.mark()
	}
	given := arguments
	v, err := sc.agree(ignored, func(s *session) (any, error) {
		arguments := s.filled(given)
		switch verb {
		case "call", "call-loose":
			return s.underLaws(sc.ctx, s.tool(name), arguments)
		case "call-raw":
			return s.mustSucceed(sc.ctx, s.tool(name), arguments)
		case "preview":
			return s.underLaws(sc.ctx, s.tool(name), with(arguments, "dry_run", true))
		case "fails", "fails-loose":
			return s.mustFail(sc.ctx, s.tool(name), arguments)
		case "refused":
			return s.mustBeRefused(sc.ctx, name, arguments)
		}
		return nil, fmt.Errorf("unknown verb mcp %s", verb)
	})
	if err != nil {
		return err
	}
	return sc.show(ts, v)
}

// show makes an answer the one that expect and stdout look at.
func (sc *scenario) show(ts *testscript.TestScript, v any) error {
	sc.answer = v
	text, isText := v.(string)
	if !isText {
		text = pretty(v)
	}
	_, err := io.WriteString(ts.Stdout(), strings.TrimRight(text, "\n")+"\n")
	return err
}

// pretty is v as indented JSON with sorted keys.
func pretty(v any) string {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

func verbExpect(sc *scenario, _ *testscript.TestScript, args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("usage: expect KEY OP [VALUE]")
	}
	if err := expect(sc.answer, args[0], args[1], args[2:]); err != nil {
		return fmt.Errorf("%w\nthe answer:\n%s", err, pretty(sc.answer))
	}
	return nil
}

// verbKeep remembers a part of the last answer; each editor has its own.
func verbKeep(sc *scenario, _ *testscript.TestScript, args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("usage: keep NAME KEY")
	}
	return sc.each(func(s *session) error {
		v, ok := lookup(s.last, args[1])
		if !ok {
			return fmt.Errorf("the answer has no %s", args[1])
		}
		if s.keeps == nil {
			s.keeps = map[string]any{}
		}
		s.keeps[args[0]] = v
		return nil
	})
}

func verbReceived(sc *scenario, _ *testscript.TestScript, args []string) error {
	if len(args) == 0 || len(args) > 2 || len(args) == 2 && args[1] != "total" {
		return fmt.Errorf("usage: received N [total]")
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	return sc.each(func(s *session) error {
		got := s.backend.Received()
		if len(args) == 1 {
			got -= s.marked
		}
		if got != want {
			return fmt.Errorf("the editor received %d commands, want %d", got, want)
		}
		return nil
	})
}

func verbOpen(sc *scenario, ts *testscript.TestScript, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: open PATH")
	}
	v, err := sc.agree(nil, func(s *session) (any, error) {
		return s.mustSucceed(sc.ctx, s.tool("open_scene"), map[string]any{"scene_path": args[0]})
	})
	if err != nil {
		return err
	}
	return sc.show(ts, v)
}

// historyVerb undoes or redoes N steps and demands that N were there.
func historyVerb(tool string) func(*scenario, *testscript.TestScript, []string) error {
	return func(sc *scenario, ts *testscript.TestScript, args []string) error {
		n := 1
		if len(args) == 1 {
			var err error
			if n, err = strconv.Atoi(args[0]); err != nil {
				return err
			}
		}
		v, err := sc.agree(nil, func(s *session) (any, error) {
			return s.mustSucceed(sc.ctx, s.tool(tool), map[string]any{"count": n})
		})
		if err != nil {
			return err
		}
		sc.answer = v
		return expect(v, map[string]string{"undo": "undone", "redo": "redone"}[tool], "==", []string{strconv.Itoa(n)})
	}
}

func verbHuman(sc *scenario, _ *testscript.TestScript, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("usage: human VERB ARG…")
	}
	return sc.each(func(s *session) error { return s.backend.Human(sc.ctx, args) })
}

func verbFault(sc *scenario, _ *testscript.TestScript, args []string) error {
	return sc.each(func(s *session) error { return s.backend.Fault(sc.ctx, strings.Join(args, " ")) })
}

func verbEditor(sc *scenario, _ *testscript.TestScript, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("usage: editor stop|start")
	}
	return sc.each(func(s *session) error {
		switch args[0] {
		case "stop":
			return s.stopEditor(sc.ctx)
		case "start":
			return s.startEditor(sc.ctx)
		}
		return fmt.Errorf("editor %s: want stop or start", args[0])
	})
}

func verbServer(sc *scenario, _ *testscript.TestScript, args []string) error {
	if sc.started {
		return fmt.Errorf("server must come before the first call")
	}
	for _, s := range sc.sessions {
		s.flags = args
	}
	return nil
}

// verbFolder gives the project a real folder on the simulator too, with another
// folder beside it that nothing may read or change.
func verbFolder(sc *scenario, _ *testscript.TestScript, args []string) error {
	if sc.started || len(args) != 0 {
		return fmt.Errorf("folder takes no argument and must come before the first call")
	}
	sc.beside = true
	return nil
}

// member reads a file of the scenario that is not part of the project.
func member(sc *scenario, ts *testscript.TestScript, name string) ([]byte, error) {
	return os.ReadFile(ts.MkAbs(name))
}
