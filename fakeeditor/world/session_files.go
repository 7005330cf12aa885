package world

import (
	"regexp"
	"strings"

	"godot-mcp/fakeeditor/files"
	"godot-mcp/fakeeditor/scene"
	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/gdscript"
	"godot-mcp/server/godot/tscn"
	"godot-mcp/server/wire"
)

// ExtractScene saves a branch as a scene of its own.
func (h Handlers) ExtractScene(tx *Tx, p wire.ExtractScene) (wire.ExtractSceneResult, error) {
	return preview(tx, p.DryRun, func() (wire.ExtractSceneResult, error) { return tx.extract(p) })
}

func (tx *Tx) extract(p wire.ExtractScene) (r wire.ExtractSceneResult, err error) {
	e, tab, n, err := tx.find(p.NodePath)
	if err != nil {
		return r, err
	}
	if n.ID == tab.Root {
		return r, wire.Fail(wire.ReasonIsRoot, "path", ".")
	}
	old := e.Path(tab.Root, n.ID)
	if from := e.FromBase(tab.Root, n.ID); from != "" {
		return r, wire.Fail(wire.ReasonMixedOwner, "path", old, "source", from)
	}
	file, err := tx.newSceneFile(p.ScenePath)
	if err != nil {
		return r, err
	}
	if p.SaveCurrent && tab.Path == "" {
		return r, wire.Fail(wire.ReasonSceneHasNoPath)
	}
	if p.SaveCurrent {
		if _, err := tx.guard(false, tab); err != nil {
			return r, err
		}
		if !p.DryRun {
			if err := tx.canSave(tab.Path); err != nil {
				return r, err
			}
		}
	}
	r = wire.ExtractSceneResult{NodePath: old, ScenePath: file, Extracted: true, NodeCount: e.Count(n.ID)}
	tx.Store = tx.Store.Begin(nil)
	tx.envs = nil
	e = tx.env()
	branch := e.Branch(tab.Root, n.ID)
	saver := tx.saver()
	saver.Copy = true
	text, _ := e.SaveScene(branch, file, saver)
	e.DropTree(branch)
	tx.writeFile(file, text)
	r.Verdict = wire.Verdict{Persisted: true}
	if p.ReplaceWithInstance {
		if err := tx.replaceBranch(&r, n.ID, file); err != nil {
			return r, err
		}
	}
	if p.SaveCurrent {
		tx.save(tx.Active, tab.Path)
		r.Saved = true
	}
	return r, nil
}

// replaceBranch puts an instance of a scene in the place of a branch, as one action.
func (tx *Tx) replaceBranch(r *wire.ExtractSceneResult, id scene.NodeID, file string) error {
	swap := func(tx *Tx) (func() any, error) {
		e, tab, err := tx.active()
		if err != nil {
			return nil, err
		}
		n := *e.Node(id)
		index := e.IndexOf(id)
		packed, failure := e.LoadScene(file)
		if failure != nil {
			return nil, failure
		}
		outward := crossingLinks(e, tab, id)
		tx.removeSubtree(e, tab, id)
		inst := e.Instantiate(packed, scene.Instance, nil)
		tx.adopt(e, tab, inst, n.Parent, n.Name, index)
		if n.UniqueName() {
			setUnique(e, inst)
		}
		for _, l := range outward {
			l.join(e, inst)
		}
		r.Replaced, r.InstancePath = true, e.Path(tab.Root, inst)
		tx.effect(Effect{Kind: EffectDeleteNode, Target: r.NodePath, Before: n.Class})
		tx.effect(Effect{Kind: EffectCreateNode, Target: r.InstancePath, After: file})
		return func() any {
			r.Verdict = e.NodeVerdict(tab.Root, inst)
			return nil
		}, nil
	}
	_, _, err := tx.run(wire.CmdExtractScene, []step{swap}, false)
	if err != nil {
		failure := *wire.AsError(err)
		failure.Step = nil
		return &failure
	}
	return nil
}

// CrossSceneSetProperty sets a property in closed scene files.
func (Handlers) CrossSceneSetProperty(tx *Tx, p wire.CrossSceneSetProperty) (wire.CrossSceneSetPropertyResult, error) {
	return preview(tx, p.DryRun, func() (wire.CrossSceneSetPropertyResult, error) {
		r := wire.CrossSceneSetPropertyResult{Results: []wire.CrossSceneResult{}}
		if len(p.Scenes) == 0 {
			return r, wire.Fail(wire.ReasonEmptyBatch)
		}
		for _, s := range p.Scenes {
			before := tx.State
			one, err := tx.setInFile(s, p)
			if err != nil || one.Modified == 0 {
				// Nobody has read the file anew.
				tx.State, tx.envs = before, nil
			}
			if err != nil {
				one = wire.CrossSceneResult{Scene: s, Error: wire.AsError(err)}
			}
			if one.Nodes == nil {
				one.Nodes = []string{}
			}
			r.Results = append(r.Results, one)
		}
		return r, nil
	})
}

