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
	before, stirred := tx.State, tx.stirred
	r, err := f()
	if dry || err != nil {
		tx.State, tx.envs, tx.stirred = before, nil, stirred
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
		if !tx.Files.Exists(file) {
			return none, wire.Fail(wire.ReasonFileNotFound, "path", file)
		}
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
	tab.Selected = tx.marked(e, file, root)
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
		tx.setTab(i, tx.selectShown(tx.env(), tab))
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
		tx.setTab(i, tx.selectShown(e, tab)) // the engine keeps what it has
		return
	}
	unsaved := tab.History.Modified()
	tab.Root, tab.History, tab.Selected = root, tab.History.Cleared(), nil
	if unsaved {
		// The engine counts the scene as saved; the addon puts the mark back.
		tab.History = tab.History.MarkUnsaved()
	}
	for _, path := range selected {
		if id := e.Resolve(root, path); id != 0 {
			tab.Selected = append(tab.Selected, id)
		}
	}
	tab.Shown = 0 // what the inspector's history has is a node of before
	tx.setTab(i, tx.selectShown(e, tab))
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
		if script != "" {
			return none, wire.Fail(wire.ReasonScriptClass, "type", p.RootType, "path", script)
		}
		name := p.RootName
		if name == "" {
			name = pascal(strings.TrimSuffix(path.Base(file), path.Ext(file)))
		}
		if name, err = nodeName(name); err != nil {
			return none, err
		}
		n := e.Add(scene.Node{Name: name, Class: class})
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
		} else if !closed {
			tx.visit(next)
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
		selected := tx.unselect(i)
		tx.dropScene(tab)
		e := tx.env()
		packed, failure := e.ReadScene(file)
		if failure != nil {
			return none, failure
		}
		tab.Root = e.Instantiate(packed, scene.Main, nil)
		tx.NextTab++
		tab.History, tab.Others, tab.Loads = undo.New(), nil, tx.NextTab
		tab.selection = selection{Selected: tx.marked(e, file, tab.Root)}
		if len(selected) > 0 {
			tab.Selected = nodesAt(e, tab.Root, selected)
		}
		tx.setTab(i, tx.based(tab))
		tx.visit(i)
		tx.Record(Effect{Kind: EffectReloadScene, Scene: file, Target: file})
		return r, nil
	})
}
