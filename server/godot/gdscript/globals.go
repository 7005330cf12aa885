package gdscript

import (
	"sync"

	"godot-mcp/server/godot/classdb"
)

// isGlobal reports whether a name means something in every script.
func (k *Known) isGlobal(name string) bool {
	return isBuiltinType(name) || classdb.Exists(name) || isFunction()[name] || isGlobalName()[name] || k.Class != nil && k.Class(name)
}

// isFunction holds the functions that every script can call, those of GDScript itself included.
var isFunction = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, name := range classdb.GlobalFunctions() {
		out[name] = true
	}
	for _, name := range []string{
		"Color8", "assert", "char", "convert", "dict_to_inst", "get_stack", "inst_to_dict", "is_instance_of", "len", "load", "ord",
		"preload", "print_debug", "print_stack", "range", "type_exists",
	} {
		out[name] = true
	}
	return out
})

// isGlobalName holds the other names of @GlobalScope: singletons, enums and their values.
var isGlobalName = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, name := range classdb.Singletons() {
		out[name] = true
	}
	for name := range globalEnums() {
		out[name] = true
	}
	for _, e := range classdb.GlobalEnums() {
		for _, v := range e.Values {
			out[v.Name] = true
		}
	}
	return out
})
