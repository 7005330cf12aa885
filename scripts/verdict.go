package scripts

import (
	"regexp"
	"slices"
	"strings"
)

// kept holds the verdicts of an answer against what is there after a save and a
// fresh load: what the call added to the scene is there again and what it took
// away is gone, or it is not, as the verdicts say. Verdicts sit at the top or in
// lists; a call with verdicts of both kinds promises nothing about the whole.
func kept(answer map[string]any, before, after Look) error {
	verdicts := collectVerdicts(answer)
	if len(verdicts) == 0 || before.Live == after.Live {
		return nil
	}
	return heldTo(!slices.Contains(verdicts, false), !slices.Contains(verdicts, true), before, after)
}

// heldTo holds the promise that a save keeps all of a change, or none of it, against
// a fresh load. What was lost before does not count against an edit that carries it
// along, and does not excuse one.
func heldTo(all, none bool, before, after Look) error {
	lost, _ := whatIsLost(before, after, false)
	whole, judged := whatIsLost(before, after, true)
	switch {
	case all && len(lost) > 0:
		return broken("persisted means that a save keeps it", "persisted is true, but a save and a load leave:\n%s", strings.Join(lost, "\n"))
	case none && judged && len(whole) == 0:
		return broken("persisted false means that a save drops it", "persisted is false, but a save and a load leave it all:\n%s", lineDiff(before.Live, after.Live))
	}
	return nil
}

// whatIsLost lists what a save and a load undo of the change from one look to the
// next; judged is false when all of the change had been lost already before. What
// had been counts too if all is set.
func whatIsLost(before, after Look, all bool) (lost []string, judged bool) {
	was, is, again := linesOf(before.Live), linesOf(after.Live), linesOf(after.Reloaded)
	// What an earlier edit lost is carried along when its node moves.
	carried := map[string]bool{}
	saved := linesOf(before.Reloaded)
	for l := range was {
		if saved[l] == 0 && !all {
			carried[rest(l)] = true
		}
	}
	for l := range is {
		switch {
		case was[l] > 0 || isOrder(l) || carried[rest(l)]:
		default:
			judged = true
			if again[l] == 0 {
				lost = append(lost, "missing "+l)
			}
		}
	}
	for l := range was {
		if is[l] == 0 && !isOrder(l) && !(carried[rest(l)] && again[l] == 0) {
			judged = true
			if again[l] > 0 {
				lost = append(lost, "back    "+l)
			}
		}
	}
	olds, news := ordersOf(before.Live), ordersOf(after.Reloaded)
	for path, now := range ordersOf(after.Live) {
		if olds[path] == nil {
			continue // moved along with its parent, or the first children of it
		}
		some, wrong := misplaced(olds[path], now, news[path], all)
		judged = judged || some
		if wrong != "" {
			lost = append(lost, "order of "+wrong+" below "+path)
		}
	}
	slices.Sort(lost)
	return lost, judged
}

// home says in which other scene an embedded resource lives. A save of a scene that
// refers to it embeds a copy, so whether it is kept is not told by that.
var home = regexp.MustCompile(`(<\w+ )res://[^ ]*::`)

func linesOf(text string) map[string]int {
	out := map[string]int{}
	for l := range strings.SplitSeq(home.ReplaceAllString(text, "$1"), "\n") {
		if l != "" {
			out[l]++
		}
	}
	return out
}

// A line is "PATH CLASS …" for a node and "  PATH WHAT …" for what it has. Node
// names may hold blanks, so the path ends where the words of the format begin.
var lineWords = []string{" group ", " signal ", " children ", " = "}

// rest is a line without the path of its node.
func rest(line string) string {
	text := strings.TrimPrefix(line, "  ")
	if text == line {
		if i := strings.Index(line, " owner="); i >= 0 {
			return line[strings.LastIndexByte(line[:i], ' ')+1:]
		}
		return line
	}
	at := -1
	for _, w := range lineWords {
		if i := strings.Index(text, w); i >= 0 && (at < 0 || i < at) {
			at = i
			if w == " = " {
				at = max(0, strings.LastIndexByte(text[:i], ' '))
			}
		}
	}
	return text[max(at, 0):]
}

func isOrder(line string) bool {
	return strings.HasPrefix(line, "  ") && strings.HasPrefix(rest(line), " children ")
}

// ordersOf gives the names of the children by the path of their parent.
func ordersOf(text string) map[string][]string {
	out := map[string][]string{}
	for l := range strings.SplitSeq(text, "\n") {
		if isOrder(l) {
			names := rest(l)
			path := strings.TrimSuffix(strings.TrimPrefix(l, "  "), names)
			out[path] = strings.Split(strings.TrimPrefix(names, " children "), "/")
		}
	}
	return out
}

// misplaced looks at the pairs of children that stand in an order in which they
// did not stand before: are there some, and which of them are in another order
// again; with all, which of them are not there again.
func misplaced(was, is, again []string, all bool) (some bool, wrong string) {
	old, fresh := places(was), places(again)
	for i, a := range is {
		for _, b := range is[i+1:] {
			oldA, hadA := old[a]
			oldB, hadB := old[b]
			if hadA && hadB && oldA < oldB {
				continue
			}
			some = true
			newA, hasA := fresh[a]
			newB, hasB := fresh[b]
			if hasA && hasB && newA > newB || all && !(hasA && hasB) {
				return true, a + " and " + b
			}
		}
	}
	return some, ""
}

func places(names []string) map[string]int {
	out := make(map[string]int, len(names))
	for i, n := range names {
		out[n] = i
	}
	return out
}