// setInFile sets the property on the own nodes of one scene file.
func (tx *Tx) setInFile(name string, p wire.CrossSceneSetProperty) (r wire.CrossSceneResult, err error) {
	file, err := sceneFile(name)
	if err != nil {
		return r, err
	}
	r.Scene = file
	if tx.FindTab(file) >= 0 {
		tab, _ := tx.ActiveTab()
		return r, wire.Fail(wire.ReasonOtherScene, "path", file, "active", tab.Path)
	}
	tx.Store = tx.Store.Begin(nil)
	tx.envs = nil
	e := tx.env()
	engine := classdb.Exists(p.NodeType)
	if !engine && e.Lib.ClassPath(p.NodeType) == "" {
		return r, wire.Fail(wire.ReasonUnknownClass, "type", p.NodeType, "near", nearNodeClasses(tx, p.NodeType))
	}
	// As the file is now: what is in memory may be older, or hold edits that nobody saved.
	packed, failure := e.ReadScene(file)
	if failure != nil {
		return r, failure
	}
	root := e.Instantiate(packed, scene.Main, nil)
	if missing := missingNodes(e, root); len(missing) > 0 {
		return r, wire.Fail(wire.ReasonMissingNodes, "path", file, "missing", missing)
	}
	if missing := tx.unknownResources(file); len(missing) > 0 {
		return r, wire.Fail(wire.ReasonMissingRes, "path", file, "missing", missing)
	}
	var targets []scene.NodeID
	e.Walk(root, func(n *scene.Node) bool {
		if (n.ID == root || n.Owner == root) && isType(e, n, p.NodeType, engine) {
			targets = append(targets, n.ID)
		}
		return true
	})
	tab := Tab{Root: root, Path: file}
	var changed []scene.NodeID
	for _, id := range targets {
		o, err := tx.set(e, tab, id, p.Property, p.Value)
		if err != nil {
			return r, err
		}
		if !o.after.Equal(o.before) {
			r.Modified++
			r.Nodes = append(r.Nodes, e.Path(root, id))
			changed = append(changed, id)
		}
	}
	for _, id := range changed {
		if v := e.FileVerdict(root, id, p.Property); !v.Persisted {
			detail := []any{"path", e.Path(root, id), "property", p.Property, "loss", v.Reason}
			if v.Source != "" {
				detail = append(detail, "source", v.Source)
			}
			return wire.CrossSceneResult{Scene: file}, wire.Fail(wire.ReasonNotSaved, detail...)
		}
	}
	if r.Modified > 0 {
		text, saved := e.SaveScene(root, file, tx.saver())
		old := e.Object(file)
		e.TakeOver(file)
		e.CacheScene(file, text, tx.Files.Disk().Now(), saved)
		e.PassOn(old, saved)
		tx.writeFile(file, text)
		e = tx.env()
	}
	e.DropTree(root)
	tx.release(0)
	return r, nil
}

// GetDependencies lists what a file refers to.
func (Handlers) GetDependencies(tx *Tx, p wire.GetDependencies) (wire.GetDependenciesResult, error) {
	r := wire.GetDependenciesResult{Dependencies: []wire.Dependency{}}
	file, err := filePath(p.Path)
	if err != nil {
		return r, err
	}
	r.Path = file
	if ext := files.Ext(file); ext == "tscn" || ext == "tres" {
		f, ok := tx.Files.Disk().Get(file)
		if !ok || f.Opaque {
			_, err = tx.readText(file)
			return r, err
		}
		for _, s := range externals(f.Data) {
			r.Dependencies = append(r.Dependencies, tx.dependency(file, s))
		}
		return r, nil
	}
	f, err := tx.readText(file)
	if err != nil {
		return r, err
	}
	if files.Ext(file) == "gd" {
		for _, d := range scriptLoads(f.Data) {
			r.Dependencies = append(r.Dependencies, tx.loaded(file, d))
		}
	}
	return r, nil
}

// external is a line that names a file, wherever it stands.
var external = regexp.MustCompile(`(?m)^\[ext_resource [^\n]*\]\s*$`)

// externals are the [ext_resource] sections of a file, which may be broken elsewhere; the
// engine sees nothing of a text behind a NUL.
func externals(text string) (out []*tscn.Section) {
	text, _, _ = strings.Cut(text, "\x00")
	for _, line := range external.FindAllString(text, -1) {
		if doc, err := tscn.ParseText(line); err == nil {
			out = append(out, doc.Sections...)
		}
	}
	return out
}

func (tx *Tx) dependency(from string, s *tscn.Section) wire.Dependency {
	d := wire.Dependency{Raw: s.AttrText("uid"), Type: s.AttrText("type"), Path: tx.env().Target(from, s)}
	if d.Raw == "" {
		d.Raw = s.AttrText("path")
	}
	if !s.HasAttr("path") && s.AttrText("uid") == "" {
		d.Path = ""
	}
	if raw := s.AttrText("path"); strings.HasPrefix(raw, "/") && s.AttrText("uid") == "" {
		d.Path = raw // as the engine reads it: no file of the project
	}
	d.Exists = tx.Files.Exists(d.Path)
	return d
}

// scriptLoads lists the files that a script names, in the order of its text.
func scriptLoads(text string) []string {
	s := gdscript.Scan(text)
	var out []string
	if s.Extends.Path != "" {
		out = append(out, s.Extends.Path)
	}
	for _, l := range s.Loads {
		out = append(out, l.Path)
	}
	return out
}

func (tx *Tx) loaded(from, raw string) wire.Dependency {
	d := wire.Dependency{Raw: raw, Path: raw}
	switch {
	case strings.HasPrefix(raw, "uid://"):
		d.Path = tx.Files.PathOf(raw)
	case !strings.HasPrefix(raw, files.Root):
		if clean, ok := files.Clean(files.Below(files.Folder(from), raw)); ok {
			d.Path = clean
		}
	}
	d.Exists = tx.Files.Exists(d.Path)
	d.Type = tx.env().FileType(d.Path)
	return d
}
