package scene

import (
	"strings"

	"godot-mcp/server/godot/classdb"
)

// Some classes have properties that no class table lists, because they exist only
// once they hold something. The engine lists them behind the other properties of
// the class that has them. A few stand before one that is listed.

// spot says where such properties stand: behind the last one of a class, or before
// a listed one.
type spot struct {
	owner  string
	prefix string
	before string
}

var spots = []spot{
	{owner: "AnimationMixer", prefix: "libraries/"},
	{owner: "AnimationPlayer", prefix: "next/"},
	{owner: "AnimationTree", prefix: "parameters/"},
	{owner: "AnimationNodeStateMachine", prefix: "states/", before: "transitions"},
	{owner: "AnimationNodeBlendTree", prefix: "nodes/", before: "node_connections"},
	{owner: "MeshInstance3D", prefix: "surface_material_override/"},
	{owner: "MeshInstance3D", prefix: "blend_shapes/"},
	{owner: "TileMap", prefix: "layer_"},
	{owner: "Skeleton3D", prefix: "bones/"},
	{owner: "TabContainer", prefix: "tab_"},
	{owner: "GraphNode", prefix: "slot/"},
	// Of a bone whose length and angle are not worked out.
	{owner: "Bone2D", prefix: "length"},
	{owner: "Bone2D", prefix: "bone_angle"},
}

// madeUp reports whether a class has properties that no table lists and whose names
// hold no slash.
func (c *class) madeUp(name string) bool {
	for _, s := range spots {
		if (strings.HasPrefix(name, s.prefix) || name+"/" == s.prefix) && classdb.Inherits(c.name, s.owner) {
			return true
		}
	}
	return strings.ContainsAny(name, "0123456789")
}

// place gives the rank of a property that the class table does not list: the index
// that it comes after (behind true), or before.
func (c *class) place(name string) (index int, ok bool) {
	for _, s := range spots {
		if !strings.HasPrefix(name, s.prefix) || !classdb.Inherits(c.name, s.owner) {
			continue
		}
		if s.before != "" {
			if i, ok := c.index[s.before]; ok {
				return i - 1, true
			}
		}
		last := -1
		for i, p := range c.props {
			if p.Owner == s.owner && p.Name != "script" {
				last = i
			}
		}
		if last >= 0 {
			return last, true
		}
	}
	return 0, false
}
