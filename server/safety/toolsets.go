package safety

import (
	"slices"
	"sync"
)

// CoreToolset is always on.
const CoreToolset = "core"

// Toolsets is which toolsets are shown now: one state for the whole server, so
// that clients without sessions keep what they enabled. It is safe for
// concurrent use.
type Toolsets struct {
	mu       sync.Mutex
	known    []string
	enabled  map[string]bool
	frozen   bool
	onChange func([]string)
}

// NewToolsets starts with the given toolsets enabled, core among them. A
// frozen state never changes. Unknown names are reported and left out.
func NewToolsets(known, enabled []string, frozen bool) (t *Toolsets, unknown []string) {
	t = &Toolsets{known: known, enabled: map[string]bool{CoreToolset: true}, frozen: frozen}
	for _, name := range enabled {
		switch {
		case name == "all":
			for _, k := range known {
				t.enabled[k] = true
			}
		case slices.Contains(known, name):
			t.enabled[name] = true
		default:
			unknown = append(unknown, name)
		}
	}
	return t, unknown
}

// OnChange sets what runs, outside the lock, after the enabled set changed.
func (t *Toolsets) OnChange(f func(enabled []string)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.onChange = f
}

// Enabled says whether a toolset is on.
func (t *Toolsets) Enabled(name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.enabled[name]
}

// Frozen says whether the list was fixed at start.
func (t *Toolsets) Frozen() bool { return t.frozen }

// Known says whether a toolset exists.
func (t *Toolsets) Known(name string) bool { return slices.Contains(t.known, name) }

// List gives the enabled toolsets in the order of the toolset table.
func (t *Toolsets) List() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.list()
}

func (t *Toolsets) list() []string {
	out := []string{}
	for _, k := range t.known {
		if t.enabled[k] {
			out = append(out, k)
		}
	}
	return out
}

// Set switches a known toolset other than core and reports whether that
// changed anything. A frozen state never changes.
func (t *Toolsets) Set(name string, on bool) bool {
	t.mu.Lock()
	if t.frozen || name == CoreToolset || !slices.Contains(t.known, name) || t.enabled[name] == on {
		t.mu.Unlock()
		return false
	}
	t.enabled[name] = on
	list, f := t.list(), t.onChange
	t.mu.Unlock()
	if f != nil {
		f(list)
	}
	return true
}
