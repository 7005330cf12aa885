package toolsets

import (
	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

type describeClassIn struct {
	ClassName        string `json:"class_name" desc:"Engine class, exact name." minlen:"1"`
	IncludeInherited bool   `json:"include_inherited,omitempty" desc:"Also members of its ancestors."`
	IncludePrivate   bool   `json:"include_private,omitempty" desc:"Also names that begin with _."`
	Offset           int    `json:"offset,omitempty" desc:"Members to leave out first." min:"0"`
}

type describeClassOut struct {
	ClassName      string               `json:"class_name"`
	Inherits       string               `json:"inherits"`
	InheritsChain  []string             `json:"inherits_chain"`
	CanInstantiate bool                 `json:"can_instantiate"`
	Properties     []wire.ClassProperty `json:"properties"`
	Methods        []wire.ClassMethod   `json:"methods"`
	Signals        []wire.SignalInfo    `json:"signals"`
	Constants      []wire.ClassConstant `json:"constants"`
	Enums          []wire.ClassEnum     `json:"enums"`
	catalog.Page
}

var describeClass = catalog.Define(catalog.Declaration[describeClassIn, describeClassOut]{
	Toolset: "core", Handler: "describe_class", Class: safety.ReadOnly,
	Description: "Properties, methods, signals, constants and enums of an engine class. Own members only unless asked.",
	Needs:       catalog.NeedsEditor,
	Plan: func(in describeClassIn) (catalog.Plan[describeClassOut], error) {
		cmd := wire.DescribeClass{ClassName: in.ClassName, IncludeInherited: in.IncludeInherited, IncludePrivate: in.IncludePrivate}
		return catalog.Command(wire.CmdDescribeClass, cmd, func(r wire.DescribeClassResult, _ catalog.Applied) (describeClassOut, error) {
			return pageOfClass(r, in.Offset), nil
		}), nil
	},
})

// pageOfClass counts members over all five lists in their fixed order, so that
// one offset pages through them.
func pageOfClass(r wire.DescribeClassResult, offset int) describeClassOut {
	var members []any
	for _, m := range r.Properties {
		members = append(members, m)
	}
	for _, m := range r.Methods {
		members = append(members, m)
	}
	for _, m := range r.Signals {
		members = append(members, m)
	}
	for _, m := range r.Constants {
		members = append(members, m)
	}
	for _, m := range r.Enums {
		members = append(members, m)
	}
	total := len(members)
	offset = min(offset, total)
	kept, page := catalog.Paged(members[offset:], offset, total, 0)
	out := describeClassOut{
		ClassName: r.ClassName, Inherits: r.Inherits, InheritsChain: r.InheritsChain, CanInstantiate: r.CanInstantiate,
		Properties: []wire.ClassProperty{}, Methods: []wire.ClassMethod{}, Signals: []wire.SignalInfo{},
		Constants: []wire.ClassConstant{}, Enums: []wire.ClassEnum{}, Page: page,
	}
	if out.InheritsChain == nil {
		out.InheritsChain = []string{}
	}
	for _, m := range kept {
		switch m := m.(type) {
		case wire.ClassProperty:
			out.Properties = append(out.Properties, m)
		case wire.ClassMethod:
			out.Methods = append(out.Methods, m)
		case wire.SignalInfo:
			out.Signals = append(out.Signals, m)
		case wire.ClassConstant:
			out.Constants = append(out.Constants, m)
		case wire.ClassEnum:
			out.Enums = append(out.Enums, m)
		}
	}
	return out
}
