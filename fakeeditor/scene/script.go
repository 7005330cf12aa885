package scene

import (
	"slices"
	"strings"
	"sync"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/gdscript"
	"godot-mcp/server/godot/variant"
)

// Library is what scenes ask of the project: its files and what the editor knows
// about them.
type Library interface {
	// Read gives the text of a file; Exists is true also for files without text.
	Read(path string) (string, bool)
	Exists(path string) bool
	// Origin tells a file from what it becomes when others write it.
	Origin(path string) Origin
	// Modified is when a file was written last, in seconds since 1970.
	Modified(path string) int64
	// HasFolder reports whether there is a folder for a file.
	HasFolder(file string) bool
	// UID and PathOf go between uid:// texts and paths; "" if unknown.
	UID(path string) string
	PathOf(uid string) string
	// ClassPath gives the script of a registered class_name; "" if there is none.
	ClassPath(name string) string
	// Autoload reports whether scripts can name an autoload.
	Autoload(name string) bool
	// NeedsImport reports whether a file is used through an import, ImportedType
	// the resource class it becomes; "" when it is not imported yet. MayBeImported
	// reports whether its import runs, or a scan does that may find it.
	NeedsImport(path string) bool
	ImportedType(path string) string
	MayBeImported(path string) bool
	// Startup is what the editor read when it started.
	Startup() *Startup
}

// Env is a store together with the project that its scenes belong to. It is made
// for one piece of work: it remembers scripts, which may change afterwards.
type Env struct {
	*Store
	Lib     Library
	scripts map[string]*Script
	// loading is set while a scene is instantiated: its controls have no size yet.
	loading bool
	// leastRead is the minimum size that controls of that scene had when they got one.
	leastRead map[NodeID]vec2
	// unread is what nobody has read yet of its nodes of three dimensions.
	unread map[NodeID]unread
}

// NewEnv joins a store and a project.
func NewEnv(s *Store, lib Library) Env {
	return Env{Store: s, Lib: lib, scripts: map[string]*Script{}}
}

// Script is what the editor knows of a script: its own members and those of the
// scripts it extends.
type Script struct {
	Path string
	Name string // class_name
	Tool bool
	// Native is the engine class at the end of the chain; Bases are the script
	// files that it extends, nearest first.
	Native string
	Bases  []string
	// Names are the class_names of the script and its bases.
	Names []string
	// Exports are the variables that an object with the script shows in the editor,
	// in the engine's order: own ones first. A @tool script runs there, so that all
	// its variables are shown; of other scripts only those that files keep are.
	Exports   []Export
	Signals   []gdscript.Signal
	Functions []gdscript.Function
	// Broken says that the chain of base scripts cannot be followed.
	Broken bool
	// Faulty says that the script or one of its bases does not compile. An object keeps
	// every value that is set then, and none is what it begins with (engine 4.6
	// experiment).
	Faulty bool
}

// Export is one exported variable.
type Export struct {
	Name  string
	Type  variant.Type
	Class string // of an object: engine class or class_name
	// Elem, Key and Val are the types in a typed array or dictionary.
	Elem, Key, Val variant.ContainerType
	Default        variant.Value
	// HasDefault is false when the initial value is an expression that only the
	// engine can evaluate.
	HasDefault bool
	Hint       int
	HintString string
	Usage      int
}

// Export finds an exported variable.
func (s *Script) Export(name string) *Export {
	if s == nil {
		return nil
	}
	for i := range s.Exports {
		if s.Exports[i].Name == name {
			return &s.Exports[i]
		}
	}
	return nil
}

// scans remembers what the text of a script declares; texts repeat often.
var scans struct {
	sync.Mutex
	byText map[string]*gdscript.Script
}

func scan(text string) *gdscript.Script {
	scans.Lock()
	defer scans.Unlock()
	if s, ok := scans.byText[text]; ok {
		return s
	}
	if len(scans.byText) > 2048 || scans.byText == nil {
		scans.byText = map[string]*gdscript.Script{}
	}
	s := gdscript.Scan(text)
	scans.byText[text] = s
	return s
}

// ScriptAt describes the script in a file; nil if there is no such file or it is
// no GDScript.
func (e Env) ScriptAt(path string) *Script {
	s, ok := e.scripts[path]
	if !ok {
		s = e.scriptAt(path, 0)
		e.scripts[path] = s
	}
	return s
}

// maxBases bounds the chain of base scripts, which may be cyclic in files.
const maxBases = 32

func (e Env) scriptAt(path string, depth int) *Script {
	if !strings.HasSuffix(path, ".gd") {
		return nil
	}
	text, ok := e.Lib.Read(path)
	if !ok {
		return nil
	}
	return e.script(path, text, depth)
}

