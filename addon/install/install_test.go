package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"godot-mcp/server/godot/config"
)

const plainProject = "; Engine configuration file.\n\nconfig_version=5\n\n[application]\n\nconfig/name=\"Test\"\n"

// version makes a source with that version.
func version(v string) Source {
	return Source{Files: fstest.MapFS{
		"plugin.cfg":     {Data: []byte("[plugin]\n\nname=\"Godot MCP\"\nversion=\"" + v + "\"\nscript=\"plugin.gd\"\n")},
		"plugin.gd":      {Data: []byte("@tool\nextends EditorPlugin\n# " + v + "\n")},
		"handlers/a.gd":  {Data: []byte("extends RefCounted\n")},
		"icons/icon.svg": {Data: []byte("<svg/>")},
	}}
}

func newProject(t testing.TB, text string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "project.godot", text)
	return dir
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
	require.NoError(t, os.WriteFile(full, []byte(text), 0o644))
}

func read(t testing.TB, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(data)
}

// snapshot is every file below dir with its text.
func snapshot(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, p)
			out[filepath.ToSlash(rel)] = read(t, dir, rel)
		}
		return err
	}))
	return out
}

func reason(t testing.TB, err error) Reason {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	require.True(t, ok, "%v", err)
	return e.Reason
}

func TestEmbeddedAddon(t *testing.T) {
	dir := newProject(t, plainProject)
	r, err := Install(dir, false)
	require.NoError(t, err)
	assert.True(t, r.Copied && r.Project)
	assert.NotEmpty(t, r.Version)
	assert.FileExists(t, filepath.Join(dir, "addons/godot_mcp/plugin.gd"))
	assert.Contains(t, read(t, dir, "project.godot"), `enabled=PackedStringArray("res://addons/godot_mcp/plugin.cfg")`)
	st, err := Status(dir)
	require.NoError(t, err)
	assert.True(t, st.Installed && st.Enabled && st.Current)
	assert.Equal(t, r.Version, st.Version)
	_, err = Uninstall(dir, false)
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"project.godot": plainProject}, snapshot(t, dir))
}

func TestSecondRunChangesNothing(t *testing.T) {
	dir := newProject(t, plainProject)
	_, err := version("1.0.0").Install(dir, false)
	require.NoError(t, err)
	before := snapshot(t, dir)
	info, err := os.Stat(filepath.Join(dir, Folder))
	require.NoError(t, err)
	r, err := version("1.0.0").Install(dir, false)
	require.NoError(t, err)
	assert.False(t, r.Copied || r.Project)
	assert.Equal(t, before, snapshot(t, dir))
	again, err := os.Stat(filepath.Join(dir, Folder))
	require.NoError(t, err)
	assert.True(t, os.SameFile(info, again))
}

// TestOnlyOneKey is B011 for the installer: what others have in project.godot
// is the same after installing and removing, byte for byte.
func TestOnlyOneKey(t *testing.T) {
	for name, text := range map[string]string{
		"plain":             plainProject,
		"no final newline":  strings.TrimSuffix(plainProject, "\n"),
		"windows line ends": strings.ReplaceAll(plainProject, "\n", "\r\n"),
		"other plugin":      plainProject + "\n[editor_plugins]\n\nenabled=PackedStringArray(\"res://addons/other/plugin.cfg\")\n\n[rendering]\n\nx=1\n",
		"plain array":       plainProject + "\n[editor_plugins]\n\nenabled=[\"res://addons/other/plugin.cfg\"]\n",
		"several lines":     plainProject + "\n[editor_plugins]\n\nenabled=PackedStringArray(\n\t\"res://addons/other/plugin.cfg\", ; theirs\n)\n",
		"empty list":        plainProject + "\n[editor_plugins]\n\nenabled=PackedStringArray()\n\n[rendering]\n\nx=1\n",
		"empty section":     plainProject + "\n[editor_plugins]\n\n[rendering]\n\nx=1\n",
		"own autoloads": plainProject + "\n[autoload]\n\nMCPScreenshot=\"*res://addons/godot_mcp/a.gd\"\nMCPInputService=\"*res://b.gd\"\n" +
			"GodotMCP=\"*res://c.gd\"\n\n; a comment at the end",
		"comments, odd layout": "config_version = 5 ; here\n\n\n[input]\nui={\n\"deadzone\": 0.5,\n\"events\": [Object(InputEventKey,\"device\":-1)]\n}\n;end",
	} {
		t.Run(name, func(t *testing.T) {
			dir := newProject(t, text)
			_, err := version("1.0.0").Install(dir, false)
			require.NoError(t, err)
			p, err := open(dir)
			require.NoError(t, err)
			list, err := p.settings.enabled()
			p.close()
			require.NoError(t, err)
			assert.Contains(t, list, Plugin)
			if strings.Contains(text, "res://addons/other/") {
				assert.Equal(t, []string{"res://addons/other/plugin.cfg", Plugin}, list)
			}
			_, err = version("1.0.0").Uninstall(dir, false)
			require.NoError(t, err)
			assert.Equal(t, map[string]string{"project.godot": text}, snapshot(t, dir))
		})
	}
}

