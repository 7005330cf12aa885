package scene

import "godot-mcp/server/godot/variant"

// ResProperties is [Env.Properties] for resources.
func (e Env) ResProperties(r *Resource) []Property { return e.properties(r.object()) }

// ResValue gives the value of a resource's property.
func (e Env) ResValue(r *Resource, name string) variant.Value {
	v, _ := e.value(r.object(), name)
	return v
}

// ClassDefault gives what ClassDB says is the default of a property; ok is false
// when it knows none.
func (e Env) ClassDefault(class, name string) (variant.Value, bool) {
	return classOf(class).classDefault(name)
}
