package approval

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Present is the part of a project that a call would replace, read before anybody
// is asked, so that a person sees differences. It is bounded and may lack things.
type Present struct {
	Files  []File  `json:"files,omitempty"`
	Nodes  []Node  `json:"nodes,omitempty"`
	Values []Value `json:"values,omitempty"`
}

// File is a text file of the project.
type File struct {
	Path string `json:"path"` // res://…
	Text string `json:"text"`
}

// Node is a node that goes with the one it is below of.
type Node struct {
	Below string `json:"below"` // path of the node that the call removes
	Path  string `json:"path"`
	Type  string `json:"type"`
}

// Value is a property as it is.
type Value struct {
	Node     string          `json:"node_path"`
	Property string          `json:"property"`
	Value    json.RawMessage `json:"value"`
}

// Equal says whether both are the same, in whatever order values were read.
func (p Present) Equal(o Present) bool {
	return slices.Equal(p.Files, o.Files) && slices.Equal(p.Nodes, o.Nodes) && len(p.Values) == len(o.Values) &&
		!slices.ContainsFunc(p.Values, func(v Value) bool {
			now, ok := o.Lookup(v.Node, v.Property)
			return !ok || !bytes.Equal(v.Value, now)
		})
}

// Lookup finds the value of a property.
func (p Present) Lookup(node, property string) (json.RawMessage, bool) {
	for _, v := range p.Values {
		if v.Node == node && v.Property == property {
			return v.Value, true
		}
	}
	return nil, false
}
