package fakeeditor

import (
	"crypto/rand"
	"encoding/binary"
	"log/slog"

	"golang.org/x/tools/txtar"

	"godot-mcp/fakeeditor/fault"
	"godot-mcp/fakeeditor/files"
	"godot-mcp/server/wire"
)

// Version is what the simulated addon reports as its version.
const Version = "0.1.0"

// GodotVersion is the engine that the simulator imitates.
const GodotVersion = "4.6.3-stable (official)"

// Config says what an [Editor] opens and how it reaches the server.
type Config struct {
	// Project is a project in memory: paths (relative, or res://) to text.
	// Folder is a real folder instead; what the editor changes is written
	// through to it (except below .godot, which stays in memory) and what others
	// write there is seen as a real editor sees it. One of both is given.
	Project map[string]string
	Folder  string
	// ProjectPath is what the editor reports as its folder; empty: Folder, or
	// an imagined one.
	ProjectPath string

	// BridgeURL is where the server listens. Empty: the editor has no link.
	BridgeURL string
	Token     string
	// Dial opens network connections; nil uses the network.
	Dial fault.DialFunc

	// Seed decides everything that is left to chance, the session id included;
	// zero takes a random seed.
	Seed uint64
	// Clock is nil for a [VirtualClock].
	Clock Clock
	// Delays of scans and imports; the zero value means [files.DefaultDelays].
	Delays *files.Delays
	// Observe is told every command that comes over the link; nil for nobody.
	Observe func(wire.Command)
	// Faults on the link; nil for none.
	Faults *fault.Script
	// Logger gets what the dock would show; nil discards.
	Logger *slog.Logger
	// OpenScenes are opened at the start, the last one is active. Nil opens the
	// main scene, as the first start of a project does; empty opens none.
	OpenScenes []string
}

// Archive reads a project from a txtar archive.
func Archive(text []byte) map[string]string {
	out := map[string]string{}
	for _, f := range txtar.Parse(text).Files {
		out[f.Name] = string(f.Data)
	}
	return out
}

func (c Config) withDefaults() Config {
	if c.Clock == nil {
		c.Clock = &VirtualClock{}
	}
	if c.Seed == 0 {
		var b [8]byte
		rand.Read(b[:])
		c.Seed = binary.LittleEndian.Uint64(b[:])
	}
	if c.Delays == nil {
		d := files.DefaultDelays()
		c.Delays = &d
	}
	if c.Faults == nil {
		c.Faults = &fault.Script{}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.ProjectPath == "" {
		c.ProjectPath = c.Folder
	}
	if c.ProjectPath == "" {
		c.ProjectPath = "/simulated/project"
	}
	return c
}