// TestListOverSeveralLines says that a list that a person laid out keeps its lines,
// also when the edit of the installation cannot be taken back as it was made.
func TestListOverSeveralLines(t *testing.T) {
	text := func(before, after string) string {
		return plainProject + "\n[editor_plugins]\n\nenabled=PackedStringArray(\n\t\"res://addons/a/plugin.cfg\", ; one\n" + before +
			"\t\"res://addons/b/plugin.cfg\"" + after + "\n)\n\n[rendering]\n\nx=1\n"
	}
	ours := "\t\"" + Plugin + "\""
	dir := newProject(t, text("", ""))
	_, err := version("1.0.0").Install(dir, false)
	require.NoError(t, err)
	assert.Equal(t, text("", ",\n"+ours), read(t, dir, "project.godot"))
	_, err = version("1.0.0").Uninstall(dir, false)
	require.NoError(t, err)
	assert.Equal(t, text("", ""), read(t, dir, "project.godot"))

	_, err = version("1.0.0").Install(dir, false)
	require.NoError(t, err)
	write(t, dir, "project.godot", text(ours+",\n", ""))
	_, err = version("1.0.0").Uninstall(dir, false)
	require.NoError(t, err)
	assert.Equal(t, text("", ""), read(t, dir, "project.godot"))
}

func TestProjectFileRewrittenByTheEditor(t *testing.T) {
	dir := newProject(t, plainProject)
	_, err := version("1.0.0").Install(dir, false)
	require.NoError(t, err)
	f, err := config.Parse([]byte(read(t, dir, "project.godot")))
	require.NoError(t, err)
	write(t, dir, "project.godot", string(config.FormatProject(f))+"\n[rendering]\n\nx=1\n")
	r, err := version("1.0.0").Uninstall(dir, false)
	require.NoError(t, err)
	assert.True(t, r.Project)
	after := read(t, dir, "project.godot")
	assert.NotContains(t, after, "godot_mcp")
	assert.Contains(t, after, "[rendering]\n\nx=1\n")
	assert.Contains(t, after, `config/name="Test"`)
}

func TestUpgrade(t *testing.T) {
	dir := newProject(t, plainProject)
	_, err := version("1.0.0").Install(dir, false)
	require.NoError(t, err)
	// What the engine puts beside our files is not a person's work and stays.
	write(t, dir, "addons/godot_mcp/plugin.gd.uid", "uid://abc\n")
	write(t, dir, "addons/godot_mcp/icons/icon.svg.import", "[remap]\n")
	next := version("1.1.0")
	delete(next.Files.(fstest.MapFS), "handlers/a.gd")
	r, err := next.Install(dir, false)
	require.NoError(t, err)
	assert.Equal(t, Report{Version: "1.1.0", From: "1.0.0", Files: 3, Copied: true}, r)
	assert.Contains(t, read(t, dir, "addons/godot_mcp/plugin.gd"), "# 1.1.0")
	assert.Equal(t, "uid://abc\n", read(t, dir, "addons/godot_mcp/plugin.gd.uid"))
	assert.Equal(t, "[remap]\n", read(t, dir, "addons/godot_mcp/icons/icon.svg.import"))
	assert.NoDirExists(t, filepath.Join(dir, "addons/godot_mcp/handlers"))
	_, err = next.Uninstall(dir, false)
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"project.godot": plainProject}, snapshot(t, dir))
}

