//go:build clients

package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// install puts an npm package (NAME@VERSION) into the user's cache, once, and
// returns its command. The registry is the one that npm is configured for.
func install(t *testing.T, pkg, command string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	dir := filepath.Join(cache, "godot-mcp", "clients", strings.NewReplacer("/", "_", "@", "_").Replace(pkg))
	bin := filepath.Join(dir, "node_modules", ".bin", command)
	if exec.Command(bin, "--version").Run() == nil {
		return bin
	}
	require.NoError(t, os.MkdirAll(dir, 0o755))
	out, err := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefix", dir, pkg).CombinedOutput()
	require.NoError(t, err, "npm: %s", out)
	if out, err := exec.Command(bin, "--version").CombinedOutput(); err != nil {
		// npm may hold back install scripts; these only link the platform's binary.
		at := filepath.Join(dir, "node_modules", filepath.FromSlash(pkg[:strings.LastIndex(pkg, "@")]))
		for _, script := range []string{"install.cjs", "postinstall.mjs"} {
			if _, gone := os.Stat(filepath.Join(at, script)); gone == nil {
				built, runErr := exec.Command("node", filepath.Join(at, script)).CombinedOutput()
				require.NoError(t, runErr, "%s: %s\n%s", bin, out, built)
			}
		}
	}
	out, err = exec.Command(bin, "--version").CombinedOutput()
	require.NoError(t, err, "%s: %s", bin, out)
	return bin
}
