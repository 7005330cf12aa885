package world

import (
	"path"
	"slices"
	"strings"

	"godot-mcp/server/wire"
)

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
		if missing := tx.unknownResources(tab.Path); len(missing) > 0 && !p.Force {
			return none, wire.Fail(wire.ReasonMissingRes, "path", file, "missing", missing)
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

// canSave says whether the files of scenes, and the edited resources and the scripts
// that a save writes with them, can be written.
func (tx *Tx) canSave(scenes ...string) error {
	all := append(scenes, tx.editedFiles()...)
	for _, t := range tx.Typed {
		all = append(all, t.Path)
	}
	for _, file := range all {
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

// save writes the scene of a tab to a file, the edited external resources, and the
// scripts that somebody types in (engine 4.6 experiment).
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
	for _, t := range tx.Typed {
		text := strings.TrimRight(t.Text, "\n") + "\n"
		if old, ok := tx.Files.Read(t.Path); !ok || old != text {
			tx.writeFile(t.Path, text)
			r.Also = append(r.Also, t.Path)
		}
	}
	tx.Typed = nil
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
	tx.mark(file)
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
			if t.Path == "" || len(missingNodes(tx.env(), t.Root)) > 0 || len(tx.unknownResources(t.Path)) > 0 {
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
