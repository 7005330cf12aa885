package scene

import "godot-mcp/server/godot/classdb"

// saveClasses are the classes under which their descendants are named in the type
// of an [ext_resource].
var saveClasses = []string{
	"Script", "Texture2D", "TextureLayered", "Texture3D", "Shape2D", "Shape3D", "Material", "Mesh", "Font", "StyleBox",
	"AudioStream", "VideoStream", "PhysicsMaterial", "Translation",
}

// saveClass gives the type that references to a resource are written with.
func saveClass(class string) string {
	for _, base := range saveClasses {
		if classdb.Inherits(class, base) {
			return base
		}
	}
	return class
}
