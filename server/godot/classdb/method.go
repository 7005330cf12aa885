package classdb

import "godot-mcp/server/godot/classdb/internal/format"

// Flags of a method (METHOD_FLAG_* of the engine).
const (
	MethodVirtual  = 8
	MethodConst    = 4
	MethodEditor   = 2
	MethodVararg   = 16
	MethodStatic   = 32
	MethodRequired = 128
)

// Method is a method of a class.
type Method struct {
	Name string
	// Flags are the Method constants of this package together.
	Flags int
	// Return is TypeNil for none, unless ReturnsVariant.
	Return          Type
	ReturnClassName string
	ReturnsVariant  bool
	Args            []Arg
	// Defaults is how many of the last arguments may be left out.
	Defaults int
	// Owner is the class that declares it.
	Owner string
}

// Methods lists the methods of class, those of the base class first, each class in the engine's order.
func Methods(class string, includeInherited bool) []Method {
	var out []Method
	for _, e := range baseFirst(class, includeInherited) {
		out = append(out, ownMethods(e.info.Name)...)
	}
	return out
}

// FindMethod returns the method of class, or of its nearest ancestor that has one with the given name.
func FindMethod(class, name string) (Method, bool) {
	for e := load().classes[class]; e != nil; e = e.parent {
		for _, m := range ownMethods(e.info.Name) {
			if m.Name == name {
				return m, true
			}
		}
	}
	return Method{}, false
}

func ownMethods(class string) []Method {
	text, ok := methodLines()[class]
	if !ok {
		return nil
	}
	var out []Method
	for _, m := range decode[[]format.Method](text) {
		out = append(out, Method{
			Name: m.Name, Flags: m.Flags, Return: Type(m.Return), ReturnClassName: m.ReturnClass,
			ReturnsVariant: m.ReturnsVariant, Args: args(m.Args), Defaults: m.Defaults, Owner: class,
		})
	}
	return out
}