// TestChangedFiles is B118: files that a person changed are listed and left alone.
func TestChangedFiles(t *testing.T) {
	dir := newProject(t, plainProject)
	_, err := version("1.0.0").Install(dir, false)
	require.NoError(t, err)
	write(t, dir, "addons/godot_mcp/plugin.gd", "# mine\n")
	write(t, dir, "addons/godot_mcp/notes.txt", "mine\n")
	require.NoError(t, os.Remove(filepath.Join(dir, "addons/godot_mcp/handlers/a.gd")))
	before := snapshot(t, dir)
	for name, run := range map[string]func(string, bool) (Report, error){
		"install": version("1.1.0").Install, "uninstall": version("1.0.0").Uninstall,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := run(dir, false)
			require.Equal(t, Changed, reason(t, err))
			e, _ := errors.AsType[*Error](err)
			assert.Equal(t, []Change{{"notes.txt", "added"}, {"plugin.gd", "changed"}}, e.Files)
			assert.Contains(t, err.Error(), "plugin.gd")
			assert.Contains(t, err.Error(), "--force")
			assert.Equal(t, before, snapshot(t, dir))
		})
	}

	r, err := version("1.1.0").Install(dir, true)
	require.NoError(t, err)
	require.NotEmpty(t, r.Backup)
	assert.Equal(t, "# mine\n", read(t, r.Backup, "plugin.gd"))
	assert.Equal(t, "mine\n", read(t, r.Backup, "notes.txt"))
	assert.Contains(t, read(t, dir, "addons/godot_mcp/plugin.gd"), "# 1.1.0")
	assert.NoFileExists(t, filepath.Join(dir, "addons/godot_mcp/notes.txt"))

	// The backup of the first is not touched by the second.
	write(t, dir, "addons/godot_mcp/plugin.gd", "# mine again\n")
	second, err := version("1.1.0").Uninstall(dir, true)
	require.NoError(t, err)
	assert.NotEqual(t, r.Backup, second.Backup)
	assert.Equal(t, "# mine\n", read(t, r.Backup, "plugin.gd"))
	assert.Equal(t, "# mine again\n", read(t, second.Backup, "plugin.gd"))
	assert.Equal(t, plainProject, read(t, dir, "project.godot"))
}

func TestLineEndsAreNoChange(t *testing.T) {
	dir := newProject(t, plainProject)
	_, err := version("1.0.0").Install(dir, false)
	require.NoError(t, err)
	write(t, dir, "addons/godot_mcp/plugin.gd", strings.ReplaceAll(read(t, dir, "addons/godot_mcp/plugin.gd"), "\n", "\r\n"))
	st, err := version("1.0.0").Status(dir)
	require.NoError(t, err)
	assert.True(t, st.Current)
}

func TestFolderWithoutManifest(t *testing.T) {
	dir := newProject(t, plainProject)
	for name, f := range version("1.0.0").Files.(fstest.MapFS) {
		write(t, dir, Folder+"/"+name, string(f.Data))
	}
	st, err := version("1.0.0").Status(dir)
	require.NoError(t, err)
	assert.Equal(t, "1.0.0", st.Version)
	assert.False(t, st.Current)
	r, err := version("1.0.0").Install(dir, false)
	require.NoError(t, err, "the same files, copied by hand, are taken over")
	assert.Empty(t, r.Backup)

	for _, text := range []string{"", "{}", "[]", "not json"} {
		write(t, dir, Folder+"/"+manifestName, text)
		_, err = version("1.1.0").Install(dir, false)
		assert.Equal(t, Changed, reason(t, err), "without a manifest %q other files are a person's", text)
	}
}

