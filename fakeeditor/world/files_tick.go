package world

import (
	"time"

	"godot-mcp/fakeeditor/files"
)

// Tick brings the editor to a later moment of its clock: scans walk on, scripts
// are registered, sources are imported.
func Tick(s State, now time.Duration) State {
	if now < s.Clock {
		return s
	}
	s.Clock = now
	s.Files = Files{s.Files.Tick(now)}
	return DrainFileEvents(s)
}

// DrainFileEvents moves what the file system did into the journal.
func DrainFileEvents(s State) State {
	events, sys := s.Files.TakeEvents()
	s.Files = Files{sys}
	for _, e := range events {
		switch e.Kind {
		case files.EventReimported:
			for _, p := range e.Paths {
				s.Journal = s.Journal.Add(Effect{Time: e.At, Cause: CauseImporter, Kind: EffectImport, Target: p})
			}
		case files.EventClasses:
			if !e.Moved {
				continue
			}
			s.Journal = s.Journal.Add(Effect{Time: e.At, Cause: CauseImporter, Kind: EffectRegisterType, Target: files.Root})
		}
	}
	return s
}
