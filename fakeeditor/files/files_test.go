package files

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func project(name string, content map[string]string) System {
	return New(NewTree(content), Options{ProjectName: name, Seed: 1, Delays: DefaultDelays()})
}

func settle(s System) System {
	for {
		at, ok := s.Next()
		if !ok {
			return s
		}
		s = s.Tick(at)
	}
}

// later lets a second pass, so that what is written then has another time.
func later(s System) System { return s.Tick(s.now + time.Second) }

func kinds(events []Event) []string {
	var out []string
	for _, e := range events {
		out = append(out, e.Kind)
	}
	return out
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"res://a.gd": "res://a.gd", "res://a//b/./c.gd": "res://a/b/c.gd", "res://": "res://", "res://x/": "res://x",
		"a.gd": "", "res://../a": "", "res://a/../b": "", `res://a\b`: "", "res://C:/x": "", "res://a\x00": "", "user://a": "",
	} {
		got, ok := Clean(in)
		assert.Equal(t, want, got, in)
		assert.Equal(t, want != "", ok, in)
	}
}

func TestTreeFolders(t *testing.T) {
	tree := NewTree(map[string]string{"a/b/c.gd": "x", "a/d.gd": "y", "e.gd": "z", "a-b/f.gd": ""}).WithFolder("res://empty")
	names, folders := tree.Children(Root)
	assert.Equal(t, []string{"e.gd"}, names)
	assert.Equal(t, []string{"a-b", "a", "empty"}, folders)
	names, folders = tree.Children("res://a")
	assert.Equal(t, []string{"d.gd"}, names)
	assert.Equal(t, []string{"b"}, folders)
	assert.True(t, tree.HasFolder("res://a/b"))
	assert.False(t, tree.HasFolder("res://a/d.gd"))
	assert.True(t, tree.Without("res://a/b/c.gd").HasFolder("res://a/b"), "a folder outlives its files")
	assert.False(t, tree.WithoutFolder("res://a").HasFolder("res://a"))
	assert.Equal(t, 4, tree.Len())
}

func TestIgnored(t *testing.T) {
	tree := NewTree(map[string]string{"ign/.gdignore": "", "ign/x/a.gd": "", ".hid/b.gd": "", "c.gd": ""})
	assert.True(t, tree.Ignored("res://ign/x/a.gd"))
	assert.True(t, tree.Ignored("res://.hid/b.gd"))
	assert.True(t, tree.Ignored("res://.godot/uid_cache.bin"))
	assert.False(t, tree.Ignored("res://c.gd"))
}

// What the engine makes of a project when it starts: uids, class list, imports.
// The uids are those of a real engine for the same names and bytes.
func TestStartOfAnEditor(t *testing.T) {
	s := project("P", map[string]string{
		"c.gd": "class_name Cee\nextends Node2D\n", "d.gd": "@tool\n@icon(\"res://a.png\")\nclass_name Dee extends Cee\n",
		"e.gd": "extends Node\n", "s.tscn": "[gd_scene format=3 uid=\"uid://cecaux1sm7mo0\"]\n\n[node name=\"S\" type=\"Node2D\"]\n",
		"t.csv": "keys,en,de\nHELLO,Hello,Hallo\n",
	})
	assert.Equal(t, "uid://bn3lmg3rdm8w6", s.UID("res://e.gd"))
	uid, _ := s.Disk().Get("res://c.gd.uid")
	assert.Equal(t, "uid://7kw6535hloaq\n", uid.Data)
	assert.Equal(t, "uid://0w2btb8lb074", s.UID("res://t.csv"))
	path, _ := s.ByUID("uid://cecaux1sm7mo0")
	assert.Equal(t, "res://s.tscn", path)
	cache, _ := s.Disk().Get(classCache)
	assert.Equal(t, `list=[{
"base": &"Node2D",
"class": &"Cee",
"icon": "",
"is_abstract": false,
"is_tool": false,
"language": &"GDScript",
"path": "res://c.gd"
}, {
"base": &"Cee",
"class": &"Dee",
"icon": "res://a.png",
"is_abstract": false,
"is_tool": true,
"language": &"GDScript",
"path": "res://d.gd"
}]
`, cache.Data)
	csv, _ := s.Disk().Get("res://t.csv.import")
	assert.Equal(t, `[remap]

importer="csv_translation"
type="Translation"
uid="uid://0w2btb8lb074"

[deps]

files=["res://t.en.translation", "res://t.de.translation"]

source_file="res://t.csv"
dest_files=["res://t.en.translation", "res://t.de.translation"]

[params]

compress=1
delimiter=0
unescape_keys=false
unescape_translations=true
`, csv.Data)
	assert.Empty(t, s.StaleFiles())
	assert.False(t, s.Scanning())
	assert.Zero(t, s.Generation())
}

