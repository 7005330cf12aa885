package world

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/fakeeditor/scene"
	"godot-mcp/fakeeditor/undo"
	"godot-mcp/server/godot/ids"
	"godot-mcp/server/wire"
)

// sceneExtensions are those of text scenes, the only ones that are written.
var sceneExtensions = []string{"tscn"}

// sceneFile checks the path of a scene file that is to be read.
func sceneFile(p string) (string, error) {
	clean, err := filePath(p)
	if err != nil {
		return "", err
	}
	switch files.Ext(clean) {
	case "tscn", "scn", "glb", "gltf", "fbx", "blend", "dae", "escn":
		return clean, nil
	}
	return "", wire.Fail(wire.ReasonNotAScene, "path", clean)
}

// newSceneFile checks the path of a scene file that is to be written for the first time.
func (tx *Tx) newSceneFile(p string) (string, error) {
	clean, err := filePath(p)
	if err != nil {
		return "", err
	}
	if files.Ext(clean) != "tscn" {
		return "", wire.Fail(wire.ReasonBadExtension, "path", clean, "want", sceneExtensions)
	}
	if folder := files.Folder(clean); !tx.Files.DirExists(folder) {
		return "", wire.Fail(wire.ReasonFolderMissing, "path", folder)
	}
	if tx.Files.Exists(clean) {
		return "", wire.Fail(wire.ReasonFileExists, "path", clean)
	}
	if tx.FindTab(clean) >= 0 {
		return "", wire.Fail(wire.ReasonSceneOpen, "path", clean)
	}
	if slices.ContainsFunc(tx.Tabs, func(t Tab) bool { return t.Path == clean }) {
		return "", wire.Fail(wire.ReasonSceneOpen, "path", clean)
	}
	return clean, nil
}

// preview runs f and takes everything back if dry is set or f fails.
func preview[R any](tx *Tx, dry bool, f func() (R, error)) (R, error) {
	before := tx.State
	r, err := f()
	if dry || err != nil {
		tx.State, tx.envs = before, nil
	}
	return r, err
}

// saver gives a save its identities.
func (tx *Tx) saver() scene.Saver {
	return scene.Saver{
		UID: func(p string) string {
			if uid := tx.Files.UID(p); uid != "" {
				return uid
			}
			var content []byte
			if text, ok := tx.Files.Read(p); ok {
				content = []byte(text)
			}
			taken := func(u ids.UID) bool { return tx.Files.PathOf(u.String()) != "" }
			return ids.ForPath(tx.Files.ProjectName(), p, content, taken).String()
		},
		Random: tx.random31,
	}
}

// random31 draws a positive number of 31 bits (splitmix64).
func (tx *Tx) random31() int32 {
	for {
		tx.Rand += 0x9e3779b97f4a7c15
		z := tx.Rand
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
		if n := int32(z & 0x7fffffff); n != 0 {
			return n
		}
	}
}

func sha(text string) string { return files.File{Data: text}.SHA256() }

// OpenSceneFile opens a scene or switches to its tab.
func (Handlers) OpenSceneFile(tx *Tx, p wire.OpenSceneFile) (wire.OpenSceneFileResult, error) {
	return preview(tx, p.DryRun, func() (wire.OpenSceneFileResult, error) { return tx.open(p.ScenePath) })
}

func (tx *Tx) open(p string) (wire.OpenSceneFileResult, error) {
	var none wire.OpenSceneFileResult
	if clean, ok := files.Clean(p); ok && clean != files.Root && tx.Files.DirExists(clean) {
		return none, wire.Fail(wire.ReasonIsFolder, "path", clean)
	}
	file, err := sceneFile(p)
	if err != nil {
		return none, err
	}
	r := wire.OpenSceneFileResult{ScenePath: file, Opened: true}
	if i := tx.FindTab(file); i >= 0 {
		tx.activate(i)
		r.AlreadyOpen = true
		r.Missing = missingNodes(tx.env(), tx.Tabs[i].Root)
		return r, nil
	}
	tx.Store = tx.Store.Begin(nil)
	tx.envs = nil
	e := tx.env()
	packed, failure := e.ReadScene(file)
	if failure != nil {
		return none, failure
	}
	root := e.Instantiate(packed, scene.Main, nil)
	tx.NextTab++
	tab := tx.based(Tab{ID: tx.NextTab, Path: file, Root: root, History: undo.New(), Loads: tx.NextTab})
	tx.Tabs = append(tx.Tabs[:len(tx.Tabs):len(tx.Tabs)], tab)
	tx.Active = len(tx.Tabs) - 1
	r.Missing = missingNodes(e, root)
	tx.Record(Effect{Kind: EffectOpenScene, Scene: file, Target: file})
	return r, nil
}

