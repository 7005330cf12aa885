package toolsets

import (
	"context"
	"slices"
	"time"

	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// The contract of tool names, arguments and answers. Breaking changes raise
// the first; clients fit when min <= theirs <= contract.
const (
	contractVersion       = 1
	minCompatibleContract = 1
)

type healthOut struct {
	BridgeConnected bool   `json:"bridge_connected"`
	EditorAnswers   bool   `json:"editor_answers"`
	Version         string `json:"version"`
	BridgeURL       string `json:"bridge_url"`
	BridgeProblem   string `json:"bridge_problem,omitempty"`
	GodotVersion    string `json:"godot_version,omitempty"`
	Hint            string `json:"hint,omitempty"`
}

var healthCheck = catalog.Define(catalog.Declaration[struct{}, healthOut]{
	Toolset: "core", Handler: "health_check", Class: safety.ReadOnly,
	Description: "Is the server alive, is a Godot editor attached, and does it answer.",
	Timeout:     5 * time.Second,
	Run: func(ctx context.Context, c *catalog.Call, _ struct{}) (healthOut, error) {
		hello, connected := c.Editor.Hello()
		out := healthOut{BridgeConnected: connected, Version: c.Server.Version, BridgeURL: c.Server.BridgeURL, GodotVersion: hello.GodotVersion}
		r := c.Editor.Do(ctx, catalog.Order{Command: wire.CmdPing, Params: wire.Ping{}, Timeout: 2 * time.Second})
		out.EditorAnswers = r.Err == nil
		out.BridgeProblem = problem(c)
		if f := r.Failure(); f != nil {
			out.Hint = f.Hint
		}
		return out, nil
	},
})

// problem says why no editor can connect at all.
func problem(c *catalog.Call) string {
	if c.BridgeProblem == nil {
		return ""
	}
	return c.BridgeProblem()
}

type serverInfoOut struct {
	Server                string           `json:"server"`
	Version               string           `json:"version"`
	ContractVersion       int              `json:"contract_version"`
	MinCompatibleContract int              `json:"min_compatible_contract"`
	Transport             string           `json:"transport"`
	Profile               safety.Profile   `json:"profile"`
	Mode                  safety.Mode      `json:"mode"`
	Toolsets              []toolsetState   `json:"toolsets"`
	ToolsetsFrozen        bool             `json:"toolsets_frozen"`
	Prompts               []string         `json:"prompts"`
	Resources             []string         `json:"resources"`
	Bridge                bridgeInfo       `json:"bridge"`
	ActiveScene           *activeScene     `json:"active_scene,omitempty"`
	AddonDriftWarning     string           `json:"addon_drift_warning,omitempty"`
	CommonErrors          []recoveryAdvice `json:"common_errors"`
	NextSteps             []string         `json:"next_steps"`
}

type bridgeInfo struct {
	Connected     bool         `json:"connected"`
	URL           string       `json:"url"`
	Problem       string       `json:"problem,omitempty"`
	GodotVersion  string       `json:"godot_version,omitempty"`
	ProjectName   string       `json:"project_name,omitempty"`
	ProjectPath   string       `json:"project_path,omitempty"`
	AddonVersion  string       `json:"addon_version,omitempty"`
	AddonCommands int          `json:"addon_commands,omitempty"` // how many
	PeerIdentity  string       `json:"peer_identity,omitempty"`  // godot or simulator, and the session
	Backend       *backendInfo `json:"backend,omitempty"`
}

type backendInfo struct {
	CSharpSupported bool `json:"csharp_supported"`
	CSharpProject   bool `json:"csharp_project"`
	CSharpBuild     bool `json:"csharp_build"`
}

type activeScene struct {
	Path     string `json:"path"`
	Name     string `json:"name"`
	RootType string `json:"root_type"`
	Modified bool   `json:"modified"`
}

type recoveryAdvice struct {
	Required string `json:"required"`
	Do       string `json:"do"`
}

var getServerInfo = catalog.Define(catalog.Declaration[struct{}, serverInfoOut]{
	Toolset: "core", Handler: "get_server_info", Class: safety.ReadOnly,
	Description: "Call this first: versions, the attached editor and its open scene, profile and mode, toolsets, and what to do next.",
	Timeout:     6 * time.Second,
	Run: func(ctx context.Context, c *catalog.Call, _ struct{}) (serverInfoOut, error) {
		out := serverInfoOut{
			Server: "godot-mcp", Version: c.Server.Version,
			ContractVersion: contractVersion, MinCompatibleContract: minCompatibleContract,
			Transport: c.Server.Transport, Profile: c.Gate.Profile, Mode: c.Gate.Mode,
			Toolsets: toolsetStates(c.Gate), ToolsetsFrozen: c.Gate.Toolsets.Frozen(),
			Prompts: []string{}, Resources: ResourceURIs(),
			Bridge: bridgeInfo{URL: c.Server.BridgeURL, Problem: problem(c)}, CommonErrors: commonErrors(),
		}
		hello, ok := c.Editor.Hello()
		if ok {
			out.Bridge = bridgeOf(hello, c.Server.BridgeURL)
			out.AddonDriftWarning = driftWarning(hello)
			var info wire.GetProjectInfoResult
			if c.Ask(ctx, wire.CmdGetProjectInfo, wire.GetProjectInfo{}, &info) == nil {
				out.Bridge.Backend = &backendInfo{CSharpSupported: info.CSharp, CSharpProject: info.CSharpFiles}
			}
			var scene wire.GetActiveSceneResult
			if c.Ask(ctx, wire.CmdGetActiveScene, wire.GetActiveScene{}, &scene) == nil && scene.IsOpen {
				out.ActiveScene = &activeScene{scene.Path, scene.Name, scene.RootType, scene.Modified}
			}
		}
		out.NextSteps = nextSteps(c, ok, out.ActiveScene != nil)
		return out, nil
	},
})

func bridgeOf(h wire.Hello, url string) bridgeInfo {
	return bridgeInfo{
		Connected: true, URL: url, GodotVersion: h.GodotVersion, ProjectName: h.ProjectName, ProjectPath: h.ProjectPath,
		AddonVersion: h.AddonVersion, AddonCommands: len(h.Commands), PeerIdentity: h.Backend + " " + h.Session,
	}
}

// driftWarning names commands that the editor's addon lacks.
func driftWarning(h wire.Hello) string {
	var missing []string
	for _, c := range wire.Commands {
		if !slices.Contains(h.Commands, c.Name) {
			missing = append(missing, c.Name)
		}
	}
	switch {
	case len(missing) > 0:
		sample := missing[:min(3, len(missing))]
		return "The addon lacks commands of this server, such as " + joinWords(sample) + ". Run godot-mcp install-addon and reload the plugin."
	case h.VocabularyHash != "" && h.VocabularyHash != wire.VocabularyHash:
		return "The addon was built from other command declarations than this server. Run godot-mcp install-addon and reload the plugin."
	}
	return ""
}

func joinWords(words []string) string {
	out := ""
	for i, w := range words {
		if i > 0 {
			out += ", "
		}
		out += w
	}
	return out
}

func commonErrors() []recoveryAdvice {
	return []recoveryAdvice{
		{"bridge_connected", "open the project in Godot with the godot_mcp plugin enabled"},
		{"active_scene", "open or create a scene"},
		{"node_exists", "read the scene tree for the paths"},
		{"toolset", "godot_enable_toolset"},
		{"confirm", "call with dry_run true, then with confirm true"},
	}
}

func nextSteps(c *catalog.Call, connected, sceneOpen bool) []string {
	var steps []string
	switch {
	case !connected && problem(c) != "":
		steps = append(steps, "No editor can connect: "+problem(c)+". Ask the person who runs the server to end the other program or to choose another --bridge-url.")
	case !connected:
		steps = append(steps, "Open the project in Godot with the godot_mcp plugin enabled; it connects by itself.")
	}
	off := slices.ContainsFunc(toolsetStates(c.Gate), func(t toolsetState) bool { return !t.Enabled })
	if off && !c.Gate.Toolsets.Frozen() {
		steps = append(steps, "Call godot_list_toolsets, then godot_enable_toolset for what the task needs.")
	}
	if connected && !sceneOpen {
		steps = append(steps, "No scene is open: open or create one before editing nodes.")
	}
	if c.Gate.Profile == safety.Core {
		steps = append(steps, "This server only reads (profile core). Editing needs a start with --profile editor.")
	}
	if steps == nil {
		steps = []string{"Read the scene tree, then edit; act on persisted and hint in every answer."}
	}
	return steps
}