// script describes a script text; path is the file that relative paths start from.
func (e Env) script(path, text string, depth int) *Script {
	decl := scan(text)
	s := &Script{Path: path, Name: decl.Name, Tool: decl.Tool, Native: "RefCounted"}
	if base := e.basePath(decl.Extends, path); base != "" && depth < maxBases {
		if b := e.scriptAt(base, depth+1); b != nil {
			s.Native, s.Broken, s.Faulty = b.Native, b.Broken, b.Faulty
			s.Bases = append([]string{base}, b.Bases...)
			s.Names = append(s.Names, b.Names...)
			s.Exports, s.Signals, s.Functions = b.Exports, b.Signals, b.Functions
		} else {
			s.Broken = true
		}
	} else if len(decl.Extends.Names) > 0 {
		s.Native = decl.Extends.Names[0]
		s.Broken = !classdb.Exists(s.Native)
	}
	if s.Name != "" {
		s.Names = append([]string{s.Name}, s.Names...)
	}
	var own []Export
	for _, v := range decl.Variables {
		if !v.Static && (v.Exported() || s.Tool) {
			own = append(own, e.export(v, scope{env: e, decl: decl, path: path}))
		}
	}
	s.Exports = append(own, s.Exports...)
	if s.Faulty = s.Faulty || !s.Broken && e.faulty(text, s.Name, path); s.Faulty {
		s.Exports = nil
	}
	s.Signals = append(slices.Clone(decl.Signals), s.Signals...)
	s.Functions = append(slices.Clone(decl.Functions), s.Functions...)
	return s
}

// basePath gives the file of the script that is extended; "" for an engine class.
func (e Env) basePath(x gdscript.Extends, from string) string {
	if x.Path != "" {
		if strings.HasPrefix(x.Path, "res://") {
			return x.Path
		}
		if strings.HasPrefix(x.Path, "uid://") {
			return e.Lib.PathOf(x.Path)
		}
		return from[:strings.LastIndexByte(from, '/')+1] + x.Path
	}
	if len(x.Names) > 0 && !classdb.Exists(x.Names[0]) {
		return e.Lib.ClassPath(x.Names[0])
	}
	return ""
}

// export works out the type and the default of an exported variable.
func (e Env) export(v gdscript.Variable, c scope) Export {
	x := Export{Name: v.Name, Usage: classdb.UsageStorage | classdb.UsageEditor | classdb.UsageScriptVariable}
	e.exportType(&x, v, c)
	if !v.Exported() {
		x.Usage, x.Hint, x.HintString = classdb.UsageScriptVariable, 0, ""
	}
	if v.Value.Source == "" {
		x.Default, x.HasDefault = e.initial(x), true
		return x
	}
	d, is := c.reduce(v.Value.Source)
	switch {
	case is == gdscript.Unknown, is == gdscript.AtRuntime && x.Type == variant.TypeNil:
		if id := c.preloaded(v.Value.Source); id != 0 {
			x.Default, x.HasDefault = id.Value(), true
		}
		return x
	case is == gdscript.Listed && packedOf[x.Type] != 0, x.Type == variant.TypeNil:
		// A list is not converted, though the variable is one of packed values.
	case is != gdscript.AtRuntime:
		d = e.typedDefault(d, x)
	}
	x.Default, x.HasDefault = d, true
	return x
}

// atRuntime reports whether only a running script gives the variable a value that is no
// object; until then it is null.
func (x Export) atRuntime() bool {
	return x.HasDefault && x.Default.IsNil() && x.Type != variant.TypeNil && x.Type != variant.TypeObject && x.Usage&classdb.UsageStorage != 0
}

// initial is the value of a variable without an initial value.
func (e Env) initial(x Export) variant.Value {
	switch x.Type {
	case variant.TypeArray:
		return variant.NewTypedArray(x.Elem)
	case variant.TypeDictionary:
		return variant.NewTypedDictionary(x.Key, x.Val)
	case variant.TypeObject, variant.TypeNil:
		return variant.Nil
	}
	return zero(x.Type)
}

func (e Env) typedDefault(d variant.Value, x Export) variant.Value {
	switch x.Type {
	case variant.TypeArray:
		if a, ok := d.Array(); ok && a.Elem.IsAny() && !x.Elem.IsAny() {
			items := make([]variant.Value, 0, a.Len())
			for _, item := range a.Items() {
				c, ok := variant.ConvertStrict(item, x.Elem.Type)
				if !ok {
					c = item
				}
				items = append(items, c)
			}
			return variant.NewTypedArray(x.Elem, items...)
		}
		return d
	case variant.TypeDictionary:
		if m, ok := d.Dictionary(); ok && !m.IsTyped() {
			return variant.NewTypedDictionary(x.Key, x.Val, m.Entries()...)
		}
		return d
	}
	if c, ok := variant.ConvertStrict(d, x.Type); ok {
		return c
	}
	return d
}
