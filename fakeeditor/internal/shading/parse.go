package shading

import "strings"

// parser walks the tokens of a shader without its preprocessor lines.
type parser struct {
	toks     []token
	at       int
	fault    string
	kind     string
	group    string
	uniforms []Uniform
	globals  map[string]string
	// declared are the names of the file, or of the function that is read.
	declared, structs, functions map[string]bool
}

func (p *parser) fail(why string) {
	if p.fault == "" {
		p.fault = why
	}
}

func (p *parser) peek() token {
	if p.at < len(p.toks) {
		return p.toks[p.at]
	}
	return token{sign, ""}
}

func (p *parser) next() token {
	t := p.peek()
	p.at++
	return t
}

func (p *parser) take(text string) bool {
	if p.peek().text == text && p.at < len(p.toks) {
		p.at++
		return true
	}
	return false
}

func (p *parser) want(text string) {
	if !p.take(text) {
		p.fail("expected '" + text + "', found '" + p.peek().text + "'")
	}
}

// word takes a name.
func (p *parser) word() string {
	t := p.next()
	if t.kind != name {
		p.fail("expected a name, found '" + t.text + "'")
	}
	return t.text
}

func (p *parser) run() {
	p.declared, p.structs, p.functions = map[string]bool{}, map[string]bool{}, map[string]bool{}
	if !p.take("shader_type") {
		p.fail("expected 'shader_type' at the beginning")
		return
	}
	p.kind = p.word()
	if _, ok := kinds[p.kind]; !ok {
		p.fail("invalid shader type")
	}
	p.want(";")
	for p.at < len(p.toks) && p.fault == "" {
		p.declaration()
	}
}

func (p *parser) declaration() {
	switch t := p.next(); t.text {
	case "render_mode":
		p.modes()
	case "stencil_mode":
		for p.fault == "" && !p.take(";") {
			if t := p.next(); t.kind != number && t.text != "," && !stencilModes[t.text] {
				p.fail("invalid stencil mode '" + t.text + "'")
			}
		}
	case "group_uniforms":
		p.groupUniforms()
	case "global", "instance":
		p.want("uniform")
		p.uniform(t.text)
	case "uniform":
		p.uniform("")
	case "struct":
		p.structure()
	case "varying":
		flat := p.take("flat")
		p.take("smooth")
		if typ, _ := p.typed(); !flat && whole(typ) {
			p.fail("varying whole numbers have to be flat")
		}
		p.variables(false)
	case "const":
		p.typed()
		p.variables(true)
	default:
		p.at--
		p.function()
	}
}

func (p *parser) modes() {
	seen := map[string]bool{}
	for p.fault == "" {
		mode := p.word()
		if group := modeGroup(mode); !kinds[p.kind][mode] || seen[group] {
			p.fail("invalid render mode '" + mode + "'")
		} else {
			seen[group] = true
		}
		if !p.take(",") {
			break
		}
	}
	p.want(";")
}

func (p *parser) groupUniforms() {
	open := p.group != ""
	p.group = ""
	if p.take(";") {
		if !open {
			p.fail("no group to leave")
		}
		return
	}
	p.group = p.word()
	if p.take(".") {
		p.group += "::" + p.word()
	}
	p.want(";")
}

// typed takes a type with its precision and the size of an array behind it.
func (p *parser) typed() (typ string, many bool) {
	for p.take("lowp") || p.take("mediump") || p.take("highp") {
	}
	typ = p.word()
	if !isType(typ) && !p.structs[typ] {
		p.fail("unknown type '" + typ + "'")
	}
	return typ, p.size()
}

// size takes the size of an array.
func (p *parser) size() bool {
	if !p.take("[") {
		return false
	}
	p.expression("]")
	p.want("]")
	return true
}

// whole reports whether a type is one of whole numbers.
func whole(typ string) bool {
	return typ == "int" || typ == "uint" || strings.HasPrefix(typ, "ivec") || strings.HasPrefix(typ, "uvec")
}

func isFloat(t token) bool {
	return t.kind == number && !strings.HasPrefix(t.text, "0x") && !strings.HasPrefix(t.text, "0X") && strings.ContainsAny(t.text, ".feE")
}

