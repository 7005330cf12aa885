package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"godot-mcp/server/godot/config"
)

// manifestName is the list of installed files, in the addon's folder. The dot
// and the unknown ending keep it out of Godot's file system dock and exports.
const manifestName = ".manifest"

// manifest is what was installed. It holds no time and no path of the machine,
// so that it can be committed with the project.
type manifest struct {
	Version string            `json:"version"`
	Files   map[string]string `json:"files"` // path to hash
	// Project is the edit of project.godot, nil when the plugin was enabled already.
	Project *splice `json:"project_godot,omitempty"`
}

// splice is one replaced stretch of a text.
type splice struct {
	Removed  string `json:"removed"`
	Inserted string `json:"inserted"`
}

func (m manifest) bytes() []byte {
	b, err := json.MarshalIndent(m, "", "\t")
	if err != nil {
		panic(err) // texts only
	}
	return append(b, '\n')
}

// sidecar says whether the engine makes a file beside one of ours.
func (m manifest) sidecar(name string) bool {
	for _, ending := range []string{".uid", ".import"} {
		if base, ok := strings.CutSuffix(name, ending); ok {
			if _, ours := m.Files[base]; ours {
				return true
			}
		}
	}
	return false
}

// hashOf ignores how lines end: version control may convert that.
func hashOf(data []byte) string {
	sum := sha256.Sum256(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")))
	return hex.EncodeToString(sum[:])
}

// manifest lists the source.
func (s Source) manifest() (manifest, error) {
	m := manifest{Version: s.Version(), Files: map[string]string{}}
	err := fs.WalkDir(s.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(s.Files, name)
		m.Files[name] = hashOf(data)
		return err
	})
	return m, err
}

// State is what is installed in a project.
type State struct {
	Installed bool // the folder is there
	Enabled   bool // project.godot lists the plugin
	// Version is that of the manifest, or else of plugin.cfg; it may be empty.
	Version string
	// Current: exactly the files of this program, unchanged and complete.
	Current bool
	// Changes are what a person changed or added since, and Missing what is gone.
	Changes []Change
	Missing []Change

	manifest manifest
}

// Status is [Status] with another source to compare with.
func (s Source) Status(dir string) (State, error) {
	p, err := open(dir)
	if err != nil {
		return State{}, err
	}
	defer p.close()
	return s.state(p)
}

func (s Source) state(p *project) (State, error) {
	enabled, err := p.settings.enabled()
	if err != nil {
		return State{}, err
	}
	st := State{Installed: p.exists(Folder), Enabled: slices.Contains(enabled, Plugin)}
	if !st.Installed {
		return st, nil
	}
	want, err := s.manifest()
	if err != nil {
		return st, p.failed(Folder, err)
	}
	known, err := p.readManifest()
	if err != nil {
		return st, err
	}
	if known != nil {
		st.manifest, st.Version = *known, known.Version
	} else {
		// A folder that somebody copied by hand is ours if it has our files.
		text, _ := p.root.ReadFile(path.Join(Folder, "plugin.cfg"))
		st.manifest, st.Version = manifest{Files: want.Files}, pluginVersion(text)
	}
	if st.Changes, st.Missing, err = p.compare(st.manifest); err != nil {
		return st, err
	}
	st.Current = known != nil && len(st.Changes)+len(st.Missing) == 0 && maps.Equal(known.Files, want.Files)
	return st, nil
}

// readManifest gives nil when there is none that can be read; every file then
// has to prove itself.
func (p *project) readManifest() (*manifest, error) {
	data, err := p.root.ReadFile(path.Join(Folder, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, p.failed(path.Join(Folder, manifestName), err)
	}
	var m manifest
	if json.Unmarshal(data, &m) != nil || m.Files == nil {
		return nil, nil
	}
	return &m, nil
}

// pluginVersion is the version in the text of a plugin.cfg, or "".
func pluginVersion(text []byte) string {
	f, err := config.Parse(text)
	if err != nil {
		return ""
	}
	return f.GetText("plugin", "version")
}

// compare holds the folder against a manifest.
func (p *project) compare(m manifest) (changes, missing []Change, err error) {
	present, err := p.list()
	if err != nil {
		return nil, nil, p.failed(Folder, err)
	}
	for _, name := range present {
		hash, ours := m.Files[name]
		switch {
		case !ours && !m.sidecar(name):
			changes = append(changes, Change{name, "added"})
		case ours && p.hash(name) != hash:
			changes = append(changes, Change{name, "changed"})
		}
	}
	for name := range m.Files {
		if !slices.Contains(present, name) {
			missing = append(missing, Change{name, "removed"})
		}
	}
	slices.SortFunc(missing, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes, missing, nil
}

// hash is empty for what is not a readable regular file, which then differs.
func (p *project) hash(name string) string {
	full := path.Join(Folder, name)
	info, err := p.root.Lstat(full)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	data, err := p.root.ReadFile(full)
	if err != nil {
		return ""
	}
	return hashOf(data)
}
