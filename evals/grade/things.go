package grade

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"godot-mcp/evals/evidence"
	"godot-mcp/evals/task"
)

func fileCheck(x *trial, c task.Check) Finding {
	text, ok := x.Final.Files[c.Positional()[0]]
	if !ok {
		return fail("there is no file %s", c.Positional()[0])
	}
	for _, a := range c.Named() {
		if compare(text, "~=", a.Value) != (a.Key == "contains") {
			return fail("it %s %s", map[string]string{"contains": "does not contain", "lacks": "contains"}[a.Key], a.Value)
		}
	}
	return pass()
}

func sameCheck(x *trial, c task.Check) Finding {
	p := c.Positional()[0]
	before, old := x.Start.Files[p]
	after, now := x.Final.Files[p]
	if old != now || before != after {
		return fail("%s has other bytes", p)
	}
	return pass()
}

func unchangedCheck(x *trial, _ task.Check) Finding {
	if len(x.diffs) > 0 {
		return fail("%s: %s", x.diffs[0].key, x.diffs[0].why)
	}
	return pass()
}

// shapeCheck wants a collision shape (or polygon) whose box is about so big.
func shapeCheck(x *trial, c task.Check) Finding {
	p := c.Positional()
	found, _ := find(x.Final.Disk, p[0], p[1])
	w, h, ok := size(c.Option("covers", ""))
	if !ok {
		panic("covers wants WxH")
	}
	tol := parse(strings.TrimSuffix(c.Option("tol", "0%"), "%")) / 100
	why := "there is no shape"
	for _, n := range found {
		gw, gh, ok := box(n.Props["shape"])
		if !ok {
			continue
		}
		if math.Abs(gw-w) <= tol*w && math.Abs(gh-h) <= tol*h {
			return pass()
		}
		why = fmt.Sprintf("the shape is %gx%g", gw, gh)
	}
	return fail("%s", why)
}

func size(s string) (w, h float64, ok bool) {
	a, b, ok := strings.Cut(s, "x")
	w, h = parse(a), parse(b)
	return w, h, ok && w > 0 && h > 0
}

// box is the size of the box around a 2D shape.
func box(v evidence.Value) (w, h float64, ok bool) {
	get := func(name string, otherwise float64) float64 {
		if p, has := v.Props[name]; has {
			return parse(p.Text)
		}
		return otherwise
	}
	// The defaults are the engine's.
	switch v.Class {
	case "RectangleShape2D":
		n := number.FindAllString(strings.TrimPrefix(v.Props["size"].Text, "Vector2"), -1)
		if len(n) != 2 {
			return 20, 20, true
		}
		return parse(n[0]), parse(n[1]), true
	case "CapsuleShape2D":
		return 2 * get("radius", 10), get("height", 30), true
	case "CircleShape2D":
		return 2 * get("radius", 10), 2 * get("radius", 10), true
	}
	return 0, 0, false
}

func effectsOf(x *trial, c task.Check) (out []evidence.Effect) {
	for _, e := range x.Journal {
		target := c.Option("target", "")
		cause := c.Option("cause", "call")
		if e.Kind == c.Positional()[0] && e.Cause == cause && (c.Option("scene", e.Scene) == e.Scene) &&
			(target == "" || oneOf(e.Target, target, func(a, b string) bool { return glob(b, a) })) {
			out = append(out, e)
		}
	}
	return out
}

func effectCount(x *trial, c task.Check) Finding {
	found := effectsOf(x, c)
	for _, a := range c.Named() {
		if a.Key == "" && !compare(strconv.Itoa(len(found)), a.Op, a.Value) {
			f := fail("there were %d, not %s%s", len(found), a.Op, a.Value)
			f.refer(found)
			return f
		}
	}
	return pass()
}

func effectNone(x *trial, c task.Check) Finding {
	if found := effectsOf(x, c); len(found) > 0 {
		f := fail("there were %d", len(found))
		f.refer(found)
		return f
	}
	return pass()
}

func (f *Finding) refer(es []evidence.Effect) {
	for _, e := range es {
		f.Effects = append(f.Effects, e.Seq)
		if e.Call > 0 {
			f.Calls = append(f.Calls, e.Call)
		}
	}
}

func answerCheck(x *trial, c task.Check) Finding {
	key := c.Positional()[0]
	if x.Report == nil {
		return fail("there is no report")
	}
	v, ok := x.Report.Answers[key]
	if !ok {
		return fail("the report has no answer %q", key)
	}
	for _, a := range c.Named() {
		if got := fmt.Sprint(v); !compare(got, a.Op, a.Value) {
			return fail("%s is %q, not %s %s", key, got, a.Op, a.Value)
		}
	}
	return pass()
}

func budgetCheck(x *trial, c task.Check) Finding {
	results := 0
	for _, call := range x.Calls {
		results += call.Bytes
	}
	used := map[string]int{"calls": len(x.Calls), "schema_tokens": evidence.Tokens(x.Schemas), "result_tokens": evidence.Tokens(results)}
	for _, a := range c.Named() {
		if !compare(strconv.Itoa(used[a.Key]), a.Op, a.Value) {
			return fail("%s are %d, not %s %s", a.Key, used[a.Key], a.Op, a.Value)
		}
	}
	return pass()
}

func reportCheck(x *trial, c task.Check) Finding {
	r := x.Report
	if r == nil {
		return fail("there is no report")
	}
	same := func(a, b string) bool { return a == b }
	got := map[string]string{"outcome": r.Outcome, "saved": r.Saved, "why": r.Why}
	for _, a := range c.Named() {
		ok := oneOf(got[a.Key], a.Value, same)
		if a.Key == "why" {
			ok = compare(got["why"], "~=", "(?i)"+a.Value)
		}
		if !ok {
			return fail("%s is %q, not %s %s", a.Key, got[a.Key], a.Op, a.Value)
		}
	}
	return pass()
}
