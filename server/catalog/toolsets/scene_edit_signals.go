package toolsets

import (
	"encoding/json"

	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

type attachScriptIn struct {
	NodePath   string `json:"node_path" desc:"Node."`
	ScriptPath string `json:"script_path" desc:"Script file (res://); empty takes the script off."`
}

type attachScriptOut struct {
	NodePath   string `json:"node_path"`
	ScriptPath string `json:"script_path"`
	Previous   string `json:"previous,omitempty"`
	Changed    bool   `json:"changed"`
	Attached   bool   `json:"attached"`
	catalog.Edited
}

var attachScript = catalog.Define(catalog.Declaration[attachScriptIn, attachScriptOut]{
	Toolset: "scene_edit", Handler: "attach_script", Class: safety.Mutating,
	Description: "Set the script of a node. It must extend a class the node has.",
	Needs:       catalog.NeedsNode,
	Target:      []string{"node_path", "script_path"},
	Nodes:       []string{"node_path"},
	Files:       []string{"script_path?"},
	Plan: func(in attachScriptIn) (catalog.Plan[attachScriptOut], error) {
		step := catalog.Step(wire.CmdAttachScript, wire.AttachScript{NodePath: in.NodePath, ScriptPath: in.ScriptPath})
		return catalog.Edit("Set script of "+in.NodePath, step, func(r wire.AttachScriptResult, a catalog.Applied) (attachScriptOut, error) {
			return attachScriptOut{
				r.NodePath, r.ScriptPath, r.Previous, r.Changed, r.ScriptPath != "" && !a.DryRun, a.Edited(r.Verdict, r.NodePath),
			}, nil
		}), nil
	},
})

type groupIn struct {
	NodePath string `json:"node_path" desc:"Node."`
	Group    string `json:"group" desc:"Group name." minlen:"1"`
}

type groupOut struct {
	NodePath string `json:"node_path"`
	Group    string `json:"group"`
	InGroup  bool   `json:"in_group"`
	Changed  bool   `json:"changed"`
	catalog.Edited
}

var addToGroup = groupTool("add_to_group", "Make a node a member of a group, saved with the scene.", "Add to group ",
	func(in groupIn) wire.StepParam {
		return catalog.Step(wire.CmdAddToGroup, wire.AddToGroup{NodePath: in.NodePath, Group: in.Group})
	})

var removeFromGroup = groupTool("remove_from_group", "End a group membership. One that a base scene supplies comes back on reload (persisted false).", "Remove from group ",
	func(in groupIn) wire.StepParam {
		return catalog.Step(wire.CmdRemoveFromGroup, wire.RemoveFromGroup{NodePath: in.NodePath, Group: in.Group})
	})

func groupTool(handler, description, label string, step func(groupIn) wire.StepParam) *catalog.Tool {
	return catalog.Define(catalog.Declaration[groupIn, groupOut]{
		Toolset: "scene_edit", Handler: handler, Class: safety.Mutating, Description: description,
		Needs:  catalog.NeedsNode,
		Target: []string{"node_path", "group"},
		Nodes:  []string{"node_path"},
		Plan: func(in groupIn) (catalog.Plan[groupOut], error) {
			return catalog.Edit(label+in.Group, step(in), func(r wire.GroupResult, a catalog.Applied) (groupOut, error) {
				return groupOut{r.NodePath, r.Group, r.InGroup, r.Changed, a.Edited(r.Verdict, r.NodePath)}, nil
			}), nil
		},
	})
}

type connectSignalIn struct {
	SourcePath string            `json:"source_path" desc:"Node that emits."`
	Signal     string            `json:"signal_name" desc:"Signal of it." minlen:"1"`
	TargetPath string            `json:"target_path" desc:"Node that is called."`
	Method     string            `json:"method_name" desc:"Method of its script or class." minlen:"1"`
	Flags      int               `json:"flags,omitempty" desc:"Sum of 1 deferred, 4 one-shot, 8 counted." min:"0" max:"15"`
	Binds      []json.RawMessage `json:"binds,omitempty" desc:"Plain values to append to the arguments."`
	Unbinds    int               `json:"unbinds,omitempty" desc:"Arguments to drop from the end." min:"0" max:"64"`
}

type connectSignalOut struct {
	SourcePath string `json:"source_path"`
	Signal     string `json:"signal_name"`
	TargetPath string `json:"target_path"`
	Method     string `json:"method_name"`
	Flags      int    `json:"flags"`
	Changed    bool   `json:"changed"`
	Connected  bool   `json:"connected"`
	catalog.Edited
}

var signalEnds = []string{"source_path", "signal_name", "target_path", "method_name"}

var connectSignal = catalog.Define(catalog.Declaration[connectSignalIn, connectSignalOut]{
	Toolset: "scene_edit", Handler: "connect_signal", Class: safety.Mutating,
	Description: "Connect a signal to a method; the scene keeps the connection. The method must exist: attach the script first.",
	Needs:       catalog.NeedsNode,
	Target:      signalEnds,
	Nodes:       []string{"source_path", "target_path"},
	Plan: func(in connectSignalIn) (catalog.Plan[connectSignalOut], error) {
		step := catalog.Step(wire.CmdConnectSignal, wire.ConnectSignal(in))
		return catalog.Edit("Connect "+in.Signal, step, func(r wire.ConnectionResult, a catalog.Applied) (connectSignalOut, error) {
			return connectSignalOut{
				r.SourcePath, r.Signal, r.TargetPath, r.Method, r.Flags, r.Changed, r.Connected && !a.DryRun, a.Edited(r.Verdict, r.SourcePath),
			}, nil
		}), nil
	},
})

type disconnectSignalIn struct {
	SourcePath string `json:"source_path" desc:"Node that emits."`
	Signal     string `json:"signal_name" desc:"Signal of it." minlen:"1"`
	TargetPath string `json:"target_path" desc:"Node that is called."`
	Method     string `json:"method_name" desc:"Method that is called." minlen:"1"`
}

type disconnectSignalOut struct {
	SourcePath   string `json:"source_path"`
	Signal       string `json:"signal_name"`
	TargetPath   string `json:"target_path"`
	Method       string `json:"method_name"`
	Changed      bool   `json:"changed"`
	Disconnected bool   `json:"disconnected"`
	catalog.Edited
}

var disconnectSignal = catalog.Define(catalog.Declaration[disconnectSignalIn, disconnectSignalOut]{
	Toolset: "scene_edit", Handler: "disconnect_signal", Class: safety.Destructive,
	Description: "Break a signal connection. Undo brings it back.",
	Needs:       catalog.NeedsNode,
	Target:      signalEnds,
	Nodes:       []string{"source_path", "target_path"},
	Plan: func(in disconnectSignalIn) (catalog.Plan[disconnectSignalOut], error) {
		step := catalog.Step(wire.CmdDisconnectSignal, wire.DisconnectSignal(in))
		return catalog.Edit("Disconnect "+in.Signal, step, func(r wire.ConnectionResult, a catalog.Applied) (disconnectSignalOut, error) {
			return disconnectSignalOut{
				r.SourcePath, r.Signal, r.TargetPath, r.Method, r.Changed, !r.Connected && !a.DryRun, a.Edited(r.Verdict, r.SourcePath),
			}, nil
		}), nil
	},
})

type listConnectionsIn struct {
	NodePath string `json:"node_path" desc:"Node; \".\" is the scene root."`
	Offset   int    `json:"offset,omitempty" desc:"Connections and signals to skip." min:"0"`
}

type listConnectionsOut struct {
	NodePath    string            `json:"node_path"`
	Connections []wire.Connection `json:"connections"`
	Signals     []wire.SignalInfo `json:"signals"`
	catalog.Page
}

var listSignalConnections = catalog.Define(catalog.Declaration[listConnectionsIn, listConnectionsOut]{
	Toolset: "scene_edit", Handler: "list_signal_connections", Class: safety.ReadOnly,
	Description: "Connections from and to a node, then the signals it can emit.",
	Needs:       catalog.NeedsNode,
	Nodes:       []string{"node_path"},
	Plan: func(in listConnectionsIn) (catalog.Plan[listConnectionsOut], error) {
		cmd := wire.ListSignalConnections{NodePath: in.NodePath}
		return catalog.Command(wire.CmdListSignalConnections, cmd, func(r wire.ListSignalConnectionsResult, _ catalog.Applied) (listConnectionsOut, error) {
			all := make([]any, 0, len(r.Connections)+len(r.Signals))
			for _, c := range r.Connections {
				all = append(all, c)
			}
			for _, s := range r.Signals {
				s.Args = orEmpty(s.Args)
				all = append(all, s)
			}
			out := listConnectionsOut{NodePath: r.NodePath, Connections: []wire.Connection{}, Signals: []wire.SignalInfo{}}
			all, out.Page = pageFrom(all, in.Offset)
			for _, it := range all {
				switch it := it.(type) {
				case wire.Connection:
					out.Connections = append(out.Connections, it)
				case wire.SignalInfo:
					out.Signals = append(out.Signals, it)
				}
			}
			return out, nil
		}), nil
	},
})