// activate shows another tab. A scene whose instances come from files that changed
// meanwhile is made anew with them; its history is gone then, the edits are not
// (engine 4.6 experiment).
func (tx *Tx) activate(i int) {
	if i == tx.Active {
		return
	}
	tx.Active = i
	tab := tx.Tabs[i]
	if !tx.env().Outdated(tab.Root) {
		return
	}
	tx.Store = tx.Store.Begin(nil)
	tx.envs = nil
	e := tx.env()
	selected := make([]string, 0, len(tab.Selected))
	for _, id := range tab.Selected {
		if e.Node(id) != nil {
			selected = append(selected, e.Path(tab.Root, id))
		}
	}
	root, err := e.Refresh(tab.Root)
	if err != nil {
		return // the engine keeps what it has
	}
	tab.Root, tab.History, tab.Selected = root, tab.History.Cleared(), nil
	for _, path := range selected {
		if id := e.Resolve(root, path); id != 0 {
			tab.Selected = append(tab.Selected, id)
		}
	}
	tx.setTab(i, tab)
}

// missingNodes lists the nodes of unknown classes.
func missingNodes(e scene.Env, root scene.NodeID) []string {
	var out []string
	e.Walk(root, func(n *scene.Node) bool {
		if n.Missing != nil {
			out = append(out, e.Path(root, n.ID))
		}
		return true
	})
	return out
}

// SaveScene saves the edited scene.
func (Handlers) SaveScene(tx *Tx, p wire.SaveScene) (wire.SaveSceneResult, error) {
	return preview(tx, p.DryRun, func() (wire.SaveSceneResult, error) {
		var none wire.SaveSceneResult
		tab, ok := tx.ActiveTab()
		if !ok {
			return none, wire.Fail(wire.ReasonNoScene)
		}
		file := tab.Path
		switch {
		case p.Path == "" && file == "":
			return none, wire.Fail(wire.ReasonSceneHasNoPath)
		case file == "":
			var err error
			if file, err = tx.newSceneFile(p.Path); err != nil {
				return none, err
			}
		case p.Path != "" && p.Path != file:
			clean, err := filePath(p.Path)
			if err != nil {
				return none, err
			}
			if clean != file {
				return none, wire.Fail(wire.ReasonOtherScene, "path", clean, "active", file)
			}
		}
		if missing := missingNodes(tx.env(), tab.Root); len(missing) > 0 && !p.Force {
			return none, wire.Fail(wire.ReasonMissingNodes, "path", file, "missing", missing)
		}
		over, err := tx.guard(p.OverwriteExternal, tab)
		if err != nil {
			return none, err
		}
		// What the text will be is known only when it is written.
		own := len(over) > 0 && over[0].Path == file
		r := wire.SaveSceneResult{Path: file, Saved: true, Changed: !tx.Files.Exists(file) || tab.History.Modified() || own}
		if !p.DryRun {
			if err := tx.canSave(file); err != nil {
				return none, err
			}
			r = tx.save(tx.Active, file)
		}
		if own {
			r.Overwrote, over = &over[0], over[1:]
		}
		r.OverwroteAlso = over
		return r, nil
	})
}

// cannotWrite is the engine's text for ERR_FILE_CANT_WRITE.
const cannotWrite = "Can't write file"

// longestSaved is the longest name of a file that the engine can save over: it
// writes a new file beside it, whose name is 7 characters longer (engine 4.6
// experiment).
const longestSaved = 255 - 7

func (tx *Tx) unwritable(file string) bool {
	return slices.Contains(tx.Locked, file) || len(path.Base(file)) > longestSaved || !tx.Files.HasFolder(file)
}

