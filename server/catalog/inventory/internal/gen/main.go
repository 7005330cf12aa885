// Command gen writes the tool reference from the declarations.
package main

import (
	"bytes"
	"log"
	"os"

	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/inventory"
	"godot-mcp/server/catalog/toolsets"
)

func main() {
	var b bytes.Buffer
	// Without ready schemas they are inferred, so that the reference does not
	// depend on which generator runs first.
	inventory.Markdown(&b, inventory.List(catalog.New(toolsets.All(), []byte("{}"))))
	if err := os.WriteFile(os.Args[1], b.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
