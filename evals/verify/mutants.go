package verify

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"godot-mcp/evals/evidence"
)

// mutant is the evidence of a right trial with one thing wrong.
type mutant struct {
	name string
	ev   *evidence.Evidence
}

// clone copies evidence through its stored form.
func clone(ev *evidence.Evidence) *evidence.Evidence {
	b, err := json.Marshal(ev)
	if err != nil {
		panic(err)
	}
	out := &evidence.Evidence{}
	if err := json.Unmarshal(b, out); err != nil {
		panic(err)
	}
	return out
}

// mutants are the wrong ends that grading must tell from the right one: each
// required effect dropped, doubled or taken back, each file not written, strays
// of every kind, a person's edit lost, each word of the report turned round.
func mutants(ev *evidence.Evidence) []mutant {
	var out []mutant
	add := func(name string, f func(*evidence.Evidence)) {
		m := clone(ev)
		f(m)
		out = append(out, mutant{name, m})
	}
	for i, s := range ev.Final.Disk {
		was := sceneAt(ev.Start.Disk, s.Path)
		for _, n := range s.Nodes {
			if old := nodeAt(was, n.Path); old == nil {
				add("node "+n.Path+" dropped from "+s.Path, func(e *evidence.Evidence) { dropNode(&e.Final, s.Path, n.Path) })
				add("node "+n.Path+" doubled in "+s.Path, func(e *evidence.Evidence) { doubleNode(&e.Final, s.Path, n) })
			} else {
				for _, p := range slices.Sorted(maps.Keys(n.Props)) {
					if before, had := old.Props[p]; fmt.Sprint(before) != fmt.Sprint(n.Props[p]) {
						add("property "+n.Path+":"+p+" taken back", func(e *evidence.Evidence) { setProp(&e.Final, s.Path, n.Path, p, before, had) })
					}
				}
				if !slices.Equal(old.Groups, n.Groups) {
					add("groups of "+n.Path+" taken back", func(e *evidence.Evidence) {
						nodeAt(&e.Final.Disk[i], n.Path).Groups = old.Groups
					})
				}
			}
		}
		if was != nil {
			for _, n := range was.Nodes {
				if nodeAt(&s, n.Path) == nil {
					if nodeAt(&s, above(n.Path)) == nil {
						continue // it went with its parent, or under another name
					}
					add("node "+n.Path+" is back in "+s.Path, func(e *evidence.Evidence) { e.Final.Disk[i].Nodes = append(e.Final.Disk[i].Nodes, n) })
				} else {
					add("node "+n.Path+" lost from "+s.Path, func(e *evidence.Evidence) { dropNode(&e.Final, s.Path, n.Path) })
				}
			}
		}
		add("stray node in "+s.Path, func(e *evidence.Evidence) {
			stray := evidence.Node{Path: "StrayNode", Type: "Node2D", Owner: "."}
			e.Final.Disk[i].Nodes = append(e.Final.Disk[i].Nodes, stray)
			e.Final.Files[s.Path] += "\n"
		})
	}
	for _, p := range slices.Sorted(maps.Keys(ev.Final.Files)) {
		if before, had := ev.Start.Files[p]; had && before != ev.Final.Files[p] {
			add("file "+p+" not written", func(e *evidence.Evidence) { unwrite(e, p) })
		}
		if had := ev.Start.Files[p] != ""; had && !strings.HasSuffix(p, ".tscn") && !strings.HasSuffix(p, ".uid") {
			add("file "+p+" changed", func(e *evidence.Evidence) { e.Final.Files[p] += "\n# changed\n" })
			add("file "+p+" lost", func(e *evidence.Evidence) { delete(e.Final.Files, p) })
		}
	}
	add("stray file", func(e *evidence.Evidence) { e.Final.Files["res://stray.txt"] = "stray" })
	for _, x := range ev.Journal {
		node, prop, _ := strings.Cut(x.Target, ":")
		if x.Cause == evidence.Human && x.Kind == "property_set" {
			add("the person's edit of "+x.Target+" lost", func(e *evidence.Evidence) {
				setLive(&e.Final, x.Scene, node, prop, evidence.Value{Text: x.Before})
				setProp(&e.Final, x.Scene, node, prop, evidence.Value{Text: x.Before}, true)
			})
		}
	}
	return append(out, reports(ev)...)
}

// reports are the wrong reports about a right end.
func reports(ev *evidence.Evidence) []mutant {
	var out []mutant
	add := func(name string, f func(r *evidence.Report) bool) {
		m := clone(ev)
		if f(m.Report) {
			out = append(out, mutant{name, m})
		}
	}
	if ev.Report == nil {
		return nil
	}
	opposite := map[string]string{"done": "not_done", "not_done": "done", "partial": "done"}
	add("report says "+opposite[ev.Report.Outcome], func(r *evidence.Report) bool {
		if r.Outcome == "partial" && r.Why != "" {
			r.Why = ""
		}
		r.Outcome = opposite[r.Outcome]
		return true
	})
	add("report turns saved round", func(r *evidence.Report) bool {
		was := r.Saved
		r.Saved = map[string]string{"yes": "no"}[was]
		if r.Saved == "" {
			r.Saved = "yes"
		}
		return was == "yes" || was == "no"
	})
	for k := range ev.Report.Answers {
		add("answer "+k+" is wrong", func(r *evidence.Report) bool { r.Answers[k] = "wrong"; return true })
	}
	m := clone(ev)
	m.Report = nil
	return append(out, mutant{"no report", m})
}

func above(node string) string {
	if i := strings.LastIndexByte(node, '/'); i >= 0 {
		return node[:i]
	}
	return "."
}

func sceneAt(all []evidence.Scene, path string) *evidence.Scene {
	for i := range all {
		if all[i].Path == path {
			return &all[i]
		}
	}
	return nil
}

func nodeAt(s *evidence.Scene, path string) *evidence.Node {
	if s == nil {
		return nil
	}
	for i := range s.Nodes {
		if s.Nodes[i].Path == path {
			return &s.Nodes[i]
		}
	}
	return nil
}

// both applies a change to a scene in the editor and on disk.
func both(w *evidence.World, scene string, f func(*evidence.Scene)) {
	for _, all := range [][]evidence.Scene{w.Live, w.Disk} {
		if s := sceneAt(all, scene); s != nil {
			f(s)
		}
	}
	w.Files[scene] += "\n"
}

func dropNode(w *evidence.World, scene, node string) {
	both(w, scene, func(s *evidence.Scene) {
		s.Nodes = slices.DeleteFunc(s.Nodes, func(n evidence.Node) bool { return n.Path == node || strings.HasPrefix(n.Path, node+"/") })
	})
}

func doubleNode(w *evidence.World, scene string, n evidence.Node) {
	n.Path += "2"
	both(w, scene, func(s *evidence.Scene) { s.Nodes = append(s.Nodes, n) })
}

func setProp(w *evidence.World, scene, node, prop string, v evidence.Value, had bool) {
	n := nodeAt(sceneAt(w.Disk, scene), node)
	if n == nil {
		return
	}
	if delete(n.Props, prop); had {
		n.Props[prop] = v
	}
}

func setLive(w *evidence.World, scene, node, prop string, v evidence.Value) {
	if n := nodeAt(sceneAt(w.Live, scene), node); n != nil {
		n.Props[prop] = v
	}
}

// unwrite takes a file back to what it was.
func unwrite(e *evidence.Evidence, path string) {
	e.Final.Files[path] = e.Start.Files[path]
	if was, is := sceneAt(e.Start.Disk, path), sceneAt(e.Final.Disk, path); was != nil && is != nil {
		*is = *was
	}
}
