package fakeeditor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"godot-mcp/fakeeditor"
	"godot-mcp/fakeeditor/files"
	"godot-mcp/server/wire"
)

func folderEditor(t *testing.T, content map[string]string) (string, *fakeeditor.Editor) {
	dir := t.TempDir()
	for p, text := range content {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, p)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, p), []byte(text), 0o644))
	}
	e, err := fakeeditor.New(fakeeditor.Config{Folder: dir, Seed: 1, OpenScenes: []string{}})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, e.Close()) })
	return dir, e
}

func readReal(t *testing.T, dir, p string) string {
	text, err := os.ReadFile(filepath.Join(dir, p))
	require.NoError(t, err)
	return string(text)
}

func TestFolderIsWrittenThrough(t *testing.T) {
	dir, e := folderEditor(t, map[string]string{"project.godot": "config_version=5\n", "a.gd": "extends Node\n", ".godot/uid_cache.bin": "real"})
	assert.True(t, strings.HasPrefix(readReal(t, dir, "a.gd.uid"), "uid://"), "as an editor does when it starts")
	do[wire.WriteFileResult](t, e, wire.CmdWriteFile, wire.WriteFile{Path: "res://new/deep/b.gd", Content: "class_name B\n"})
	assert.Equal(t, "class_name B\n", readReal(t, dir, "new/deep/b.gd"))
	e.Settle()
	assert.FileExists(t, filepath.Join(dir, "new/deep/b.gd.uid"))
	assert.Equal(t, "real", readReal(t, dir, ".godot/uid_cache.bin"))
	entries, err := os.ReadDir(filepath.Join(dir, ".godot"))
	require.NoError(t, err)
	assert.Len(t, entries, 1, "what a real editor has cached is left alone")
	left, err := filepath.Glob(filepath.Join(dir, "*/*/.*"))
	require.NoError(t, err)
	assert.Empty(t, left, "no temporary file stays")
}

func TestFolderChangesFromOutside(t *testing.T) {
	dir, e := folderEditor(t, map[string]string{"a.txt": "one", "sub/b.txt": "b"})
	read := func() string {
		return do[wire.ReadFileResult](t, e, wire.CmdReadFile, wire.ReadFile{Path: "res://a.txt"}).Content
	}
	assert.Equal(t, "one", read())
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("three"), 0o644))
	assert.Equal(t, "three", read())
	// The same size, another time.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("seven"), 0o644))
	later := time.Now().Add(time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(dir, "a.txt"), later, later))
	assert.Equal(t, "seven", read())
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "sub")))
	require.NoError(t, os.Remove(filepath.Join(dir, "a.txt")))
	refused(t, e, wire.ReasonFileNotFound, wire.CmdReadFile, wire.ReadFile{Path: "res://a.txt"})
	assert.False(t, e.Disk().HasFolder("res://sub"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "n.gd"), []byte("class_name N\n"), 0o644))
	_, known := e.State().Files.Class("N")
	assert.False(t, known)
	do[wire.ScanState](t, e, wire.CmdRescanFilesystem, nil)
	e.Settle()
	_, known = e.State().Files.Class("N")
	assert.True(t, known)
	assert.FileExists(t, filepath.Join(dir, "n.gd.uid"))
}

func TestFolderDoesNotFollowLinksOut(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.txt")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o644))
	dir, e := folderEditor(t, map[string]string{"a.txt": "a"})
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "link.txt")))
	require.NoError(t, os.Symlink(filepath.Dir(outside), filepath.Join(dir, "out")))
	refused(t, e, wire.ReasonFileNotFound, wire.CmdReadFile, wire.ReadFile{Path: "res://link.txt"})
	refused(t, e, wire.ReasonFileNotFound, wire.CmdReadFile, wire.ReadFile{Path: "res://out/secret.txt"})
	_, err := e.Do(wire.CmdWriteFile, wire.WriteFile{Path: "res://out/new.txt", Content: "x"})
	require.Error(t, err)
	assert.Equal(t, wire.ReasonWriteFailed, wire.AsError(err).Reason)
	assert.NoFileExists(t, filepath.Join(filepath.Dir(outside), "new.txt"))
	assert.Equal(t, "secret", readReal(t, filepath.Dir(outside), "secret.txt"))
}