func (p *parser) uniform(scope string) {
	start := p.at
	typ, many := p.typed()
	if p.structs[typ] || typ == "void" {
		p.fail("uniforms cannot have the type '" + typ + "'")
	}
	word := p.word()
	many = p.size() || many
	for i := start; i+1 < min(p.at, len(p.toks)); i++ {
		if p.toks[i].text == "[" && p.toks[i+1].text == "]" {
			p.fail("the array has no size")
		}
	}
	if scope == "instance" && (many || samplers[typ] != "" || strings.HasPrefix(typ, "mat")) {
		p.fail("instances cannot have a uniform of the type '" + typ + "'")
	}
	p.declare(word)
	colored := false
	if p.take(":") {
		colored = p.hints(typ)
	}
	if p.take("=") {
		if samplers[typ] != "" || whole(typ) && isFloat(p.peek()) {
			p.fail("invalid initial value")
		}
		p.expression(";")
	}
	p.want(";")
	switch scope {
	case "global":
		if have := p.globals[word]; have == "" || globalType(have) != typ && have != "transform_2d" {
			p.fail("global uniform '" + word + "' does not exist in this type")
		}
	case "":
		u := Uniform{Name: word, Class: samplers[typ], group: p.group}
		t := uniformTypes[typ]
		if colored && t.color != 0 {
			t.one, t.many = t.color, t.colors
		}
		u.Type = t.one
		if many {
			u.Type = t.many
		}
		if u.Class != "" {
			u.Type = textureType(many)
		}
		p.uniforms = append(p.uniforms, u)
	}
}

// declare notes a name of the file, which has to be a new one.
func (p *parser) declare(word string) {
	if p.declared[word] || keywords[word] || isType(word) || isBuiltin(p.kind, word) {
		p.fail("redefinition of '" + word + "'")
	}
	p.declared[word] = true
}

func (p *parser) hints(typ string) (colored bool) {
	for p.fault == "" {
		hint := p.word()
		if !takesHint(hint, typ) {
			p.fail("'" + hint + "' is no hint of " + typ)
		}
		colored = colored || hint == "source_color"
		if p.take("(") {
			args := p.brackets(")")
			if hint == "hint_range" && (args < 2 || args > 3) {
				p.fail("invalid range")
			}
		} else if hint == "hint_range" || hint == "hint_enum" || hint == "instance_index" {
			p.fail("expected '('")
		}
		if !p.take(",") {
			break
		}
	}
	return colored
}

// brackets passes over what stands up to a closing sign whose opening one was taken, and
// counts its parts.
func (p *parser) brackets(end string) int {
	toks := p.span(end)
	p.names(toks, nil, nil)
	p.want(end)
	parts := 1
	for cut := comma(toks); cut >= 0; cut = comma(toks) {
		toks = toks[cut+1:]
		parts++
	}
	return parts
}

// closing are the signs that close others.
var closing = map[string]string{"(": ")", "[": "]", "{": "}"}

// expression passes over an expression up to a sign outside of brackets; its names have
// to be known.
func (p *parser) expression(end string) {
	p.names(p.span(end), nil, nil)
}

// span takes the tokens up to a sign outside of brackets.
func (p *parser) span(end string) []token {
	start := p.at
	var open []string
	for p.at < len(p.toks) {
		t := p.toks[p.at]
		switch {
		case len(open) == 0 && t.text == end:
			return p.toks[start:p.at]
		case closing[t.text] != "":
			open = append(open, closing[t.text])
		case t.text == ")" || t.text == "]" || t.text == "}":
			if len(open) == 0 || open[len(open)-1] != t.text {
				p.fail("unexpected '" + t.text + "'")
				return nil
			}
			open = open[:len(open)-1]
		}
		p.at++
	}
	p.fail("expected '" + end + "'")
	return nil
}

// variables takes the names behind a type, with what they begin with.
func (p *parser) variables(valued bool) {
	for p.fault == "" {
		p.declare(p.word())
		p.size()
		if valued {
			p.want("=")
			start := p.at
			toks := p.span(";")
			// A comma outside of brackets begins the next name.
			if cut := comma(toks); cut >= 0 {
				p.at = start + cut
				toks = toks[:cut]
			}
			p.names(toks, nil, nil)
		}
		if !p.take(",") {
			break
		}
	}
	p.want(";")
}

// comma finds the first comma outside of brackets; -1 if there is none.
func comma(toks []token) int {
	depth := 0
	for i, t := range toks {
		switch {
		case strings.Contains("([{", t.text):
			depth++
		case strings.Contains(")]}", t.text):
			depth--
		case t.text == "," && depth == 0:
			return i
		}
	}
	return -1
}

func (p *parser) structure() {
	p.structs[p.word()] = true
	p.want("{")
	for p.fault == "" && !p.take("}") {
		p.typed()
		p.word()
		p.size()
		p.want(";")
	}
	p.want(";")
}
