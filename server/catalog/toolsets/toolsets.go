// Package toolsets holds the tools themselves, one or a few files a toolset.
// How a tool is declared stands in package catalog.
package toolsets

import (
	_ "embed"
	"slices"
	"sync"

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

// Catalog is the catalogue of all tools with the generated schemas. It is made
// once and never changes, so that many servers of a process share it.
func Catalog() *catalog.Catalog { return whole() }

var whole = sync.OnceValue(func() *catalog.Catalog { return catalog.New(All(), schemas) })
