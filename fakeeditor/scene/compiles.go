package scene

import (
	"strings"
	"sync"

	"godot-mcp/server/godot/gdscript"
)

// question is one that a script asks of its project, with the answer.
type question struct {
	file bool // whether there is a file, or else a class
	name string
	yes  bool
}

// checked is what is known of a script text while the project answers the same.
type checked struct {
	asked  []question
	faulty bool
}

// checks remembers what the check of a script text found.
var checks struct {
	sync.Mutex
	byText map[string]checked
}

// faulty reports whether the engine does not compile a script, as far as that can be
// told from its grammar and the names of its types.
func (e Env) faulty(text, own string) bool {
	answer := func(q question) bool {
		if q.file {
			return e.Lib.Exists(q.name)
		}
		return q.name == own || e.Lib.ClassPath(q.name) != "" || e.Lib.Autoload(q.name)
	}
	checks.Lock()
	defer checks.Unlock()
	if c, ok := checks.byText[text]; ok {
		same := true
		for _, q := range c.asked {
			same = same && answer(q) == q.yes
		}
		if same {
			return c.faulty
		}
	}
	var c checked
	ask := func(file bool, name string) bool {
		q := question{file: file, name: name}
		q.yes = answer(q)
		c.asked = append(c.asked, q)
		return q.yes
	}
	c.faulty = len(gdscript.Check(text, &gdscript.Known{
		Class: func(name string) bool { return ask(false, name) },
		File:  func(path string) bool { return strings.HasPrefix(path, "uid://") || ask(true, path) },
	})) > 0
	if len(checks.byText) > 2048 || checks.byText == nil {
		checks.byText = map[string]checked{}
	}
	checks.byText[text] = c
	return c.faulty
}
