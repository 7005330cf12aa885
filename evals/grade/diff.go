package grade

import (
	"maps"
	"slices"
	"strings"

	"godot-mcp/evals/evidence"
)

// diff is one difference between start and end. Key names it: "SCENE NODE" for
// a node that came or went, "SCENE NODE:WHAT" for a part of one, and a path for
// a file.
type diff struct {
	key  string
	live bool // in an open tab, else on disk
	why  string
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// harmless are files that the editor writes by itself.
func harmless(path string) bool {
	return strings.HasPrefix(path, "res://.godot/") || strings.HasSuffix(path, ".uid") || strings.HasSuffix(path, ".import")
}

// differences lists all that is not as it was. Scene files are compared as
// scenes: ids and the order of sections mean nothing.
func differences(a, b evidence.World) []diff {
	var out []diff
	was, is := byPath(a.Disk), byPath(b.Disk)
	for _, p := range sortedKeys(union(a.Files, b.Files)) {
		before, old := a.Files[p]
		after, now := b.Files[p]
		x, xok := was[p]
		y, yok := is[p]
		switch {
		case harmless(p) || old == now && before == after:
		case !old:
			out = append(out, diff{p, false, "new file"})
		case !now:
			out = append(out, diff{p, false, "file is gone"})
		case xok && yok:
			out = append(out, sceneDiffs(x, y, false)...)
		default:
			out = append(out, diff{p, false, "file changed"})
		}
	}
	was, is = byPath(a.Live), byPath(b.Live)
	for _, p := range sortedKeys(is) {
		if x, ok := was[p]; ok {
			out = append(out, sceneDiffs(x, is[p], true)...)
		}
	}
	return out
}

func union(a, b map[string]string) map[string]string {
	out := maps.Clone(a)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, b)
	return out
}

func byPath(all []evidence.Scene) map[string]evidence.Scene {
	out := map[string]evidence.Scene{}
	for _, s := range all {
		out[s.Path] = s
	}
	return out
}

func nodes(s evidence.Scene) map[string]evidence.Node {
	out := map[string]evidence.Node{}
	for _, n := range s.Nodes {
		out[n.Path] = n
	}
	return out
}

func sceneDiffs(a, b evidence.Scene, live bool) []diff {
	was, is := nodes(a), nodes(b)
	var out []diff
	add := func(key, why string) { out = append(out, diff{b.Path + " " + key, live, why}) }
	for _, p := range sortedKeys(was) {
		if _, ok := is[p]; !ok {
			add(p, "node is gone")
		}
	}
	for _, p := range sortedKeys(is) {
		x, ok := was[p]
		y := is[p]
		if !ok {
			add(p, "new node")
			continue
		}
		if x.Type != y.Type || x.Instance != y.Instance {
			add(p, "another node")
		}
		if x.Script != y.Script {
			add(p+":script", "script changed")
		}
		if x.Editable != y.Editable {
			add(p+":editable", "editable children changed")
		}
		if !slices.Equal(x.Groups, y.Groups) {
			add(p+":groups", "groups changed")
		}
		if !slices.Equal(x.Signals, y.Signals) {
			add(p+":signals", "connections changed")
		}
		for _, k := range sortedKeys(unionValues(x.Props, y.Props)) {
			v, had := x.Props[k]
			w, has := y.Props[k]
			if had != has || !equalValue(v, w) {
				add(p+":"+k, "was "+orDefault(v, had)+", is "+orDefault(w, has))
			}
		}
	}
	return out
}

func orDefault(v evidence.Value, ok bool) string {
	if !ok {
		return "the default"
	}
	return show(v)
}

func unionValues(a, b map[string]evidence.Value) map[string]evidence.Value {
	out := map[string]evidence.Value{}
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

// expected says whether the task's checks, or a person's own edits, account for
// a difference.
func (x *trial) expected(d diff) bool {
	for _, c := range x.task.Checks {
		if w := words[c.Word]; w.covers != nil && w.covers(x, c, d) {
			return true
		}
	}
	return x.byPerson(d)
}

// byPerson says whether a difference is a person's own edit.
func (x *trial) byPerson(d diff) bool {
	for _, e := range x.Journal {
		if e.Cause != evidence.Human {
			continue
		}
		if d.key == e.Scene+" "+e.Target || d.key == e.Target || e.Kind == "node_created" && strings.HasPrefix(d.key, e.Scene+" "+e.Target+":") {
			return true
		}
	}
	return false
}

// unexpected are the differences that nothing accounts for.
func (x *trial) unexpected() []diff {
	return slices.DeleteFunc(slices.Clone(x.diffs), x.expected)
}

// split takes a key apart into scene, node and what; node is empty for files.
func (d diff) split() (scene, node, what string) {
	scene, rest, ok := strings.Cut(d.key, " ")
	if !ok {
		return d.key, "", ""
	}
	node, what, _ = strings.Cut(rest, ":")
	return scene, node, what
}
