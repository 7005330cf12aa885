package shading

import (
	"slices"

	"godot-mcp/server/godot/variant"
)

func textureType(many bool) variant.Type {
	if many {
		return variant.TypeArray
	}
	return variant.TypeObject
}

// function takes a function with its body.
func (p *parser) function() {
	typ, _ := p.typed()
	own := p.word()
	main := builtinValues[p.kind][own] != nil
	if !p.functions[own] {
		// Functions of one name can differ in what they take.
		p.declare(own)
	}
	p.functions[own] = true
	if builtinFunctions[own] || main && typ != "void" {
		p.fail("redefinition of '" + own + "'")
	}
	local := map[string]bool{}
	p.want("(")
	if main && p.peek().text != ")" {
		p.fail("'" + own + "' takes no arguments")
	}
	for p.fault == "" && !p.take(")") {
		for p.take("const") || p.take("in") || p.take("out") || p.take("inout") {
		}
		if typ, _ := p.typed(); typ == "void" {
			p.fail("void arguments are not allowed")
		}
		local[p.word()] = true
		p.size()
		if !p.take(",") && p.peek().text != ")" {
			p.fail("expected ','")
		}
	}
	p.want("{")
	if body := p.span("}"); p.fault == "" {
		p.want("}")
		p.statements(body)
		returns := slices.ContainsFunc(body, func(t token) bool { return t.text == "return" })
		if typ != "void" && !returns || own == "vertex" && main && slices.ContainsFunc(body, func(t token) bool { return t.text == "discard" }) {
			p.fail("'" + own + "' has a wrong end")
		}
		p.names(body, local, builtinValues[p.kind][own])
	}
}

// statements looks for a statement that does not end: two operands side by side, or a
// block that closes in one.
func (p *parser) statements(body []token) {
	var open []bool // whether it is a block, not a list of values
	for i, t := range body {
		before := token{sign, "{"}
		if i > 0 {
			before = body[i-1]
		}
		switch {
		case t.text == "{":
			open = append(open, before.text == ")" || before.text == "{" || before.text == "}" || before.text == ";" ||
				before.text == ":" || before.text == "else" || before.text == "do")
		case t.text == "}":
			if open[len(open)-1] && before.text != ";" && before.text != "}" && before.text != "{" {
				p.fail("expected ';'")
			}
			open = open[:len(open)-1]
		case t.kind == number || t.kind == name && !keywords[t.text]:
			operand := before.kind == number || before.kind == name && !keywords[before.text] && !isType(before.text) && !p.structs[before.text]
			if operand || before.text == "]" && !p.arrayType(body[:i]) {
				p.fail("expected ';' before '" + t.text + "'")
			}
		}
	}
	if n := len(body); n > 0 && body[n-1].text != ";" && body[n-1].text != "}" {
		p.fail("expected ';'")
	}
}

// arrayType reports whether tokens end with the type of an array: float[3].
func (p *parser) arrayType(toks []token) bool {
	for i := len(toks) - 1; i > 0; i-- {
		if toks[i].text == "[" {
			return isType(toks[i-1].text) || p.structs[toks[i-1].text]
		}
	}
	return false
}

// names looks for names that nothing declares. What follows a type is declared, in
// tokens of a function; local holds what its head declares, given what the engine gives it.
func (p *parser) names(toks []token, local, given map[string]bool) {
	for i, t := range toks {
		if t.kind != name || i > 0 && toks[i-1].text == "." {
			continue
		}
		if local != nil && i > 0 && p.declares(toks, i) {
			local[t.text] = true
			if i+3 < len(toks) && toks[i+1].text == "=" && toks[i+2].kind == number && toks[i+3].text == ";" {
				typ := toks[i-1].text
				if float := isFloat(toks[i+2]); typ == "float" && !float || (typ == "int" || typ == "uint") && float {
					p.fail("invalid initial value of '" + t.text + "'")
				}
			}
		}
		switch {
		case p.declared[t.text], local[t.text], given[t.text], p.structs[t.text], isType(t.text), keywords[t.text],
			builtinFunctions[t.text], drawingFunctions[t.text], isGlobal(p.kind, t.text):
		default:
			p.fail("unknown identifier '" + t.text + "'")
		}
	}
}

// declares reports whether the name at i is one that is declared there: behind a type,
// or behind a comma of such a declaration.
func (p *parser) declares(toks []token, i int) bool {
	typeAt := func(j int) bool {
		return toks[j].kind == name && (isType(toks[j].text) || p.structs[toks[j].text])
	}
	if typeAt(i - 1) {
		return true
	}
	if toks[i-1].text == "]" {
		return p.arrayType(toks[:i])
	}
	if toks[i-1].text != "," {
		return false
	}
	depth := 0
	for j := i - 1; j >= 0; j-- {
		switch toks[j].text {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			if depth--; depth < 0 {
				// A for begins with a declaration.
				return toks[j].text == "(" && j > 0 && toks[j-1].text == "for" && typeAt(j+1)
			}
		case ";":
			return false
		}
		if depth == 0 && typeAt(j) && j+1 < i && toks[j+1].kind == name {
			return true
		}
	}
	return false
}
