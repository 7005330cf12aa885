package scene

import "godot-mcp/server/godot/variant"

// shareContainers gives lists and dictionaries of a packed scene the types of the first
// that holds the same: the engine keeps values that are equal once, and to it they are
// equal whatever types their elements are declared with (engine 4.6 experiment).
func shareContainers(p *Packed) {
	first := map[string]variant.Value{}
	share := func(v *variant.Value) {
		key := untyped(*v)
		if key == "" {
			return
		}
		if had, ok := first[key]; ok {
			*v = had
			return
		}
		first[key] = *v
	}
	for i := range p.Nodes {
		for j := range p.Nodes[i].Props {
			share(&p.Nodes[i].Props[j].Value)
		}
	}
	for i := range p.Conns {
		for j := range p.Conns[i].Binds {
			share(&p.Conns[i].Binds[j])
		}
	}
}

// untyped gives the text of a list or dictionary without the types of its elements, ""
// for other values.
func untyped(v variant.Value) string {
	if a, ok := v.Array(); ok {
		return variant.NewArray(a.Items()...).String()
	}
	if d, ok := v.Dictionary(); ok {
		return variant.NewDictionary(d.Entries()...).String()
	}
	return ""
}
