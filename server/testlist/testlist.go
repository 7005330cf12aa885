// Package testlist names the Go tests of a tree, for the tests of documents that
// refer to tests.
package testlist

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var declared = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// Below gives the names of the tests in a folder and all below it, whatever their
// build tags.
func Below(root string) (map[string]bool, error) {
	out := map[string]bool{}
	err := filepath.WalkDir(root, func(p string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(p, "_test.go") {
			return err
		}
		source, err := os.ReadFile(p)
		for _, m := range declared.FindAllStringSubmatch(string(source), -1) {
			out[m[1]] = true
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list tests: %w", err)
	}
	return out, nil
}
