// Package catalog holds what a tool is: one declaration in Go from which the
// schemas, the annotations, the aliases and the checks follow.
//
// To declare a tool, write an input struct, an output struct and a
// [Declaration], and add the result of [Define] to the list of its toolset:
//
//	type duplicateIn struct {
//		NodePath string `json:"node_path" desc:"Node to copy."`
//		NodeName string `json:"node_name,omitempty" desc:"Name of the copy."`
//	}
//	type duplicateOut struct {
//		NodePath string `json:"node_path"`
//		catalog.Edited
//	}
//	var duplicateNode = catalog.Define(catalog.Declaration[duplicateIn, duplicateOut]{
//		Toolset: "scene_edit", Handler: "duplicate_node", Class: safety.Mutating,
//		Description: "Copy a node with its subtree next to it.",
//		Needs:  catalog.NeedsNode, Target: []string{"node_path"}, Nodes: []string{"node_path"},
//		Plan: func(in duplicateIn) (catalog.Plan[duplicateOut], error) {
//			return catalog.Edit("Duplicate "+in.NodePath,
//				catalog.Step(wire.CmdDuplicateNode, wire.DuplicateNode{NodePath: in.NodePath, Name: in.NodeName}),
//				func(r wire.NewNodeResult, a catalog.Applied) (duplicateOut, error) {
//					return duplicateOut{NodePath: r.NodePath, Edited: a.Edited(r.Verdict, r.NodePath)}, nil
//				}), nil
//		},
//	})
//
// Field tags: json (omitempty makes an argument optional), desc (required for
// arguments), enum ("a,b"), min, max, minlen, maxlen (text length or number of
// items), default (JSON; optional arguments only). dry_run and confirm are
// added by the catalogue; they are not fields of the input struct.
//
// Plan answers with one wire command and how its raw result becomes the
// output; such a tool also works inside run_commands. [Command] is for reads and
// session commands, [Edit] for one undoable step, [Edits] for several steps as
// one undo action. Run is for several round trips or work on the server alone;
// it is refused inside run_commands.
//
// File path arguments are named in Files, node paths in Nodes; both arrive
// cleaned. Return [answer.New] for a failure of the tool's own. After a change
// of a declaration run `go generate ./server/catalog/...`.
package catalog
