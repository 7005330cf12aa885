package toolsets

import (
	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

func inspection() []*catalog.Tool {
	return []*catalog.Tool{
		getProjectInfo, getActiveScene, listScenes, getSceneTree, getSelectedNode,
		getNodeProperties, getNodeProperty, getNodePropertyList, getNodeGroups,
		snapshotSubtree, diffSnapshots,
	}
}

type projectInfoOut struct {
	Name         string          `json:"name"`
	ProjectPath  string          `json:"project_path"`
	GodotVersion string          `json:"godot_version"`
	MainScene    string          `json:"main_scene,omitempty"`
	Autoloads    []wire.Autoload `json:"autoloads"`
	InputActions []string        `json:"input_actions"`
	CSharp       bool            `json:"csharp_supported"`
	CSharpFiles  bool            `json:"csharp_project"`
}

var getProjectInfo = catalog.Define(catalog.Declaration[struct{}, projectInfoOut]{
	Toolset: "inspection", Handler: "get_project_info", Class: safety.ReadOnly,
	Description: "Name, Godot version, main scene, autoloads and the project's own input actions.",
	Needs:       catalog.NeedsEditor,
	Plan: func(struct{}) (catalog.Plan[projectInfoOut], error) {
		return catalog.Command(wire.CmdGetProjectInfo, wire.GetProjectInfo{}, func(r wire.GetProjectInfoResult, _ catalog.Applied) (projectInfoOut, error) {
			return projectInfoOut{
				r.Name, r.ProjectPath, r.GodotVersion, r.MainScene, orEmpty(r.Autoloads), orEmpty(r.InputActions), r.CSharp, r.CSharpFiles,
			}, nil
		}), nil
	},
})

var getActiveScene = catalog.Define(catalog.Declaration[struct{}, wire.GetActiveSceneResult]{
	Toolset: "inspection", Handler: "get_active_scene", Class: safety.ReadOnly,
	Description: "The scene being edited: path, root, node count, unsaved changes. is_open false when there is none.",
	Needs:       catalog.NeedsEditor,
	Plan: func(struct{}) (catalog.Plan[wire.GetActiveSceneResult], error) {
		return catalog.Command(wire.CmdGetActiveScene, wire.GetActiveScene{}, func(r wire.GetActiveSceneResult, _ catalog.Applied) (wire.GetActiveSceneResult, error) {
			return r, nil
		}), nil
	},
})

type listScenesIn struct {
	Offset int `json:"offset,omitempty" desc:"Scenes to skip." min:"0"`
}

type listScenesOut struct {
	Scenes    []wire.SceneFile `json:"scenes"`
	MainScene string           `json:"main_scene,omitempty"`
	catalog.Page
}

var listScenes = catalog.Define(catalog.Declaration[listScenesIn, listScenesOut]{
	Toolset: "inspection", Handler: "list_scenes", Class: safety.ReadOnly,
	Description: "Scene files of the project, with those that are open, active or main.",
	Needs:       catalog.NeedsEditor,
	Plan: func(in listScenesIn) (catalog.Plan[listScenesOut], error) {
		return catalog.Command(wire.CmdListScenes, wire.ListScenes{}, func(r wire.ListScenesResult, _ catalog.Applied) (listScenesOut, error) {
			scenes, page := pageFrom(r.Scenes, in.Offset)
			return listScenesOut{scenes, r.MainScene, page}, nil
		}), nil
	},
})
