package gdscript

import "strings"

// target says where an annotation may stand.
type target int

const (
	targetScript target = 1 << iota
	targetClass
	targetVariable
	targetFunction
	targetStatement
	targetStandalone
	targetAny = -1
)

// annotations are all that the engine knows, with their places and the least and most arguments (-1: any number).
var annotations = map[string]struct {
	where       target
	least, most int
}{
	"@tool": {targetScript, 0, 0}, "@icon": {targetScript, 1, 1}, "@static_unload": {targetScript, 0, 0},
	"@abstract": {targetScript | targetClass | targetFunction, 0, 0}, "@onready": {targetVariable, 0, 0},
	"@export": {targetVariable, 0, 0}, "@export_enum": {targetVariable, 1, -1}, "@export_file": {targetVariable, 0, -1},
	"@export_file_path": {targetVariable, 0, -1}, "@export_dir": {targetVariable, 0, 0},
	"@export_global_file": {targetVariable, 0, -1}, "@export_global_dir": {targetVariable, 0, 0},
	"@export_multiline": {targetVariable, 0, -1}, "@export_placeholder": {targetVariable, 1, 1},
	"@export_range": {targetVariable, 2, -1}, "@export_exp_easing": {targetVariable, 0, -1},
	"@export_color_no_alpha": {targetVariable, 0, 0}, "@export_node_path": {targetVariable, 0, -1},
	"@export_flags": {targetVariable, 1, -1}, "@export_flags_2d_render": {targetVariable, 0, 0},
	"@export_flags_2d_physics": {targetVariable, 0, 0}, "@export_flags_2d_navigation": {targetVariable, 0, 0},
	"@export_flags_3d_render": {targetVariable, 0, 0}, "@export_flags_3d_physics": {targetVariable, 0, 0},
	"@export_flags_3d_navigation": {targetVariable, 0, 0}, "@export_flags_avoidance": {targetVariable, 0, 0},
	"@export_storage": {targetVariable, 0, 0}, "@export_custom": {targetVariable, 2, 3},
	"@export_tool_button": {targetVariable, 1, 2}, "@export_category": {targetStandalone, 1, 1},
	"@export_group": {targetStandalone, 1, 2}, "@export_subgroup": {targetStandalone, 1, 2},
	"@warning_ignore":       {targetClass | targetVariable | targetFunction | targetStatement, 1, -1},
	"@warning_ignore_start": {targetStandalone | targetStatement, 1, -1}, "@warning_ignore_restore": {targetStandalone | targetStatement, 1, -1},
	"@rpc": {targetFunction, 0, 4},
}

const misplaced = `Annotation "%s" must be at the top of the script, before "extends" and "class_name".`

// standalone annotations belong to no member.
var standalone = map[string]bool{
	"@export_category": true, "@export_group": true, "@export_subgroup": true, "@warning_ignore_start": true,
	"@warning_ignore_restore": true,
}

// isExport reports whether the annotation makes a variable part of scene files.
func isExport(name string) bool {
	return (name == "@export" || strings.HasPrefix(name, "@export_")) && !standalone[name] && name != "@export_tool_button"
}

