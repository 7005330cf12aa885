package gdscript

import (
	"slices"
	"strings"
)

// program reads a file: the header (annotations, class_name, extends in any order), then the members.
func (p *parser) program() {
	p.script.Line = 1
	p.scope = []*Class{&p.script.Class}
	for header := true; header; {
		switch p.current.kind {
		case kindAnnotation:
			header = p.headerAnnotation()
		case "class_name":
			p.advance()
			p.className()
		case "extends":
			p.script.Abstract = p.takeAnnotation("@abstract") || p.script.Abstract
			p.advance()
			if p.script.Extends.Line != 0 {
				p.fail(p.previous, `"extends" can only be used once.`)
				break
			}
			p.outerExtends(&p.script.Class)
			p.endStatement("superclass")
		case kindLiteral:
			if p.current.literal != literalString {
				header = false
				break
			}
			p.advance()
			if !p.match(kindNewline) {
				p.fail(p.previous, "Expected newline after comment string.")
			}
		case kindNewline:
			p.advance()
		default:
			header = false
		}
		if p.panicked {
			p.synchronize()
		}
	}
	for {
		p.classBody(&p.script.Class, false)
		if p.atEnd() {
			break
		}
		// The engine stops here; members that follow are still read, but what is said about them would only repeat this.
		p.fail(p.previous, "Expected end of file.")
		p.muted = true
		p.advance()
	}
	p.script.EndLine = strings.Count(strings.TrimSuffix(p.src(), "\n"), "\n") + 1
}

// headerAnnotation reads an annotation before the members; false if it belongs to the first member.
func (p *parser) headerAnnotation() bool {
	switch p.current.value {
	case "@tool", "@icon", "@static_unload":
		at := p.current
		a, _ := p.annotation(targetScript)
		if p.script.Name != "" || p.script.Extends.Line != 0 {
			p.failf(at, misplaced, a.Name)
			return false
		}
		switch a.Name {
		case "@tool":
			p.script.Tool = true
		case "@static_unload":
			p.script.StaticUnload = true
		case "@icon":
			if len(a.Args) > 0 {
				p.script.Icon = strings.Trim(a.Args[0], `"'`)
			}
		}
		return true
	}
	if _, known := annotations[p.current.value]; !known {
		p.annotation(targetAny)
		return true
	}
	if p.current.value == "@abstract" || strings.HasPrefix(p.current.value, "@warning_ignore") || strings.HasPrefix(p.current.value, "@export_") && standalone[p.current.value] {
		// The class or a member may follow; which one is seen after it.
		a, ok := p.annotation(targetAny)
		if ok && !standalone[a.Name] {
			p.annotations = append(p.annotations, a)
		}
		return true
	}
	return false
}

func (p *parser) className() {
	if p.script.Name != "" {
		p.fail(p.previous, `"class_name" can only be used once.`)
		return
	}
	if name, ok := p.name(`Expected identifier for the global class name after "class_name".`); ok {
		p.script.Name, p.script.Line = p.word(name), name.line
		p.names = append(p.names, nameUse{names: []string{p.script.Name}, at: name, declares: true})
	}
	p.script.Abstract = p.takeAnnotation("@abstract") || p.script.Abstract
	if p.match("extends") {
		if p.script.Extends.Line != 0 {
			p.fail(p.previous, `"extends" can only be used once.`)
			return
		}
		p.outerExtends(&p.script.Class)
		p.endStatement("superclass")
	} else {
		p.endStatement("class_name statement")
	}
}

// extends reads a base class after the keyword.
func (p *parser) extends(class *Class) {
	at := p.current
	class.Extends.Line = p.previous.line
	if p.check(kindLiteral) {
		if p.current.literal != literalString {
			p.failf(p.current, "Only strings or identifiers can be used after \"extends\", found \"%s\" instead.", p.current.literal)
		}
		class.Extends.Path = p.current.value
		p.advance()
		if !p.match(".") {
			p.use(nil, class.Extends.Path, at, true)
			return
		}
	}
	for after := "extends"; ; {
		name, ok := p.name(`Expected superclass name after "` + after + `".`)
		if !ok {
			return
		}
		after = "."
		class.Extends.Names = append(class.Extends.Names, p.word(name))
		if !p.match(".") {
			break
		}
	}
	p.use(class.Extends.Names, class.Extends.Path, at, true)
}

func (p *parser) use(names []string, path string, at token, isExtends bool) {
	p.names = append(p.names, nameUse{names: names, path: path, at: at, isExtends: isExtends, scope: slices.Clone(p.scope)})
}

