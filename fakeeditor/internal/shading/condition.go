package shading

import (
	"strconv"
	"strings"
)

// condition works out the expression of an #if.
func (p *preprocessor) condition(text string) (bool, string) {
	var toks []token
	raw := tokens(text)
	for i := 0; i < len(raw); i++ {
		if raw[i].text != "defined" {
			toks = append(toks, raw[i])
			continue
		}
		bracket := i+1 < len(raw) && raw[i+1].text == "("
		if bracket {
			i++
		}
		if i++; i >= len(raw) {
			return false, "invalid condition"
		}
		value := "0"
		if _, there := p.defines[raw[i].text]; there {
			value = "1"
		}
		toks = append(toks, token{number, value})
		if bracket {
			i++
		}
	}
	c := condition{toks: p.expand(toks, nil)}
	v := c.binary(0)
	if c.bad || c.at != len(c.toks) {
		return false, "invalid condition"
	}
	return v != 0, ""
}

// condition reads numbers, signs and brackets.
type condition struct {
	toks []token
	at   int
	bad  bool
}

func (c *condition) peek() string {
	if c.at < len(c.toks) {
		return c.toks[c.at].text
	}
	return ""
}

// levels are the binary operators, the loosest first.
var levels = [][]string{
	{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"},
}

// operator takes one of the operators of a level.
func (c *condition) operator(level int) string {
	var text strings.Builder
	for i := c.at; i < min(c.at+2, len(c.toks)); i++ {
		text.WriteString(c.toks[i].text)
	}
	for _, op := range levels[level] {
		if len(op) == 2 && text.String() == op || len(op) == 1 && c.peek() == op && !contains2(text.String()) {
			c.at += len(op)
			return op
		}
	}
	return ""
}

// contains2 reports whether two signs make one operator.
func contains2(two string) bool {
	for _, level := range levels {
		for _, op := range level {
			if len(op) == 2 && op == two {
				return true
			}
		}
	}
	return false
}

func (c *condition) binary(level int) float64 {
	if level == len(levels) {
		return c.unary()
	}
	left := c.binary(level + 1)
	for {
		op := c.operator(level)
		if op == "" || c.bad {
			return left
		}
		left = c.apply(op, left, c.binary(level+1))
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (c *condition) apply(op string, a, b float64) float64 {
	switch op {
	case "||":
		return truth(a != 0 || b != 0)
	case "&&":
		return truth(a != 0 && b != 0)
	case "|":
		return float64(int64(a) | int64(b))
	case "^":
		return float64(int64(a) ^ int64(b))
	case "&":
		return float64(int64(a) & int64(b))
	case "==":
		return truth(a == b)
	case "!=":
		return truth(a != b)
	case "<=":
		return truth(a <= b)
	case ">=":
		return truth(a >= b)
	case "<":
		return truth(a < b)
	case ">":
		return truth(a > b)
	case "<<":
		return float64(int64(a) << uint64(b))
	case ">>":
		return float64(int64(a) >> uint64(b))
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	}
	if b == 0 || op == "%" && int64(b) == 0 {
		c.bad = true
		return 0
	}
	if op == "%" {
		return float64(int64(a) % int64(b))
	}
	return a / b
}

func (c *condition) unary() float64 {
	if c.at >= len(c.toks) {
		c.bad = true
		return 0
	}
	t := c.toks[c.at]
	c.at++
	switch {
	case t.text == "!":
		return truth(c.unary() == 0)
	case t.text == "-":
		return -c.unary()
	case t.text == "+":
		return c.unary()
	case t.text == "~":
		return float64(^int64(c.unary()))
	case t.text == "(":
		v := c.binary(0)
		c.bad = c.bad || c.peek() != ")"
		c.at++
		return v
	case t.text == "true":
		return 1
	case t.text == "false":
		return 0
	case t.kind == number:
		if n, err := strconv.ParseInt(t.text, 0, 64); err == nil {
			return float64(n)
		}
		f, err := strconv.ParseFloat(strings.TrimRight(t.text, "fu"), 64)
		c.bad = c.bad || err != nil
		return f
	}
	c.bad = true
	return 0
}
