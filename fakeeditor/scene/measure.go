package scene

import (
	"slices"
	"strings"

	"godot-mcp/server/godot/classdb"
)

// Minimum sizes of controls. They follow from fonts, style boxes and icons, of which
// only the engine's own theme and font are known here; every measure comes with
// whether it is exact. The figures are engine 4.6 experiments.

// leastSize gives the combined minimum size of a control.
func (e Env) leastSize(n *Node) (least vec2, sure bool) {
	least, sure = e.ownLeast(n)
	custom := e.vec2(n, "custom_minimum_size")
	return vec2{X: max(least.X, custom.X), Y: max(least.Y, custom.Y)}, sure
}

// ownLeast gives the minimum size that the class asks for.
func (e Env) ownLeast(n *Node) (least vec2, sure bool) {
	if s := e.ScriptOf(n); s != nil && s.Tool {
		return vec2{}, false
	}
	if sizeless(n.Class) {
		return vec2{}, true
	}
	style := e.styleOf(n)
	if !style.plain {
		return vec2{}, false
	}
	switch n.Class {
	case "Label":
		return e.labelLeast(n, style.face)
	case "Button":
		return e.buttonLeast(n, style.face)
	case "ProgressBar":
		if style.face == nil || e.saysMore(n) {
			return vec2{}, false
		}
		return vec2{X: 4, Y: style.face.height + 4}, true
	case "VBoxContainer", "HBoxContainer":
		return e.boxLeast(n)
	}
	least, sure = freshLeast[n.Class]
	return least, sure && !e.saysMore(n) && e.text(n, "text") == ""
}

// sizeless reports whether controls of a class ask for no size, whatever they show.
func sizeless(class string) bool {
	switch class {
	case "Control", "Panel", "ColorRect", "ReferenceRect", "Container":
		return true
	}
	return false
}

// freshLeast are the minimum sizes of controls without text to which nothing is set.
var freshLeast = map[string]vec2{
	"CheckBox": {X: 24, Y: 24}, "CheckButton": {X: 44, Y: 24}, "HSlider": {X: 8, Y: 16}, "VSlider": {X: 16, Y: 8},
	"HScrollBar": {X: 8, Y: 8}, "VScrollBar": {X: 8, Y: 8}, "VSeparator": {X: 4, Y: 3}, "HSeparator": {X: 3, Y: 4},
	"TextureRect": {}, "NinePatchRect": {}, "TextureButton": {},
}

// silent are the properties beyond those of Control that do not change how much room
// a control needs.
var silent = []string{
	"text", "horizontal_alignment", "vertical_alignment", "disabled", "toggle_mode", "button_pressed",
	"value", "min_value", "max_value", "step", "page", "rounded", "allow_greater", "allow_lesser", "exp_edit",
}

// saysMore reports whether something is set that the measures do not follow.
func (e Env) saysMore(n *Node) bool {
	c := classOf(n.Class)
	return slices.ContainsFunc(n.Props, func(p Prop) bool {
		info, ok := c.property(p.Name)
		return ok && !slices.Contains(silent, p.Name) && info.Owner != "Control" && classdb.Inherits(info.Owner, "Control")
	})
}

func (e Env) labelLeast(n *Node, f *face) (least vec2, sure bool) {
	if f == nil || e.saysMore(n) {
		return vec2{}, false
	}
	text := e.text(n, "text")
	if text == "" {
		return vec2{X: 1, Y: f.height}, true
	}
	const spacing = 3
	lines := strings.Split(text, "\n")
	for _, l := range lines {
		w, ok := f.width(l)
		if !ok {
			return vec2{}, false
		}
		least.X = max(least.X, w)
	}
	least.Y = float32(len(lines))*(f.height+spacing) - spacing
	return least, true
}

func (e Env) buttonLeast(n *Node, f *face) (least vec2, sure bool) {
	if e.saysMore(n) {
		return vec2{}, false
	}
	const margins = 8
	text := e.text(n, "text")
	if text == "" {
		return vec2{X: margins, Y: margins}, true
	}
	if f == nil {
		return vec2{}, false
	}
	w, ok := f.width(text)
	return vec2{X: w + margins, Y: f.height + margins}, ok
}

func (e Env) text(n *Node, name string) string {
	v, _ := e.value(n.object(), name)
	s, _ := v.Text()
	return s
}

// style is what the themes above a control say of it.
type style struct {
	plain bool // nothing but the engine's own theme, another size of text aside
	face  *face
}

// styleOf looks at a control and what it takes its theme from: controls and windows
// above it without a gap.
func (e Env) styleOf(n *Node) style {
	if v, ok := n.Props.Get("theme_type_variation"); ok && !v.IsNil() {
		return style{}
	}
	for _, p := range n.Props {
		if strings.HasPrefix(p.Name, "theme_override_") && !strings.HasPrefix(p.Name, "theme_override_colors/") {
			return style{}
		}
	}
	chain := classdb.Chain(n.Class)
	size := 0
	for x := n; x != nil && themed(x.Class) && !e.loading; x = e.Node(x.Parent) {
		v, ok := x.Props.Get("theme")
		if !ok || v.IsNil() {
			continue
		}
		r := e.Res(ResOf(v))
		if r == nil || r.Opaque || r.Class != "Theme" {
			return style{}
		}
		for _, p := range r.Props {
			kind, item, _ := strings.Cut(p.Name, "/")
			switch {
			case p.Name == "default_font_size":
				if i, _ := p.Value.Int(); size == 0 && i > 0 {
					size = int(i)
				}
			case strings.HasPrefix(p.Name, "default_"), p.Name == "script", slices.Contains(chain, kind) && !strings.HasPrefix(item, "colors/"):
				return style{}
			}
		}
	}
	if size == 0 {
		size = defaultFontSize
	}
	return style{plain: true, face: faces[size]}
}

func themed(class string) bool { return classOf(class).control || classdb.Inherits(class, "Window") }

// shown reports whether a canvas item and all canvas items above it are visible, in
// the window of the editor: the engine keeps the sizes of no others up to date.
func (e Env) shown(n *Node) bool {
	for ; n != nil && classOf(n.Class).canvasItem; n = e.Node(n.Parent) {
		if !e.flag(n, "visible") {
			return false
		}
	}
	for ; n != nil; n = e.Node(n.Parent) {
		if classdb.Inherits(n.Class, "CanvasLayer") || classdb.Inherits(n.Class, "Viewport") {
			return false
		}
	}
	return true
}
