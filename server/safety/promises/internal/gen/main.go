// Command gen writes PROMISES.md.
package main

import (
	"fmt"
	"os"

	"godot-mcp/server/safety/promises"
)

func main() {
	text, err := promises.Markdown()
	if err == nil {
		err = os.WriteFile("../PROMISES.md", []byte(text), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "promises:", err)
		os.Exit(1)
	}
}