// innerClass reads an inner class after the keyword.
func (p *parser) innerClass(outer *Class) {
	class := &Class{Line: p.previous.line, Abstract: p.takeAnnotation("@abstract")}
	if !p.enter() {
		return
	}
	defer p.leave()
	name, ok := p.name(`Expected identifier for the class name after "class".`)
	if ok {
		class.Name = p.word(name)
	}
	defer func() {
		if ok {
			p.declare(outer, "Class", name)
			outer.Classes = append(outer.Classes, class)
		}
	}()
	p.scope = append(p.scope, class)
	defer func() { p.scope = p.scope[:len(p.scope)-1] }()
	if p.match("extends") {
		p.outerExtends(class)
	}
	p.consume(":", `Expected ":" after class declaration.`)
	multiline := p.match(kindNewline)
	if multiline && !p.consume(kindIndent, "Expected indented block after class declaration.") {
		class.EndLine = p.lastLine
		return
	}
	if p.match("extends") {
		p.outerExtends(class)
		p.endStatement("superclass")
	}
	p.classBody(class, multiline)
	class.EndLine = p.lastLine
	if multiline {
		p.consume(kindDedent, "Missing unindent at the end of the class body.")
	}
}

// outerExtends reads the base of a class, which is looked up outside of it.
func (p *parser) outerExtends(class *Class) {
	inner := p.scope
	p.scope = p.scope[:len(p.scope)-1]
	p.extends(class)
	p.scope = inner
}

// classBody reads members up to the end of the block or file.
func (p *parser) classBody(class *Class, multiline bool) {
	for done := false; !done && !p.atEnd(); {
		static := false
		switch p.current.kind {
		case kindAnnotation:
			p.memberAnnotation(class)
		case "pass":
			p.advance()
			p.endStatement(`"pass"`)
		case "static":
			static = true
			p.advance()
			if !p.check("func") && !p.check("var") {
				p.fail(p.previous, `Expected "func" or "var" after "static".`)
			}
			p.member(class, static)
		case "var", "const", "signal", "func", "class", "enum":
			p.member(class, static)
		case kindNewline:
			p.advance()
		case kindDedent:
			done = true
		case kindLiteral:
			if p.current.literal == literalString {
				// Allowed so that a block of text can stand as a comment.
				p.advance()
				if !p.match(kindNewline) {
					p.fail(p.previous, "Expected newline after comment string.")
				}
				break
			}
			p.unexpected()
		default:
			p.unexpected()
		}
		if p.panicked {
			p.synchronize()
		}
		if !multiline && len(p.scope) > 1 && p.previous.kind != ";" {
			done = true // An inner class on one line has one member.
		}
	}
	p.dropAnnotations()
}

// removed are words of older versions that the engine explains.
var removed = map[string]string{
	"export":     `The "export" keyword was removed in Godot 4. Use an export annotation ("@export", "@export_range", etc.) instead.`,
	"tool":       `The "tool" keyword was removed in Godot 4. Use the "@tool" annotation instead.`,
	"onready":    `The "onready" keyword was removed in Godot 4. Use the "@onready" annotation instead.`,
	"remote":     `The "remote" keyword was removed in Godot 4. Use the "@rpc" annotation with "any_peer" instead.`,
	"remotesync": `The "remotesync" keyword was removed in Godot 4. Use the "@rpc" annotation with "any_peer" and "call_local" instead.`,
	"puppet":     `The "puppet" keyword was removed in Godot 4. Use the "@rpc" annotation with "authority" instead.`,
	"puppetsync": `The "puppetsync" keyword was removed in Godot 4. Use the "@rpc" annotation with "authority" and "call_local" instead.`,
	"master":     `The "master" keyword was removed in Godot 4. Use the "@rpc" annotation with "any_peer" and perform a check inside the function instead.`,
	"mastersync": `The "mastersync" keyword was removed in Godot 4. Use the "@rpc" annotation with "any_peer" and "call_local", and perform a check inside the function instead.`,
}

// unexpected reports a token that cannot stand in a class body.
func (p *parser) unexpected() {
	t := p.advance()
	if message := removed[p.word(t)]; message != "" && t.kind == kindIdentifier {
		p.fail(t, message)
		return
	}
	p.failf(t, "Unexpected %s in class body.", t.describe(p.src()))
}

// member reads one member from its keyword on.
func (p *parser) member(class *Class, static bool) {
	keyword := p.advance()
	p.checkTargets(keyword.kind)
	switch keyword.kind {
	case "var":
		p.memberVariable(class, static)
	case "const":
		p.memberConstant(class)
	case "signal":
		p.signal(class)
	case "func":
		p.memberFunction(class, static)
	case "class":
		p.innerClass(class)
	case "enum":
		p.enum(class)
	}
	p.annotations = nil
}
