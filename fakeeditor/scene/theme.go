package scene

import (
	"strings"
	"sync"

	"godot-mcp/server/godot/classdb"
	"godot-mcp/server/godot/variant"
)

// themeKinds are the folders of theme overrides by their letter in the generated
// list, with the type of their values.
var themeKinds = map[string]struct {
	folder string
	typ    variant.Type
	class  string
}{
	"c": {"theme_override_colors/", variant.TypeColor, ""},
	"n": {"theme_override_constants/", variant.TypeInt, ""},
	"f": {"theme_override_fonts/", variant.TypeObject, "Font"},
	"z": {"theme_override_font_sizes/", variant.TypeInt, ""},
	"i": {"theme_override_icons/", variant.TypeObject, "Texture2D"},
	"s": {"theme_override_styles/", variant.TypeObject, "StyleBox"},
}

// themeLimits are the ranges of the numbers among them (engine 4.6).
var themeLimits = map[string]string{"n": "-16384,16384", "z": "1,256,1,or_greater,suffix:px"}

// themeOverride is one theme override that a class has.
type themeOverride struct {
	name string
	info classdb.PropertyInfo
}

// themeLists reads the generated list.
var themeLists = sync.OnceValue(func() map[string][]themeOverride {
	out := map[string][]themeOverride{}
	text := strings.ReplaceAll(themeItems, "\n  ", " ")
	waiting := strings.Split(strings.TrimSpace(text), "\n")
	// A class may stand before the one whose overrides it goes on from.
	for len(waiting) > 0 {
		var later []string
		for _, line := range waiting {
			words := strings.Fields(line)
			class, base, goesOn := strings.Cut(words[0], ":")
			if _, ready := out[base]; goesOn && !ready {
				later = append(later, line)
				continue
			}
			list := append([]themeOverride(nil), out[base]...)
			for _, w := range words[1:] {
				list = append(list, override(w))
			}
			out[class] = list
		}
		if len(later) == len(waiting) {
			panic("scene: the list of theme overrides goes in circles")
		}
		waiting = later
	}
	return out
})

func override(word string) themeOverride {
	letter, item, _ := strings.Cut(word, "/")
	kind := themeKinds[letter]
	o := themeOverride{name: kind.folder + item}
	o.info = classdb.PropertyInfo{
		Name: o.name, Type: classdb.Type(kind.typ), ClassName: kind.class, Usage: classdb.UsageEditor, Owner: "Control", Dynamic: true,
	}
	if kind.class != "" {
		o.info.Hint, o.info.HintString = hintResourceType, kind.class
	}
	if limits := themeLimits[letter]; limits != "" {
		o.info.Hint, o.info.HintString = hintRange, limits
	}
	return o
}

// unthemed are the classes that have no overrides although their bases have.
var unthemed = map[string]bool{"ConfirmationDialog": true, "Popup": true}

// themeOverrides lists the theme overrides of a class: its own, or those of the
// nearest ancestor that has a list.
func themeOverrides(class string) []themeOverride {
	lists := themeLists()
	for _, c := range classdb.Chain(class) {
		if l, ok := lists[c]; ok || unthemed[c] {
			return l
		}
	}
	return nil
}
