package scene

import "strings"

// rawProps gives the recorded values of a node whose class is unknown, in the order of
// the engine's property list: what was recorded, the script with the variables that it
// has, the metadata. A script whose base is unknown as well keeps every value that is
// set while it is there once more, so that those are written twice (engine 4.6
// experiment).
func (e Env) rawProps(n *Node) []PackedProp {
	var recorded, script, kept, scripted, meta []PackedProp
	s := e.ScriptOf(n)
	for _, p := range n.Props {
		v, paths := e.asPaths(n, p.Value)
		out := PackedProp{Name: p.Name, Value: v, NodePath: paths}
		switch {
		case p.Name == "script":
			script = append(script, out)
		case strings.HasPrefix(p.Name, MetaPrefix):
			meta = append(meta, out)
		case s.Export(p.Name) != nil && !s.Broken:
			scripted = append(scripted, out)
		default:
			recorded = append(recorded, out)
			if s != nil && s.Broken && len(script) > 0 && !paths {
				kept = append(kept, out)
			}
		}
	}
	out := make([]PackedProp, 0, len(n.Props)+len(kept))
	for _, part := range [][]PackedProp{recorded, script, kept, scripted, meta} {
		out = append(out, part...)
	}
	return out
}
