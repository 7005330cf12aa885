package fault

import (
	"slices"
	"sync"
	"time"

	"godot-mcp/server/wire"
)

// Script holds the armed rules of one editor, over all its connections. It may
// be used by several goroutines. The zero Script has no rule.
type Script struct {
	mu    sync.Mutex
	rules []*armed
	down  time.Time // no connection before
	links map[*Middle]bool
	fired []string
	gate  Gate
	// OnCrash makes the editor die and come back after d. Without it, crash
	// rules are refused.
	OnCrash func(d time.Duration)
}

// Gate is shut while the editor hangs: for all of its links, those that it opens
// meanwhile too.
func (s *Script) Gate() *Gate { return &s.gate }

type armed struct {
	Rule
	seen int
	done bool
}

// Add arms a rule, or carries it out if it is immediate.
func (s *Script) Add(r Rule) error {
	s.mu.Lock()
	if r.Kind == Crash && s.OnCrash == nil {
		s.mu.Unlock()
		return errNoCrash
	}
	if !r.Immediate() {
		s.rules = append(s.rules, &armed{Rule: r})
		s.mu.Unlock()
		return nil
	}
	s.fired = append(s.fired, r.String())
	links := make([]*Middle, 0, len(s.links))
	for m := range s.links {
		links = append(links, m)
	}
	switch r.Kind {
	case Clear:
		s.rules, s.down = nil, time.Time{}
	case Disconnect:
		s.down = time.Now().Add(r.For)
	case Hang:
		s.gate.Hold(r.For)
	}
	crash := s.OnCrash
	s.mu.Unlock()
	for _, m := range links {
		m.now(r)
	}
	if r.Kind == Crash {
		crash(r.For)
	}
	return nil
}

// AddLine arms the rule that a line of the text form describes.
func (s *Script) AddLine(line string) error {
	r, err := ParseLine(line)
	if err != nil {
		return err
	}
	return s.Add(r)
}

// Down says how long connections are refused from now.
func (s *Script) Down() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(0, time.Until(s.down))
}

func (s *Script) holdDown(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if until := time.Now().Add(d); until.After(s.down) {
		s.down = until
	}
}

// Fired lists the rules that took effect, in order, in their text form.
func (s *Script) Fired() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.fired)
}

// Armed lists the rules that wait, in their text form.
func (s *Script) Armed() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, a := range s.rules {
		if !a.done {
			out = append(out, a.String())
		}
	}
	return out
}

// take finds the rules that a command sets off.
func (s *Script) take(c wire.Command) []Rule {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Rule
	for _, a := range s.rules {
		if a.done || !a.matches(c) {
			continue
		}
		a.seen++
		if a.Every || a.seen == max(1, a.Nth) {
			a.done = !a.Every
			out = append(out, a.Rule)
			s.fired = append(s.fired, a.String())
		}
	}
	return out
}

// hello gives the rules that change a hello.
func (s *Script) hello() []Rule {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Rule
	for _, a := range s.rules {
		if a.Kind == WrongVersion {
			out = append(out, a.Rule)
			s.fired = append(s.fired, a.String())
		}
	}
	return out
}

func (s *Script) attach(m *Middle, on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.links == nil {
		s.links = map[*Middle]bool{}
	}
	if on {
		s.links[m] = true
	} else {
		delete(s.links, m)
	}
}
