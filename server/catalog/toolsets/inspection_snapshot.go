package toolsets

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"godot-mcp/server/answer"
	"godot-mcp/server/catalog"
	"godot-mcp/server/safety"
	"godot-mcp/server/wire"
)

// snapshotNodes bounds a snapshot; more could not be shown anyway.
const snapshotNodes = 1_000

type snapshotIn struct {
	NodePath   string   `json:"node_path,omitempty" desc:"Where the subtree begins." default:"."`
	Properties []string `json:"properties,omitempty" desc:"Further built-in properties to read."`
	MaxDepth   int      `json:"max_depth,omitempty" desc:"Levels below it; -1: all." min:"-1" max:"1000" default:"-1"`
}

type snapshotOut struct {
	SnapshotID string              `json:"snapshot_id"`
	NodePath   string              `json:"node_path"`
	Snapshot   []wire.SnapshotNode `json:"snapshot"`
	// NotFound are properties asked for that no node of the subtree has.
	NotFound []string `json:"not_found,omitempty"`
}

// snapshot is what is kept under an id: what was asked for and what came.
type snapshot struct {
	request wire.SnapshotSubtree
	result  wire.SnapshotSubtreeResult
}

var snapshotSubtree = catalog.Define(catalog.Declaration[snapshotIn, snapshotOut]{
	Toolset: "inspection", Handler: "snapshot_subtree", Class: safety.ReadOnly,
	Description: "Keep a subtree (types, script variables, groups; position, rotation, scale outside containers) for godot_inspection_diff_snapshots. The newest 32 stay. not_found: properties no node has.",
	Needs:       catalog.NeedsNode,
	Nodes:       []string{"node_path"},
	Commands:    []string{wire.CmdSnapshotSubtree},
	Run: func(ctx context.Context, c *catalog.Call, in snapshotIn) (snapshotOut, error) {
		s, err := takeSnapshot(ctx, c, wire.SnapshotSubtree{NodePath: in.NodePath, Properties: in.Properties, MaxDepth: in.MaxDepth, Limit: snapshotNodes})
		if err != nil {
			return snapshotOut{}, err
		}
		raw, err := encodeText(s.result.Nodes)
		if err != nil {
			return snapshotOut{}, err
		}
		if len(raw) > room {
			return snapshotOut{}, fromWire(wire.ReasonTooBig, "limit", room, "size", len(raw))
		}
		return snapshotOut{c.Snapshots.Put(s), in.NodePath, orEmpty(s.result.Nodes), readNowhere(in.Properties, s.result.Nodes)}, nil
	},
})

// readNowhere lists the properties that no node had: wrong names, most likely.
func readNowhere(properties []string, nodes []wire.SnapshotNode) []string {
	var out []string
	for _, p := range properties {
		if !slices.ContainsFunc(nodes, func(n wire.SnapshotNode) bool { _, ok := n.Properties[p]; return ok }) {
			out = append(out, p)
		}
	}
	return out
}

func takeSnapshot(ctx context.Context, c *catalog.Call, request wire.SnapshotSubtree) (snapshot, error) {
	s := snapshot{request: request}
	err := c.Ask(ctx, wire.CmdSnapshotSubtree, request, &s.result)
	for i := range s.result.Nodes {
		n := &s.result.Nodes[i]
		n.Groups = orEmpty(n.Groups)
		if n.Properties == nil {
			n.Properties = map[string]json.RawMessage{}
		}
	}
	return s, err
}

type diffIn struct {
	BeforeID string `json:"before_id" desc:"Snapshot to begin from." minlen:"1"`
	AfterID  string `json:"after_id,omitempty" desc:"Snapshot to compare with; the scene as it is now if left out."`
	NodePath string `json:"node_path,omitempty" desc:"Compare only this subtree." default:"."`
	Offset   int    `json:"offset,omitempty" desc:"Differences to skip." min:"0"`
}

type diffOut struct {
	Added   []wire.FoundNode `json:"added"`
	Removed []wire.FoundNode `json:"removed"`
	Changed []nodeChange     `json:"changed"`
	// AfterID is kept when there is more to read, so that all pages compare the same.
	AfterID string `json:"after_id,omitempty"`
	catalog.Page
}

type nodeChange struct {
	Node     string          `json:"node"`
	Property string          `json:"property"`
	Before   json.RawMessage `json:"before"`
	After    json.RawMessage `json:"after"`
	Cut      bool            `json:"cut,omitempty"`
}

// longestValue bounds one value of a difference; longer ones are left out and
// the difference says cut.
const longestValue = room / 4

