package scripts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"strings"
)

// A scenario is one script at work: its project and one session per editor.
type scenario struct {
	ctx      context.Context
	work     string
	files    map[string][]byte
	sessions []*session
	started  bool
	// beside: the project lies in a real folder, with another one next to it.
	beside bool
	// answer is what expect looks at: the last answer, the same on all editors.
	answer any
}

// each does f on every editor, starting the sessions first if need be.
func (sc *scenario) each(f func(*session) error) error {
	if err := sc.start(); err != nil {
		return err
	}
	for _, s := range sc.sessions {
		if err := f(s); err != nil {
			return fmt.Errorf("%s: %w", s.backend.Name(), err)
		}
	}
	return nil
}

func (sc *scenario) start() error {
	if sc.started {
		return nil
	}
	sc.started = true
	for _, s := range sc.sessions {
		if sc.beside {
			if err := s.neighbour(sc.work); err != nil {
				return err
			}
		}
		if err := s.start(sc.ctx, maps.Clone(sc.files)); err != nil {
			return fmt.Errorf("%s: %w", s.backend.Name(), err)
		}
	}
	return nil
}

// agree runs f on every editor and demands equal results, apart from ignored keys.
func (sc *scenario) agree(ignored []string, f func(*session) (any, error)) (any, error) {
	var results []any
	err := sc.each(func(s *session) error {
		s.learn()
		r, err := f(s)
		s.learn()
		if err == nil {
			err = s.untouched()
		}
		results, s.last = append(results, r), r
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(results) == 2 {
		a := sc.sessions[0].masked(forgetKeys(results[0], ignored))
		b := sc.sessions[1].masked(forgetKeys(results[1], ignored))
		if !reflect.DeepEqual(a, b) {
			return nil, broken("both editors answer alike", "%s and %s differ:\n%s",
				sc.sessions[0].backend.Name(), sc.sessions[1].backend.Name(), lineDiff(pretty(a), pretty(b)))
		}
	}
	return results[0], nil
}

// learn notes what two sessions cannot have in common: the address of the
// bridge, the editor's session, its project folder and its build of the engine.
// Times of files are those of two machines; masked knows them by their size.
func (s *session) learn() {
	if s.seen == nil {
		s.seen = map[string]string{s.url: "BRIDGE"}
	}
	if p := s.srv.Bridge().Peer(); p != nil {
		s.seen[p.Session], s.seen[p.ProjectPath] = "SESSION", "PROJECT"
		s.seen[p.GodotVersion], _, _ = strings.Cut(p.GodotVersion, " (")
	}
}

// sceneVersion is the version of a scene: the run of the editor, the load of the
// scene, and what others did to it since.
var sceneVersion = regexp.MustCompile(`\b[0-9a-f]{8}\.\d+\.(\d+)\b`)

// filled puts what the verb keep remembered into the arguments of a call.
func (s *session) filled(args map[string]any) map[string]any {
	out := maps.Clone(args)
	for k, v := range out {
		if name, ok := v.(string); ok && strings.HasPrefix(name, "@") {
			if kept, ok := s.keeps[name[1:]]; ok {
				out[k] = kept
			}
		}
	}
	return out
}

// masked puts the placeholders of learn into every text of an answer.
func (s *session) masked(v any) any {
	switch x := v.(type) {
	case float64:
		if x > 1_500_000_000 && x < 5_000_000_000 {
			return "TIME"
		}
	case string:
		for text, placeholder := range s.seen {
			if text != "" {
				x = strings.ReplaceAll(x, text, placeholder)
			}
		}
		return sceneVersion.ReplaceAllString(x, "VERSION.$1")
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[k] = s.masked(e)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = s.masked(e)
		}
		return out
	}
	return v
}

// forgetKeys drops object keys at any depth.
func forgetKeys(v any, keys []string) any {
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			if !contains(keys, k) {
				out[k] = forgetKeys(e, keys)
			}
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = forgetKeys(e, keys)
		}
		return out
	}
	return v
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if strings.EqualFold(e, s) {
			return true
		}
	}
	return false
}

func (sc *scenario) close() {
	var errs []error
	for _, s := range sc.sessions {
		errs = append(errs, s.close())
	}
	if err := errors.Join(errs...); err != nil {
		// The scenario has already said whether it passed; a server that does
		// not stop is a defect all the same, and only a panic is heard here.
		panic(err)
	}
}
