// Package toolsets holds the tools themselves, one or a few files a toolset.
// How a tool is declared stands in package catalog.
package toolsets

import (
	_ "embed"
	"slices"

	"godot-mcp/server/catalog"
)

//go:generate go run ./internal/gen

//go:embed schemas_gen.json
var schemas []byte

// All lists every tool of every toolset.
func All() []*catalog.Tool {
	return slices.Concat(
		core(),
		inspection(),
		sceneEdit(),
		composite(),
		batch(),
		scripts(),
	)
}

// Catalog makes the catalogue of all tools with the generated schemas.
func Catalog() *catalog.Catalog { return catalog.New(All(), schemas) }
