package server

import (
	"fmt"
	"testing"

	"godot-mcp/server/catalog/catalogtest"
)

// BenchmarkListOnTheWire is tools/list of every tool, from request line to
// answer line.
func BenchmarkListOnTheWire(b *testing.B) {
	cfg := editing()
	cfg.Toolsets = []string{"all"}
	c := connect(b, cfg, catalogtest.New())
	c.initialize()
	id := 1
	for b.Loop() {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, id))
		id++
		line, err := c.out.ReadString('\n')
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(line)))
	}
}

// BenchmarkCallOnTheWire is one call that needs no editor.
func BenchmarkCallOnTheWire(b *testing.B) {
	c := connect(b, testConfig(), catalogtest.New())
	c.initialize()
	id := 1
	for b.Loop() {
		c.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"godot_health_check","arguments":{}}}`, id))
		id++
		if _, err := c.out.ReadString('\n'); err != nil {
			b.Fatal(err)
		}
	}
}
