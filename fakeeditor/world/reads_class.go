package world

import (
	"cmp"
	"slices"
	"strings"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/wire"
)

// DescribeClass reflects an engine class from the class table.
func (Handlers) DescribeClass(tx *Tx, p wire.DescribeClass) (wire.DescribeClassResult, error) {
	info, ok := classdb.Class(p.ClassName)
	if !ok {
		if c, isScript := tx.Files.GlobalClass(p.ClassName); isScript {
			return wire.DescribeClassResult{}, wire.Fail(wire.ReasonScriptClass, "type", p.ClassName, "path", c.Path)
		}
		all := classdb.Names()
		for _, c := range tx.Files.GlobalClasses() {
			all = append(all, c.Name)
		}
		return wire.DescribeClassResult{}, wire.Fail(wire.ReasonUnknownClass, "type", p.ClassName, "near", near(p.ClassName, all))
	}
	r := wire.DescribeClassResult{
		ClassName: info.Name, Inherits: info.Parent, InheritsChain: []string{}, CanInstantiate: info.Instantiable,
		Properties: []wire.ClassProperty{}, Methods: []wire.ClassMethod{}, Signals: []wire.SignalInfo{},
		Constants: []wire.ClassConstant{}, Enums: []wire.ClassEnum{},
	}
	if chain := classdb.Chain(p.ClassName); len(chain) > 1 {
		r.InheritsChain = chain[1:]
	}
	show := func(name string) bool { return p.IncludePrivate || !strings.HasPrefix(name, "_") }
	for _, x := range classdb.Properties(p.ClassName, p.IncludeInherited) {
		if show(x.Name) && !x.Dynamic {
			if x.Default == "" && info.Instantiable { // of others the engine does not know the default
				x.Default = "null"
			}
			r.Properties = append(r.Properties, wire.ClassProperty{
				Name: x.Name, Type: argType(x.Type, "", x.Usage&classdb.UsageNilIsVariant != 0), Class: objectClass(x), Default: x.Default,
			})
		}
	}
	for _, m := range classdb.Methods(p.ClassName, p.IncludeInherited) {
		if show(m.Name) {
			r.Methods = append(r.Methods, method(m))
		}
	}
	for _, s := range classdb.Signals(p.ClassName, p.IncludeInherited) {
		if show(s.Name) {
			r.Signals = append(r.Signals, engineSignal(s))
		}
	}
	for _, c := range classdb.Constants(p.ClassName, p.IncludeInherited) {
		r.Constants = append(r.Constants, wire.ClassConstant{Name: c.Name, Value: c.Value})
	}
	for _, en := range classdb.Enums(p.ClassName, p.IncludeInherited) {
		x := wire.ClassEnum{Name: en.Name, Members: []string{}}
		for _, v := range en.Values {
			x.Members = append(x.Members, v.Name)
			r.Constants = append(r.Constants, wire.ClassConstant{Name: v.Name, Value: v.Value, Enum: en.Name})
		}
		r.Enums = append(r.Enums, x)
	}
	sortBy(r.Properties, func(x wire.ClassProperty) string { return x.Name })
	sortBy(r.Methods, func(x wire.ClassMethod) string { return x.Name })
	sortBy(r.Signals, func(x wire.SignalInfo) string { return x.Name })
	sortBy(r.Constants, func(x wire.ClassConstant) string { return x.Name })
	sortBy(r.Enums, func(x wire.ClassEnum) string { return x.Name })
	return r, nil
}

func sortBy[T any](list []T, name func(T) string) {
	slices.SortStableFunc(list, func(a, b T) int { return cmp.Compare(name(a), name(b)) })
}

// objectClass names the class that an Object property takes.
func objectClass(p classdb.PropertyInfo) string {
	if p.Type != classdb.TypeObject {
		return ""
	}
	if p.HintString != "" && (p.Hint == 17 || p.Hint == 34) {
		return p.HintString
	}
	return p.ClassName
}

func method(m classdb.Method) wire.ClassMethod {
	out := wire.ClassMethod{Name: m.Name, Args: []string{}, ReturnType: argType(m.Return, m.ReturnClassName, m.ReturnsVariant)}
	for _, a := range m.Args {
		out.Args = append(out.Args, a.Name+": "+argType(a.Type, a.ClassName, a.Type == classdb.TypeNil))
	}
	return out
}
