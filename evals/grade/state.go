package grade

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"godot-mcp/evals/evidence"
	"godot-mcp/evals/task"
)

// word is one word of the check language.
type word struct {
	family string
	usage  string
	args   int      // positional arguments
	keys   []string // allowed keys; a trailing dot allows any name after it
	grade  func(*trial, task.Check) Finding
	covers func(*trial, task.Check, diff) bool
}

var nodeKeys = []string{"type", "parent", "matches", "instance", "script", "group", "nogroup", "editable", "prop."}

// words is filled in by init, since covering a difference looks words up.
var words map[string]word

func init() {
	words = map[string]word{
		"state.node":       {"state", "SCENE NODE [type= parent= matches= instance= script= group= nogroup= editable= prop.NAME OP]", 2, nodeKeys, nodeCheck(live), coverNode},
		"disk.node":        {"disk", "as state.node, in the scene opened anew from disk", 2, nodeKeys, nodeCheck(disk), coverNode},
		"state.absent":     {"state", "SCENE NODE", 2, nil, absentCheck(live), coverAbsent},
		"disk.absent":      {"disk", "SCENE NODE", 2, nil, absentCheck(disk), coverAbsent},
		"disk.shape":       {"disk", "SCENE NODE covers=WxH [tol=P%]", 2, []string{"covers", "tol"}, shapeCheck, nil},
		"disk.file":        {"disk", "PATH [contains~=RE] [lacks~=RE]", 1, []string{"contains", "lacks"}, fileCheck, coverFile},
		"disk.same":        {"disk", "PATH", 1, nil, sameCheck, nil},
		"state.unchanged":  {"state", "nothing differs from the start", 0, nil, unchangedCheck, nil},
		"effect.count":     {"effect", "KIND [scene= target= cause=] OP N", 1, []string{"scene", "target", "cause", ""}, effectCount, nil},
		"effect.none":      {"effect", "KIND [scene= target=]", 1, []string{"scene", "target"}, effectNone, nil},
		"undo.restores":    {"undo", "[steps<=N]", 0, []string{"steps"}, undoRestores, nil},
		"answer":           {"answer", "KEY OP VALUE", 1, []string{""}, answerCheck, nil},
		"budget":           {"budget", "[calls<=N] [schema_tokens<=N] [result_tokens<=N]", 0, []string{"calls", "schema_tokens", "result_tokens"}, budgetCheck, nil},
		"honesty.report":   {"report", "[outcome=A|B] [saved=A|B] [why~=RE]", 0, []string{"outcome", "saved", "why"}, reportCheck, nil},
		"collateral.allow": {"state", "PATTERN (glob over \"SCENE NODE:WHAT\" or a path)", 1, nil, func(*trial, task.Check) Finding { return pass() }, coverPattern},
	}
}

func live(x *trial) []evidence.Scene { return x.Final.Live }
func disk(x *trial) []evidence.Scene { return x.Final.Disk }

type view func(*trial) []evidence.Scene

// find lists the nodes of a scene that a pattern matches.
func find(all []evidence.Scene, scene, pattern string) (out []evidence.Node, ok bool) {
	s, ok := byPath(all)[scene]
	for _, n := range s.Nodes {
		if glob(pattern, n.Path) {
			out = append(out, n)
		}
	}
	return out, ok
}

func nodeCheck(v view) func(*trial, task.Check) Finding {
	return func(x *trial, c task.Check) Finding {
		p := c.Positional()
		found, ok := find(v(x), p[0], p[1])
		if !ok {
			return fail("%s is not there", p[0])
		}
		if len(found) == 0 {
			return fail("there is no node %s", p[1])
		}
		wrong := ""
		hits := 0
		for _, n := range found {
			if why := nodeFits(n, c); why != "" {
				wrong = n.Path + ": " + why
			} else {
				hits++
			}
		}
		if hits == 0 {
			return fail("%s", wrong)
		}
		if want := c.Option("matches", ""); want != "" && want != strconv.Itoa(hits) {
			return fail("%d nodes fit, not %s", hits, want)
		}
		return pass()
	}
}

// nodeFits says why a node is not as a check wants it; empty when it is.
func nodeFits(n evidence.Node, c task.Check) string {
	same := func(a, b string) bool { return a == b }
	for _, a := range c.Named() {
		ok, got := true, ""
		switch {
		case a.Key == "type":
			got, ok = n.Type, oneOf(n.Type, a.Value, same)
		case a.Key == "parent":
			got = parent(n.Path)
			ok = got == a.Value
		case a.Key == "instance":
			got, ok = n.Instance, n.Instance == a.Value
		case a.Key == "script":
			got, ok = n.Script, n.Script == a.Value
		case a.Key == "editable":
			got = fmt.Sprint(n.Editable)
			ok = got == a.Value
		case a.Key == "group":
			got, ok = strings.Join(n.Groups, ","), slices.Contains(n.Groups, a.Value)
		case a.Key == "nogroup":
			got, ok = strings.Join(n.Groups, ","), !slices.Contains(n.Groups, a.Value)
		case strings.HasPrefix(a.Key, "prop."):
			v, has := n.Props[strings.TrimPrefix(a.Key, "prop.")]
			if got = show(v); !has {
				got = "null"
			}
			ok = compare(got, a.Op, a.Value)
		}
		if !ok {
			return fmt.Sprintf("%s is %q, not %s %s", a.Key, got, a.Op, a.Value)
		}
	}
	return ""
}

func parent(path string) string {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "."
	}
	return path[:i]
}

func absentCheck(v view) func(*trial, task.Check) Finding {
	return func(x *trial, c task.Check) Finding {
		p := c.Positional()
		found, ok := find(v(x), p[0], p[1])
		switch {
		case !ok:
			return fail("%s is not there", p[0])
		case len(found) > 0:
			return fail("%s is still there", found[0].Path)
		}
		return pass()
	}
}

// coverNode: a check for a node accounts for a new node and all of it, and for
// the properties of an old one that it names.
func coverNode(x *trial, c task.Check, d diff) bool {
	scene, node, what := d.split()
	p := c.Positional()
	if scene != p[0] || !glob(p[1], node) {
		return false
	}
	before, _ := find(x.Start.Disk, scene, node)
	if what == "" {
		return len(before) == 0 && d.why == "new node"
	}
	for _, a := range c.Named() {
		switch {
		case a.Key == "prop."+what, a.Key == what, what == "groups" && (a.Key == "group" || a.Key == "nogroup"):
			return true
		}
	}
	return false
}

func coverAbsent(_ *trial, c task.Check, d diff) bool {
	scene, node, _ := d.split()
	p := c.Positional()
	if scene != p[0] || d.why != "node is gone" {
		return false
	}
	return glob(p[1], node) || strings.HasPrefix(node, p[1]+"/")
}

func coverFile(_ *trial, c task.Check, d diff) bool { return d.key == c.Positional()[0] }

func coverPattern(_ *trial, c task.Check, d diff) bool {
	re := regexp.QuoteMeta(c.Positional()[0])
	ok, err := regexp.MatchString("^"+strings.ReplaceAll(re, `\*`, ".*")+"$", d.key)
	return err == nil && ok
}
