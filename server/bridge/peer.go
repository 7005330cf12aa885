package bridge

import (
	"slices"
	"time"

	"godot-mcp/server/wire"
)

// assumedMaxBytes is the inbound buffer of a Godot WebSocketPeer that nobody
// raised (engine 4.6: 65,536 bytes and more close the socket with 1009).
const assumedMaxBytes = 65535

// Peer describes a connected editor.
type Peer struct {
	Session        string    `json:"session"`
	ProjectPath    string    `json:"project_path"`
	ProjectName    string    `json:"project_name"`
	GodotVersion   string    `json:"godot_version"`
	AddonVersion   string    `json:"addon_version"`
	Backend        string    `json:"backend"`
	PID            int       `json:"pid,omitempty"`
	Since          time.Time `json:"since"`
	MaxBytes       int       `json:"max_bytes"`
	Commands       []string  `json:"commands"` // sorted
	VocabularyHash string    `json:"vocabulary_hash"`
}

func newPeer(h wire.Hello) *Peer {
	p := &Peer{
		Session: h.Session, ProjectPath: h.ProjectPath, ProjectName: h.ProjectName,
		GodotVersion: h.GodotVersion, AddonVersion: h.AddonVersion, Backend: h.Backend,
		PID: h.PID, Since: time.Now(), MaxBytes: h.MaxBytes, VocabularyHash: h.VocabularyHash,
		Commands: slices.Compact(slices.Sorted(slices.Values(h.Commands))),
	}
	if p.MaxBytes <= 0 {
		p.MaxBytes = assumedMaxBytes
	}
	p.MaxBytes = min(p.MaxBytes, wire.MaxMessageBytes)
	return p
}

// Missing lists the commands of this server's vocabulary that the editor lacks.
func (p *Peer) Missing() []string {
	var out []string
	for _, c := range wire.Commands {
		if !p.Has(c.Name) {
			out = append(out, c.Name)
		}
	}
	return out
}

// Has reports whether the editor implements a command.
func (p *Peer) Has(command string) bool {
	_, ok := slices.BinarySearch(p.Commands, command)
	return ok
}

// SameVocabulary reports whether both ends were built from the same command
// declarations. Commands may still have the same names when it is false.
func (p *Peer) SameVocabulary() bool { return p.VocabularyHash == wire.VocabularyHash }
