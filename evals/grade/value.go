package grade

import (
	"fmt"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"

	"godot-mcp/evals/evidence"
)

var number = regexp.MustCompile(`-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?`)

// equalText compares values in Godot's text form: numbers with a tolerance of
// one in ten thousand, all else byte for byte, blanks left out.
func equalText(a, b string) bool {
	a, b = strings.ReplaceAll(a, " ", ""), strings.ReplaceAll(b, " ", "")
	if a == b {
		return true
	}
	if number.ReplaceAllString(a, "#") != number.ReplaceAllString(b, "#") {
		return false
	}
	x, y := number.FindAllString(a, -1), number.FindAllString(b, -1)
	for i := range x {
		if !equalNumber(parse(x[i]), parse(y[i]), 1e-4) {
			return false
		}
	}
	return true
}

func parse(s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return math.NaN()
	}
	return f
}

func equalNumber(a, b, tol float64) bool {
	return math.Abs(a-b) <= tol*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

// show is a value as text.
func show(v evidence.Value) string {
	switch {
	case v.Class == "":
		return v.Text
	case v.Path != "":
		return v.Path
	}
	var b strings.Builder
	for _, k := range sortedKeys(v.Props) {
		fmt.Fprintf(&b, " %s=%s", k, show(v.Props[k]))
	}
	return "<" + v.Class + b.String() + ">"
}

func equalValue(a, b evidence.Value) bool { return equalText(show(a), show(b)) }

// compare applies an operator of a check.
func compare(got, op, want string) bool {
	switch op {
	case "=", "==":
		return oneOf(got, want, equalText)
	case "!=":
		return !oneOf(got, want, equalText)
	case "~=":
		re, err := regexp.Compile(want)
		return err == nil && re.MatchString(got)
	}
	a, b := parse(got), parse(want)
	switch op {
	case "<=":
		return a <= b
	case ">=":
		return a >= b
	case "<":
		return a < b
	case ">":
		return a > b
	}
	return false
}

// oneOf tries the alternatives that a | separates.
func oneOf(got, want string, same func(a, b string) bool) bool {
	for w := range strings.SplitSeq(want, "|") {
		if same(got, w) {
			return true
		}
	}
	return false
}

// glob matches paths; * does not cross a slash.
func glob(pattern, text string) bool {
	ok, err := path.Match(pattern, text)
	return err == nil && ok
}
