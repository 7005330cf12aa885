package task

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

const projectDir = "project/"

var altName = regexp.MustCompile(`^alt[1-9][0-9]*\.txt$`)

// Parse reads a task. The error lists all that is wrong, one a line.
func Parse(name string, text []byte) (*Task, error) {
	a := txtar.Parse(text)
	t := &Task{Prose: strings.TrimSpace(string(a.Comment)), Project: map[string]string{}, Hash: hash(text)}
	var errs []error
	seen := map[string]bool{}
	note := func(err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		}
	}
	for _, f := range a.Files {
		if seen[f.Name] {
			note(fmt.Errorf("member %s stands twice", f.Name))
		}
		seen[f.Name] = true
		note(t.member(f.Name, string(f.Data)))
	}
	for _, need := range []string{"task.json", "prompt.md", "checks.txt", "oracle.txt", "project/project.godot"} {
		if !seen[need] {
			note(fmt.Errorf("member %s is missing", need))
		}
	}
	if t.Prose == "" {
		note(errors.New("the first lines must say why the task exists"))
	}
	slices.SortFunc(t.Alts, func(a, b Script) int { return strings.Compare(a.Name, b.Name) })
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return t, nil
}

func (t *Task) member(name, text string) (err error) {
	switch {
	case name == "task.json":
		return strictJSON(text, &t.Meta)
	case name == "prompt.md":
		t.Prompt = strings.TrimSpace(text)
	case name == "setup.txt":
		return t.World.parse(name, text, true)
	case name == "faults.txt":
		return t.World.parse(name, text, false)
	case name == "rules.yaml":
		t.Rules = text
	case name == "checks.txt":
		t.Checks, err = parseChecks(name, text)
	case name == "oracle.txt":
		t.Oracle, err = parseScript(name, text)
	case name == "payload.txt":
		t.Payload, err = parseScript(name, text)
	case altName.MatchString(name):
		var s Script
		s, err = parseScript(name, text)
		t.Alts = append(t.Alts, s)
	case strings.HasPrefix(name, projectDir):
		p := strings.TrimPrefix(name, projectDir)
		if p == "" || path.Clean(p) != p || strings.HasPrefix(p, "../") || strings.Contains(p, "\\") {
			return fmt.Errorf("member %s does not lie inside project/", name)
		}
		t.Project[p] = text
	default:
		return fmt.Errorf("unknown member %s", name)
	}
	return err
}

// strictJSON reads one JSON object without unknown or repeated members.
func strictJSON(text string, into any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("task.json: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("task.json: something follows the object")
	}
	return repeated(json.NewDecoder(bytes.NewReader([]byte(text))))
}

// repeated finds members that stand twice in one object.
func repeated(d *json.Decoder) error {
	type level struct {
		object bool
		key    bool // a key comes next
		seen   map[string]bool
	}
	var stack []level
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		top := len(stack) - 1
		switch v := tok.(type) {
		case json.Delim:
			if v == '}' || v == ']' {
				stack = stack[:top]
				break
			}
			if top >= 0 {
				stack[top].key = stack[top].object
			}
			stack = append(stack, level{object: v == '{', key: v == '{', seen: map[string]bool{}})
		default:
			if top < 0 {
				break
			}
			if s, ok := v.(string); ok && stack[top].key {
				if stack[top].seen[s] {
					return fmt.Errorf("task.json: %q stands twice in one object", s)
				}
				stack[top].seen[s], stack[top].key = true, false
				break
			}
			stack[top].key = stack[top].object
		}
	}
}
