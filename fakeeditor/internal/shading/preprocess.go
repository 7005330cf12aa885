package shading

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// macro is what a #define gives; params is nil for one without brackets.
type macro struct {
	params []string
	body   []token
}

// preprocessor runs the lines that begin with # and puts macros in.
type preprocessor struct {
	include    func(string) (string, bool)
	defines    map[string]macro
	within     []string
	out        strings.Builder
	expansions int
	// noPreprocessor is set by #pragma disable_preprocessor.
	noPreprocessor bool
}

// The renderers as the preprocessor knows them; an editor without a display counts as
// forward_plus (engine 4.6 experiment).
func builtinDefines() map[string]macro {
	one := func(text string) macro { return macro{body: tokens(text)} }
	return map[string]macro{
		"RENDERER_COMPATIBILITY": one("0"), "RENDERER_MOBILE": one("1"), "RENDERER_FORWARD_PLUS": one("2"), "CURRENT_RENDERER": one("2"),
	}
}

// maxIncludes bounds includes in includes, as the engine does.
const maxIncludes = 25

// maxExpansions bounds the macros that are put in, which may grow without end.
const maxExpansions = 20000

// branch is an #if that is open.
type branch struct {
	live bool // this part is taken
	done bool // some part was taken, or the whole stands in one that is not
	last bool // #else was seen
}

// run gives the code of a text, or why there is none.
func (p *preprocessor) run(text, file string) (code, fault string) {
	if fault := p.part(text, file); fault != "" {
		return "", fault
	}
	return p.out.String(), ""
}

func (p *preprocessor) part(text, file string) string {
	if len(p.within) > maxIncludes {
		return "includes are too deep"
	}
	p.within = append(p.within, file)
	defer func() { p.within = p.within[:len(p.within)-1] }()
	text = strings.ReplaceAll(withoutComments(text), "\\\r\n", " ")
	text = strings.ReplaceAll(text, "\\\n", " ")
	var open []branch
	live := func() bool { return len(open) == 0 || open[len(open)-1].live }
	for line := range strings.Lines(text) {
		rest, directive := strings.CutPrefix(strings.TrimSpace(line), "#")
		if !directive || p.noPreprocessor {
			if live() {
				p.emit(line)
			}
			continue
		}
		word, args, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(rest, "\t", " ")), " ")
		if at := strings.IndexAny(word, "(\"!"); at > 0 {
			word, args = word[:at], word[at:]+" "+args
		}
		args = strings.TrimSpace(args)
		if fault := p.directive(word, args, file, &open, live()); fault != "" {
			return fault
		}
	}
	if p.expansions > maxExpansions {
		return "macro expansion limit exceeded"
	}
	if len(open) > 0 {
		return "unterminated conditional directive"
	}
	return ""
}

// directive runs one line with a #.
func (p *preprocessor) directive(word, args, file string, open *[]branch, live bool) string {
	push := func(taken bool) { *open = append(*open, branch{live: live && taken, done: !live || taken}) }
	switch word {
	case "ifdef", "ifndef":
		_, there := p.defines[args]
		push(there == (word == "ifdef"))
		return ""
	case "if":
		taken, fault := false, ""
		if live {
			taken, fault = p.condition(args)
		}
		push(taken)
		return fault
	case "elif", "else":
		if len(*open) == 0 {
			return "unmatched " + word
		}
		b := &(*open)[len(*open)-1]
		if b.last {
			return "unexpected " + word
		}
		b.last = word == "else"
		taken, fault := !b.done, ""
		if taken && word == "elif" {
			taken, fault = p.condition(args)
		}
		b.live = taken
		b.done = b.done || taken
		return fault
	case "endif":
		if len(*open) == 0 {
			return "unmatched endif"
		}
		*open = (*open)[:len(*open)-1]
		return ""
	}
	if !live {
		return ""
	}
	switch word {
	case "define":
		return p.define(args)
	case "undef":
		delete(p.defines, args)
		return ""
	case "include":
		return p.includes(args, file)
	case "error":
		return args
	case "pragma":
		p.noPreprocessor = true
		if args != "disable_preprocessor" {
			return "invalid pragma"
		}
		return ""
	}
	return "unknown directive " + word
}

func (p *preprocessor) define(args string) string {
	toks := tokens(args)
	if len(toks) == 0 || toks[0].kind != name {
		return "invalid macro name"
	}
	word := toks[0].text
	if _, there := p.defines[word]; there {
		return "macro redefinition"
	}
	var m macro
	rest := args[len(word):]
	if strings.HasPrefix(rest, "(") {
		end := strings.IndexByte(rest, ')')
		if end < 0 {
			return "missing closing bracket"
		}
		m.params = []string{}
		for param := range strings.SplitSeq(rest[1:end], ",") {
			if param = strings.TrimSpace(param); param != "" {
				m.params = append(m.params, param)
			}
		}
		rest = rest[end+1:]
	}
	m.body = tokens(rest)
	p.defines[word] = m
	return ""
}

func (p *preprocessor) includes(args, file string) string {
	to := strings.Trim(args, "\"")
	if to == args || to == "" {
		return "invalid include"
	}
	if !strings.Contains(to, "://") {
		to = "res://" + path.Join(path.Dir(strings.TrimPrefix(file, "res://")), to)
	}
	if slices.Contains(p.within, to) {
		return "cyclic include"
	}
	text, ok := p.include(to)
	if !ok {
		return "no include " + to
	}
	return p.part(text, to)
}

// emit adds a line of code with its macros put in.
func (p *preprocessor) emit(line string) {
	for _, t := range p.expand(tokens(line), nil) {
		p.out.WriteString(t.text + " ")
	}
	p.out.WriteByte('\n')
}

// expand puts macros in; inside are those being put in.
func (p *preprocessor) expand(toks []token, inside map[string]bool) []token {
	var out []token
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		m, ok := p.defines[t.text]
		if !ok || t.kind != name || inside[t.text] || p.expansions > maxExpansions {
			out = append(out, t)
			continue
		}
		p.expansions++
		args := map[string][]token{}
		if m.params != nil {
			list, end := arguments(toks, i+1)
			if end < 0 {
				out = append(out, t)
				continue
			}
			for n, param := range m.params {
				if n < len(list) {
					args[param] = p.expand(list[n], inside)
				}
			}
			i = end
		}
		var body []token
		for _, b := range m.body {
			if arg, ok := args[b.text]; ok && b.kind == name {
				body = append(body, arg...)
			} else {
				body = append(body, b)
			}
		}
		deeper := maps.Clone(inside)
		if deeper == nil {
			deeper = map[string]bool{}
		}
		deeper[t.text] = true
		out = append(out, p.expand(body, deeper)...)
	}
	return out
}

// arguments gives what stands in the brackets at a token, and where they close; end is
// -1 if there are none.
func arguments(toks []token, at int) (list [][]token, end int) {
	if at >= len(toks) || toks[at].text != "(" {
		return nil, -1
	}
	depth := 0
	list = [][]token{nil}
	for i := at; i < len(toks); i++ {
		switch t := toks[i]; {
		case t.text == "(":
			if depth++; depth == 1 {
				continue
			}
		case t.text == ")":
			if depth--; depth == 0 {
				return list, i
			}
		case t.text == "," && depth == 1:
			list = append(list, nil)
			continue
		}
		list[len(list)-1] = append(list[len(list)-1], toks[i])
	}
	return nil, -1
}
