package catalog

import (
	"fmt"
	"slices"
	"sync"
)

const keptSnapshots = 32

// Snapshots keeps the newest 32 values under the ids s1, s2, … Reading one
// makes it the newest. It is safe for concurrent use.
type Snapshots struct {
	mu     sync.Mutex
	next   int
	values map[string]any
	order  []string // oldest first
}

// Put keeps a value and names it.
func (s *Snapshots) Put(v any) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	id := fmt.Sprintf("s%d", s.next)
	if s.values == nil {
		s.values = map[string]any{}
	}
	s.values[id] = v
	s.order = append(s.order, id)
	if len(s.order) > keptSnapshots {
		delete(s.values, s.order[0])
		s.order = s.order[1:]
	}
	return id
}

// Get finds a value that is still kept.
func (s *Snapshots) Get(id string) (any, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.values[id]
	if ok {
		i := slices.Index(s.order, id)
		s.order = append(slices.Delete(s.order, i, i+1), id)
	}
	return v, ok
}
