package addon_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A type name of a script gives way to a global class or an autoload of the same
// name (engine 4.6 experiment): in a project with a class_name State, "enum State"
// of the addon would not be found and the addon would not load. So every name
// that can stand for a type has a prefix that no project uses.
func TestTypeNamesCannotMeetThoseOfAProject(t *testing.T) {
	declared := regexp.MustCompile(`(?m)^\s*(?:const|enum|class|class_name) ([A-Z]\w*)`)
	for path, text := range sources(t) {
		for _, m := range declared.FindAllStringSubmatch(text, -1) {
			if strings.ToUpper(m[1]) != m[1] { // a constant in capitals is no type
				assert.True(t, strings.HasPrefix(m[1], "Mcp"), "%s: %s", path, m[1])
			}
		}
	}
}