// square is a picture.
func square(n int) string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="8"/>`, n)
}

func TestImportedTextureFile(t *testing.T) {
	s := project("P", map[string]string{"a.svg": square(4)})
	f, _ := s.Disk().Get("res://a.svg.import")
	assert.True(t, strings.HasPrefix(f.Data, "[remap]\n\nimporter=\"texture\"\ntype=\"CompressedTexture2D\"\nuid=\"uid://"))
	assert.Contains(t, f.Data, "\npath=\"res://.godot/imported/a.svg-"+md5Hex("res://a.svg")+".ctex\"\nmetadata={\n\"vram_texture\": false\n}\n\n[deps]\n")
	class, state := s.ImportState("res://a.svg")
	assert.Equal(t, "CompressedTexture2D", class)
	assert.Equal(t, Imported, state)
	old := f.Data
	s = s.Write("res://a.svg", square(5))
	s = s.Write("res://a.svg.import", strings.Replace(old, "mipmaps/generate=false", "mipmaps/generate=true", 1))
	s = settle(s.Scan())
	f, _ = s.Disk().Get("res://a.svg.import")
	assert.Contains(t, f.Data, "mipmaps/generate=true", "a person's parameters stay")
	assert.Equal(t, []string{"res://a.svg"}, s.Reimported())
}

func TestUpdateFile(t *testing.T) {
	s := project("P", map[string]string{"known/a.gd": "extends Node\n"})
	const script = "class_name Way extends Node\n"

	s = s.Write("res://known/way.gd", script)
	assert.True(t, s.Stale("res://known/way.gd"))
	_, ok := s.Class("Way")
	assert.False(t, ok, "an outside write is not seen")
	s = s.UpdateFile("res://known/way.gd")
	_, ok = s.Class("Way")
	assert.True(t, ok, "in a known folder update_file registers at once")
	assert.True(t, s.Disk().Has("res://known/way.gd.uid"))
	assert.False(t, s.Stale("res://known/way.gd"))

	s = s.WriteKnown("res://new/far.gd", "class_name Far extends Node\n")
	_, ok = s.Class("Far")
	assert.False(t, ok, "in a new folder update_file is ignored")
	s = settle(s.Scan())
	_, ok = s.Class("Far")
	assert.True(t, ok)

	s = s.Remove("res://known/way.gd").UpdateFile("res://known/way.gd")
	_, ok = s.Class("Way")
	assert.False(t, ok, "a deleted class goes at once")
}

func TestUpdateFileDoesNotImport(t *testing.T) {
	s := project("P", nil).Write("res://p.svg", square(4))
	_, err := s.ReimportFiles("res://p.svg")
	require.Error(t, err, "unknown to the editor")
	s = s.UpdateFile("res://p.svg")
	_, state := s.ImportState("res://p.svg")
	assert.Equal(t, NotImported, state)
	assert.True(t, s.Stale("res://p.svg"))
	s, err = s.ReimportFiles("res://p.svg")
	require.NoError(t, err)
	_, state = s.ImportState("res://p.svg")
	assert.Equal(t, Imported, state)
	assert.False(t, s.Stale("res://p.svg"))
}

// The engine's order: is_scanning turns false, then classes, then imports.
func TestOrderOfAScan(t *testing.T) {
	s := project("P", nil)
	s = s.Write("res://a.svg", square(4)).Write("res://c.gd", "class_name Cee extends Node\n")
	_, s = s.TakeEvents()
	s = s.Scan()
	require.True(t, s.EngineScanning())
	for s.EngineScanning() {
		at, _ := s.Next()
		s = s.Tick(at)
	}
	assert.True(t, s.Scanning())
	assert.False(t, s.Disk().Has("res://a.svg.import"), "no .import yet")
	_, ok := s.Class("Cee")
	assert.False(t, ok, "no class yet")
	assert.Empty(t, s.Importing(), "not said to be imported before the signal")
	for s.Importing() == nil {
		at, _ := s.Next()
		s = s.Tick(at)
	}
	assert.Equal(t, []string{"res://a.svg"}, s.Importing())
	s = settle(s)
	events, _ := s.TakeEvents()
	assert.Equal(t, []string{EventClasses, EventReimporting, EventChanged, EventReimported, EventChanged, EventSources}, kinds(events))
	assert.Equal(t, 1, s.Generation())

	for range 2 { // the next scan looks once more at what this one found
		_, s = s.TakeEvents()
		s = settle(s.Scan())
		events, _ = s.TakeEvents()
		assert.Equal(t, []string{EventChanged, EventSources}, kinds(events), "nothing changed")
	}
}

// Three scans at once are the running one and exactly one more.
func TestOneFurtherScan(t *testing.T) {
	s := project("P", nil).Scan().Scan().Scan()
	s = settle(s)
	assert.Equal(t, 2, s.Generation())
	assert.False(t, s.Scanning())
}

// While a walk is under way update_file does nothing, and a new file in a folder
// that was visited is not seen: only another scan helps.
func TestUpdateDuringAWalk(t *testing.T) {
	s := project("P", map[string]string{"a/x.txt": "", "old.gd": "class_name Old extends Node\n"})
	s = s.Scan()
	for len(s.job.visit) > 0 && s.job.visit[len(s.job.visit)-1] == Root {
		at, _ := s.Next()
		s = s.Tick(at)
	}
	require.True(t, s.EngineScanning())
	s = s.WriteKnown("res://late.gd", "class_name Late extends Node\n")
	s = settle(s)
	_, ok := s.Class("Late")
	assert.False(t, ok)
	assert.True(t, s.Stale("res://late.gd"))
	s = settle(s.Scan())
	_, ok = s.Class("Late")
	assert.True(t, ok)
}

// A scan does not take classes of vanished files off the list, and after it
// update_file does not either.
func TestClassOfAVanishedFile(t *testing.T) {
	s := project("P", map[string]string{"a.gd": "class_name A extends Node\n"})
	s = settle(s.Remove("res://a.gd").Scan()).UpdateFile("res://a.gd")
	_, ok := s.Class("A")
	assert.True(t, ok)
	assert.False(t, s.KnowsFile("res://a.gd"))
	assert.True(t, s.Disk().Has("res://a.gd.uid"))
}

func TestTwoFilesOneClass(t *testing.T) {
	class := "class_name A extends Node\n"
	s := project("P", map[string]string{"a.gd": class, "b.gd": class, "c.gd": class, "sub/d.gd": class})
	c, _ := s.Class("A")
	assert.Equal(t, "res://c.gd", c.Path, "the last one registered")
	s = s.RemoveKnown("res://c.gd")
	assert.False(t, s.Disk().Has("res://c.gd.uid"))
	_, ok := s.Class("A")
	assert.False(t, ok, "nobody takes its place")
	_, ok = settle(s.Scan()).Class("A")
	assert.False(t, ok, "not by a scan either")
	s = s.WriteKnown("res://b.gd", class+"#\n")
	c, _ = s.Class("A")
	assert.Equal(t, "res://b.gd", c.Path)
}

// A class that a script no longer declares passes to the first that declares it, in
// the order in which the editor got to know the files; a scan lists them anew.
func TestHeirOfAClass(t *testing.T) {
	class, none := "class_name A extends Node\n", "extends Node\n"
	s := project("P", map[string]string{"sub/x.txt": ""})
	for _, p := range []string{"res://b.gd", "res://a.gd", "res://sub/z.gd", "res://c.gd"} {
		s = s.WriteKnown(p, class)
	}
	holder := func() string { c, _ := s.Class("A"); return c.Path }
	s = s.WriteKnown("res://c.gd", none)
	assert.Equal(t, "res://b.gd", holder())
	s = s.WriteKnown("res://b.gd", none)
	assert.Equal(t, "res://a.gd", holder())
	s = settle(s.Scan())
	assert.Equal(t, "res://a.gd", holder(), "the scan registers anew what update_file was told, in tree order")
	s = settle(later(s).Write("res://a.gd", none).Scan())
	assert.Empty(t, holder(), "in a scan nobody inherits")
}

func TestBaseByPath(t *testing.T) {
	s := project("P", map[string]string{"b.gd": "class_name B extends Node\n", "c.gd": "class_name C extends \"b.gd\"\n", "d.gd": "class_name D\nextends \"res://d.gd\"\n"})
	c, _ := s.Class("C")
	assert.Equal(t, "Node", c.Base)
	d, _ := s.Class("D")
	assert.Empty(t, d.Base, "a circle")
}

func TestTwoFilesOneUID(t *testing.T) {
	scene := "[gd_scene format=3 uid=\"uid://cecaux1sm7mo0\"]\n"
	s := project("P", nil).WriteKnown("res://own.tscn", scene).WriteKnown("res://own2.tscn", scene)
	p, _ := s.ByUID("uid://cecaux1sm7mo0")
	assert.Equal(t, "res://own2.tscn", p)
}

func TestForkIsIndependent(t *testing.T) {
	a := project("P", map[string]string{"a.gd": "extends Node\n"})
	b := a.WriteKnown("res://b.gd", "class_name B extends Node\n").Scan()
	assert.Equal(t, 1, settle(b).Generation())
	assert.False(t, a.Disk().Has("res://b.gd"))
	_, ok := a.Class("B")
	assert.False(t, ok)
	assert.Zero(t, a.Generation())
}

func TestDiffSkipsEqualContent(t *testing.T) {
	a := NewTree(map[string]string{"a": "1", "b": "2", "c": "3"})
	b := a.With("res://a", "1").With("res://b", "x").Without("res://c").With("res://d", "4")
	var got []string
	for _, c := range a.Diff(b) {
		got = append(got, c.Path)
	}
	assert.Equal(t, []string{"res://b", "res://c", "res://d"}, got)
}

func TestSameSeedSameSchedule(t *testing.T) {
	run := func(seed uint64) []Event {
		s := New(NewTree(map[string]string{"a/b.svg": square(4)}), Options{Seed: seed, Delays: DefaultDelays()})
		s = s.Write("res://c.svg", square(5)).Write("res://d.gd", "class_name D\n").Scan()
		events, _ := settle(s).TakeEvents()
		return events
	}
	assert.Equal(t, run(7), run(7))
	assert.NotEqual(t, run(7), run(8))
	assert.Less(t, time.Duration(0), run(7)[0].At)
}
