package fakeeditor_test

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"godot-mcp/fakeeditor"
	"godot-mcp/fakeeditor/files"
	"godot-mcp/server/wire"
)

// schedulesPerProgram times rapid's 100 programs are the schedules of one run.
const schedulesPerProgram = 12

// action is one thing that happens in an explored program.
type action struct {
	verb string // write, outside, remove, rescan, wait, check, load
	path string
	text string
	wait time.Duration
}

func (a action) String() string { return fmt.Sprint(a.verb, " ", a.path, " ", a.wait) }

func drawProgram(t *rapid.T) []action {
	paths := []string{"res://one.gd", "res://two.gd", "res://old/three.gd", "res://new/four.gd", "res://new/deep/five.gd",
		"res://a.svg", "res://new/b.svg", "res://old/c.svg", "res://notes.txt"}
	classes := []string{"Ape", "Bee", "Cat"}
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) action {
		a := action{verb: rapid.SampledFrom([]string{"write", "write", "outside", "outside", "remove", "rescan", "wait", "wait", "check", "load"}).Draw(t, "verb")}
		switch a.verb {
		case "wait":
			a.wait = time.Duration(rapid.IntRange(0, 120).Draw(t, "ms")) * time.Millisecond
			if rapid.IntRange(0, 3).Draw(t, "long") == 0 {
				a.wait += time.Second // another second on the clock
			}
		case "load":
			a.path = rapid.SampledFrom(paths).Draw(t, "texture")
		case "check":
			a.text = rapid.SampledFrom(classes).Draw(t, "uses")
		case "write", "outside", "remove":
			a.path = rapid.SampledFrom(paths).Draw(t, "path")
			n := rapid.IntRange(0, 9).Draw(t, "n")
			if a.verb == "write" && files.Ext(a.path) == "png" {
				a.verb = "outside" // no text file
			}
			a.text = square(fmt.Sprint("content ", n))
			if n == 9 {
				a.text = "no picture"
			}
			if files.Ext(a.path) == "gd" {
				a.text = fmt.Sprintf("extends Node\n# %d\n", n)
				if n > 2 {
					a.text = fmt.Sprintf("class_name %s extends Node\n# %d\n", classes[n%3], n)
				}
			}
		}
		return a
	}), 1, 40).Draw(t, "program")
}

var declares = regexp.MustCompile(`(?m)^class_name (\w+)`)

// overdue says what of a file's consequences is not there: the truth, read off
// the disk and the class list and not off what the editor notes of itself.
func (x *explorer) overdue(path string) string {
	s := x.e.State()
	f, exists := s.Files.Disk().Get(path)
	if !exists {
		return ""
	}
	switch files.Ext(path) {
	case "gd":
		if !s.Files.Disk().Has(path + ".uid") {
			return "no .uid"
		}
		if m := declares.FindStringSubmatch(f.Data); m != nil {
			if c, _ := s.Files.Class(m[1]); c.Path != path && !x.contested[m[1]] {
				return "class not registered"
			}
		}
		for c := range s.Files.Classes {
			if c.Path == path && !strings.Contains(f.Data, "class_name "+c.Name+" ") {
				return "class no longer declared"
			}
		}
	case "svg":
		in, ok := s.Files.Disk().Get(path + ".import")
		if !ok {
			return "no .import"
		}
		if x.failed(path) {
			break
		}
		info, _ := files.ReadImport(in.Data)
		sum := md5.Sum([]byte(f.Data))
		made, _ := s.Files.Disk().Get(strings.TrimSuffix(info.Dest[0], ".ctex") + ".md5")
		if !strings.Contains(made.Data, hex.EncodeToString(sum[:])) {
			return "imported from other bytes"
		}
	}
	if !s.Files.KnowsFile(path) {
		return "not in the file tree"
	}
	return ""
}