// canSave says whether the files of scenes, and the edited resources that a save
// writes with them, can be written.
func (tx *Tx) canSave(scenes ...string) error {
	for _, file := range append(scenes, tx.editedFiles()...) {
		if tx.unwritable(file) {
			return wire.Fail(wire.ReasonSaveFailed, "path", file, "message", cannotWrite)
		}
	}
	return nil
}

// editedFiles are the files of the resources that a save writes, whatever scene it is of.
func (tx *Tx) editedFiles() []string {
	e := tx.env()
	var out []string
	for _, id := range e.EditedFiles() {
		out = append(out, e.Res(id).Path)
	}
	return out
}

// save writes the scene of a tab to a file, and the edited external resources.
func (tx *Tx) save(i int, file string) wire.SaveSceneResult {
	tab := tx.Tabs[i]
	before, _ := tx.Files.Read(file)
	existed := tx.Files.Exists(file)
	tx.Store = tx.Store.Begin(nil)
	tx.envs = nil
	e := tx.env()
	s := tx.saver()
	r := wire.SaveSceneResult{Path: file, Saved: true}
	for _, id := range e.EditedFiles() {
		target := e.Res(id).Path
		text := e.SaveResource(id, s)
		if old, ok := tx.Files.Read(target); !ok || old != text {
			tx.writeFile(target, text)
			r.Also = append(r.Also, target)
		}
		e.MarkSaved(id, tx.Files.Origin(target))
	}
	text, packed := e.SaveScene(tab.Root, file, s)
	r.Changed, r.SHA256 = !existed || text != before, sha(text)
	if root := e.Node(tab.Root); root.Source != file {
		root := *root
		root.Source = file
		e.Put(tab.Root, &root)
	}
	e.CacheScene(file, text, tx.Files.Disk().Now(), packed)
	tx.writeFile(file, text)
	tab.Path, tab.History = file, tab.History.Saved()
	tx.setTab(i, tx.based(tab))
	return r
}

// writeFile stores a file that the editor saves.
func (tx *Tx) writeFile(file, text string) {
	before := ""
	if old, ok := tx.Files.Read(file); ok {
		before = sha(old)
	}
	tx.Files = tx.Files.Write(file, text)
	tx.envs = nil
	tx.Record(Effect{Kind: EffectWriteFile, Target: file, Before: before, After: sha(text)})
}

// SaveAllScenes saves every modified scene that has a file.
func (Handlers) SaveAllScenes(tx *Tx, p wire.SaveAllScenes) (wire.SaveAllScenesResult, error) {
	return preview(tx, p.DryRun, func() (wire.SaveAllScenesResult, error) {
		r := wire.SaveAllScenesResult{Saved: []string{}, Skipped: []string{}}
		var which []int
		var tabs []Tab
		for i, t := range tx.Tabs {
			if !t.History.Modified() {
				continue
			}
			if t.Path == "" || len(missingNodes(tx.env(), t.Root)) > 0 {
				title := t.Path
				if title == "" {
					title = tx.Store.Node(t.Root).Name
				}
				r.Skipped = append(r.Skipped, title)
				continue
			}
			which, tabs = append(which, i), append(tabs, t)
		}
		var err error
		if r.Overwrote, err = tx.guard(p.OverwriteExternal, tabs...); err != nil {
			return wire.SaveAllScenesResult{}, err
		}
		if !p.DryRun && len(tabs) > 0 {
			var paths []string
			for _, t := range tabs {
				paths = append(paths, t.Path)
			}
			if err := tx.canSave(paths...); err != nil {
				return wire.SaveAllScenesResult{}, err
			}
		}
		for n, i := range which {
			tx.save(i, tabs[n].Path)
			r.Saved = append(r.Saved, tabs[n].Path)
		}
		return r, nil
	})
}