var diffSnapshots = catalog.Define(catalog.Declaration[diffIn, diffOut]{
	Toolset: "inspection", Handler: "diff_snapshots", Class: safety.ReadOnly,
	Description: "Nodes added and removed and values changed since a snapshot. All lists empty: no difference.",
	Nodes:       []string{"node_path"},
	Commands:    []string{wire.CmdSnapshotSubtree},
	Run: func(ctx context.Context, c *catalog.Call, in diffIn) (diffOut, error) {
		before, err := findSnapshot(c, in.BeforeID)
		if err != nil {
			return diffOut{}, err
		}
		var after snapshot
		if in.AfterID != "" {
			after, err = findSnapshot(c, in.AfterID)
		} else if after, err = takeSnapshot(ctx, c, before.request); err == nil && after.result.ScenePath != before.result.ScenePath {
			err = fromWire(wire.ReasonOtherScene, "path", before.result.ScenePath, "active", after.result.ScenePath)
		}
		if err != nil {
			return diffOut{}, err
		}
		out := compare(before, after, in.NodePath).page(in.Offset)
		if out.Truncated {
			out.AfterID = in.AfterID
			if out.AfterID == "" {
				out.AfterID = c.Snapshots.Put(after)
			}
		}
		return out, nil
	},
})

func findSnapshot(c *catalog.Call, id string) (snapshot, error) {
	v, _ := c.Snapshots.Get(id)
	s, ok := v.(snapshot)
	if !ok {
		return s, answer.New(answer.UnknownSnapshot, "id", id)
	}
	return s, nil
}

// compare lists the differences below a node. Properties that only one of the
// snapshots was asked for are no difference.
func compare(before, after snapshot, below string) diffOut {
	ignore := map[string]bool{}
	for _, name := range before.request.Properties {
		ignore[name] = !slices.Contains(after.request.Properties, name)
	}
	for _, name := range after.request.Properties {
		ignore[name] = !slices.Contains(before.request.Properties, name)
	}
	old, now := index(before.result.Nodes, below), index(after.result.Nodes, below)
	var out diffOut
	for _, k := range old.order {
		b := old.nodes[k]
		a, ok := now.nodes[k]
		if !ok {
			out.Removed = append(out.Removed, wire.FoundNode{Path: b.Path, Type: b.Type})
			continue
		}
		out.Changed = append(out.Changed, changes(b, a, ignore)...)
	}
	for _, k := range now.order {
		if _, ok := old.nodes[k]; !ok {
			a := now.nodes[k]
			out.Added = append(out.Added, wire.FoundNode{Path: a.Path, Type: a.Type})
		}
	}
	return out
}

// nodeKey tells siblings of one name apart by their order.
type nodeKey struct {
	path string
	nth  int
}

type nodeIndex struct {
	order []nodeKey
	nodes map[nodeKey]wire.SnapshotNode
}

func index(nodes []wire.SnapshotNode, below string) nodeIndex {
	x := nodeIndex{nodes: map[nodeKey]wire.SnapshotNode{}}
	seen := map[string]int{}
	for _, n := range nodes {
		if below != "." && n.Path != below && !strings.HasPrefix(n.Path, below+"/") {
			continue
		}
		k := nodeKey{n.Path, seen[n.Path]}
		seen[n.Path]++
		x.order = append(x.order, k)
		x.nodes[k] = n
	}
	return x
}

func changes(b, a wire.SnapshotNode, ignore map[string]bool) []nodeChange {
	var out []nodeChange
	add := func(property string, before, after json.RawMessage) {
		if sameValue(before, after) {
			return
		}
		if len(before)+len(after) > longestValue {
			out = append(out, nodeChange{Node: b.Path, Property: property, Cut: true})
			return
		}
		out = append(out, nodeChange{Node: b.Path, Property: property, Before: before, After: after})
	}
	add("type", quote(b.Type), quote(a.Type))
	names := maps.Clone(b.Properties)
	if names == nil {
		names = map[string]json.RawMessage{}
	}
	maps.Copy(names, a.Properties)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !ignore[name] {
			add(name, b.Properties[name], a.Properties[name])
		}
	}
	add("groups", quote(orEmpty(b.Groups)), quote(orEmpty(a.Groups)))
	return out
}

func quote(v any) json.RawMessage {
	raw, err := encodeText(v)
	if err != nil {
		return nil
	}
	return raw
}

func sameValue(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// page counts removed, added and changed in this order, so that one offset
// goes through all three.
func (d diffOut) page(offset int) diffOut {
	var all []any
	for _, n := range d.Removed {
		all = append(all, n)
	}
	removed := len(all)
	for _, n := range d.Added {
		all = append(all, n)
	}
	added := len(all)
	for _, n := range d.Changed {
		all = append(all, n)
	}
	kept, page := pageFrom(all, offset)
	out := diffOut{Added: []wire.FoundNode{}, Removed: []wire.FoundNode{}, Changed: []nodeChange{}, Page: page}
	first := min(offset, len(all))
	for i := range kept {
		switch at := first + i; {
		case at < removed:
			out.Removed = append(out.Removed, d.Removed[at])
		case at < added:
			out.Added = append(out.Added, d.Added[at-removed])
		default:
			out.Changed = append(out.Changed, d.Changed[at-added])
		}
	}
	return out
}