// explorer runs one program under one schedule and checks every claim.
type explorer struct {
	t require.TestingT
	e *fakeeditor.Editor
	// promised are the files, with their revisions, that the last scan which
	// was asked for must have seen when scanning is over.
	promised map[string]uint64
	scans    int // generation when it was asked for
	busy     bool
	// alone: nothing but that scan has imported since; stamps are the revisions of the
	// .import files when it was asked for.
	alone  bool
	stamps map[string]uint64
	// pending are the files, with their revisions, of which an answer said that they
	// are seen after the scan.
	pending map[string]uint64
	// seen are those of which it said that they are seen already; that stays true.
	seen  map[string]uint64
	asked int // scans, one for each call that may have asked for one
	// versions are the contents that each file had, by the second in which it was
	// written: a scan sees no change that the second does not tell.
	versions map[string]map[int64][]string
	// contested classes were declared by two files at a time: then the list may
	// hold none of them (engine 4.6), and no claim is made.
	contested map[string]bool
}

func call[R any](x *explorer, command string, params any) R {
	raw, err := x.e.Do(command, params)
	require.NoError(x.t, err)
	var r R
	require.NoError(x.t, json.Unmarshal(raw, &r))
	return r
}

func (x *explorer) promise(before wire.ScanState) {
	x.promised = map[string]uint64{}
	for p, f := range x.e.State().Files.Disk().All {
		if !x.e.State().Files.Disk().Ignored(p) && !slices.Contains([]string{"uid", "import", "godot"}, files.Ext(p)) {
			x.promised[p] = f.Rev
		}
	}
	x.scans, x.busy = before.Generation, before.Scanning
	x.alone, x.stamps = !before.Scanning, x.imports()
	x.asked++
}

// imports are the revisions of the .import files.
func (x *explorer) imports() map[string]uint64 {
	out := map[string]uint64{}
	for p, f := range x.e.State().Files.Disk().All {
		if source, ok := strings.CutSuffix(p, ".import"); ok {
			out[source] = f.Rev
		}
	}
	return out
}

func (x *explorer) do(a action) {
	switch a.verb {
	case "wait":
		idle := !call[wire.ScanState](x, wire.CmdGetScanState, nil).Scanning
		before := x.e.State().Files
		time.Sleep(a.wait)
		call[wire.ScanState](x, wire.CmdGetScanState, nil)
		if after := x.e.State().Files; idle {
			require.Empty(x.t, before.Disk().Diff(after.Disk()), "not scanning, and the disk changes by itself")
			require.Equal(x.t, slices.Collect(before.Classes), slices.Collect(after.Classes), "not scanning, and classes come by themselves")
		}
	case "outside":
		require.NoError(x.t, x.e.DiskWrite(a.path, a.text))
	case "remove":
		require.NoError(x.t, x.e.DiskRemove(a.path))
	case "rescan":
		before := call[wire.ScanState](x, wire.CmdGetScanState, nil)
		now := call[wire.ScanState](x, wire.CmdRescanFilesystem, nil)
		require.True(x.t, now.Scanning)
		x.promise(before)
	case "write":
		if old, ok := x.e.DiskRead(a.path); ok && strings.HasSuffix(a.text, " 0") {
			a.text = old // the same again
		}
		before, waits := call[wire.ScanState](x, wire.CmdGetScanState, nil), !x.e.State().Files.KnowsFolder(files.Folder(a.path))
		r := call[wire.WriteFileResult](x, wire.CmdWriteFile, wire.WriteFile{Path: a.path, Content: a.text})
		late := x.overdue(a.path)
		x.alone = false
		delete(x.pending, a.path)
		delete(x.seen, a.path)
		if r.RescanPending {
			require.True(x.t, before.Scanning || waits, "pending, though no scan ran and the folder was known")
			require.True(x.t, call[wire.ScanState](x, wire.CmdGetScanState, nil).Scanning, "pending, and nobody will look")
			f, _ := x.e.State().Files.Disk().Get(a.path)
			x.pending[a.path] = f.Rev
			x.asked++
		} else {
			f, _ := x.e.State().Files.Disk().Get(a.path)
			x.seen[a.path] = f.Rev
			require.Empty(x.t, late, "not pending, but %s: %s", a.path, late)
		}
	case "check":
		x.check(a.text)
	case "load":
		x.load(a.path)
	}
	holders := map[string]string{}
	for p, f := range x.e.State().Files.Disk().All {
		x.note(p, f)
		if m := declares.FindStringSubmatch(f.Data); m != nil && files.Ext(p) == "gd" {
			x.contested[m[1]] = x.contested[m[1]] || holders[m[1]] != ""
			holders[m[1]] = p
		}
	}
	x.claims()
}

