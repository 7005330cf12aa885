// Command gen writes schemas_gen.json from the declarations.
package main

import (
	"log"
	"os"

	"godot-mcp/server/catalog"
	"godot-mcp/server/catalog/toolsets"
)

func main() {
	if err := os.WriteFile("schemas_gen.json", catalog.GenerateSchemas(toolsets.All()), 0o644); err != nil {
		log.Fatal(err)
	}
}
