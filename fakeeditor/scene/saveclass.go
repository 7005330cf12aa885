package scene

import "godot-mcp/server/godot/classdb"

// saveClasses are the classes under which their descendants are named in the type
// of an [ext_resource] (engine 4.6 experiment over all 381 resource classes).
var saveClasses = []string{
	"Script", "Shader", "Texture2D", "Shape2D", "Shape3D", "Material", "StyleBox", "AudioStream", "VideoStream", "Translation",
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