func TestFolderWriteFailureChangesNothing(t *testing.T) {
	dir, e := folderEditor(t, map[string]string{"a.txt": "a"})
	// A folder appears where the file is to be written, after the editor looked.
	before := e.State()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "b.txt"), 0o755))
	_, err := e.Do(wire.CmdWriteFile, wire.WriteFile{Path: "res://b.txt", Content: "x"})
	require.Error(t, err)
	assert.Equal(t, before.Global, e.State().Global)
}

func TestNewRefusesBadProjects(t *testing.T) {
	_, err := fakeeditor.New(fakeeditor.Config{Folder: filepath.Join(t.TempDir(), "none")})
	require.ErrorContains(t, err, "project folder")
	_, err = fakeeditor.New(fakeeditor.Config{Folder: t.TempDir(), Project: sample})
	require.Error(t, err)
	_, err = fakeeditor.New(fakeeditor.Config{Project: map[string]string{"project.godot": "[x"}})
	require.ErrorContains(t, err, "project.godot")
}

func TestForkAndRestore(t *testing.T) {
	e := editor(t, sample)
	start := e.Snapshot()
	f := e.Fork()
	do[wire.WriteFileResult](t, f, wire.CmdWriteFile, wire.WriteFile{Path: "res://notes.txt", Content: "changed"})
	text, _ := e.DiskRead("notes.txt")
	assert.Equal(t, "hello\n", text)
	text, _ = f.DiskRead("notes.txt")
	assert.Equal(t, "changed", text)
	require.NoError(t, f.Restore(start))
	text, _ = f.DiskRead("notes.txt")
	assert.Equal(t, "hello\n", text)
	assert.Empty(t, f.Journal())
}

// The same seed and the same calls give the same events at the same times.
func TestDeterminism(t *testing.T) {
	run := func() []string {
		e := editor(t, sample)
		require.NoError(t, e.DiskWrite("new/p.svg", square("")))
		require.NoError(t, e.DiskWrite("new/q.gd", "class_name Q extends Node\n"))
		do[wire.ScanState](t, e, wire.CmdRescanFilesystem, nil)
		e.Advance(time.Second)
		var out []string
		for _, f := range e.Journal() {
			out = append(out, f.Time.String()+" "+string(f.Kind)+" "+f.Target)
		}
		for p, text := range e.Disk().Map() {
			if p == "res://new/q.gd.uid" {
				out = append(out, text)
			}
		}
		return out
	}
	first := run()
	assert.Len(t, first, 4)
	assert.Equal(t, first, run())
}

func BenchmarkReadFile(b *testing.B)  { benchmark(b, wire.CmdReadFile, `{"path":"res://notes.txt"}`) }
func BenchmarkScanState(b *testing.B) { benchmark(b, wire.CmdGetScanState, ``) }

func BenchmarkWriteFile(b *testing.B) {
	e, err := fakeeditor.New(fakeeditor.Config{Project: sample, Seed: 1, OpenScenes: []string{}})
	require.NoError(b, err)
	texts := []string{`{"path":"res://notes.txt","content":"a"}`, `{"path":"res://notes.txt","content":"b"}`}
	for i := 0; b.Loop(); i++ {
		if _, err := e.Do(wire.CmdWriteFile, texts[i%2]); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmark(b *testing.B, command, params string) {
	e, err := fakeeditor.New(fakeeditor.Config{Project: sample, Seed: 1, OpenScenes: []string{}})
	require.NoError(b, err)
	for b.Loop() {
		if _, err := e.Do(command, params); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFork(b *testing.B) {
	project := map[string]string{}
	for _, d := range []string{"a", "b", "c", "d"} {
		for i := range 250 {
			project[d+"/"+strings.Repeat("x", i%40)+string(rune('a'+i%26))+".txt"] = "text"
		}
	}
	e, err := fakeeditor.New(fakeeditor.Config{Project: project, Seed: 1, OpenScenes: []string{}})
	require.NoError(b, err)
	for b.Loop() {
		e.Fork()
	}
}

func BenchmarkScan(b *testing.B) {
	project := map[string]string{}
	for i := range 1000 {
		project["d"+string(rune('a'+i%26))+"/s"+string(rune('a'+i/26%26))+string(rune('a'+i/676))+".gd"] = "extends Node\n"
	}
	s := files.New(files.NewTree(project), files.Options{Seed: 1, Delays: files.DefaultDelays()})
	for b.Loop() {
		t := s.Scan()
		for at, ok := t.Next(); ok; at, ok = t.Next() {
			t = t.Tick(at)
		}
	}
}
