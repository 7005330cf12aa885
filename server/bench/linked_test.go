package bench

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Where a program looks up one method by a name that is made at run time, the
// linker keeps the methods of all types: 5 MB here, of which a server process
// held 2.5 MB. text/template and html/template do that when a template is
// executed, also one of a help text.
func TestNoMethodIsLookedUpByName(t *testing.T) {
	bin, err := program()
	require.NoError(t, err)
	symbols, err := exec.Command("go", "tool", "nm", bin).Output()
	require.NoError(t, err)
	require.Contains(t, string(symbols), " main.main\n")
	var found []string
	for line := range strings.Lines(string(symbols)) {
		if strings.Contains(line, "reflect.Value.MethodByName") || strings.Contains(line, "text/template.(*state).evalField") {
			found = append(found, strings.TrimSpace(line))
		}
	}
	assert.Empty(t, found, "go build -ldflags=-dumpdep tells who calls it")
}