func TestRefusals(t *testing.T) {
	t.Run("no project", func(t *testing.T) {
		dir := t.TempDir()
		_, err := version("1").Install(dir, false)
		assert.Equal(t, NotAProject, reason(t, err))
		assert.Contains(t, err.Error(), "project.godot")
		assert.Empty(t, snapshot(t, dir))
		_, err = version("1").Install(filepath.Join(dir, "gone"), false)
		assert.Equal(t, NotAProject, reason(t, err))
		write(t, dir, "file", "")
		_, err = version("1").Install(filepath.Join(dir, "file"), false)
		assert.Equal(t, NotAProject, reason(t, err))
	})
	t.Run("no folder named", func(t *testing.T) {
		t.Chdir(newProject(t, plainProject))
		for _, run := range []func(string, bool) (Report, error){version("1").Install, version("1").Uninstall} {
			_, err := run("", false)
			assert.Equal(t, NotAProject, reason(t, err))
			assert.Contains(t, err.Error(), "no folder is named")
		}
		assert.Equal(t, map[string]string{"project.godot": plainProject}, snapshot(t, "."))
	})
	t.Run("Godot 3", func(t *testing.T) {
		for _, v := range []string{"4", "3", "4.0"} {
			text := strings.Replace(plainProject, "config_version=5", "config_version="+v, 1)
			dir := newProject(t, text)
			_, err := version("1").Install(dir, true)
			assert.Equal(t, OldProject, reason(t, err))
			assert.Contains(t, err.Error(), "needs Godot 4")
			assert.Equal(t, map[string]string{"project.godot": text}, snapshot(t, dir))
		}
		_, err := version("1").Install(newProject(t, strings.Replace(plainProject, "config_version=5", "", 1)), false)
		require.NoError(t, err)
	})
	t.Run("unreadable project", func(t *testing.T) {
		for _, text := range []string{"[application\n", "x=Vector2(\n", "[editor_plugins]\nenabled=3\n", "[editor_plugins]\nenabled=[1]\n"} {
			dir := newProject(t, text)
			_, err := version("1").Install(dir, false)
			assert.Equal(t, BadProject, reason(t, err), text)
			assert.Equal(t, map[string]string{"project.godot": text}, snapshot(t, dir))
		}
	})
	for _, link := range []string{"addons", "addons/godot_mcp", "project.godot"} {
		t.Run("link "+link, func(t *testing.T) {
			dir, elsewhere := newProject(t, plainProject), t.TempDir()
			target := elsewhere
			if link == "project.godot" {
				write(t, elsewhere, "project.godot", plainProject)
				target = filepath.Join(elsewhere, "project.godot")
				require.NoError(t, os.Remove(filepath.Join(dir, "project.godot")))
			}
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, link)), 0o755))
			require.NoError(t, os.Symlink(target, filepath.Join(dir, link)))
			before := snapshot(t, elsewhere)
			for _, run := range []func(string, bool) (Report, error){version("1").Install, version("1").Uninstall} {
				_, err := run(dir, true)
				assert.Equal(t, IsSymlink, reason(t, err))
				assert.Equal(t, before, snapshot(t, elsewhere))
			}
		})
	}
	t.Run("link inside the folder", func(t *testing.T) {
		dir, elsewhere := newProject(t, plainProject), t.TempDir()
		write(t, elsewhere, "precious.gd", "keep me")
		_, err := version("1").Install(dir, false)
		require.NoError(t, err)
		require.NoError(t, os.Symlink(elsewhere, filepath.Join(dir, Folder, "more")))
		_, err = version("2").Install(dir, false)
		assert.Equal(t, Changed, reason(t, err))
		_, err = version("2").Uninstall(dir, true)
		require.NoError(t, err)
		assert.Equal(t, map[string]string{"precious.gd": "keep me"}, snapshot(t, elsewhere))
	})
}

func TestUninstallOfNothing(t *testing.T) {
	dir := newProject(t, plainProject)
	r, err := version("1").Uninstall(dir, false)
	require.NoError(t, err)
	assert.False(t, r.Removed || r.Project)
	assert.Equal(t, map[string]string{"project.godot": plainProject}, snapshot(t, dir))
}

// TestRoundTrip installs into random settings files and takes the addon out again.
func TestRoundTrip(t *testing.T) {
	line := rapid.SampledFrom([]string{
		"a=1\n", "b=\"x\\ny\"\n", "[one]\n", "[editor_plugins]\n", "[two]\n", "; comment\n", "\n", "\r\n", "c={\n\"k\": [1, 2]\n}\n",
		"enabled=PackedStringArray(\"res://addons/other/plugin.cfg\") ; why\n", "d=2", " \t",
	})
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOf(line).Draw(rt, "lines"), "")
		if _, err := config.Parse([]byte(text)); err != nil {
			rt.Skip("not a settings file")
		}
		dir, err := os.MkdirTemp("", "install")
		require.NoError(rt, err)
		defer func() { _ = os.RemoveAll(dir) }()
		require.NoError(rt, os.WriteFile(filepath.Join(dir, projectFile), []byte(text), 0o644))
		_, err = version("1").Install(dir, false)
		require.NoError(rt, err)
		before, err := config.Parse([]byte(text))
		require.NoError(rt, err)
		data, err := os.ReadFile(filepath.Join(dir, projectFile))
		require.NoError(rt, err)
		after, err := config.Parse(data)
		require.NoError(rt, err)
		for _, section := range before.Sections() {
			for _, key := range before.Keys(section) {
				a, _ := before.Get(section, key)
				b, _ := after.Get(section, key)
				if section != pluginSection || key != pluginKey {
					require.True(rt, a.Equal(b), "%s/%s in %q", section, key, data)
				}
			}
		}
		_, err = version("1").Uninstall(dir, false)
		require.NoError(rt, err)
		data, err = os.ReadFile(filepath.Join(dir, projectFile))
		require.NoError(rt, err)
		require.Equal(rt, text, string(data))
	})
}