// note keeps a content of a file.
func (x *explorer) note(p string, f files.File) {
	if x.versions[p] == nil {
		x.versions[p] = map[int64][]string{}
	}
	if !slices.Contains(x.versions[p][f.Time], f.Data) {
		x.versions[p][f.Time] = append(x.versions[p][f.Time], f.Data)
	}
}

// unseeable reports whether a file, or what it was imported with, has had another
// content in the second of its last change.
func (x *explorer) unseeable(p string) bool {
	for _, q := range []string{p, p + ".import"} {
		if f, ok := x.e.State().Files.Disk().Get(q); ok && len(x.versions[q][f.Time]) > 1 {
			return true
		}
	}
	return false
}

// failed reports whether the import of a source failed: it is not tried again, whatever
// has become of the source (engine 4.6 experiment).
func (x *explorer) failed(p string) bool {
	in, _ := x.e.State().Files.Disk().Get(p + ".import")
	info, ok := files.ReadImport(in.Data)
	return ok && !info.Valid
}

// claims checks what get_scan_state says.
func (x *explorer) claims() {
	st := call[wire.ScanState](x, wire.CmdGetScanState, nil)
	s := x.e.State()
	for _, p := range st.Importing {
		require.True(x.t, st.Scanning)
		_, state := s.Files.ImportState(p)
		require.Equal(x.t, files.ImportRunning, state)
	}
	require.LessOrEqual(x.t, st.Generation, x.asked, "more scans than were asked for")
	for p, rev := range x.seen {
		if f, ok := s.Files.Disk().Get(p); ok && f.Rev == rev {
			require.Empty(x.t, x.overdue(p), "was not pending, but %s", p)
		}
	}
	if st.Scanning {
		return
	}
	for p, rev := range x.pending {
		if f, ok := s.Files.Disk().Get(p); ok && f.Rev == rev {
			require.Empty(x.t, x.overdue(p), "was pending, no scan runs, but %s", p)
		}
	}
	if x.promised == nil {
		return
	}
	if x.alone && st.Generation == x.scans+1 {
		x.alone = false
		imported := []string{}
		for p, rev := range x.imports() {
			if rev != x.stamps[p] && s.Files.Disk().Has(p) {
				imported = append(imported, p)
			}
		}
		slices.Sort(imported)
		told := slices.DeleteFunc(slices.Clone(st.Reimported), func(p string) bool { return !s.Files.Disk().Has(p) })
		require.Equal(x.t, imported, told, "reimported")
	}
	// The running scan, if there was one, and one more: no fewer and no others.
	want := x.scans + 1
	if x.busy {
		want++
	}
	require.GreaterOrEqual(x.t, st.Generation, want)
	for p, rev := range x.promised {
		if f, ok := s.Files.Disk().Get(p); ok && f.Rev == rev && !x.unseeable(p) {
			require.Empty(x.t, x.overdue(p), "not scanning, generation %d, but %s", st.Generation, p)
		}
	}
}

// check asks for the errors of a script that uses one class, and compares with
// what is on disk and what is registered.
func (x *explorer) check(class string) {
	const user = "res://user.gd"
	require.NoError(x.t, x.e.DiskWrite(user, "extends Node\nvar v: "+class+"\n"))
	r := call[wire.CheckScriptResult](x, wire.CmdCheckScript, wire.CheckScript{Path: user})
	s := x.e.State()
	c, registered := s.Files.Class(class)
	registered = registered && s.Files.Exists(c.Path)
	onDisk := false
	for p, f := range s.Files.Disk().All {
		onDisk = onDisk || files.Ext(p) == "gd" && strings.Contains(f.Data, "class_name "+class+" ")
	}
	require.Equal(x.t, onDisk && !registered, slices.Contains(r.Pending, class), "pending_registration of %s", class)
	require.Equal(x.t, !onDisk && !registered, len(r.Errors) > 0, "errors for %s: %v", class, r.Errors)
}

