// Package tasks holds the tasks themselves, in folders by category.
package tasks

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"godot-mcp/evals/task"
)

//go:embed */*.txtar
var files embed.FS

// FS holds the task files as CATEGORY/NAME.txtar.
func FS() fs.FS { return files }

// All are the tasks, by id.
var All = sync.OnceValues(func() ([]*task.Task, error) { return Load(files) })

// Load parses every task of a file system, in the order of their paths.
func Load(from fs.FS) ([]*task.Task, error) {
	var out []*task.Task
	err := fs.WalkDir(from, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".txtar") {
			return err
		}
		text, err := fs.ReadFile(from, p)
		if err != nil {
			return err
		}
		t, err := task.Parse(p, text)
		if err != nil {
			return err
		}
		if want := strings.TrimSuffix(p, ".txtar"); t.ID != want {
			return fmt.Errorf("%s: the id is %q, the file says %q", p, t.ID, want)
		}
		out = append(out, t)
		return nil
	})
	return out, err
}

// Text is the file of a task.
func Text(id string) (string, error) {
	b, err := fs.ReadFile(files, id+".txtar")
	return string(b), err
}