// CreateScene writes a new scene file with one node and opens it.
func (Handlers) CreateScene(tx *Tx, p wire.CreateScene) (wire.CreateSceneResult, error) {
	return preview(tx, p.DryRun, func() (wire.CreateSceneResult, error) {
		var none wire.CreateSceneResult
		file, err := tx.newSceneFile(p.ScenePath)
		if err != nil {
			return none, err
		}
		tx.Store = tx.Store.Begin(nil)
		tx.envs = nil
		e := tx.env()
		class, script, err := tx.nodeType(e, p.RootType)
		if err != nil {
			return none, err
		}
		name := p.RootName
		if name == "" {
			name = pascal(strings.TrimSuffix(path.Base(file), path.Ext(file)))
		}
		if name, err = nodeName(name); err != nil {
			return none, err
		}
		n := e.Add(scene.Node{Name: name, Class: class})
		if script != "" {
			if err := tx.setScript(e, Tab{Root: n.ID}, n.ID, script); err != nil {
				return none, err
			}
		}
		text, _ := e.SaveScene(n.ID, file, tx.saver())
		e.Drop(n.ID)
		tx.writeFile(file, text)
		if _, err := tx.open(file); err != nil {
			return none, err
		}
		return wire.CreateSceneResult{ScenePath: file, RootType: p.RootType, RootName: name, Created: true}, nil
	})
}

// pascal turns a file name into a node name: my_scene-2d -> MyScene2d.
func pascal(name string) string {
	var b strings.Builder
	up := true
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			up = true
		case up:
			b.WriteRune(unicode.ToUpper(r))
			up = false
		default:
			b.WriteRune(r)
		}
	}
	if b.Len() == 0 {
		return "Root"
	}
	return b.String()
}

// CloseScene closes a tab.
func (Handlers) CloseScene(tx *Tx, p wire.CloseScene) (wire.CloseSceneResult, error) {
	return preview(tx, p.DryRun, func() (wire.CloseSceneResult, error) {
		var none wire.CloseSceneResult
		active, ok := tx.ActiveTab()
		if !ok {
			return none, wire.Fail(wire.ReasonNoScene)
		}
		at := tx.Active
		if p.ScenePath != "" {
			file, err := filePath(p.ScenePath)
			if err != nil {
				return none, err
			}
			if at = tx.FindTab(file); at < 0 {
				return none, wire.Fail(wire.ReasonSceneNotOpen, "path", file)
			}
		}
		tab := tx.Tabs[at]
		r := wire.CloseSceneResult{ScenePath: tab.Path, Closed: true, HadUnsaved: tab.History.Modified(), ActiveBefore: active.Path}
		tx.Tabs = slices.Delete(slices.Clone(tx.Tabs), at, at+1)
		next := tx.Active
		switch {
		case len(tx.Tabs) == 0:
			next = -1
		case at < next || at == next && at > 0:
			next--
		}
		closed := at == tx.Active
		tx.Active = next
		tx.dropScene(tab)
		if closed && next >= 0 {
			tx.Active = -1
			tx.activate(next)
		}
		if next, ok := tx.ActiveTab(); ok {
			r.ActiveAfter = next.Path
		}
		tx.Record(Effect{Kind: EffectCloseScene, Scene: tab.Path, Target: tab.Path})
		return r, nil
	})
}

// ReloadScene reads an open scene from disk again.
func (Handlers) ReloadScene(tx *Tx, p wire.ReloadScene) (wire.ReloadSceneResult, error) {
	return preview(tx, p.DryRun, func() (wire.ReloadSceneResult, error) {
		var none wire.ReloadSceneResult
		file, err := filePath(p.ScenePath)
		if err != nil {
			return none, err
		}
		i := tx.FindTab(file)
		if i < 0 {
			return none, wire.Fail(wire.ReasonSceneNotOpen, "path", file)
		}
		tab := tx.Tabs[i]
		r := wire.ReloadSceneResult{ScenePath: file, Reloaded: true, HadUnsaved: tab.History.Modified()}
		tx.dropScene(tab)
		e := tx.env()
		packed, failure := e.ReadScene(file)
		if failure != nil {
			return none, failure
		}
		tab.Root = e.Instantiate(packed, scene.Main, nil)
		tx.NextTab++
		tab.History, tab.Selected, tab.Others, tab.Loads = undo.New(), nil, nil, tx.NextTab
		tx.setTab(i, tx.based(tab))
		tx.Record(Effect{Kind: EffectReloadScene, Scene: file, Target: file})
		return r, nil
	})
}
