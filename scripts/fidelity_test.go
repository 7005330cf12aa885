package scripts

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestLooseningsAreTold holds the list of loosenings to saying what and why, and to
// naming calls that exist.
func TestLooseningsAreTold(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range loosenings {
		assert.False(t, seen[l.Name], "%s stands twice", l.Name)
		seen[l.Name] = true
		assert.NotEmpty(t, l.What, l.Name)
		assert.NotEmpty(t, l.Why, l.Name)
		assert.NotNil(t, loose(l.Name, append(l.Tools, "")[0]), l.Name)
		for _, name := range l.Tools {
			assert.NotNil(t, (&session{}).tool(name).Tool, "%s: no tool %s", l.Name, name)
		}
	}
}
