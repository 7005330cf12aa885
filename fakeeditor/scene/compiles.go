package scene

import (
	"strings"
	"sync"

	"godot-mcp/server/godot/gdscript"
)

// question is one that a script asks of its project: whether there is a file or a class,
// or which script another one extends.
type question struct {
	about subject
	name  string
	base  gdscript.Extends
	from  string
}

type subject int

const (
	aboutFile subject = iota
	aboutClass
	aboutBase
)

// answered is what the project said.
type answered struct {
	yes    bool
	script *gdscript.Script
	path   string
}

// checked is what is known of a script text while the project answers the same.
type checked struct {
	questions []question
	answers   []answered
	faulty    bool
}

// checks remembers what the check of a script text found.
var checks struct {
	sync.Mutex
	byText map[string]checked
}

// faulty reports whether the engine does not compile a script, as far as that can be
// told from its grammar and the names that it uses.
func (e Env) faulty(text, own, path string) bool {
	answer := func(q question) answered {
		switch q.about {
		case aboutFile:
			return answered{yes: e.Lib.Exists(q.name)}
		case aboutClass:
			return answered{yes: q.name == own || e.Lib.ClassPath(q.name) != "" || e.Lib.Autoload(q.name)}
		}
		from := q.from
		if from == "" {
			from = path
		}
		s, at := e.BaseOf(q.base, from)
		return answered{script: s, path: at}
	}
	checks.Lock()
	defer checks.Unlock()
	if c, ok := checks.byText[text]; ok {
		same := true
		for i, q := range c.questions {
			same = same && answer(q) == c.answers[i]
		}
		if same {
			return c.faulty
		}
	}
	var c checked
	ask := func(q question) answered {
		c.questions = append(c.questions, q)
		c.answers = append(c.answers, answer(q))
		return c.answers[len(c.answers)-1]
	}
	c.faulty = len(gdscript.Check(text, &gdscript.Known{
		Class: func(name string) bool { return ask(question{about: aboutClass, name: name}).yes },
		File: func(path string) bool {
			return strings.HasPrefix(path, "uid://") || ask(question{about: aboutFile, name: path}).yes
		},
		Base: func(x gdscript.Extends, from string) (*gdscript.Script, string) {
			a := ask(question{about: aboutBase, base: x, from: from})
			return a.script, a.path
		},
	})) > 0
	if len(checks.byText) > 2048 || checks.byText == nil {
		checks.byText = map[string]checked{}
	}
	checks.byText[text] = c
	return c.faulty
}

// BaseOf gives the script that one in the file from extends, and its file; nil if there
// is none.
func (e Env) BaseOf(x gdscript.Extends, from string) (*gdscript.Script, string) {
	path := e.basePath(x, from)
	if path == "" {
		return nil, ""
	}
	text, ok := e.Lib.Read(path)
	if !ok {
		return nil, ""
	}
	return scan(text), path
}
