package grade

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"godot-mcp/evals/task"
)

// CheckCheck says what is wrong with a check as such; nil when nothing is.
func CheckCheck(c task.Check) error {
	w, ok := words[c.Word]
	if !ok {
		return fmt.Errorf("check %s: there is no word %q; there are %s", c.ID, c.Word, strings.Join(sortedKeys(words), " "))
	}
	if slices.Contains(Findings(), c.ID) {
		return fmt.Errorf("check %s: the name is that of an automatic finding", c.ID)
	}
	if len(c.Positional()) != w.args {
		return fmt.Errorf("check %s: %s wants %s", c.ID, c.Word, w.usage)
	}
	for _, a := range c.Named() {
		ok := slices.ContainsFunc(w.keys, func(k string) bool {
			return k == a.Key || k != "" && strings.HasSuffix(k, ".") && strings.HasPrefix(a.Key, k)
		})
		if !ok {
			return fmt.Errorf("check %s: %s has no option %q; it wants %s", c.ID, c.Word, a.Key, w.usage)
		}
		if a.Op == "~=" {
			if _, err := regexp.Compile(a.Value); err != nil {
				return fmt.Errorf("check %s: %w", c.ID, err)
			}
		}
	}
	return nil
}