// load uses a source as a texture, as a preview, and compares the reason of a refusal
// with what is on disk. It reports whether it could be used.
func (x *explorer) load(p string) bool {
	if e := files.Ext(p); e != "svg" {
		return false
	}
	step, err := json.Marshal(wire.SetNodeProperty{NodePath: ".", Property: "texture", Value: fmt.Appendf(nil, `{"resource":%q}`, p)})
	require.NoError(x.t, err)
	_, err = x.e.Do(wire.CmdTransaction, wire.Transaction{
		Name: "T", DryRun: true, Steps: []wire.StepParam{{Command: wire.CmdSetNodeProperty, Params: step}},
	})
	st := call[wire.ScanState](x, wire.CmdGetScanState, nil)
	disk := x.e.State().Files.Disk()
	made := false
	if in, ok := disk.Get(p + ".import"); ok {
		info, _ := files.ReadImport(in.Data)
		made = len(info.Dest) > 0 && disk.Has(info.Dest[0])
	}
	if err == nil {
		require.True(x.t, disk.Has(p) && made, "%s can be used", p)
		require.NotContains(x.t, st.Importing, p)
		return true
	}
	switch reason := wire.AsError(err).Reason; reason {
	case wire.ReasonFileNotFound:
		require.False(x.t, disk.Has(p))
	case wire.ReasonImporting: // waiting helps
		require.True(x.t, st.Scanning)
		require.True(x.t, disk.Has(p))
		require.True(x.t, !made || slices.Contains(st.Importing, p), "%s is imported", p)
	case wire.ReasonNotImported: // only another scan helps
		require.False(x.t, st.Scanning)
		require.True(x.t, disk.Has(p) && !made, "%s is not imported", p)
	default:
		require.Fail(x.t, "another reason", "%s: %v", p, err)
	}
	return false
}

// Every honesty field is true under every schedule of scan, import and
// registration that the seed can choose.
func TestHonestyUnderEverySchedule(t *testing.T) {
	schedules := 0
	rapid.Check(t, func(t *rapid.T) {
		program := drawProgram(t)
		seed := rapid.Uint64Range(1, 1<<60).Draw(t, "seed")
		scale := rapid.SampledFrom([]int{1, 10, 40}).Draw(t, "scale")
		rapid.SyncTest(t, func(t *rapid.T) {
			for i := range schedulesPerProgram {
				explore(t, program, seed+uint64(i), scale)
				schedules++
			}
		})
	})
	require.GreaterOrEqual(t, schedules, 1000)
}

func explore(t require.TestingT, program []action, seed uint64, scale int) {
	ms := time.Duration(scale) * time.Millisecond
	delays := &files.Delays{Folder: files.Range{Max: 3 * ms}, File: files.Range{Max: ms / 2}, Register: files.Range{Max: 2 * ms}}
	if seed%2 == 0 { // an editor with a window, see files.job
		delays.Import, delays.Settle = files.Range{Max: 5 * ms}, files.Range{Max: ms}
	}
	project := maps.Clone(sample)
	project["use.tscn"] = "[gd_scene format=3]\n\n[node name=\"Use\" type=\"Sprite2D\"]\n"
	project["old/three.gd"] = "class_name Cat extends Node\n"
	e, err := fakeeditor.New(fakeeditor.Config{Project: project, Seed: seed, Clock: fakeeditor.NewTimerClock(), Delays: delays, OpenScenes: []string{"res://use.tscn"}})
	require.NoError(t, err)
	x := &explorer{t: t, e: e, contested: map[string]bool{}, versions: map[string]map[int64][]string{}, pending: map[string]uint64{}, seen: map[string]uint64{}}
	for p, f := range e.State().Files.Disk().All {
		x.note(p, f)
	}
	for _, a := range program {
		x.do(a)
	}
	// In the end a scan puts everything right that it can see.
	before := call[wire.ScanState](x, wire.CmdGetScanState, nil)
	call[wire.ScanState](x, wire.CmdRescanFilesystem, nil)
	x.promise(before)
	for call[wire.ScanState](x, wire.CmdGetScanState, nil).Scanning {
		time.Sleep(ms)
	}
	x.claims()
	for _, p := range e.State().Files.StaleFiles() {
		require.True(t, x.unseeable(p) || x.failed(p), "%s is stale", p)
	}
	for p := range e.State().Files.Disk().All {
		if ext := files.Ext(p); ext == "svg" {
			require.True(t, x.load(p) || x.unseeable(p) || x.failed(p), "%s is imported at last", p)
		}
	}
}

// square is a picture; the note makes its bytes others.
func square(note string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><!-- ` + note + ` --></svg>`
}
