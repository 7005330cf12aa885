package safety

import (
	"slices"
	"strconv"
	"strings"

	"godot-mcp/server/answer"
	"godot-mcp/server/wire"
)

// Peer is what is known about the editor without asking it.
type Peer struct {
	Connected    bool
	URL          string
	GodotVersion string
	AddonVersion string
	Commands     []string
}

func checkPeer(s *Spec, p Peer) *answer.Failure {
	if !p.Connected {
		return answer.FromWire(wire.Fail(wire.ReasonNoEditor, "url", p.URL), false)
	}
	if f := VersionGate(s.MinGodot, p.GodotVersion); f != nil {
		return f
	}
	return MissingCommands(p, s.Commands...)
}

// MissingCommands refuses what an editor's addon does not implement. Tools
// that plan their command per call are checked when the plan is made.
func MissingCommands(p Peer, commands ...string) *answer.Failure {
	var missing []string
	for _, c := range commands {
		if !slices.Contains(p.Commands, c) {
			missing = append(missing, c)
		}
	}
	if p.Connected && len(missing) > 0 {
		return answer.New(answer.OldAddon, "commands", missing, "addon_version", p.AddonVersion)
	}
	return nil
}

// VersionGate refuses an editor older than needs ("4.4"); a version that
// cannot be read is refused too. Empty needs fit every editor.
func VersionGate(needs, has string) *answer.Failure {
	if needs == "" {
		return nil
	}
	nMajor, nMinor, _ := parseVersion(needs)
	major, minor, ok := parseVersion(has)
	if !ok {
		return answer.New(answer.Unreadable, "has", has)
	}
	if major < nMajor || major == nMajor && minor < nMinor {
		return answer.New(answer.OldGodot, "needs", needs, "has", has)
	}
	return nil
}

// parseVersion reads the first two numbers of "4.6.3-stable (official)".
func parseVersion(s string) (major, minor int, ok bool) {
	a, rest, found := strings.Cut(s, ".")
	if !found {
		return 0, 0, false
	}
	if i := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		rest = rest[:i]
	}
	major, errA := strconv.Atoi(a)
	minor, errB := strconv.Atoi(rest)
	return major, minor, errA == nil && errB == nil
}

// ToolsetGate decides whether a toolset that wants a Godot version can be
// switched on: without an editor whose version is known it cannot.
func ToolsetGate(needs string, p Peer) *answer.Failure {
	if !p.Connected {
		return answer.FromWire(wire.Fail(wire.ReasonNoEditor, "url", p.URL), false)
	}
	return VersionGate(needs, p.GodotVersion)
}
