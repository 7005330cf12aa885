package files

import "strings"

const classCache = Root + ".godot/global_script_class_cache.cfg"

// writeClassCache writes the file from which headless engine runs and other
// tools learn the script classes. Entries are sorted by name.
func (s System) writeClassCache() System {
	var b strings.Builder
	b.WriteString("list=[")
	first := true
	for c := range s.Classes {
		if !first {
			b.WriteString(", ")
		}
		first = false
		b.WriteString("{\n\"base\": &" + quoted(c.Base) + ",\n\"class\": &" + quoted(c.Name) + ",\n\"icon\": " + quoted(c.Icon) +
			",\n\"is_abstract\": " + boolText(c.Abstract) + ",\n\"is_tool\": " + boolText(c.Tool) +
			",\n\"language\": &\"GDScript\",\n\"path\": " + quoted(c.Path) + "\n}")
	}
	b.WriteString("]\n")
	s.disk = s.disk.With(classCache, b.String())
	return s
}

func boolText(b bool) string {
	if b {
		return "true"
	}
	return "false"
}