// annotation reads an annotation; false if it is not known.
func (p *parser) annotation(where target) (Annotation, bool) {
	at := p.advance()
	out := Annotation{Name: at.value, Line: at.line}
	known, ok := annotations[out.Name]
	if !ok {
		p.failf(at, "Unrecognized annotation: \"%s\".", out.Name)
	} else if known.where&targetScript != 0 && where != targetScript && where != targetAny && known.where == targetScript {
		p.failf(at, misplaced, out.Name)
	} else if where == targetStatement && known.where&targetStatement == 0 {
		p.failf(at, "Annotation \"%s\" is not allowed in this level.", out.Name)
	}
	if p.check("(") {
		p.pushMultiline(true)
		p.advance()
		for !p.check(")") && !p.atEnd() {
			start := p.current
			if !p.expression(false) {
				p.fail(p.previous, "Expected expression as the annotation argument.")
				break
			}
			out.Args = append(out.Args, p.textFrom(start.start))
			if !p.match(",") {
				break
			}
		}
		p.popMultiline()
		p.consume(")", `Expected ")" after annotation arguments.`)
	}
	newline := p.match(kindNewline)
	if ok && len(out.Args) < known.least {
		p.failf(at, "Annotation \"%s\" requires at least %d arguments, but %d were given.", out.Name, known.least, len(out.Args))
	}
	if ok && known.most >= 0 && len(out.Args) > known.most {
		p.failf(at, "Annotation \"%s\" requires at most %d arguments, but %d were given.", out.Name, known.most, len(out.Args))
	}
	if !newline && len(out.Args) >= known.least && known.where&targetStandalone != 0 && !p.atEnd() {
		p.fail(p.previous, "Expected newline after a standalone annotation.")
	}
	return out, ok
}

// memberAnnotation reads an annotation in a class body; it waits for the member that follows.
func (p *parser) memberAnnotation(class *Class) {
	a, ok := p.annotation(targetClass | targetVariable | targetFunction)
	if ok && !standalone[a.Name] && annotations[a.Name].where != targetScript {
		p.annotations = append(p.annotations, a)
	}
}

func (p *parser) statementAnnotation() {
	p.annotation(targetStatement)
}

// takeAnnotation reports whether a waiting annotation has the name.
func (p *parser) takeAnnotation(name string) bool {
	for i, a := range p.annotations {
		if a.Name == name {
			p.annotations = append(p.annotations[:i:i], p.annotations[i+1:]...)
			return true
		}
	}
	return false
}

// memberKinds name the members that annotations can be applied to.
var memberKinds = map[kind]struct {
	name  string
	where target
}{
	"var": {"variable", targetVariable}, "const": {"constant", 0}, "signal": {"signal", 0},
	"func": {"function", targetFunction}, "class": {"class", targetClass}, "enum": {"enum", 0},
}

// checkTargets reports the waiting annotations that do not fit the member that follows.
func (p *parser) checkTargets(keyword kind) {
	member, ok := memberKinds[keyword]
	for i := len(p.annotations) - 1; ok && i >= 0; i-- {
		a := p.annotations[i]
		if (a.Name != "@warning_ignore" || keyword == "enum") && annotations[a.Name].where&member.where == 0 {
			p.failf(p.previous, "Annotation \"%s\" cannot be applied to a %s.", a.Name, member.name)
			p.annotations = p.annotations[:i+1]
			p.dropAnnotations()
			return
		}
	}
}

// dropAnnotations reports the waiting annotations that nothing follows.
func (p *parser) dropAnnotations() {
	for _, a := range p.annotations {
		p.failf(token{line: a.Line, col: 1}, "Annotation \"%s\" does not precede a valid target, so it will have no effect.", a.Name)
	}
	p.annotations = nil
}

// exportFaults are the exports that the engine refuses after it has read the whole file.
func (c *Class) exportFaults() []Finding {
	var out []Finding
	for _, v := range c.Variables {
		exports := 0
		for _, a := range v.Annotations {
			if !isExport(a.Name) {
				continue
			}
			message := ""
			switch {
			case exports > 0:
				message = "Annotation \"" + a.Name + "\" cannot be used with another \"@export\" annotation."
			case v.Static:
				message = "Annotation \"" + a.Name + "\" cannot be applied to a static variable."
			case a.Name == "@export" && v.Type == "" && v.Value.Source == "":
				message = `Cannot use simple "@export" annotation with variable without type or initializer, since type can't be inferred.`
			}
			exports++
			if message != "" {
				out = append(out, Finding{Line: a.Line, TokenColumn: 1, Message: message})
				break
			}
		}
	}
	for _, inner := range c.Classes {
		out = append(out, inner.exportFaults()...)
	}
	return out
}
