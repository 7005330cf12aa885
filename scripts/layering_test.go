package scripts

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLayering holds the dependency rules of the tree: who may import whom.
func TestLayering(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "godot-mcp/...").Output()
	require.NoError(t, err)
	imports := map[string][]string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		imports[strings.TrimPrefix(p.ImportPath, "godot-mcp/")] = p.Imports
	}
	require.Greater(t, len(imports), 10)

	below := func(p string, roots ...string) bool {
		return slices.ContainsFunc(roots, func(r string) bool { return p == r || strings.HasPrefix(p, r+"/") })
	}
	for pkg, list := range imports {
		for _, imp := range list {
			dep, ours := strings.CutPrefix(imp, "godot-mcp/")
			switch {
			case ours && below(pkg, "server"):
				assert.True(t, below(dep, "server"), "%s imports %s: server stands on its own", pkg, imp)
			case ours && below(pkg, "fakeeditor"):
				assert.True(t, below(dep, "fakeeditor", "server/godot", "server/wire"),
					"%s imports %s: the simulator knows the wire and Godot's formats only", pkg, imp)
			case strings.HasPrefix(imp, "github.com/modelcontextprotocol/go-sdk"):
				assert.True(t, pkg == "server" || below(pkg, "scripts", "evals", "cmd"), "%s imports the MCP SDK", pkg)
			case strings.HasPrefix(imp, "github.com/coder/websocket"):
				assert.True(t, below(pkg, "server/bridge", "fakeeditor", "scripts", "addon"), "%s imports the WebSocket library", pkg)
			}
			if ours && below(pkg, "server/godot", "server/wire") {
				assert.True(t, below(dep, "server/godot", "server/wire"), "%s imports %s: formats know no server", pkg, imp)
			}
			if ours && pkg == "server/safety" {
				assert.True(t, below(dep, "server/safety", "server/answer", "server/wire", "server/godot"),
					"%s imports %s: the safety package must be readable on its own", pkg, imp)
			}
		}
	}
}
