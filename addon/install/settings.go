package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"godot-mcp/server/godot/config"
	"godot-mcp/server/godot/variant"
)

const (
	projectFile   = "project.godot"
	nextFile      = ".project.godot.new"
	pluginSection = "editor_plugins"
	pluginKey     = "enabled"
)

// settings is project.godot as it is on disk.
type settings struct {
	project *project
	text    []byte
	mode    fs.FileMode
}

func readSettings(p *project) (*settings, error) {
	info, err := p.root.Stat(projectFile)
	if err != nil {
		return nil, p.failed(projectFile, err)
	}
	text, err := p.root.ReadFile(projectFile)
	if err != nil {
		return nil, p.failed(projectFile, err)
	}
	s := &settings{project: p, text: text, mode: info.Mode().Perm()}
	_, err = s.parse()
	return s, err
}

func (s *settings) bad(err error) error {
	return &Error{Reason: BadProject, Path: s.project.path(projectFile), Err: err}
}

func (s *settings) parse() (*config.File, error) {
	f, err := config.Parse(s.text)
	if err != nil {
		return nil, s.bad(err)
	}
	if !bytes.Equal(f.Bytes(), s.text) {
		return nil, s.bad(errors.New("it would not be kept byte for byte"))
	}
	return f, nil
}

// oldestVersion is the config_version of Godot 4. Where the key is missing, the
// engine takes the file as it is.
const oldestVersion = 5

// checkVersion refuses the settings of an engine that cannot run the addon.
func (s *settings) checkVersion() error {
	f, err := s.parse()
	if err != nil {
		return err
	}
	v, ok := f.Get("", "config_version")
	if n, number := v.Number(); ok && number && n < oldestVersion {
		return &Error{Reason: OldProject, Path: s.project.dir, Err: fmt.Errorf("its config_version is %v, not %d", n, oldestVersion)}
	}
	return nil
}

// enabled lists the plugins that the project enables.
func (s *settings) enabled() ([]string, error) {
	f, err := s.parse()
	if err != nil {
		return nil, err
	}
	v, ok := f.Get(pluginSection, pluginKey)
	if !ok {
		return nil, nil
	}
	if list, ok := v.Strings(); ok {
		return list, nil
	}
	// The engine takes a plain array as well.
	plain, ok := v.Array()
	if !ok {
		return nil, s.bad(errors.New("editor_plugins/enabled is no list of paths"))
	}
	var list []string
	for _, item := range plain.Items() {
		text, ok := item.Text()
		if !ok {
			return nil, s.bad(errors.New("editor_plugins/enabled holds something other than paths"))
		}
		list = append(list, text)
	}
	return list, nil
}

// enable gives the text with the plugin in the list.
func (s *settings) enable() (text []byte, edited bool, err error) {
	list, err := s.enabled()
	if err != nil || slices.Contains(list, Plugin) {
		return s.text, false, err
	}
	return s.with(append(slices.Clone(list), Plugin), func(f *config.File) bool { return f.AppendString(pluginSection, pluginKey, Plugin) })
}

// disable gives the text without the plugin. The edit that enabled it is taken
// back exactly if it still stands there as it was made.
func (s *settings) disable(made *splice) (text []byte, edited bool, err error) {
	list, err := s.enabled()
	if err != nil || !slices.Contains(list, Plugin) {
		return s.text, false, err
	}
	rest := slices.DeleteFunc(slices.Clone(list), func(p string) bool { return p == Plugin })
	if made != nil && made.Inserted != "" && strings.Count(string(s.text), made.Inserted) == 1 {
		back := &settings{project: s.project, text: []byte(strings.Replace(string(s.text), made.Inserted, made.Removed, 1))}
		if left, err := back.enabled(); err == nil && slices.Equal(left, rest) {
			return back.text, true, nil
		}
	}
	return s.with(rest, func(f *config.File) bool { return f.RemoveString(pluginSection, pluginKey, Plugin) })
}

// with gives the text with another list. A list that a person laid out is edited
// in place; where that cannot be done, the entry is written anew.
func (s *settings) with(list []string, inPlace func(*config.File) bool) ([]byte, bool, error) {
	f, err := s.parse()
	if err != nil {
		return nil, false, err
	}
	switch {
	case len(list) == 0:
		f.Unset(pluginSection, pluginKey)
	case !inPlace(f):
		f.Set(pluginSection, pluginKey, variant.PackedStringArray(list))
	}
	return f.Bytes(), true, nil
}

// write replaces project.godot in one step.
func (s *settings) write(text []byte) error {
	if err := s.prepare(text); err != nil {
		return err
	}
	defer s.abandon()
	return s.commit(text)
}

// prepare writes the new text beside project.godot.
func (s *settings) prepare(text []byte) error {
	p := s.project
	if err := p.root.RemoveAll(nextFile); err != nil {
		return p.failed(nextFile, err)
	}
	f, err := p.root.OpenFile(nextFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, s.mode)
	if err != nil {
		return p.failed(nextFile, err)
	}
	_, err = f.Write(text)
	// A settings file that a power cut empties would cost the project.
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		s.abandon()
		return p.failed(projectFile, err)
	}
	return nil
}

// commit puts the prepared text in the place of project.godot.
func (s *settings) commit(text []byte) error {
	if err := s.project.root.Rename(nextFile, projectFile); err != nil {
		return s.project.failed(projectFile, err)
	}
	s.text = text
	return nil
}

// abandon removes the prepared text, if it is still there.
func (s *settings) abandon() { _ = s.project.root.Remove(nextFile) }

// difference is the one stretch in which two texts differ.
func difference(before, after []byte) *splice {
	start := 0
	for start < len(before) && start < len(after) && before[start] == after[start] {
		start++
	}
	end := 0
	for end < len(before)-start && end < len(after)-start && before[len(before)-1-end] == after[len(after)-1-end] {
		end++
	}
	return &splice{Removed: string(before[start : len(before)-end]), Inserted: string(after[start : len(after)-end])}
}
