package inventory_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/inventory"
	"godot-mcp/server/catalog/toolsets"
	"godot-mcp/server/safety"
)

func TestListIsComplete(t *testing.T) {
	c := toolsets.Catalog()
	list := inventory.List(c)
	require.Len(t, list, len(c.Tools()))
	for _, tool := range list {
		declared, ok := c.Tool(tool.Name)
		require.True(t, ok, tool.Name)
		assert.NotEmpty(t, tool.Description, tool.Name)
		assert.NotEmpty(t, tool.Profiles, tool.Name)
		assert.NotEmpty(t, tool.Results, tool.Name)
		assert.Equal(t, declared.Class, tool.Class)
		for _, f := range append(tool.Params, tool.Results...) {
			assert.NotContains(t, f.Type, "object", "%s.%s: say what is in it", tool.Name, f.Name)
		}
		for _, f := range tool.Params {
			assert.NotEmpty(t, f.Description, "%s.%s", tool.Name, f.Name)
		}
		confirm := false
		for _, f := range tool.Params {
			confirm = confirm || f.Name == "confirm"
		}
		if tool.Class == safety.Destructive {
			assert.True(t, confirm, tool.Name)
		}
	}
	var b bytes.Buffer
	inventory.Text(&b, list)
	for _, tool := range list {
		assert.Contains(t, b.String(), "  "+tool.Name+" ")
	}
	for line := range strings.Lines(b.String()) {
		assert.LessOrEqual(t, len(line), 200)
	}
}

func TestListIsJSON(t *testing.T) {
	raw, err := json.Marshal(inventory.List(toolsets.Catalog()))
	require.NoError(t, err)
	var back []inventory.Tool
	require.NoError(t, json.Unmarshal(raw, &back))
	again, err := json.Marshal(back)
	require.NoError(t, err)
	assert.JSONEq(t, string(raw), string(again))
}

func TestReferenceIsCurrent(t *testing.T) {
	var b bytes.Buffer
	inventory.Markdown(&b, inventory.List(catalog.New(toolsets.All(), []byte("{}"))))
	have, err := os.ReadFile("../TOOLS.md")
	require.NoError(t, err)
	require.Equal(t, b.String(), string(have), "run go generate ./server/catalog/inventory")
}
